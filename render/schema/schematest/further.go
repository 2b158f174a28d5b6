package schematest

import (
	_ "embed"
	"fmt"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

//go:embed further.yaml
var furtherFile []byte

// Further are the probes that no rule gives: those of further.yaml, and objects so large that it matters what rules cost.
func Further(definitions []*Definition) ([]Probe, error) {
	data, err := yaml.ToJSON(furtherFile)
	if err != nil {
		return nil, fmt.Errorf("reading further.yaml: %w", err)
	}
	var list []struct {
		Name   string         `json:"name"`
		Object map[string]any `json:"object"`
	}
	if err := utiljson.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("reading further.yaml: %w", err)
	}
	var probes []Probe
	add := func(name string, object map[string]any) {
		for _, d := range definitions {
			if d.Kind == object["kind"] && d.GroupVersion().String() == object["apiVersion"] {
				probes = append(probes, Probe{Name: d.Name() + ": " + name, Definition: d, Side: Either, Object: object})
			}
		}
	}
	for _, one := range list {
		add(one.Name, whole(one.Object).(map[string]any))
	}
	add("all matches, with long paths and headers", largeRoute())
	add("all listeners, with long hostnames", largeGateway())
	add("all hostnames, as long as they may be", largeHostnames())
	add("all parents, as long as they may be", largeParents())
	return probes, nil
}

func object(kind string, spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "gateway.networking.k8s.io/v1", "kind": kind,
		"metadata": map[string]any{"name": "a", "namespace": "default"}, "spec": spec,
	}
}

// hostname is one of 253 characters, the numbers last, so that comparing two of them reads all.
func hostname(number int) string {
	label := strings.Repeat("a", 63)
	return fmt.Sprintf("%s.%s.%s.%s%04d", label, label, label, label[:57], number)
}

func times(number int, item func(i int) any) []any {
	list := make([]any, number)
	for i := range list {
		list[i] = item(i)
	}
	return list
}

func largeRoute() map[string]any {
	match := func(i int) any {
		headers := times(16, func(i int) any {
			return map[string]any{"name": fmt.Sprint("a", i), "value": strings.Repeat("b", 64)}
		})
		return map[string]any{"path": map[string]any{"value": "/" + strings.Repeat("a", 1023)}, "headers": headers}
	}
	return object("HTTPRoute", map[string]any{"rules": times(16, func(i int) any {
		return map[string]any{"name": fmt.Sprint(strings.Repeat("a", 250), i), "matches": times(8, match)}
	})})
}

func largeGateway() map[string]any {
	return object("Gateway", map[string]any{"gatewayClassName": "a", "listeners": times(64, func(i int) any {
		return map[string]any{"name": hostname(i), "hostname": hostname(i), "port": int64(443), "protocol": "HTTPS", "tls": map[string]any{
			"certificateRefs": []any{map[string]any{"name": "a"}}}}
	})})
}

func largeHostnames() map[string]any {
	return object("TLSRoute", map[string]any{
		"hostnames": times(1024, func(i int) any { return hostname(i) }),
		"rules":     []any{map[string]any{"backendRefs": []any{map[string]any{"name": "a", "port": int64(443)}}}},
	})
}

func largeParents() map[string]any {
	return object("GRPCRoute", map[string]any{"parentRefs": times(32, func(i int) any {
		return map[string]any{"name": hostname(0), "namespace": strings.Repeat("a", 63), "sectionName": hostname(i)}
	})})
}
