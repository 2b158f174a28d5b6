// Package fetchtest serves files and repositories, as a host of them does.
package fetchtest

import (
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Serve serves a directory: what is below a name that ends in .git as a repository, by git's own server, all else as files. Close the
// server.
func Serve(directory string) (*httptest.Server, error) {
	found, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return nil, err
	}
	git := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(found)), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + directory, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=" + os.DevNull},
	}
	if _, err := os.Stat(git.Path); err != nil {
		return nil, errors.Join(errors.New("git's server is not installed"), err)
	}
	files := http.FileServer(http.Dir(directory))
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".git/") {
			git.ServeHTTP(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})), nil
}
