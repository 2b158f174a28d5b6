package envoy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/render/files"
)

// Statistics are Envoy's counters, gauges and texts by name.
type Statistics map[string]any

// filter names the statistics that tell what became of a file.
const filter = `(update_rejected|update_failure|update_success|version_text|warming_clusters|total_listeners_warming|listener_create_failure|init_fetch_timeout|key_rotation_failed|unknown_fields)$`

// Statistics asks for those that tell what became of the files.
func (a *Admin) Statistics(ctx context.Context) (Statistics, error) {
	var answer struct {
		Stats []struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		} `json:"stats"`
	}
	if err := a.askJSON(ctx, "/stats?format=json&type=All&filter="+filter, &answer); err != nil {
		return nil, err
	}
	read := Statistics{}
	for _, stat := range answer.Stats {
		read[stat.Name] = stat.Value
	}
	return read, nil
}

// number is a counter or gauge; 0 where there is none.
func (s Statistics) number(name string) float64 {
	value, _ := s[name].(float64)
	return value
}

// refusing are the ends of the counters that say that something was not taken. Unknown fields are taken, without effect: a field
// that an older Envoy does not know may be the one that protects a route.
var refusing = [...]string{
	".update_rejected", ".update_failure", ".listener_create_failure", ".init_fetch_timeout", ".key_rotation_failed", "_unknown_fields",
}

// Refused lists the counters of refusals that have counted since earlier statistics, with how often; nil are those of a new Envoy.
func (s Statistics) Refused(since Statistics) []string {
	var counted []string
	for name := range s {
		if more := s.number(name) - since.number(name); more > 0 && refuses(name) {
			counted = append(counted, fmt.Sprintf("%s counts %v", name, more))
		}
	}
	slices.Sort(counted)
	return counted
}

// refuses tells whether a counter counts refusals. That of a cluster counts answers of DNS too, where a name is not known.
func refuses(name string) bool {
	if strings.HasPrefix(name, "cluster.") && strings.HasSuffix(name, ".update_failure") {
		return false
	}
	return slices.ContainsFunc(refusing[:], func(end string) bool { return strings.HasSuffix(name, end) })
}

// Warming names what Envoy still prepares before it serves with it, or is "".
func (s Statistics) Warming() string {
	for _, name := range []string{"listener_manager.total_listeners_warming", "cluster_manager.warming_clusters"} {
		if s.number(name) != 0 {
			return fmt.Sprintf("%s is %v", name, s[name])
		}
	}
	return ""
}

// subscriptions are the scopes of the statistics of those who watch a file, out of what runs: more than one for endpoints that
// several clusters share, and none for what no listener or cluster names.
func (s Statistics) subscriptions(file files.File, running *files.Set) []string {
	var candidates []string
	switch kindOf(file.Path) {
	case "cds":
		candidates = []string{"cluster_manager.cds."}
	case "lds":
		candidates = []string{"listener_manager.lds."}
	case "sds":
		candidates = s.scopesEndingIn("sds." + statName(file.Resource) + ".")
	case "rds":
		candidates = s.scopesEndingIn("rds." + statName(file.Resource) + ".")
	case "eds":
		for _, cluster := range running.Clusters {
			if config := cluster.GetEdsClusterConfig(); config != nil && (config.ServiceName == file.Resource || config.ServiceName == "" && cluster.Name == file.Resource) {
				candidates = append(candidates, "cluster."+statName(cluster.Name)+".")
			}
		}
	}
	return slices.DeleteFunc(candidates, func(scope string) bool { _, known := s[scope+versionText]; return !known })
}

const (
	versionText   = "version_text"
	updateSuccess = "update_success"
)

// scopesEndingIn are the scopes whose last parts are these: the connection manager's prefix comes before the name of its routes.
func (s Statistics) scopesEndingIn(end string) []string {
	var scopes []string
	for name := range s {
		scope, ok := strings.CutSuffix(name, versionText)
		if ok && (scope == end || strings.HasSuffix(scope, "."+end)) {
			scopes = append(scopes, scope)
		}
	}
	slices.Sort(scopes)
	return scopes
}

// statName is a name as Envoy writes it into the names of statistics.
func statName(name string) string { return strings.ReplaceAll(name, ":", "_") }

// kindOf is the folder of a file, or the name before its extension.
func kindOf(path string) string {
	kind, _, _ := strings.Cut(path, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return kind
}
