package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/automaton"
	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// hostGroup is a set of hosts with one virtual host on each side that are in the same areas.
type hostGroup struct {
	host [2]int // indexes into Table.Hosts, -1 for none
	// in tells for each area of the place whether the hosts are in it.
	in      []bool
	witness string
}

// hostGroups divides all hosts. Names are read from behind, which makes suffixes beginnings: the question is that of paths.
func hostGroups(p *place) ([]hostGroup, error) {
	language, err := automaton.Compile(hostStrings, 0) // the same read from behind
	if err != nil {
		return nil, err
	}
	q := newPaths()
	q.language, q.budget, q.wantedLiterals, q.wantedTests = language, p.budget, nil, nil
	h := &hostQuestion{paths: q}
	for side := range p.tables {
		if err := h.domains(side, p.tables[side]); err != nil {
			return nil, err
		}
	}
	areas := make([]hostTerms, len(p.areas))
	for i, a := range p.areas {
		if areas[i], err = h.terms(a.area.Hosts); err != nil {
			return nil, err
		}
	}
	q.wantedLiterals, q.wantedTests = nil, nil
	answers, err := q.run()
	if err != nil {
		return nil, err
	}
	return h.groups(answers, areas), nil
}

// hostQuestion is a question about names, and what its literals and tests stand for.
type hostQuestion struct {
	paths *paths
	uses  []domainUse
}

// domainUse is a domain of a virtual host. rank orders the ways to choose: exact names before suffixes before prefixes before
// "*", and longer wildcards before shorter ones.
type domainUse struct {
	test       pathTest
	side, host int
	rank       [2]int
}

func (h *hostQuestion) domains(side int, t *table.Table) error {
	for i, host := range t.Hosts {
		for _, domain := range host.Domains {
			term := domainTerm(strings.ToLower(domain))
			test, err := h.test(term)
			if err != nil {
				return err
			}
			kind := map[string]int{"exact": 3, "suffix": 2, "prefix": 1, "any": 0}[term.Kind]
			h.uses = append(h.uses, domainUse{test, side, i, [2]int{kind, len(term.Value)}})
		}
	}
	return nil
}

func domainTerm(domain string) certificate.Term {
	switch {
	case domain == "*":
		return certificate.Term{Kind: "any"}
	case strings.HasPrefix(domain, "*"):
		return certificate.Term{Kind: "suffix", Value: certificate.Text(domain[1:])}
	case strings.HasSuffix(domain, "*"):
		return certificate.Term{Kind: "prefix", Value: certificate.Text(domain[:len(domain)-1])}
	}
	return certificate.Term{Kind: "exact", Value: certificate.Text(domain)}
}

// test is a term of a host as a question about the name read from behind. A wildcard stands for at least one byte.
func (h *hostQuestion) test(t certificate.Term) (pathTest, error) {
	text := reversed(string(t.Value))
	switch t.Kind {
	case "any":
		return pathTest{kind: anyPath}, nil
	case "exact":
		return h.paths.literal(literal{exactly, text}), nil
	case "suffix":
		return h.paths.literal(literal{longer, text}), nil
	case "prefix":
		return h.paths.test(text, func() (*automaton.DFA, error) { return automaton.Compile(`(?s).+`+quoted(text), 0) })
	}
	return pathTest{}, fmt.Errorf("unknown kind of host term %q", t.Kind)
}

// quoted writes a text as a pattern over bytes.
func quoted(text string) string {
	var out strings.Builder
	for i := range len(text) {
		if text[i] < 0x80 {
			out.WriteString(regexp.QuoteMeta(text[i : i+1]))
		} else {
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

type hostTerms struct{ include, within, exclude []pathTest }

func (h *hostQuestion) terms(t certificate.Terms) (out hostTerms, err error) {
	for _, list := range []struct {
		from []certificate.Term
		to   *[]pathTest
	}{{t.Include, &out.include}, {t.Within, &out.within}, {t.Exclude, &out.exclude}} {
		for _, term := range list.from {
			test, err := h.test(term)
			if err != nil {
				return out, err
			}
			*list.to = append(*list.to, test)
		}
	}
	return out, nil
}

// groups joins the answers that have the same virtual hosts and areas.
func (h *hostQuestion) groups(answers []answer, areas []hostTerms) []hostGroup {
	uses := map[pathTest][]domainUse{}
	for _, u := range h.uses {
		uses[u.test] = append(uses[u.test], u)
	}
	known := map[string]bool{}
	var out []hostGroup
	for _, a := range answers {
		g := hostGroup{host: chosen(a, uses), in: make([]bool, len(areas)), witness: reversed(a.witness)}
		for i := range areas {
			terms := area{include: areas[i].include, within: areas[i].within, exclude: areas[i].exclude}
			g.in[i] = terms.takes(a.holds)
		}
		if key := g.key(); !known[key] {
			known[key] = true
			out = append(out, g)
		}
	}
	return out
}

func (g *hostGroup) key() string {
	var set []int
	for i, in := range g.in {
		if in {
			set = append(set, i)
		}
	}
	return string(encodeSet(encodeSet(nil, []int{g.host[0] + 1, g.host[1] + 1}), set))
}

// holds tells whether a literal or test holds for the strings of an answer.
func (a *answer) holds(t pathTest) bool {
	switch t.kind {
	case byLiteral:
		_, in := slices.BinarySearch(a.literals, t.at)
		return in
	case byTest:
		_, in := slices.BinarySearch(a.tests, t.at)
		return in
	}
	return true
}

// chosen are the virtual hosts that the names of an answer lead to, the first of equal domains.
func chosen(a answer, uses map[pathTest][]domainUse) [2]int {
	out, best := [2]int{-1, -1}, [2][2]int{{-1}, {-1}}
	consider := func(t pathTest) {
		for _, u := range uses[t] {
			better := slices.Compare(u.rank[:], best[u.side][:])
			if better > 0 || better == 0 && u.host < out[u.side] {
				best[u.side], out[u.side] = u.rank, u.host
			}
		}
	}
	consider(pathTest{kind: anyPath})
	for _, i := range a.literals {
		consider(pathTest{byLiteral, i})
	}
	for _, i := range a.tests {
		consider(pathTest{byTest, i})
	}
	return out
}
