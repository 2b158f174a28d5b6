package github_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

func writes(server *githubtest.Server) int {
	n := 0
	for _, request := range server.Requests() {
		if !strings.HasPrefix(request, "GET ") {
			n++
		}
	}
	return n
}

var swap = map[string]string{"apps/shop.yaml": route("shop", "shop.example", "web-v2")}

func TestActionComments(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	first := r.run()
	first.require(t, 0, "shop.example", "created https://github.com/acme/gitops/pull/7#issuecomment-")
	comments := r.server.Comments()
	if len(comments) != 1 || !strings.Contains(comments[0].Body, "web-v2:80") {
		t.Fatalf("comments: %+v", comments)
	}
	for name, text := range map[string]string{"comment": comments[0].Body, "summary": first.summary, "log": first.log} {
		if strings.Contains(text, "other.example") {
			t.Errorf("the %s shows what came to the base meanwhile:\n%s", name, text)
		}
	}
	labels := fmt.Sprintf("`main@%.7s` → `feature@%.7s`", r.git("rev-parse", "HEAD^1"), r.git("rev-parse", "HEAD^2"))
	if !strings.HasPrefix(first.summary, "### routedelta") || !strings.Contains(first.summary, labels) {
		t.Errorf("summary:\n%s", first.summary)
	}
	report := first.outputs["report"]
	delete(first.outputs, "report")
	want := map[string]string{"changed": "true", "lost": "0", "moves": "1", "undecided": "0", "uncompared": "0", "exit-code": "0"}
	if !maps.Equal(first.outputs, want) {
		t.Errorf("outputs %v, want %v", first.outputs, want)
	}
	if text, err := os.ReadFile(report); err != nil || !json.Valid(text) {
		t.Errorf("report %q: %v", report, err)
	}

	writes(r.server)
	r.run().require(t, 0, "unchanged https://")
	if n := writes(r.server); n != 0 {
		t.Errorf("%d writes for the same report", n)
	}
}

func TestActionUpdatesToNoChange(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	r.run().require(t, 0, "created")
	r.commit(map[string]string{"apps/shop.yaml": route("shop", "shop.example", "web")})
	r.git("commit", "--quiet", "--amend", "--message", "the same tree as the base")
	r.inputs["base"] = "HEAD~2"
	result := r.run()
	result.require(t, 0, "updated")
	if result.outputs["changed"] != "false" {
		t.Errorf("outputs %v", result.outputs)
	}
	if all := r.server.Comments(); len(all) != 1 || !strings.Contains(all[0].Body, "no request changes") {
		t.Errorf("comments %+v", all)
	}
}

func TestActionFindsTheBase(t *testing.T) {
	binary := program(t)
	t.Run("the head is checked out", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.git("checkout", "--quiet", "feature")
		result := r.run()
		result.require(t, 0, "web-v2:80")
		if strings.Contains(result.log, "other.example") {
			t.Errorf("the log shows what came to the base meanwhile:\n%s", result.log)
		}
	})
	t.Run("something else is checked out", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.git("checkout", "--quiet", "main")
		r.run().require(t, 2, "neither the merge of the pull request nor its head")
	})
	t.Run("a shallow clone", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		clone := filepath.Join(t.TempDir(), "clone")
		r.git("branch", "merged")
		r.git("clone", "--quiet", "--depth=1", "--branch=merged", "file://"+r.workspace, clone)
		r.workspace = clone
		r.run().require(t, 2, "fetch-depth: 2")
		r.git("fetch", "--quiet", "--deepen=1")
		r.run().require(t, 0, "web-v2:80")
	})
	t.Run("push", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.event, r.payload = "push", map[string]any{}
		r.run().require(t, 2, "no commit to compare with on push")
		r.inputs["base"] = "HEAD^1"
		r.run().require(t, 0, "web-v2:80")
		if requests := r.server.Requests(); len(requests) != 0 {
			t.Errorf("requests to GitHub on push: %v", requests)
		}
	})
}

func TestActionWithANewDirectory(t *testing.T) {
	r := pullRequest(t, program(t), map[string]string{"new/all.yaml": shared + "---\n" + route("new", "new.example", "web")})
	r.inputs["path"] = "new"
	r.run().require(t, 0, "new.example")
}

