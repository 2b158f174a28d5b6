package git

import (
	"context"
	"fmt"
	"os"
	"strconv"
)

// Clone brings one commit of a repository on the network into an empty directory: the one that a branch, a tag or a full hash names, or
// that of HEAD for "". Only http and https are spoken, without any credentials, and nothing is checked out: Tree reads the commit. A
// *FetchError says what the server or git did not like.
func Clone(ctx context.Context, directory, address, revision string) (*Repository, Commit, error) {
	if revision != "" && !branchName.MatchString(revision) {
		return nil, Commit{}, &RevisionError{Revision: revision, reason: "not a branch, a tag or a hash"}
	}
	if revision == "" {
		revision = "HEAD"
	}
	git, err := findProgram(directory)
	if err != nil {
		return nil, Commit{}, err
	}
	if _, err := git.output(ctx, "init", "--quiet", "--template="); err != nil {
		return nil, Commit{}, err
	}
	network := git
	// A server may send a request elsewhere once, as GitHub does for a repository that got another name.
	// What people have in their home directory (.gitconfig, .netrc) may be for that server, and is not for whoever named it.
	network.overrides = append([]string{
		"GIT_ALLOW_PROTOCOL=https:http", "GIT_ASKPASS=", "SSH_ASKPASS=", "HOME=" + directory, "XDG_CONFIG_HOME=" + directory, "GIT_CONFIG_GLOBAL=" + os.DevNull,
	},
		configured(append(quiet(), [2]string{"http.followRedirects", "initial"}))...)
	const fetched = "refs/routedelta/fetched"
	_, err = network.output(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--refmap=",
		"--upload-pack=git-upload-pack", "--end-of-options", address, "+"+revision+":"+fetched)
	if err != nil {
		if ctx.Err() != nil {
			return nil, Commit{}, err
		}
		return nil, Commit{}, &FetchError{What: fmt.Sprintf("%s of %s", strconv.Quote(revision), strconv.Quote(address)), Err: err}
	}
	repository := &Repository{git: git, Root: directory, Shallow: true}
	commit, err := repository.Resolve(ctx, fetched)
	return repository, commit, err
}
