package git

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Remote is where commits that the clone lacks may be brought from. Nothing else in this package ever fetches: only a caller who was told
// to brings a commit by its hash, from the remote that the clone was made of.
type Remote struct {
	// Name of the remote, "origin".
	Name string
	// Server and Token: the token is shown to this server only ("https://github.com"). Without a token the clone's own configuration decides,
	// which has one where actions/checkout left it there.
	Server, Token string
}

// FetchError is a fetch that brought nothing.
type FetchError struct {
	What string
	Err  error
}

func (e *FetchError) Error() string { return fmt.Sprintf("fetching %s: %v", e.What, e.Err) }
func (e *FetchError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *FetchError) Hint() string {
	return "check out with fetch-depth: 0, so that nothing is missing; where the repository is private, let the step have a token with contents: read"
}

// objectName is a full hash. Only such a name is ever asked of a server.
var objectName = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// remoteName and branchName are what this package passes on to git as a name.
var (
	remoteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	branchName = regexp.MustCompile(`^[A-Za-z0-9_][^\x00-\x20\x7f~^:?*\[\\]*$`)
)

// Has tells whether the clone holds a commit, by its full hash.
func (r *Repository) Has(ctx context.Context, hash string) (bool, error) {
	if !objectName.MatchString(hash) {
		return false, &RevisionError{Revision: hash, reason: "not a full hash"}
	}
	_, err := r.git.output(ctx, "cat-file", "-e", hash+"^{commit}")
	var failure *CommandError
	if errors.As(err, &failure) {
		return false, nil
	}
	return err == nil, err
}

// Bring makes sure that the clone holds a commit, and fetches that commit alone if it does not.
func (r *Repository) Bring(ctx context.Context, remote Remote, hash string) (Commit, error) {
	there, err := r.Has(ctx, hash)
	if err != nil {
		return Commit{}, err
	}
	if !there {
		var depth []string
		if r.Shallow { // of a whole clone it would make a shallow one
			depth = []string{"--depth=1"}
		}
		if err := r.fetch(ctx, remote, depth, hash); err != nil {
			return Commit{}, err
		}
	}
	return r.Resolve(ctx, hash)
}

// BranchAt asks the remote which commit a branch is at, "" if it has no such branch.
func (r *Repository) BranchAt(ctx context.Context, remote Remote, branch string) (string, error) {
	if !branchName.MatchString(branch) {
		return "", &RevisionError{Revision: branch, reason: "not a branch"}
	}
	git, err := r.reaching(remote)
	if err != nil {
		return "", err
	}
	out, err := git.output(ctx, "ls-remote", "--upload-pack=git-upload-pack", remote.Name, "refs/heads/"+branch)
	if err != nil {
		return "", &FetchError{What: "branch " + strconv.Quote(branch), Err: err}
	}
	for line := range strings.Lines(out) {
		if hash, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == "refs/heads/"+branch && objectName.MatchString(hash) {
			return hash, nil
		}
	}
	return "", nil
}

// fetch brings commits and, with depth, as much history as it says. It writes no branch and no tag.
func (r *Repository) fetch(ctx context.Context, remote Remote, depth []string, hashes ...string) error {
	git, err := r.reaching(remote)
	if err != nil {
		return err
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--refmap=", "--upload-pack=git-upload-pack"}
	args = append(append(args, depth...), remote.Name)
	if _, err := git.output(ctx, append(args, hashes...)...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return &FetchError{What: "commit " + strings.Join(hashes, " and "), Err: err}
	}
	shallow, err := r.git.output(ctx, "rev-parse", "--is-shallow-repository")
	r.Shallow = shallow == "true"
	return err
}

// reaching is git with the transports open that need no program of the clone's choosing: http and https, and the file system for a
// mirror. What else could name a program on the way (helpers for passwords and alternates, background maintenance) stays switched off.
func (r *Repository) reaching(remote Remote) (program, error) {
	if !remoteName.MatchString(remote.Name) {
		return program{}, &RevisionError{Revision: remote.Name, reason: "not a remote"}
	}
	settings := append(quiet(), [2]string{"http.followRedirects", "false"})
	if remote.Token != "" {
		// An empty value takes back what the configuration has set: GitHub refuses two headers.
		key := "http." + strings.TrimSuffix(remote.Server, "/") + "/.extraheader"
		basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + remote.Token))
		settings = append(settings, [2]string{key, ""}, [2]string{key, "AUTHORIZATION: basic " + basic})
	}
	git := r.git
	// By the environment, since other users of the machine can read the arguments of a process.
	git.overrides = append([]string{"GIT_ALLOW_PROTOCOL=https:http:file", "GIT_ASKPASS=", "SSH_ASKPASS="}, configured(settings)...)
	return git, nil
}

// quiet are settings that keep a fetch from starting other programs, and from asking anybody.
func quiet() [][2]string {
	return [][2]string{
		{"credential.helper", ""}, {"core.askPass", ""}, {"core.alternateRefsCommand", "true"}, {"gc.auto", "0"}, {"maintenance.auto", "false"},
	}
}

// configured are settings as GIT_CONFIG_KEY_n wants them.
func configured(settings [][2]string) []string {
	variables := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	for i, setting := range settings {
		variables = append(variables, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, setting[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, setting[1]))
	}
	return variables
}