func TestActionOfAFork(t *testing.T) {
	binary := program(t)
	refusal := githubtest.Answer{Status: 403, Body: `{"message":"Resource not accessible by integration"}`}
	r := pullRequest(t, binary, swap)
	r.server.Script("POST", refusal, refusal)
	r.run().require(t, 4, "pull-requests: write")
	r.payload["pull_request"].(map[string]any)["head"].(map[string]any)["repo"] = map[string]any{"full_name": "mallory/gitops"}
	result := r.run()
	result.require(t, 0, "::notice title=routedelta::no comment from a fork")
	if !strings.Contains(result.summary, "web-v2:80") {
		t.Errorf("summary:\n%s", result.summary)
	}
}

func TestActionWithoutComment(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	r.inputs["comment"] = "never"
	r.run().require(t, 0, "web-v2:80")
	if requests := r.server.Requests(); len(requests) != 0 {
		t.Errorf("requests to GitHub: %v", requests)
	}
}

func TestActionWithBadInput(t *testing.T) {
	r := pullRequest(t, program(t), map[string]string{"apps/shop.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: x}\nspec: {hostname: [a.example]}\n"})
	result := r.run()
	result.require(t, 2, "apps/shop.yaml:4", "::error title=routedelta::nothing was compared")
	if result.outputs["exit-code"] != "2" || len(r.server.Requests()) != 0 {
		t.Errorf("outputs %v", result.outputs)
	}
}

// TestActionRunsNoInput: whatever an input, a payload or a manifest holds, it is data.
func TestActionRunsNoInput(t *testing.T) {
	binary := program(t)
	witness := filepath.Join(t.TempDir(), "witness")
	evil := "x\"; touch " + witness + "; echo \"$(touch " + witness + ")`touch " + witness + "`"
	for _, input := range []string{"path", "base", "comment", "instance", "token", "binary"} {
		t.Run(input, func(t *testing.T) {
			r := pullRequest(t, binary, swap)
			r.inputs[input] = evil
			if result := r.run(); result.code == 0 && input != "token" {
				t.Errorf("the input %q is taken:\n%s", evil, result.log)
			}
			if _, err := os.Stat(witness); err == nil {
				t.Fatalf("the input %s was run", input)
			}
		})
	}
	t.Run("an option as path", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.inputs["path"] = "--report=" + witness
		if result := r.run(); result.code == 0 {
			t.Error("taken")
		}
		if _, err := os.Stat(witness); err == nil {
			t.Fatal("the path was taken for an option")
		}
	})
	t.Run("payload", func(t *testing.T) {
		r := pullRequest(t, binary, swap)
		r.payload["pull_request"].(map[string]any)["head"] = map[string]any{"sha": evil, "ref": evil, "repo": map[string]any{"full_name": evil}}
		r.run().require(t, 0)
		r.git("checkout", "--quiet", "main")
		r.run().require(t, 2)
		if _, err := os.Stat(witness); err == nil {
			t.Fatal("the payload was run")
		}
	})
}

// TestActionShowsNoCommands: text of the manifests in the log is none for the runner.
func TestActionShowsNoCommands(t *testing.T) {
	r := pullRequest(t, program(t), swap)
	log := r.run().log
	stop := regexp.MustCompile(`(?m)^::stop-commands::([0-9a-f]{32})$`).FindStringSubmatchIndex(log)
	if stop == nil {
		t.Fatalf("commands are not stopped:\n%s", log)
	}
	shown := strings.Index(log, "shop.example")
	again := strings.Index(log, "\n::"+log[stop[2]:stop[3]]+"::\n")
	if shown < stop[1] || again < shown {
		t.Errorf("the report is not between stop-commands and its end:\n%s", log)
	}
}

func TestActionBuildsItself(t *testing.T) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // the fixture's HOME has none
		value, err := exec.Command("go", "env", name).Output()
		must(t, err)
		t.Setenv(name, strings.TrimSpace(string(value)))
	}
	r := pullRequest(t, "", swap)
	// A workspace of the pull request that would put other code in the place of ours.
	must(t, os.WriteFile(filepath.Join(r.workspace, "go.work"), []byte("go 1.26\nuse ./nowhere\n"), 0o644))
	r.run().require(t, 0, "web-v2:80")
}

// TestActionScripts holds what cannot be seen by running them.
func TestActionScripts(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("runs: %+v", a.Runs)
	}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s: an expression inside of a script is pasted into it", step.ID)
		}
		if step.Shell != "bash" || step.ID == "" || step.Uses != "" || step.If != "" {
			t.Errorf("step %+v: these tests run scripts in bash, in order, without conditions", step)
		}
	}
}
