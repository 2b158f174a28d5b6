package class

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// optionStep is one group of options that differ.
type optionStep struct {
	// changes names the options, as Envoy calls them, with their values.
	changes []string
	// effect is what the group does to the requests of the area, which is over the request as it is sent.
	effect     string
	area       Area
	aboutPaths bool
	// redirects is where the options decide, of requests that both sides see alike, what redirects are filled with; nil for nowhere.
	redirects *Area
	// take gives options the group's values from others.
	take func(to *table.Options, from table.Options)
	// samples may lie in the region.
	samples []table.Request
}

// optionSteps are the groups in which options differ. Going from one side's options to the other's, one group at a time, every
// request that the sides do not see alike is seen otherwise by one of the steps.
func optionSteps(b, a table.Options, hosts, underscored []string) []optionStep {
	var out []optionStep
	for _, s := range []optionStep{pathStep(b, a), hostStep(b, a, hosts), underscoreStep(b, a, underscored), protocolStep(b, a)} {
		if len(s.changes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// reason says in a reader's words what differs, and what that leaves undecided.
func (s *optionStep) reason() string {
	return strings.Join(s.changes, ", ") + ": " + s.effect +
		"; what that changes is not decided (send the examples to both sides to see it), requests outside such regions are compared"
}

// changed adds an option if its values differ.
func changed[T comparable](s *optionStep, name string, before, after T, word func(T) string) bool {
	if before == after {
		return false
	}
	s.changes = append(s.changes, fmt.Sprintf("%s is %s before and %s after", name, word(before), word(after)))
	return true
}

func anything() Terms { return Terms{Include: []Term{{Kind: TermAny}}} }

func (t *Terms) includePatterns(patterns ...string) {
	for _, p := range patterns {
		t.Include = append(t.Include, Term{Kind: TermRegex, Value: p})
	}
}

func pathStep(b, a table.Options) optionStep {
	s := optionStep{effect: "the two sides make different things of such a path", area: Area{Hosts: anything()}, aboutPaths: true}
	normalize := changed(&s, "normalize_path", b.NormalizePath, a.NormalizePath, onOff)
	if normalize {
		s.area.Paths.includePatterns(sentDotSegments, plainEscapes, sentBytes)
	}
	if changed(&s, "merge_slashes", b.MergeSlashes, a.MergeSlashes, onOff) {
		s.area.Paths.includePatterns(sentSlashes)
	}
	slashes := changed(&s, "path_with_escaped_slashes_action", b.EscapedSlashes, a.EscapedSlashes, escapedSlashesWord)
	if slashes || normalize && (unescapesSlashes(b) || unescapesSlashes(a)) {
		s.area.Paths.includePatterns(escapedSlashes)
	}
	if changed(&s, "ignore_path_parameters_in_path_matching", b.IgnorePathParameters, a.IgnorePathParameters, onOff) {
		s.area.Paths.includePatterns(parameters)
	}
	if b.IgnorePathParameters || a.IgnorePathParameters {
		s.redirects = &s.area // no rule sees the parameters, a redirect keeps them
	}
	s.take = func(to *table.Options, from table.Options) {
		to.NormalizePath, to.MergeSlashes, to.EscapedSlashes = from.NormalizePath, from.MergeSlashes, from.EscapedSlashes
		to.IgnorePathParameters = from.IgnorePathParameters
	}
	for _, path := range []string{"/a/../b", "/%61", "/a//b", "/a%2Fb", "/a;v/b", "/a%00"} {
		s.samples = append(s.samples, table.Request{Path: path})
	}
	return s
}

// unescapesSlashes tells whether normalize_path sees slashes that were sent as escapes.
func unescapesSlashes(o table.Options) bool {
	return o.EscapedSlashes == table.ForwardEscapedSlashes || o.EscapedSlashes == table.RedirectEscapedSlashes
}

// Hosts, as they are sent, that may have a port, or a dot that is taken off.
const (
	hostsWithPort = `.*:.*`
	hostsWithDot  = `.*\.(:.*)?`
)

func hostStep(b, a table.Options, hosts []string) optionStep {
	s := optionStep{effect: "the two sides look such a host up under different names", area: Area{Paths: anything()}}
	endings := []string{":80", ":x"}
	ignored := changed(&s, "ignore_port_in_host_matching", b.IgnoreHostPort, a.IgnoreHostPort, onOff)
	if changed(&s, "strip_any_host_port", b.StripAnyHostPort, a.StripAnyHostPort, onOff) || ignored {
		s.area.Hosts.includePatterns(hostsWithPort)
	}
	if changed(&s, "strip_matching_host_port", b.StripHostPort, a.StripHostPort, portWord) {
		for _, port := range []uint32{b.StripHostPort, a.StripHostPort} {
			if port != 0 {
				s.area.Hosts.includePatterns(fmt.Sprintf(`.*:\+?0*%d\.?`, port))
				if ending := fmt.Sprint(":", port); !slices.Contains(endings, ending) {
					endings = append(endings, ending)
				}
			}
		}
	}
	if changed(&s, "strip_trailing_host_dot", b.StripTrailingDot, a.StripTrailingDot, onOff) {
		s.area.Hosts.includePatterns(hostsWithDot)
		endings = append(endings, ".")
	}
	if b.IgnoreHostPort || a.IgnoreHostPort {
		s.redirects = &s.area // no domain sees the port, a redirect keeps it
	}
	s.take = func(to *table.Options, from table.Options) {
		to.IgnoreHostPort, to.StripAnyHostPort, to.StripHostPort = from.IgnoreHostPort, from.StripAnyHostPort, from.StripHostPort
		to.StripTrailingDot = from.StripTrailingDot
	}
	for _, host := range hosts {
		for _, ending := range endings {
			if !strings.ContainsAny(host, ":") {
				s.samples = append(s.samples, table.Request{Host: host + ending})
			}
		}
	}
	return s
}

// underscoredNames stands for the names of all headers with an underscore in an area that is not decided.
const underscoredNames = "*_*"

func underscoreStep(b, a table.Options, tested []string) optionStep {
	named := table.Predicate{Source: table.Header, Name: underscoredNames, Test: table.Present}
	s := optionStep{effect: "a header whose name has an underscore does not fare alike on both sides"}
	s.area = Area{Hosts: anything(), Paths: anything(), Conditions: []Condition{{Predicate: named}}}
	changed(&s, "headers_with_underscores_action", b.Underscores, a.Underscores, underscoresWord)
	s.take = func(to *table.Options, from table.Options) { to.Underscores = from.Underscores }
	for _, name := range append(slices.Clone(tested), "x_y") {
		s.samples = append(s.samples, table.Request{Headers: []table.Field{{Name: name, Value: "1"}}})
	}
	return s
}

const forwardedProto = "x-forwarded-proto"

func protocolStep(b, a table.Options) optionStep {
	empty := table.Predicate{Source: table.Header, Name: forwardedProto, Test: table.Exact}
	s := optionStep{effect: "a request with an empty x-forwarded-proto finds a route only where the option is on, which replaces it"}
	s.area = Area{Hosts: anything(), Paths: anything(), Conditions: []Condition{{Predicate: empty}}}
	changed(&s, "use_remote_address", b.UseRemoteAddress, a.UseRemoteAddress, onOff)
	claimed := table.Predicate{Source: table.Header, Name: forwardedProto, Test: table.Present}
	s.redirects = &Area{Hosts: anything(), Paths: anything(), Conditions: []Condition{{Predicate: claimed}}}
	s.take = func(to *table.Options, from table.Options) { to.UseRemoteAddress = from.UseRemoteAddress }
	for _, value := range []string{"", "https", "http"} {
		s.samples = append(s.samples, table.Request{Headers: []table.Field{{Name: forwardedProto, Value: value}}})
	}
	return s
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func portWord(port uint32) string {
	if port == 0 {
		return "off"
	}
	return fmt.Sprintf("on for port %d", port)
}

// escapedSlashesWord is the name of Envoy's PathWithEscapedSlashesAction.
func escapedSlashesWord(e table.EscapedSlashes) string {
	switch e {
	case table.RejectEscapedSlashes:
		return "REJECT_REQUEST"
	case table.RedirectEscapedSlashes:
		return "UNESCAPE_AND_REDIRECT"
	case table.ForwardEscapedSlashes:
		return "UNESCAPE_AND_FORWARD"
	}
	return "KEEP_UNCHANGED"
}

// underscoresWord is the name of Envoy's HeadersWithUnderscoresAction.
func underscoresWord(u table.Underscores) string {
	switch u {
	case table.RejectUnderscores:
		return "REJECT_REQUEST"
	case table.DropUnderscores:
		return "DROP_HEADER"
	}
	return "ALLOW"
}
