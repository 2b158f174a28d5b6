package hostile

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/routedelta/routedelta/plugin/github/githubtest"
)

// world is a machine for one input: a home, a runner's files, a GitHub, and traps wherever a stranger could want to lead the program.
type world struct {
	work string
	// repository is the work tree; outside lies beside it; home and tmp have to stay empty; runner has the files of a step.
	repository, outside, home, tmp, runner string
	// trap is a program that writes marker.
	trap, marker string
	canary       *canary
	github       *githubtest.Server
	// needles are what must not get out.
	needles []string
	// variables are added to the environment of the program.
	variables []string
	limit     limit
	// before, head and merge are the commits of the pull request, branch is its name; tree is the work tree as it was checked out.
	before, head, merge, branch string
	tree                        string
	// runs counts them; artifact is the folder of the last.
	runs     int
	artifact string
}

// trapped are programs that something could start by its name. git is the only one that is really there.
var trapped = strings.Fields("sh bash zsh dash env cat ssh scp curl wget less more vi vim nano editor gpg gpg2 gpgsm ssh-keygen docker podman helm kustomize kubectl " +
	"kpt envoy sops age vault node python python3 perl ruby go make xdg-open open osascript git-lfs git-remote-evil git-evil credential-evil")

func newWorld(t testing.TB, work string) (*world, error) {
	w := &world{
		work: work, repository: filepath.Join(work, "repo"), outside: filepath.Join(work, "outside"), home: filepath.Join(work, "home"),
		tmp: filepath.Join(work, "tmp"), runner: filepath.Join(work, "runner"), marker: filepath.Join(work, "marker"), limit: usual,
	}
	w.trap = filepath.Join(w.traps(), "trap")
	w.needles = []string{githubtest.Token}
	for _, name := range secretVariables {
		w.needles = append(w.needles, secretOf(name))
	}
	w.needles = append(w.needles, "outside-needle-5d1f")
	w.github = githubtest.New(t)
	var err error
	if w.canary, err = newCanary(); err != nil {
		return nil, err
	}
	t.Cleanup(w.canary.close)
	return w, errors.Join(w.layOut(), w.setTraps())
}

func (w *world) traps() string { return filepath.Join(w.work, "traps") }
func (w *world) bin() string   { return filepath.Join(w.work, "bin") }

