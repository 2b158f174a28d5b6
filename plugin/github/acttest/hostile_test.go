package acttest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// taken are the commands that the runner may take: ours.
var taken = []string{"error", "warning", "notice", "summary", "set-output", "stop-commands"}

// requireOwnCommands holds that the runner took no command that the Action does not give.
func (d done) requireOwnCommands(t *testing.T) {
	t.Helper()
	for _, command := range d.commands {
		if !slices.Contains(taken, command) && !strings.HasPrefix(command, "routedelta-") {
			t.Errorf("the runner took the command %q; log:\n%s", command, d.log)
		}
	}
}

// TestInputsAreNoScripts: whatever an input, an event or a name holds, it is data.
func TestInputsAreNoScripts(t *testing.T) {
	t.Parallel()
	witness := filepath.Join(t.TempDir(), "witness")
	evil := "x\"; touch " + witness + "; echo \"$(touch " + witness + ")`touch " + witness + "`"
	p := newPullRequest(t, swap)
	p.title, p.branch = evil, "$(touch "+witness+")"
	server := githubtest.NewWith(t, p.state())
	unharmed := func(t *testing.T, result done) {
		t.Helper()
		result.requireOwnCommands(t)
		if _, err := os.Stat(witness); err == nil {
			t.Fatalf("it was run; log:\n%s", result.log)
		}
	}
	t.Run("the event", func(t *testing.T) {
		j := p.job(server)
		result := j.run()
		result.require(t, 0)
		unharmed(t, result)
	})
	for _, input := range []string{"path", "base", "comment", "instance", "binary", "fail-on", "targets", "labels", "check-run", "artifact", "from-artifact", "downloads", "token"} {
		t.Run(input, func(t *testing.T) {
			j := p.job(githubtest.NewWith(t, p.state()))
			j.with[input] = "${{ github.event.pull_request.title }}"
			result := j.run()
			if result.code == 0 && !slices.Contains([]string{"token", "downloads", "artifact"}, input) {
				t.Errorf("the input %q is taken:\n%s", evil, result.log)
			}
			unharmed(t, result)
		})
	}
	t.Run("an option as path", func(t *testing.T) {
		j := p.job(githubtest.NewWith(t, p.state()))
		j.with["path"] = "--report=" + witness
		result := j.run()
		unharmed(t, result)
		if result.code == 0 {
			t.Error("taken")
		}
	})
}

// TestManifestsAreNoCommands: what looks like a command of the runner, in a manifest, in the name of a file, in an error, is text.
func TestManifestsAreNoCommands(t *testing.T) {
	t.Parallel()
	hostile := strings.Replace(shop("web-v2"), "  - backendRefs", "  - matches: [{path: {value: /x}, headers: [{name: x-a, value: \"##[add-mask]shop\"}, {name: x-b, value: \"::add-mask::shop\"}]}]\n    backendRefs", 1)
	p := newPullRequest(t, map[string]string{
		"apps/shop.yaml": hostile,
		"apps/a\n::set-output name=changed::false\n::add-mask::shop\n.yaml": route("pay", "pay.example", "web"),
	})
	server := githubtest.NewWith(t, p.state())
	result := p.job(server).run()
	result.require(t, 0, "##[add-mask]shop")
	result.requireOwnCommands(t)
	result.requireOutputs(t, map[string]string{"changed": "true"})
	says(t, "comment", only(t, server), "pay.example", "!\n::")

	broken := newPullRequest(t, map[string]string{"apps/a\n::add-mask::b\n.yaml": "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: x}\nspec: {\"a\\n::add-mask::c\\n\": 1}\n"})
	result = broken.job(githubtest.NewWith(t, broken.state())).run()
	result.require(t, 2)
	result.requireOwnCommands(t)
}

// TestHeadCannotWeakenThePolicy: the policy in force is that of the base commit.
func TestHeadCannotWeakenThePolicy(t *testing.T) {
	t.Parallel()
	policy := func(text string) string {
		return "apiVersion: routedelta.dev/v1alpha1\nkind: RouteDelta\nspec: {policy: {" + text + "}}\n"
	}
	for name, head := range map[string]string{
		"the rule is removed": policy(""),
		"a waiver is added":   policy("failOn: [backend-lost], waivers: [{rule: backend-lost, host: shop.example, by: mallory, reason: mine, until: 2999-12-31}]"),
		"the file is removed": "",
		"the file is broken":  "nonsense",
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t)
			p := &pullRequest{upstream: u, from: githubtest.Repository, branch: "feature"}
			p.base = u.commit(map[string]string{".routedelta.yaml": policy("failOn: [backend-lost]")})
			p.moved = p.base
			p.head = u.on("feature").commit(map[string]string{".routedelta.yaml": head, "apps/shop.yaml": ""})
			p.merge = u.mergeOf("merge", p.moved, p.head)
			server := githubtest.NewWith(t, p.state())
			result := p.job(server).run()
			result.require(t, 1)
			says(t, "comment", only(t, server), "The policy forbids this change: 1 violation", "RD1601")
			result.requireOutputs(t, map[string]string{"failed": "true", "violations": "1"})
		})
	}
}

// TestArtifactFolderIsNoLink: a pull request cannot lead the report to where it likes.
func TestArtifactFolderIsNoLink(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir()
	u := newUpstream(t)
	p := &pullRequest{upstream: u, from: githubtest.Repository, branch: "feature"}
	p.base = u.git("rev-parse", "main")
	p.moved = p.base
	u.on("feature")
	must(t, os.Symlink(elsewhere, filepath.Join(u.dir, "out")))
	p.head = u.commit(swap)
	p.merge = u.mergeOf("merge", p.moved, p.head)
	for _, folder := range []string{"out", "out/below", "apps"} {
		j := p.job(githubtest.NewWith(t, p.state()))
		j.with["artifact"] = folder
		j.run().require(t, 2)
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 0 {
		t.Errorf("%v was written (%v)", entries, err)
	}
}
