// Package github brings a report to where its readers are: one comment on the pull request, a check run on its commit, labels, the
// job summary and outputs of a workflow run.
//
// In come texts that are finished, and what the runner says in its environment; out go as few requests to GitHub as will do.
// The comment is sticky: each instance of routedelta has one on a pull request, which it updates in place and leaves
// untouched when nothing has changed. A run that is older than what is there leaves it. The package knows nothing of routes. It is
// the only one that imports go-github.
//
// Three layers survive what goes wrong on the way: retry.go repeats what reads; again.go looks anew at what is there before
// anything is written a second time; guard.go tells whether this run may still speak.
//
// Before that, event.go reads what started a run, sides.go finds the two commits that it is about, with package git, and command.go writes
// the log of a step so that the runner takes no text for a command.
//
// The token comes from the caller, goes to the one host it is meant for, and is in no error text.
package github
