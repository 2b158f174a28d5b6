// Package fake is a GitHub for tests: a server that keeps what clients of its API write, and fails when it is told to.
//
// In come requests of a client under test, and by the control API (control.go) worlds: a repository with its commits, pull
// requests and comments. Out go answers as GitHub gives them, under the addresses of github.com and of a GitHub Enterprise Server.
// Every request, and every answer of the server itself, is checked against GitHub's own description of its API, so that the client
// is not tested against somebody's idea of GitHub. What is not as described is a violation of the world that it happened in.
package fake
