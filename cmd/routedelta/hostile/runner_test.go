package hostile

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// command is one that the runner of GitHub Actions takes from the log of a step.
type command struct {
	name       string
	properties map[string]string
	message    string
}

// commandOf reads a line as the runner does (actions/runner, src/Runner.Common/ActionCommand.cs): "::name k=v::message" behind blanks, or,
// anywhere in the line, the older "##[name k=v;]message".
func commandOf(line string) (command, bool) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t\v\f\u0085\u00a0\ufeff"), "::"); ok {
		if head, message, ok := strings.Cut(rest, "::"); ok {
			name, properties, _ := strings.Cut(head, " ")
			return command{name, propertiesOf(properties, ","), unescaped(message)}, true
		}
	}
	if _, rest, ok := strings.Cut(line, "##["); ok {
		if head, message, ok := strings.Cut(rest, "]"); ok {
			name, properties, _ := strings.Cut(head, " ")
			return command{name, propertiesOf(properties, ";"), unescaped(message)}, true
		}
	}
	return command{}, false
}

func propertiesOf(text, separator string) map[string]string {
	properties := map[string]string{}
	for part := range strings.SplitSeq(text, separator) {
		if name, value, ok := strings.Cut(part, "="); ok {
			properties[name] = unescaped(value)
		}
	}
	return properties
}

func unescaped(text string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%3B", ";", "%5D", "]", "%25", "%").Replace(text)
}

// logLines are the lines of a log as .NET reads them (StreamReader.ReadLine).
func logLines(log string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(log), "\n")
}

// commandsOf are the commands that the runner takes from a log, those left out that stop it from taking any.
func commandsOf(log string) []command {
	var taken []command
	token := ""
	for _, line := range logLines(log) {
		c, ok := commandOf(line)
		switch {
		case !ok:
		case token != "":
			if c.name == token {
				token = ""
			}
		case c.name == "stop-commands":
			token = c.message
		default:
			taken = append(taken, c)
		}
	}
	if token != "" {
		taken = append(taken, command{name: "stop-commands", message: "the runner takes no commands of later steps"})
	}
	return taken
}

// withoutCommands is what is left of a log for people: the runner keeps the lines that are commands to itself, and a command that places
// an annotation has to have the name of the file as it is.
func withoutCommands(log string) string {
	lines := strings.Split(log, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "::") }), "\n")
}

// requireNoCommand: no line of a text is a command, whoever runs the program in a step.
func requireNoCommand(ts *testscript.TestScript, where, text string) {
	for _, line := range logLines(text) {
		if c, ok := commandOf(line); ok {
			ts.Fatalf("%s has a command for the runner, %s, in the line %q", where, c.name, line)
		}
	}
}

// requireAnnotations: all that the runner takes from a log are annotations of ours, ten of each level at most, at lines that are there.
func (w *world) requireAnnotations(ts *testscript.TestScript, log string) {
	var shown strings.Builder
	count := map[string]int{}
	for _, c := range commandsOf(log) {
		if !slices.Contains([]string{"error", "warning", "notice"}, c.name) {
			ts.Fatalf("the runner takes the command %q from the log: %v", c.name, c)
		}
		if count[c.name]++; count[c.name] > 10 {
			ts.Fatalf("more than ten annotations of the level %s", c.name)
		}
		if !strings.HasPrefix(c.properties["title"], "routedelta") {
			ts.Fatalf("an annotation is called %q", c.properties["title"])
		}
		requireShown(ts, "an annotation", c.properties["title"]+c.message)
		line := 0
		if file, ok := c.properties["file"]; ok {
			var err error
			line, err = strconv.Atoi(c.properties["line"])
			ts.Check(err)
			w.requireLine(ts, file, line)
		}
		shown.WriteString(c.name + " " + strconv.Quote(c.properties["file"]) + ":" + strconv.Itoa(line) + " " + c.properties["title"] + ": " + c.message + "\n")
	}
	w.show(ts, "annotations.txt", shown.String())
}

// requireLine: a line is one of the work tree.
func (w *world) requireLine(ts *testscript.TestScript, file string, line int) {
	text, err := os.ReadFile(filepath.Join(w.repository, filepath.FromSlash(file)))
	if err != nil || !filepath.IsLocal(file) || line < 1 || line > strings.Count(string(text), "\n")+1 {
		ts.Fatalf("an annotation stands at %q:%d, which is not there (%v)", file, line, err)
	}
}

// outputs are those that a step may set.
var outputs = strings.Fields("changed failed violations lost moves gained treated served effectless undecided uncompared report artifact sarif exit-code")

// heredoc begins an output of several lines.
var heredoc = regexp.MustCompile(`^([^=]+?)<<(.+)$`)

// checkOutputs reads the file of outputs as the runner does (src/Runner.Worker/FileCommandManager.cs), and holds it to names of ours.
func (w *world) checkOutputs(ts *testscript.TestScript) {
	text, err := os.ReadFile(filepath.Join(w.runner, "output"))
	ts.Check(err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, value, ok := strings.Cut(lines[i], "=")
		if begin := heredoc.FindStringSubmatch(lines[i]); begin != nil {
			name, ok = begin[1], true
			for i++; i < len(lines) && lines[i] != begin[2]; i++ {
				value += lines[i]
			}
		}
		if lines[min(i, len(lines)-1)] == "" {
			continue
		}
		if !ok || !slices.Contains(outputs, name) || strings.Contains(value, stranger) {
			ts.Fatalf("the output %q has the value %q", name, value)
		}
	}
	w.show(ts, "outputs.txt", string(text))
}
