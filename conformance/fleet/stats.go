package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// stats are Envoy's counters, gauges and texts by name.
type stats map[string]any

// filter names the statistics that tell what became of a file.
const filter = `(update_rejected|update_failure|update_success|version_text|warming_clusters|total_listeners_warming|listener_create_failure|init_fetch_timeout|key_rotation_failed|unknown_fields)$`

func (e *envoy) stats(ctx context.Context) (stats, error) {
	body, err := e.ask(ctx, "/stats?format=json&type=All&filter="+filter)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Stats []struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading Envoy's statistics: %w", err)
	}
	read := stats{}
	for _, stat := range answer.Stats {
		read[stat.Name] = stat.Value
	}
	return read, nil
}

// number is a counter or gauge; 0 where there is none.
func (s stats) number(name string) float64 {
	value, _ := s[name].(float64)
	return value
}

// refusal is the error for what Envoy did not take.
type refusal struct{ counters []string }

func (r *refusal) Error() string { return "Envoy refuses: " + strings.Join(r.counters, ", ") }

// refusing are the ends of the counters that say that something was not taken. Unknown fields are taken, without effect.
var refusing = [...]string{
	".update_rejected", ".update_failure", ".listener_create_failure", ".init_fetch_timeout", ".key_rotation_failed", "_unknown_fields",
}

// refused gives a *refusal if any of those counters has counted.
func (s stats) refused() error {
	var counted []string
	for name, value := range s {
		if value != 0.0 && refuses(name) {
			counted = append(counted, fmt.Sprintf("%s is %v", name, value))
		}
	}
	if counted == nil {
		return nil
	}
	slices.Sort(counted)
	return &refusal{counted}
}

// refuses tells whether a counter counts refusals. That of a cluster counts answers of DNS too, where a name is not known.
func refuses(name string) bool {
	if strings.HasPrefix(name, "cluster.") && strings.HasSuffix(name, ".update_failure") {
		return false
	}
	return slices.ContainsFunc(refusing[:], func(end string) bool { return strings.HasSuffix(name, end) })
}

// settled is nil once nothing is warming any more.
func (s stats) settled() error {
	if err := s.refused(); err != nil {
		return err
	}
	for _, name := range []string{"listener_manager.total_listeners_warming", "cluster_manager.warming_clusters"} {
		if s.number(name) != 0 {
			return fmt.Errorf("%s is %v", name, s[name])
		}
	}
	return nil
}
