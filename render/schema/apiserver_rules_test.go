package schema

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tableFile says how many rules of each kind the answers are about.
const tableFile = "apiserver.md"

// count is a line of the table.
type count struct {
	objects, accepted, refused, causes int
	rules, shown                       int
	// unbroken are rules that no new object breaks, with the reason.
	unbroken []string
}

// TestRulesAgainstServer: of every rule of the definitions, the server accepted an object that has the field, and refused one for
// this rule; and the table that says so is fresh.
func TestRulesAgainstServer(t *testing.T) {
	list, kubernetes := readAnswers(t)
	tables, err := schematest.ReadTables()
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := schematest.ReadModule(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, probe := range list {
		checkSide(t, probe)
	}
	lines := map[string]*count{}
	for _, d := range definitions {
		var own []answered
		for _, probe := range list {
			if probe.Definition.Name() == d.Name() {
				own = append(own, probe)
			}
		}
		lines[d.Name()] = countAnswers(own)
		for _, rule := range d.Rules() {
			lines[d.Name()].add(t, d, rule, own, tables)
		}
	}
	checkTable(t, table(definitions, lines, kubernetes))
}

// checkSide holds the server's verdict to what a probe was made for: an example that is right or wrong, too.
func checkSide(t *testing.T, probe answered) {
	t.Helper()
	switch accepted := probe.answer.Accepted(); {
	case probe.Side == schematest.Accepted && !accepted:
		t.Errorf("%s: the server refuses it: %s %v", probe.Name, probe.answer.Message, probe.answer.Causes)
	case probe.Side == schematest.Refused && accepted:
		t.Errorf("%s: the server accepts it", probe.Name)
	case probe.Side == schematest.Refused && probe.Rule != schematest.Rule{} && !probe.Rule.Refused(probe.answer):
		t.Errorf("%s: the server refuses it for another reason: %s %v", probe.Name, probe.answer.Message, probe.answer.Causes)
	}
}

func countAnswers(list []answered) *count {
	c := &count{}
	for _, probe := range list {
		c.objects++
		c.causes += len(probe.answer.Causes)
		if probe.answer.Accepted() {
			c.accepted++
		} else {
			c.refused++
		}
	}
	return c
}

// add holds one rule to the answers.
func (c *count) add(t *testing.T, d *schematest.Definition, rule schematest.Rule, list []answered, tables schematest.Tables) {
	t.Helper()
	if d.Twin && rule.Keyword != schematest.CEL {
		return // asked of the other version with the same schema
	}
	c.rules++
	accepted, refused := sides(rule, list)
	shadowed := tables.Values[rule.Text].Shadowed
	switch {
	case !accepted:
		t.Errorf("%s: the server accepted no object with a field for %s", d.Name(), rule)
	case rule.Keyword == "default" || refused:
		c.shown++
	case shadowed != "":
		c.unbroken = append(c.unbroken, fmt.Sprintf("%s, `%s`, %q: %s", d.Name(), rule.Path, rule.Text, shadowed))
	default:
		t.Errorf("%s: the server refused no object because of %s", d.Name(), rule)
	}
}

// sides tells whether the server accepted an object with the field of a rule, and refused one because of it; of a default, whether
// it was filled in.
func sides(rule schematest.Rule, list []answered) (accepted, refused bool) {
	for _, probe := range list {
		own := probe.Rule == rule
		switch {
		case probe.Side == schematest.Refused:
			refused = refused || own && rule.Refused(probe.answer)
		case probe.Side != schematest.Accepted || !probe.answer.Accepted():
		case rule.Keyword == "default":
			accepted = accepted || own && rule.Filled(probe.answer)
		default:
			accepted = accepted || (own || probe.Rule == schematest.Rule{}) && rule.Covers(probe.Object)
		}
	}
	return accepted, refused
}

// tableHead says what the table is about. Its one verb is the server's version.
const tableHead = `# What a real kube-apiserver says

The answers of Kubernetes %s to the objects of render/schema/schematest and to the examples in the module of the Gateway API, with the definitions of the experimental channel: ` + "`make oracle-apiserver`" + `.
` + "`go test ./render/schema`" + ` holds every object to them: verdict, causes (field, reason, message) and the object with its defaults.

## Where schema differs

No object gets another verdict, cause or default. What schema does otherwise, on purpose:

- Of an object with unknown fields, or with metadata of other types, the server says that it cannot be decoded, and looks no further. Schema looks further, so that one run shows all that is wrong. The tests compare what both say.
- The server makes a name of generateName, with five random letters. Schema checks such a name and gives none.
- The server takes the namespace of the request where an object has none. Schema knows no request: who reads manifests fills it in.
- The server gives every object a uid, a time, a generation and managed fields. Schema does not.
- Rules that compare with the former object are not asked: a manifest is judged as a new object.

## What was asked

A rule is shown where the server accepted an object that has the field, and refused one because of the rule; a default, where it was filled in. A version with the schema of another one ("twin") is asked about its CEL rules only.

`

func table(definitions []*schematest.Definition, lines map[string]*count, kubernetes string) string {
	var b strings.Builder
	fmt.Fprintf(&b, tableHead, kubernetes)
	b.WriteString("| definition | objects | accepted | refused | causes | rules | shown |\n|---|---|---|---|---|---|---|\n")
	var total count
	for _, d := range definitions {
		c, name := lines[d.Name()], d.Name()
		if d.Twin {
			name += " (twin)"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, c.objects, c.accepted, c.refused, c.causes, c.rules, c.shown)
		total.objects, total.accepted, total.refused = total.objects+c.objects, total.accepted+c.accepted, total.refused+c.refused
		total.causes, total.rules, total.shown = total.causes+c.causes, total.rules+c.rules, total.shown+c.shown
		total.unbroken = append(total.unbroken, c.unbroken...)
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | %d | %d |\n", total.objects, total.accepted, total.refused, total.causes, total.rules, total.shown)
	b.WriteString("\nRules that no new object breaks:\n\n")
	for _, rule := range total.unbroken {
		fmt.Fprintf(&b, "- %s\n", rule)
	}
	return b.String()
}

func checkTable(t *testing.T, want string) {
	t.Helper()
	path := filepath.Join("testdata", tableFile)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is stale: go test ./render/schema -update: %s", path, diff)
	}
}
