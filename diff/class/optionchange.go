package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// optionStep is one group of options that differ.
type optionStep struct {
	// names of the options, as Envoy calls them.
	names []string
	// requests says which requests they may concern; area is what of it can be written, over the request as it is sent.
	requests   string
	area       Area
	aboutPaths bool
	// take gives options the group's values from others.
	take func(to *table.Options, from table.Options)
	// samples may lie in the region.
	samples []table.Request
}

// optionSteps are the groups in which options differ. Going from one side's options to the other's, one group at a time, every
// request that the sides do not see alike is seen otherwise by one of the steps.
func optionSteps(b, a table.Options, hosts []string) []optionStep {
	var out []optionStep
	for _, s := range []optionStep{pathStep(b, a), hostStep(b, a, hosts), underscoreStep(b, a), protocolStep(b, a)} {
		if len(s.names) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func anything() Terms { return Terms{Include: []Term{{Kind: TermAny}}} }

func pathStep(b, a table.Options) optionStep {
	s := optionStep{requests: "paths that %s changes or refuses", area: Area{Hosts: anything()}, aboutPaths: true}
	add := func(differ bool, name string, patterns ...string) {
		if !differ {
			return
		}
		s.names = append(s.names, name)
		for _, p := range patterns {
			s.area.Paths.Include = append(s.area.Paths.Include, Term{Kind: TermRegex, Value: p})
		}
	}
	add(b.NormalizePath != a.NormalizePath, "normalize_path", sentDotSegments, plainEscapes, sentBytes)
	add(b.MergeSlashes != a.MergeSlashes, "merge_slashes", sentSlashes)
	add(b.EscapedSlashes != a.EscapedSlashes, "path_with_escaped_slashes_action", escapedSlashes)
	add(b.IgnorePathParameters != a.IgnorePathParameters, "ignore_path_parameters_in_path_matching", parameters)
	s.take = func(to *table.Options, from table.Options) {
		to.NormalizePath, to.MergeSlashes, to.EscapedSlashes = from.NormalizePath, from.MergeSlashes, from.EscapedSlashes
		to.IgnorePathParameters = from.IgnorePathParameters
	}
	for _, path := range []string{"/a/../b", "/%61", "/a//b", "/a%2Fb", "/a;v/b", "/a%00"} {
		s.samples = append(s.samples, table.Request{Path: path})
	}
	return s
}

func hostStep(b, a table.Options, hosts []string) optionStep {
	s := optionStep{requests: "hosts of which %s takes a port or a dot", area: Area{Hosts: anything(), Paths: anything()}}
	add := func(differ bool, name string) {
		if differ {
			s.names = append(s.names, name)
		}
	}
	add(b.IgnoreHostPort != a.IgnoreHostPort, "ignore_port_in_host_matching")
	add(b.StripAnyHostPort != a.StripAnyHostPort, "strip_any_host_port")
	add(b.StripHostPort != a.StripHostPort, "strip_matching_host_port")
	add(b.StripTrailingDot != a.StripTrailingDot, "strip_trailing_host_dot")
	s.take = func(to *table.Options, from table.Options) {
		to.IgnoreHostPort, to.StripAnyHostPort, to.StripHostPort = from.IgnoreHostPort, from.StripAnyHostPort, from.StripHostPort
		to.StripTrailingDot = from.StripTrailingDot
	}
	ports := []string{":8080", ":x", "."}
	for _, o := range []table.Options{b, a} {
		ports = append(ports, fmt.Sprint(":", o.StripHostPort))
	}
	for _, host := range hosts {
		for _, port := range ports {
			s.samples = append(s.samples, table.Request{Host: host + port})
		}
	}
	return s
}

func underscoreStep(b, a table.Options) optionStep {
	s := optionStep{requests: "requests with a header whose name has an underscore, which %s drops or refuses", area: Area{Hosts: anything(), Paths: anything()}}
	if b.Underscores != a.Underscores {
		s.names = []string{"headers_with_underscores_action"}
	}
	s.take = func(to *table.Options, from table.Options) { to.Underscores = from.Underscores }
	s.samples = []table.Request{{Headers: []table.Field{{Name: "x_y", Value: "1"}}}}
	return s
}

func protocolStep(b, a table.Options) optionStep {
	empty := table.Predicate{Source: table.Header, Name: forwardedProto, Test: table.Exact}
	s := optionStep{requests: "requests with an empty x-forwarded-proto, which find a route only where %s replaces it"}
	s.area = Area{Hosts: anything(), Paths: anything(), Conditions: []Condition{{Predicate: empty}}}
	if b.UseRemoteAddress != a.UseRemoteAddress {
		s.names = []string{"use_remote_address"}
	}
	s.take = func(to *table.Options, from table.Options) { to.UseRemoteAddress = from.UseRemoteAddress }
	s.samples = []table.Request{{Headers: []table.Field{{Name: forwardedProto}}}}
	return s
}

// grpcTypes are the content types of gRPC.
const grpcTypes = `application/grpc(\+.*)?`

const forwardedProto = "x-forwarded-proto"

// compareOptions reports the requests that the two sides do not see alike: as a class where both answer them without a table,
// else as undecided, each group of options by itself.
func (c *comparison) compareOptions() {
	b, a := c.tables[beforeSide].Options, c.tables[afterSide].Options
	answered, all := c.answeredAlike(b, a)
	from := b
	for _, s := range optionSteps(b, a, c.someHosts()) {
		to := from
		s.take(&to, a)
		x := &reception{sides: [2]*table.Evaluator{onlyOptions(from), onlyOptions(to)}, underscored: c.reception.underscored}
		contains := func(r table.Request) bool { return !x.alike(r) && !c.reception.alike(r) && !answered(r) }
		if !all || !s.aboutPaths {
			c.addOptionRegion(s, contains)
		}
		from = to
	}
}

// maxHosts bounds the hosts that samples are tried with.
const maxHosts = 10

// someHosts are hosts of the tables.
func (c *comparison) someHosts() []string {
	hosts := []string{"example.com"}
	for i := range c.space.cells {
		if len(hosts) > maxHosts {
			break
		}
		if found, _ := c.space.findWitness(i); found {
			hosts = append(hosts, c.space.cells[i].witness)
		}
	}
	return hosts
}

func (c *comparison) addOptionRegion(s optionStep, contains func(table.Request) bool) {
	verb := " is not the same on both sides"
	if len(s.names) > 1 {
		verb = " are not the same on both sides"
	}
	names := strings.Join(s.names, ", ")
	u := Undecided{
		Area: s.area, Reason: names + verb + ": " + fmt.Sprintf(s.requests, names), contains: contains,
	}
	for _, r := range s.samples {
		for _, host := range c.someHosts() {
			r := table.Request{Method: "GET", Scheme: "http", Host: cmp.Or(r.Host, host), Path: cmp.Or(r.Path, "/"), Headers: r.Headers}
			if len(u.Samples) < 3 && contains(r) {
				u.Samples = append(u.Samples, r)
				break
			}
		}
	}
	c.result.Undecided = append(c.result.Undecided, u)
}

// answeredAlike adds the class of the paths with an escaped slash, if one side refuses and the other redirects them whatever its
// table says, and returns the test of it. The redirecting side refuses a path with an escaped NUL as well where it normalizes, unless
// the NUL stands in a parameter of a dot segment, which is too rare to be written into the area.
// All tells that the paths which the two sides do not see alike are all of the class.
func (c *comparison) answeredAlike(b, a table.Options) (answered func(table.Request) bool, all bool) {
	known := []table.EscapedSlashes{table.RejectEscapedSlashes, table.RedirectEscapedSlashes}
	if b.EscapedSlashes == a.EscapedSlashes || !slices.Contains(known, b.EscapedSlashes) || !slices.Contains(known, a.EscapedSlashes) {
		return func(table.Request) bool { return false }, false
	}
	area := Area{Hosts: anything(), Paths: Terms{Include: []Term{{Kind: TermRegex, Value: escapedSlashes}}}}
	if redirecting := b; b.NormalizePath || a.NormalizePath {
		if a.EscapedSlashes == table.RedirectEscapedSlashes {
			redirecting = a
		}
		if redirecting.NormalizePath {
			area.Paths.Exclude = []Term{{Kind: TermRegex, Value: escapedNUL}}
		}
	}
	// A gRPC client is refused instead of redirected.
	isGRPC := table.Predicate{Source: table.Header, Name: contentType, Test: table.Regex, Value: grpcTypes}
	area.Conditions = []Condition{{Predicate: isGRPC, Not: true}}
	contains := func(r table.Request) bool {
		before, after := c.reception.both(r)
		return !before.reached && !after.reached && before.status != after.status && before.status != 0 && after.status != 0
	}
	class := Class{Facet: FacetBackend, Areas: []Area{area}, contains: contains}
	class.Edit = len(c.result.Edits)
	c.result.Edits = append(c.result.Edits, Edit{Kind: OptionsChanged, Options: "path_with_escaped_slashes_action", group: class.Edit})
	class.Edits = []int{class.Edit}
	c.felt[class.Edit] = true
	class.Witness = table.Request{Method: "GET", Scheme: "http", Host: "example.com", Path: "/a%2Fb"}
	before, after := c.reception.both(class.Witness)
	class.Before = []table.Outcome{{Kind: table.Answered, Status: before.status}}
	class.After = []table.Outcome{{Kind: table.Answered, Status: after.status}}
	c.result.Classes = append(c.result.Classes, class)
	return contains, len(pathStep(b, a).names) == 1
}
