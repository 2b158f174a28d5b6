package git

import (
	"strings"
	"testing"
)

func TestBlobURL(t *testing.T) {
	commit := Commit{Hash: strings.Repeat("a", 40)}
	for address, want := range map[string]string{
		"https://github.com/acme/gitops.git":                     "https://github.com/acme/gitops",
		"https://github.com/acme/gitops/":                        "https://github.com/acme/gitops",
		"https://x-access-token:ghs_secret@github.com/acme/g.it": "https://github.com/acme/g.it",
		"git@github.com:acme/gitops.git":                         "https://github.com/acme/gitops",
		"ssh://git@github.com:22/acme/gitops.git":                "https://github.com/acme/gitops",
		"ssh://git@ssh.github.com:443/acme/gitops.git":           "https://github.com/acme/gitops",
		"git@github.acme.example:acme/gitops":                    "https://github.acme.example/acme/gitops",
		"https://acme.ghe.com/acme/gitops":                       "https://acme.ghe.com/acme/gitops",
		"https://gitlab.com/acme/gitops.git":                     "",
		"https://evil.example/github.com/acme/gitops":            "",
		"https://github.com/acme":                                "",
		"https://github.com/acme/gitops/x":                       "",
		"https://github.com/acme/a)[b](javascript:x":             "",
		"/srv/git/gitops.git":                                    "",
		"file:///srv/git/github.com/a/b":                         "",
		"ext::sh -c evil":                                        "",
		"":                                                       "",
	} {
		if want != "" {
			want += "/blob/" + commit.Hash
		}
		if got := BlobURL(address, commit); got != want {
			t.Errorf("BlobURL(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestBlobURLAt(t *testing.T) {
	commit := Commit{Hash: "abc"}
	if got := BlobURLAt("https://ghes.example", "acme/gitops", commit); got != "https://ghes.example/acme/gitops/blob/abc" {
		t.Errorf("BlobURLAt = %q", got)
	}
	for _, bad := range [][2]string{{"javascript:x", "a/b"}, {"", "a/b"}, {"https://ghes.example", "a"}, {"https://ghes.example", "a/b/c"}} {
		if got := BlobURLAt(bad[0], bad[1], commit); got != "" {
			t.Errorf("BlobURLAt(%q, %q) = %q", bad[0], bad[1], got)
		}
	}
}

func TestRemoteURL(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	if got, err := r.RemoteURL(t.Context(), "origin"); err != nil || got != "" {
		t.Errorf("RemoteURL without a remote = %q, %v", got, err)
	}
	f.git("remote", "add", "origin", "git@github.com:acme/gitops.git")
	if got, err := r.RemoteURL(t.Context(), "origin"); err != nil || got != "git@github.com:acme/gitops.git" {
		t.Errorf("RemoteURL = %q, %v", got, err)
	}
}
