package hostile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// checkPrinted holds what a run printed to whoever reads it: a terminal, and the runner, which reads the log of each step.
func (w *world) checkPrinted(ts *testscript.TestScript, r ran) {
	requireShown(ts, "standard error", r.err)
	requireNoCommand(ts, "standard error", r.err)
	switch form := r.form(); form {
	case "text":
		requireShown(ts, "standard output", r.stdout)
		requireNoCommand(ts, "standard output", r.stdout)
	case "log":
		requireShown(ts, "standard output", withoutCommands(r.stdout))
		w.requireAnnotations(ts, r.stdout)
	case "markdown":
		requireMarkdown(ts, "standard output", r.stdout)
	case "html":
		requirePage(ts, "standard output", r.stdout)
	case "sarif":
		requireSARIF(ts, "standard output", r.stdout)
	case "json":
		requireJSON(ts, "standard output", r.stdout)
	}
}

// form is what a command prints.
func (r ran) form() string {
	if i := slices.Index(r.arguments, "--output"); i >= 0 {
		return r.arguments[i+1]
	}
	switch r.arguments[0] {
	case "action", "report":
		return "log"
	case "render", "fn", "cmp":
		return "manifests"
	case "comment":
		if slices.Contains(r.arguments, "--dry-run") {
			return "markdown"
		}
	}
	return "text"
}

// requireShown: every character is one that a reader sees as itself. Lines end with a line feed, and by nothing else.
func requireShown(ts *testscript.TestScript, where, text string) {
	if !utf8.ValidString(text) {
		ts.Fatalf("%s is no UTF-8", where)
	}
	i := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
	if i >= 0 {
		ts.Fatalf("%s steers a terminal: %q", where, text[max(0, i-50):min(len(text), i+50)])
	}
}

func requireJSON(ts *testscript.TestScript, where, text string) {
	if text != "" && !json.Valid([]byte(text)) {
		ts.Fatalf("%s is no JSON", where)
	}
}

// checkPublished reads what a run has left for others, and puts it where the script can look at it.
func (w *world) checkPublished(ts *testscript.TestScript) {
	state := w.github.State()
	for _, comment := range state.Comments {
		if comment.Number != githubtest.Number {
			ts.Fatalf("a comment stands on #%d", comment.Number)
		}
		if comment.Login == githubtest.WorkflowBot {
			requireMarkdown(ts, "the comment", comment.Body)
			w.show(ts, "comment.md", comment.Body)
		}
	}
	for _, run := range state.CheckRuns {
		requireMarkdown(ts, "the summary of the check run", run.Summary)
		requireShown(ts, "the title of the check run", run.Title)
		for _, annotation := range run.Annotations {
			requireShown(ts, "an annotation", annotation.Title+annotation.Message)
			w.requireLine(ts, annotation.Path, annotation.StartLine)
		}
		w.show(ts, "check.md", run.Title+"\n"+run.Summary)
	}
	summary, err := os.ReadFile(filepath.Join(w.runner, "summary"))
	ts.Check(err)
	requireMarkdown(ts, "the summary of the job", string(summary))
	w.show(ts, "summary.md", string(summary))
	w.checkOutputs(ts)
	w.checkArtifact(ts)
}

func (w *world) show(ts *testscript.TestScript, name, text string) {
	ts.Check(os.WriteFile(filepath.Join(w.work, name), []byte(text), 0o644))
}

// checkArtifact looks into the folder that a run has left, if there is one.
func (w *world) checkArtifact(ts *testscript.TestScript) {
	for name, check := range map[string]func(*testscript.TestScript, string, string){
		"report.html": requirePage, "report.sarif": requireSARIF, "report.json": requireJSON, "about.json": requireJSON,
	} {
		if text, err := os.ReadFile(filepath.Join(w.artifact, name)); err == nil {
			check(ts, name, string(text))
		}
	}
}
