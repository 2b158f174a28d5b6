// Package githubtest gives a test a GitHub of its own: a world of the fake GitHub that `make fake-github` builds, whose README is
// .ci/tools/github/README.md.
//
// In come a repository's pull requests, comments and commits, and what shall go wrong; out comes what a client left there. A
// request that is not as GitHub describes it fails the test.
package githubtest
