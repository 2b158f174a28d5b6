package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// Bounds of the map: what nobody looks through makes no page slow. The classes below hold all.
const (
	mapRows   = 100
	mapNodes  = 200
	mapPlaced = 20_000 // cells and exceptions laid out, before rows that look alike are merged
)

// routeMap shows where what changes does, and where nothing is known.
type routeMap struct {
	Places []*mapPlace
	// Partial: it does not hold all.
	Partial bool
}

// mapPlace is the map of one listener or set of gateways.
type mapPlace struct {
	Name []run
	Rows []*mapRow
	// More counts hosts that are not shown.
	More int
}

// mapRow are the hosts in which the same happens, with the paths on which it does.
type mapRow struct {
	Hosts [][]run
	// MoreHosts counts those that do not fit.
	MoreHosts int
	// Here is what happens whatever the path, All that there are paths.
	Here  []mapCell
	All   bool
	Paths []*mapNode
	// More counts paths that are not shown.
	More int

	nodes []*mapNode
}

// mapNode is one set of paths. Those inside of it are its children.
type mapNode struct {
	Path     []run
	Cells    []mapCell
	Children []*mapNode

	key  string
	term class.Term
	// whole: it is all paths of the term.
	whole bool
}

// mapCell is a class, or a region that is not decided, at its place on the map.
type mapCell struct {
	Severity string
	// Conditions narrow the requests of the place; Change says what they got and get.
	Conditions []run
	Change     []run
	Target     string
}

// mapMaker fills the map of a report.
type mapMaker struct {
	report *report.Report
	words  words
	places []*mapPlace
	place  map[string]*mapPlace
	row    map[string]*mapRow
	// left counts down from mapPlaced.
	left int
}

// makeMap lays out what changes, in the order in which the report tells it: worst first.
func makeMap(r *report.Report, w words) routeMap {
	m := &mapMaker{report: r, words: w, place: map[string]*mapPlace{}, row: map[string]*mapRow{}, left: mapPlaced}
	for i, c := range r.Classes {
		m.class(i, c)
	}
	m.words = w
	for i, u := range r.Undecided {
		cell := mapCell{Severity: "undecided", Change: runs(w.word(u.Reason)), Target: undecidedTarget(i)}
		m.area(w.regionOf(r, u), u.Area, cell)
	}
	made := routeMap{Places: m.places, Partial: m.left < 0}
	for _, p := range m.places {
		made.Partial = p.finish() || made.Partial
	}
	return made
}

func (m *mapMaker) class(i int, c report.Class) {
	m.words.repeated = c.OnlyRepeated
	before, after := m.words.change(c)
	cell := mapCell{Severity: string(c.Severity), Change: runs(m.share(c) + before + " → " + after), Target: classTarget(i)}
	where := m.words.where(m.report, c)
	if len(c.Areas) == 0 && m.hasRoom() {
		row := m.host(where, m.words.requests(c, ", "))
		row.Here = append(row.Here, cell)
	}
	for _, a := range c.Areas {
		m.area(where, a, cell)
	}
}

// hasRoom tells whether the map has room for one more.
func (m *mapMaker) hasRoom() bool {
	m.left--
	return m.left >= 0
}

func (m *mapMaker) share(c report.Class) string {
	if share := m.words.share(c.Flows); share != "" {
		return m.words.strong(share) + " "
	}
	return ""
}

// area puts a cell on every set of paths of every host of an area, and marks what the area leaves out.
func (m *mapMaker) area(where string, a report.Area, cell mapCell) {
	rest := a
	rest.Paths = class.Terms{Include: []class.Term{{Kind: class.TermAny}}}
	conditions := m.words.narrowing(rest)
	if m.words.repeated {
		conditions = strings.TrimPrefix(conditions+", only if a header is sent twice", ", ")
	}
	cell.Conditions = runs(conditions)
	hosts := a.Hosts.Include
	if isAny(hosts) {
		hosts = []class.Term{{Kind: class.TermAny}}
	}
	for _, host := range hosts {
		one := a.Hosts
		one.Include = []class.Term{host}
		said := m.words.terms(one, report.HostPhrase)
		if said == "" {
			said = report.HostPhrase(host).String()
		}
		if !m.hasRoom() {
			return
		}
		m.paths(m.host(where, said), a.Paths, cell)
	}
}

func (m *mapMaker) paths(row *mapRow, paths class.Terms, cell mapCell) {
	within := ""
	if len(paths.Within) > 0 {
		within = " within " + m.words.some(m.words.phrases(paths.Within, report.PathPhrase), " and ")
	}
	if isAny(paths.Include) && within == "" {
		row.Here, row.All = append(row.Here, cell), true
	} else {
		for _, t := range paths.Include {
			if node := m.node(row, t, within); node != nil {
				node.Cells = append(node.Cells, cell)
			}
		}
	}
	for _, t := range paths.Exclude {
		m.node(row, t, "")
	}
}

// host finds or makes the row of a host in a place.
func (m *mapMaker) host(where, host string) *mapRow {
	p := m.place[where]
	if p == nil {
		p = &mapPlace{Name: runs(where)}
		m.place[where] = p
		m.places = append(m.places, p)
	}
	key := where + "\n" + host
	row := m.row[key]
	if row == nil {
		row = &mapRow{Hosts: [][]run{runs(host)}}
		m.row[key] = row
		p.Rows = append(p.Rows, row)
	}
	return row
}

// node finds or makes the set of paths of a term, nil if there is no room.
func (m *mapMaker) node(row *mapRow, t class.Term, within string) *mapNode {
	if !m.hasRoom() {
		return nil
	}
	key := fmt.Sprintf("%s %q%s", t.Kind, t.Value, within)
	for _, n := range row.nodes {
		if n.key == key {
			return n
		}
	}
	if len(row.nodes) == mapNodes {
		row.More++
		return nil
	}
	n := &mapNode{key: key, term: t, whole: within == "", Path: runs(m.words.phrase(report.PathPhrase(t)) + within)}
	row.nodes = append(row.nodes, n)
	return n
}
