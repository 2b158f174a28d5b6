package schema

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInvalidExamples: the objects that the Gateway API keeps as bad examples are refused.
func TestInvalidExamples(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	root := filepath.Join(strings.TrimSpace(string(module)), "hack", "invalid-examples")
	v := New(Experimental)
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		refused := 0
		for text := range strings.SplitSeq("\n"+string(data), "\n---") {
			of, value := decode(t, text)
			if metadata, is := value["metadata"].(map[string]any); is && metadata["namespace"] == nil {
				metadata["namespace"] = "default"
			}
			if result, err := v.Apply(t.Context(), of, value); err == nil && len(result.Causes) > 0 {
				refused++
			}
		}
		if count++; refused == 0 {
			t.Errorf("%s is taken", strings.TrimPrefix(path, root))
		}
		return nil
	})
	if err != nil || count < 30 {
		t.Error(err, count)
	}
}

// TestChannel: a field of the experimental channel is unknown in the standard one.
func TestChannel(t *testing.T) {
	const text = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r, namespace: ns}\nspec: {rules: [{retry: {attempts: 1}}]}\n"
	for channel, want := range map[Channel]string{Experimental: "[]", Standard: `[strict decoding error: unknown field "spec.rules[0].retry"]`} {
		of, value := decode(t, text)
		result, err := New(channel).Apply(t.Context(), of, value)
		var messages []string
		for _, cause := range result.Causes {
			messages = append(messages, cause.Message)
		}
		if err != nil || fmt.Sprint(messages) != want {
			t.Errorf("%s: %v %v", channel, messages, err)
		}
	}
	of, value := decode(t, text)
	if _, err := New("other").Apply(t.Context(), of, value); err == nil {
		t.Error("there is another channel")
	}
}

// manyListeners is a Gateway whose rules compare each of n listeners with each other.
func manyListeners(n, length int) string {
	var b strings.Builder
	b.WriteString("apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\nspec:\n  gatewayClassName: c\n  listeners:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {name: l%d, port: %d, protocol: HTTP, hostname: %s%d.example}\n", i, 1+i, strings.Repeat("a.", length), i)
	}
	return b.String()
}

// TestCost: rules end at the server's limits on their cost, and what stays below is seen to be right in any size.
func TestCost(t *testing.T) {
	v := New(Experimental)
	of, value := decode(t, manyListeners(64, 100))
	started := time.Now()
	result, err := v.Apply(t.Context(), of, value)
	if err != nil || len(result.Causes) != 0 {
		t.Error(result.Causes, err)
	}
	version, err := v.version(of)
	if err != nil {
		t.Fatal(err)
	}
	if _, value = decode(t, manyListeners(64, 100)); !version.accepts(value) {
		t.Error("a full Gateway is not seen to be right")
	}
	// A list over its maximum is refused before its rules are asked.
	_, value = decode(t, manyListeners(20_000, 1))
	result, err = v.Apply(t.Context(), of, value)
	if err != nil || len(result.Causes) != 2 || result.Causes[0].Reason != "FieldValueTooMany" || !result.Causes[1].NotChecked() {
		t.Error(len(result.Causes), err)
	}
	if took := time.Since(started); took > time.Minute {
		t.Error(took)
	}
	// With the budget of one object spent, the library says so.
	_, value = decode(t, manyListeners(64, 1))
	look := &ruling{ctx: t.Context(), budget: 10}
	look.value(version.root, nil, value)
	if len(look.errs) == 0 || !strings.Contains(look.errs[0].Error(), "running out of cost budget") {
		t.Error(look.errs)
	}
}
