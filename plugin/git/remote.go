package git

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// RemoteURL is the address of a remote, "" if there is none. It may hold credentials: print what BlobURL makes of it.
func (r *Repository) RemoteURL(ctx context.Context, remote string) (string, error) {
	out, err := r.git.output(ctx, "config", "--get", "remote."+remote+".url")
	var failure *CommandError
	if errors.As(err, &failure) && failure.Code == 1 { // no such key
		return "", nil
	}
	return out, err
}

// scpAddress is git@github.com:acme/gitops.git (git-fetch(1), "GIT URLS").
var scpAddress = regexp.MustCompile(`^(?:[^@/:]+@)?([A-Za-z0-9.-]+):([^/].*)$`)

// pathPart is what GitHub allows in the name of an owner or a repository.
var pathPart = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// BlobURL is the prefix of links to the files of a commit on GitHub: <prefix>/<file>#L<line>. It is "" for an address that
// is not on GitHub: github.com, a company's github.<domain>, or <company>.ghe.com.
func BlobURL(address string, commit Commit) string {
	host, repository := splitAddress(address)
	if host == "ssh.github.com" { // github.com's door on port 443
		host = "github.com"
	}
	if !isGitHub(host) {
		return ""
	}
	return blobURL("https://"+host, repository, commit)
}

// BlobURLAt is BlobURL for a server that is known to be GitHub's, as GITHUB_SERVER_URL and GITHUB_REPOSITORY name it.
func BlobURLAt(server, repository string, commit Commit) string {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return ""
	}
	return blobURL(u.Scheme+"://"+u.Host, repository, commit)
}

func blobURL(server, repository string, commit Commit) string {
	owner, name, ok := strings.Cut(strings.TrimSuffix(repository, ".git"), "/")
	if !ok || !pathPart.MatchString(owner) || !pathPart.MatchString(name) {
		return ""
	}
	return server + "/" + owner + "/" + name + "/blob/" + commit.Hash
}

// splitAddress takes an address apart and leaves user, password and port behind.
func splitAddress(address string) (host, repository string) {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http", "ssh", "git", "git+ssh":
			return strings.ToLower(u.Hostname()), strings.Trim(u.Path, "/")
		}
		return "", ""
	}
	if parts := scpAddress.FindStringSubmatch(address); parts != nil {
		return strings.ToLower(parts[1]), strings.Trim(parts[2], "/")
	}
	return "", ""
}

func isGitHub(host string) bool {
	return host == "github.com" || strings.HasPrefix(host, "github.") || strings.HasSuffix(host, ".ghe.com")
}
