// Package artifact is what a workflow run without rights leaves for one with rights, which comments on its pull request.
//
// In comes a folder, or a ZIP file of one; out come a report's text and what the run says it was about. Whoever opened the pull
// request may have written all of it: it is of bounded size, has files of known names only, leads nowhere, and nothing
// in it is believed. Which pull request it is for is asked for at GitHub (package github, Origin).
package artifact
