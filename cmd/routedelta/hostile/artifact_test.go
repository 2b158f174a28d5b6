package hostile

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// Steps for what a run without rights leaves for one with rights.

// privileged goes on as a workflow_run does: the base is checked out, and the event is about a run of the pull request's head.
func (w *world) privileged(ts *testscript.TestScript, _ []string) {
	w.git(ts, nil, "update-ref", "--no-deref", "HEAD", w.before)
	w.git(ts, nil, "reset", "-q", "--hard")
	repository := map[string]any{"full_name": githubtest.Repository, "default_branch": "main"}
	text, err := json.Marshal(map[string]any{
		"action": "completed", "repository": repository,
		"workflow_run": map[string]any{
			"id": 42, "run_attempt": 1, "event": "pull_request", "head_sha": w.head, "head_branch": w.branch, "head_repository": repository,
			"html_url": "https://github.com/acme/gitops/actions/runs/42",
		},
	})
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(w.runner, "event.json"), text, 0o644))
	w.variables = append(w.variables, "GITHUB_EVENT_NAME=workflow_run")
	w.settle(ts, nil)
}

// edit sets a value of a JSON file: edit FILE PATH JSON, with a path such as before.label or classes.0.severity. "*" is every one.
func (w *world) edit(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 3 {
		ts.Fatalf("usage: edit FILE PATH JSON")
	}
	var document, value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(arguments[0])), &document))
	ts.Check(json.Unmarshal([]byte(arguments[2]), &value))
	if !set(document, strings.Split(arguments[1], "."), value) {
		ts.Fatalf("%s has no %s", arguments[0], arguments[1])
	}
	w.writeJSON(ts, arguments[0], document)
}

func set(document any, path []string, value any) bool {
	last := len(path) == 1
	switch document := document.(type) {
	case map[string]any:
		if last {
			document[path[0]] = value
			return true
		}
		return set(document[path[0]], path[1:], value)
	case []any:
		done := false
		for i, item := range document {
			if path[0] != "*" && path[0] != strconv.Itoa(i) {
				continue
			}
			if last {
				document[i], done = value, true
			} else {
				done = set(item, path[1:], value) || done
			}
		}
		return done
	}
	return false
}

// words are the values of a report that are one of a few words; with another one the report is refused.
var words = strings.Fields("version severity kind side revision code rule state pathKind tier")

// swap puts a text in the place of every string of a report that is no such word: swap FILE TEXT.
func (w *world) swap(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 2 {
		ts.Fatalf("usage: swap FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + arguments[1] + `"`)
	ts.Check(err)
	var document any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(arguments[0])), &document))
	w.writeJSON(ts, arguments[0], swapped(document, "", text))
}

func swapped(value any, key, text string) any {
	switch value := value.(type) {
	case string:
		if !slices.Contains(words, key) && value != "" {
			return text
		}
	case []any:
		for i, item := range value {
			value[i] = swapped(item, key, text)
		}
	case map[string]any:
		for name, item := range value {
			value[name] = swapped(item, name, text)
		}
	}
	return value
}

func (w *world) writeJSON(ts *testscript.TestScript, name string, document any) {
	text, err := json.Marshal(document)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o644))
}

// zip packs a folder: zip DIR FILE [NAME=ENTRY...], with other names for some of its files, which are Go strings.
func (w *world) zip(ts *testscript.TestScript, arguments []string) {
	if len(arguments) < 2 {
		ts.Fatalf("usage: zip DIR FILE [NAME=ENTRY...]")
	}
	file, err := os.Create(ts.MkAbs(arguments[1]))
	ts.Check(err)
	archive := zip.NewWriter(file)
	entries, err := os.ReadDir(ts.MkAbs(arguments[0]))
	ts.Check(err)
	for _, entry := range entries {
		name := entry.Name()
		for _, renamed := range arguments[2:] {
			if from, to, _ := strings.Cut(renamed, "="); from == name {
				name = to
			}
		}
		to, err := archive.Create(name)
		ts.Check(err)
		from, err := os.Open(filepath.Join(ts.MkAbs(arguments[0]), entry.Name()))
		ts.Check(err)
		_, err = io.Copy(to, from)
		ts.Check(err)
		ts.Check(from.Close())
	}
	ts.Check(archive.Close())
	ts.Check(file.Close())
}

// forge has somebody else comment on the pull request: forge LOGIN FILE.
func (w *world) forge(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 2 {
		ts.Fatalf("usage: forge LOGIN FILE")
	}
	w.github.AddComment(arguments[0], ts.ReadFile(arguments[1]))
}

// moveOn has the pull request go on: first to another commit, then to its end.
func (w *world) moveOn(_ *testscript.TestScript, _ []string) {
	w.github.Change(func(state *githubtest.State) {
		pull := &state.PullRequests[0]
		pull.Closed = pull.Head != w.head
		pull.Head = githubtest.Commit(9)
		state.Commits[pull.Head] = []string{w.head}
	})
}

// answer has GitHub answer the next request of a method with a failure: answer METHOD STATUS BODY.
func (w *world) answer(ts *testscript.TestScript, arguments []string) {
	if len(arguments) != 3 {
		ts.Fatalf("usage: answer METHOD STATUS BODY")
	}
	status, err := strconv.Atoi(arguments[1])
	ts.Check(err)
	w.github.Script(arguments[0], githubtest.Answer{Status: status, Body: arguments[2]})
}

// secret adds what must not get out: the lines of a file, but for short ones, as they are and encoded.
func (w *world) secret(ts *testscript.TestScript, arguments []string) {
	for _, name := range arguments {
		for line := range strings.Lines(ts.ReadFile(name)) {
			if line = strings.TrimSpace(line); len(line) >= 16 && !strings.HasPrefix(line, "-----") {
				w.needles = append(w.needles, line, encoded(line))
			}
		}
	}
}

// encoded is the middle of a text in base64, which is the same wherever the encoding begins.
func encoded(text string) string {
	whole := base64.StdEncoding.EncodeToString([]byte(text))
	return whole[4 : len(whole)-8]
}
