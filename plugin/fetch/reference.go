package fetch

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// repository is a reference to a directory of a repository.
type repository struct {
	address, revision, directory string
}

// isFile tells whether a reference looks like that of a single file. kustomize tries to get a file first, whatever it looks like
// (api/internal/loader, FileLoader.Load), and takes what is none for a repository.
func isFile(reference string) bool {
	u, err := url.Parse(reference)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || strings.Contains(u.Path, "//") || u.Query().Has("ref") || u.Query().Has("version") {
		return false
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// parseRepository reads a reference as kustomize does (api/internal/git, NewRepoSpecFromURL), as far as it is of http: the path in the
// repository begins behind "//", ".git", or the second name on github.com; ref or version is the revision.
func parseRepository(reference string) (repository, error) {
	reference = strings.TrimPrefix(strings.TrimSpace(reference), "git::")
	if rest, is := strings.CutPrefix(reference, "github.com"); is && rest != "" {
		reference = "https://github.com/" + strings.TrimLeft(rest, "/:")
	}
	u, err := url.Parse(reference)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return repository{}, fmt.Errorf("%q is no address of http or https", reference)
	}
	if u.User != nil {
		return repository{}, fmt.Errorf("the address for %q holds credentials", u.Host)
	}
	query := u.Query()
	name, directory := split(u.Host, strings.TrimPrefix(u.Path, "/"))
	if name == "" || path.Clean("/"+name) != "/"+name {
		return repository{}, fmt.Errorf("%q names no repository", reference)
	}
	r := repository{address: u.Scheme + "://" + u.Host + "/" + name, revision: query.Get("ref"), directory: path.Clean("/" + directory)[1:]}
	if r.revision == "" {
		r.revision = query.Get("version")
	}
	return r, nil
}

// split takes the path of an address apart into that of the repository and that in it.
func split(host, name string) (repository, directory string) {
	if before, after, found := strings.Cut(name, "//"); found {
		return before, after
	}
	if before, after, found := strings.Cut(name, ".git/"); found {
		return before + ".git", after
	}
	if host == "github.com" {
		if parts := strings.SplitN(name, "/", 3); len(parts) == 3 {
			return parts[0] + "/" + parts[1], parts[2]
		}
	}
	return strings.TrimSuffix(name, "/"), ""
}

// called is a name for what was brought: a path, in angle brackets as is usual for what is no file of the tree.
func called(address, revision string) string {
	_, name, _ := strings.Cut(address, "://")
	if revision != "" {
		name += "@" + url.PathEscape(revision)
	}
	return "<" + strings.Trim(path.Clean("/"+name), "/") + ">"
}
