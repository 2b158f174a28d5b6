package source

import (
	"path"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// template is the file of a chart that an object was made by, with the numbers of its lines by their text.
type template struct {
	name string
	// lines hold the number of each line of the template that is there once; keys those whose key is there once.
	lines, keys map[string]int
}

// templateOf finds the template that Helm names ahead of what it makes: "# Source: chart/templates/route.yaml".
func (c *collector) templateOf(ch chart, document []byte) template {
	found := template{name: path.Join(ch.directory, "Chart.yaml")}
	for line := range strings.Lines(string(document)) {
		source, named := strings.CutPrefix(strings.TrimSpace(line), "# Source: ")
		if !named {
			continue
		}
		// The first step is the chart's name, which need not be that of its directory.
		_, inside, _ := strings.Cut(source, "/")
		name := path.Join(ch.directory, path.Clean("/" + inside)[1:])
		data, err := c.readFile(name)
		if err != nil {
			return found // of a chart that is packed inside of this one
		}
		found.name = name
		found.index(string(data))
		return found
	}
	return found
}

func (t *template) index(text string) {
	t.lines, t.keys = map[string]int{}, map[string]int{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		note(t.lines, line, number)
		note(t.keys, keyOf(line), number)
	}
}

// note keeps the number of what is there once, and 0 of what is there again.
func note(numbers map[string]int, text string, number int) {
	if _, again := numbers[text]; again {
		number = 0
	}
	numbers[text] = number
}

// keyOf is the key of a line, "" if it has none.
func keyOf(line string) string {
	key, _, found := strings.Cut(strings.TrimPrefix(line, "- "), ":")
	if !found || strings.ContainsAny(key, "{}\"' ") {
		return ""
	}
	return key
}

// places leads each line of what a template made to the line of it that reads the same, or else that has the same key, or else to the
// one that the line before was led to.
func (t template) places(text []byte) []diagnostic.Position {
	var places []diagnostic.Position
	last := 1
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if number := t.lines[line]; number > 0 {
			last = number
		} else if number := t.keys[keyOf(line)]; number > 0 && keyOf(line) != "" {
			last = number
		}
		places = append(places, diagnostic.Position{File: t.name, Line: last})
	}
	return places
}
