package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/fetch/fetchtest"
)

// TestParseRepository holds references against what kustomize takes them for (api/internal/git, TestNewRepoSpecFromURL).
func TestParseRepository(t *testing.T) {
	for reference, want := range map[string]repository{
		"https://github.com/org/repo//deploy/base?ref=v1":          {"https://github.com/org/repo", "v1", "deploy/base"},
		"https://github.com/org/repo/deploy/base?ref=v1&timeout=9": {"https://github.com/org/repo", "v1", "deploy/base"},
		"github.com/org/repo/deploy?version=v2":                    {"https://github.com/org/repo", "v2", "deploy"},
		"github.com/org/repo":                                      {"https://github.com/org/repo", "", ""},
		"https://git.example/a/b/c.git/deploy":                     {"https://git.example/a/b/c.git", "", "deploy"},
		"git::https://git.example/a/b//c":                          {"https://git.example/a/b", "", "c"},
		"https://git.example/a/b":                                  {"https://git.example/a/b", "", ""},
		"https://git.example/a//../../b":                           {"https://git.example/a", "", "b"},
	} {
		if got, err := parseRepository(reference); err != nil || got != want {
			t.Errorf("%s: %+v, %v", reference, got, err)
		}
	}
	for _, reference := range []string{
		"ssh://git@github.com/org/repo", "git@github.com:org/repo", "file:///etc", "ext::sh -c id", "https://user:secret@git.example/a", "https://", "https://git.example/a/../b",
		"https://git.example/", "-https://git.example/a",
	} {
		if got, err := parseRepository(reference); err == nil {
			t.Errorf("%s: %+v", reference, got)
		} else if strings.Contains(err.Error(), "secret") {
			t.Error(err)
		}
	}
}

// served is a server with a repository org/base.git of two tags, and a file.
func served(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	work := filepath.Join(root, "work")
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", work, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...)
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755), os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("work/deploy/route.yaml", "one")
	git("init", "--quiet", "-b", "main")
	for _, tag := range []string{"v1", "feature/v2"} {
		write("work/deploy/route.yaml", tag)
		git("add", "-A")
		git("commit", "--quiet", "-m", tag)
		git("tag", tag)
	}
	git("clone", "--quiet", "--bare", ".", filepath.Join(root, "org", "base.git"))
	write("extra.yaml", "extra")
	write("large.yaml", strings.Repeat("#", maxFile+1))
	server, err := fetchtest.Serve(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server.URL
}

func TestGet(t *testing.T) {
	server, network := served(t), New()
	for _, test := range []struct{ reference, file, want string }{
		{"/org/base.git//deploy?ref=v1", "route.yaml", "v1"},
		{"/org/base.git//deploy?ref=feature/v2", "route.yaml", "feature/v2"},
		{"/org/base.git/deploy", "route.yaml", "feature/v2"},
		{"/extra.yaml", "file.yaml", "extra"},
		{"/extra.yaml", "kustomization.yaml", "resources: [file.yaml]\n"},
	} {
		place, err := network.Get(t.Context(), server+test.reference)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(place.Tree, strings.TrimPrefix(place.Directory+"/"+test.file, "./"))
		if err != nil || string(text) != test.want {
			t.Errorf("%s: %s has %q, %v", test.reference, place.Name, text, err)
		}
		if !strings.HasPrefix(place.Name, "<127.0.0.1:") || !fs.ValidPath(place.Name) {
			t.Errorf("a name %q", place.Name)
		}
	}
	for reference, want := range map[string]string{
		"/org/base.git//deploy?ref=nope": "nope", "/org/none.git//x": "", "/missing.yaml": "404", "/large.yaml": "more than",
		"/org/base.git//x?ref=--upload-pack=id": "not a branch",
	} {
		if _, err := network.Get(t.Context(), server+reference); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", reference, err)
		}
	}
	directories := network.directories
	if err := network.Close(); err != nil {
		t.Error(err)
	}
	for _, directory := range directories {
		if _, err := os.Stat(directory); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", directory, err)
		}
	}
}

// TestGetOnce: both sides of a comparison get the same, whatever the server does meanwhile, and nobody asks for ever more.
func TestGetOnce(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		fmt.Fprint(w, asked)
	}))
	defer server.Close()
	network := New()
	defer network.Close()
	for range 3 {
		place, err := network.Get(t.Context(), server.URL+"/a.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := fs.ReadFile(place.Tree, "file.yaml"); string(text) != "1" {
			t.Error(string(text), err)
		}
	}
	var err error
	for i := range maxReferences {
		_, err = network.Get(t.Context(), fmt.Sprintf("%s/%d.yaml", server.URL, i))
	}
	if !errors.Is(err, ErrTooMany) || asked != maxReferences {
		t.Errorf("%d were asked: %v", asked, err)
	}
}

// TestNames: what is not the same has not the same name.
func TestNames(t *testing.T) {
	network := New()
	seen := map[string]bool{}
	for _, of := range [][2]string{
		{"https://h/a", ""}, {"http://h/a", ""}, {"https://h/a", "v"}, {"https://h/a@v", ""}, {"https://h/a", "x/../v"}, {"https://h/a", "x/v"}, {"https://h/x/a", "v"},
	} {
		name := network.name(of[0], of[1])
		if seen[name] || !fs.ValidPath(name) || network.name(of[0], of[1]) != name {
			t.Errorf("%v is called %q", of, name)
		}
		seen[name] = true
	}
}

// TestNoCredentials: what the home directory holds for a server is not shown to it.
func TestNoCredentials(t *testing.T) {
	shown := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown += strings.Join(r.Header["Authorization"], "")
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for name, text := range map[string]string{
		".netrc":     "machine 127.0.0.1 login me password secret\n",
		".gitconfig": "[http]\n\textraheader = Authorization: Basic secret\n[credential]\n\thelper = \"!echo username=me; echo password=secret\"\n",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	network := New()
	defer network.Close()
	for _, reference := range []string{"/org/base.git//deploy", "/a.yaml"} {
		if _, err := network.Get(t.Context(), server.URL+reference); err == nil {
			t.Error("it was answered")
		}
	}
	if shown != "" {
		t.Errorf("the server got %q", shown)
	}
}
