// Package github brings a report to where its readers are: one comment on the pull request, the job summary and outputs of a
// workflow run.
//
// In come texts that are finished, and what the runner says in its environment; out go as few requests to GitHub as will do.
// The comment is sticky: each instance of routedelta has one on a pull request, which it updates in place and leaves
// untouched when nothing has changed. The package knows nothing of routes. It is the only one that imports go-github.
//
// The token comes from the caller, goes to the one host it is meant for, and is in no error text.
package github