func (w *world) layOut() error {
	for _, dir := range []string{w.repository, w.outside, w.home, w.tmp, w.runner, w.traps(), w.bin()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return errors.Join(
		w.clearRunner(),
		os.WriteFile(filepath.Join(w.outside, "passwd"), []byte("outside-needle-5d1f:x:0:0\n"), 0o644),
		os.WriteFile(filepath.Join(w.outside, "route.yaml"), []byte(outsideRoute), 0o644),
	)
}

// clearRunner empties the runner's files, as it does for each step.
func (w *world) clearRunner() error {
	for _, name := range runnerFiles {
		if err := os.WriteFile(filepath.Join(w.runner, name), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// outsideRoute is a good manifest in a place that no pull request can bring in.
const outsideRoute = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: outside, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  hostnames: [outside-needle-5d1f.example]
  rules:
  - backendRefs: [{name: outside-needle-5d1f, port: 80}]
`

// setTraps fills a folder of PATH with programs that tell that they ran.
func (w *world) setTraps() error {
	script := fmt.Sprintf("#!/bin/sh\necho \"$0 $*\" >>'%s'\n", w.marker)
	if err := os.WriteFile(w.trap, []byte(script), 0o755); err != nil {
		return err
	}
	for _, name := range trapped {
		if err := os.Symlink(w.trap, filepath.Join(w.traps(), name)); err != nil {
			return err
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	return os.Symlink(git, filepath.Join(w.bin(), "git"))
}

// complete makes trees of what the input has of them: base/ has the files of the corpus's common tree, and head/ those of base/, where the
// input has none of that name.
func (w *world) complete() error {
	for _, layer := range [][2]string{{filepath.Join(corpus, common), "base"}, {filepath.Join(w.work, "base"), "head"}} {
		from, to := os.DirFS(layer[0]), filepath.Join(w.work, layer[1])
		err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
			place := filepath.Join(to, name)
			if err != nil || entry.IsDir() {
				return errors.Join(err, os.MkdirAll(place, 0o755))
			}
			if _, err := os.Lstat(place); err == nil {
				return nil
			}
			text, err := fs.ReadFile(from, name)
			return errors.Join(err, os.WriteFile(place, text, 0o644))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fillIn puts the traps of this world into the files of the input.
func (w *world) fillIn() error {
	replacer := strings.NewReplacer("@TRAP@", w.trap, "@CANARY@", w.canary.url, "@OUTSIDE@", w.outside, "@TOKEN@", githubtest.Token)
	return filepath.WalkDir(w.work, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || path == w.trap {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		filled := replacer.Replace(string(text))
		if filled == string(text) {
			return nil
		}
		return os.WriteFile(path, []byte(filled), 0o644)
	})
}

// secretVariables are what a job may have in its environment beside the token.
var secretVariables = []string{"AWS_SECRET_ACCESS_KEY", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "NPM_TOKEN", "KUBECONFIG_DATA", "GH_ENTERPRISE_TOKEN"}

func secretOf(name string) string {
	return "needle-" + strings.ToLower(strings.ReplaceAll(name, "_", "-")) + "-8c2e"
}

// environment is all that the program sees. What it finds by name are traps, in the current directory first.
func (w *world) environment() []string {
	env := []string{
		"PATH=" + strings.Join([]string{".", "", "tools", w.traps(), w.bin()}, string(os.PathListSeparator)),
		"HOME=" + w.home, "TMPDIR=" + w.tmp, "PAGER=" + w.trap, "EDITOR=" + w.trap, "VISUAL=" + w.trap, "BROWSER=" + w.trap, "SHELL=" + w.trap,
		"HTTP_PROXY=" + w.canary.url, "HTTPS_PROXY=" + w.canary.url, "ALL_PROXY=" + w.canary.url, "http_proxy=" + w.canary.url,
		"CI=true", "GITHUB_ACTIONS=true", "GITHUB_API_URL=" + w.github.URL, "GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=" + githubtest.Repository,
		"GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH=" + filepath.Join(w.runner, "event.json"), "GITHUB_RUN_ID=42", "GITHUB_RUN_ATTEMPT=1",
		"GITHUB_WORKSPACE=" + w.repository, "RUNNER_TEMP=" + w.tmp, "GITHUB_TOKEN=" + githubtest.Token,
		"INPUT_PATH=.", "INPUT_TOKEN=" + githubtest.Token, "INPUT_COMMENT=always", "INPUT_CHECK_RUN=true", "INPUT_LABELS=changed=routes",
		"INPUT_ARTIFACT=" + w.artifact,
	}
	for variable, file := range runnerFiles {
		env = append(env, variable+"="+filepath.Join(w.runner, file))
	}
	for _, name := range secretVariables {
		env = append(env, name+"="+secretOf(name))
	}
	return append(env, w.variables...)
}

// runnerFiles are the files by which a step speaks to the runner, by their variables.
var runnerFiles = map[string]string{
	"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_ENV": "env", "GITHUB_PATH": "path", "GITHUB_STATE": "state",
}

// canary is a server that nobody may speak to. What it is asked for does not matter.
type canary struct {
	url      string
	listener net.Listener
	mu       sync.Mutex
	callers  []string
}

func newCanary() (*canary, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &canary{url: "http://" + listener.Addr().String(), listener: listener}
	go c.listen()
	return c, nil
}

func (c *canary) listen() {
	for {
		connection, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		c.callers = append(c.callers, connection.RemoteAddr().String())
		c.mu.Unlock()
		connection.Close()
	}
}

func (c *canary) close() { c.listener.Close() }

// called are those who spoke to it.
func (c *canary) called() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.callers
}
