package github

import (
	"bufio"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// readOutputs reads the file as the runner does (actions/runner, FileCommandManager).
func readOutputs(t rapid.TB, text string) map[string]string {
	read := map[string]string{}
	scanner := bufio.NewScanner(strings.NewReader(text))
	scanner.Split(bufio.ScanLines)
	for scanner.Scan() {
		line := scanner.Text()
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case equals >= 0 && (heredoc < 0 || equals < heredoc):
			read[line[:equals]] = line[equals+1:]
		case heredoc >= 0:
			name, end := line[:heredoc], line[heredoc+2:]
			var value []string
			for {
				if !scanner.Scan() {
					t.Fatalf("%q has no end", name)
				}
				if scanner.Text() == end {
					break
				}
				value = append(value, scanner.Text())
			}
			read[name] = strings.Join(value, "\n")
		default:
			t.Fatalf("line %q", line)
		}
	}
	return read
}

func TestOutputsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"", "x", "a=b", "evil<<X", "ROUTEDELTA_END", "ROUTEDELTA_END_", "ROUTEDELTA_"})).Draw(t, "lines"), "\n")
		var b strings.Builder
		if err := WriteOutputs(&b, []Output{{"first", "1"}, {"value", value}, {"last", "true"}}); err != nil {
			t.Fatal(err)
		}
		read := readOutputs(t, b.String())
		if len(read) != 3 || read["value"] != value || read["first"] != "1" || read["last"] != "true" {
			t.Fatalf("%q is read back as %q", value, read)
		}
	})
}

func TestOutputNames(t *testing.T) {
	for _, name := range []string{"", "a=b", "a\nb", "a<<b", "1a"} {
		if err := WriteOutputs(new(strings.Builder), []Output{{name, "x"}}); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
}
