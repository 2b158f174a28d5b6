package class

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/diff/table"
)

// grpcTypes are the content types of gRPC.
const grpcTypes = `application/grpc(\+.*)?`

// compareOptions reports the requests that the two sides do not see alike: as a class where both answer them without a table,
// else as undecided, each group of options by itself.
func (c *comparison) compareOptions() {
	b, a := c.tables[beforeSide].Options, c.tables[afterSide].Options
	answered, all := c.answeredAlike(b, a)
	from := b
	for _, s := range optionSteps(b, a, c.someHosts(), c.reception.underscored) {
		to := from
		s.take(&to, a)
		x := c.reception.between(from, to)
		contains := func(r table.Request) bool { return !x.alike(r) && !c.reception.alike(r) && !answered(r) }
		if !all || !s.aboutPaths {
			c.addOptionRegion(s, contains)
		}
		c.undecideRedirects(s, from, to)
		from = to
	}
	c.optionRegions = len(c.result.Undecided)
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
	u := Undecided{Area: s.area, Reason: s.reason(), contains: contains}
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
	return contains, len(pathStep(b, a).changes) == 1
}

// mentionUnfelt says with the regions of compareOptions how many edits change no request outside them.
func (c *comparison) mentionUnfelt() {
	unfelt := map[int]bool{}
	for i := range c.result.Edits {
		if edit := c.result.Edits[i].group; !c.felt[edit] && !c.unsure[edit] {
			unfelt[edit] = true
		}
	}
	if len(unfelt) == 0 {
		return
	}
	edits := "1 edit of the rules changes"
	if len(unfelt) > 1 {
		edits = fmt.Sprintf("%d edits of the rules change", len(unfelt))
	}
	for i := range c.optionRegions {
		c.result.Undecided[i].Reason += "; " + edits + " nothing outside them"
	}
}
