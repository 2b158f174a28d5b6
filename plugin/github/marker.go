package github

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// maxBody is how many characters GitHub takes in a comment ("body is too long (maximum is 65536 characters)"). They are
// counted as runes here, which is at most what GitHub counts.
const maxBody = 65_536

// markerRoom is what the marker may take of maxBody.
const markerRoom = 128

// BodyLimit is how long the body of a Comment may be: what the marker leaves.
const BodyLimit = maxBody - markerRoom

// instanceName keeps an instance from ending the HTML comment that it stands in.
var instanceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$`)

// marker is the last line of our comments: HTML comments do not show. It is the last line and not the first because mail and
// lists show how a comment begins.
func marker(instance string) string { return "<!-- routedelta instance=" + instance + " -->" }

// signed is the text as it is sent: with its marker.
func signed(text, instance string) (string, error) {
	if !instanceName.MatchString(instance) || strings.Contains(instance, "--") {
		return "", fmt.Errorf("instance %q: want letters, digits, '.', '_', '/' and single '-', at most 63", instance)
	}
	body := strings.TrimRight(text, " \t\r\n") + "\n\n" + marker(instance)
	if n := utf8.RuneCountInString(body); n > maxBody {
		return "", &Error{Operation: "writing a comment", Kind: Invalid,
			Message: fmt.Sprintf("the comment has %d characters, GitHub takes %d", n, maxBody)}
	}
	return body, nil
}

// isOurs tells whether a comment belongs to the instance: by its last line and by who wrote it. Anybody can copy a marker into a
// comment, and a text that we quote may hold one, so neither its place nor its author may be left out.
func isOurs(comment *github.IssueComment, author, instance string) bool {
	body := settled(comment.GetBody())
	last := body[strings.LastIndexByte(body, '\n')+1:]
	return last == marker(instance) && strings.EqualFold(comment.GetUser().GetLogin(), author) // as GitHub compares logins
}

// settled is a body without what GitHub or an editor may change: line ends and the white space at the end.
func settled(body string) string {
	return strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n"), " \t\n")
}

// oldestFirst sorts comments by when they were made. Numbers are given in order, times only to the second.
func oldestFirst(comments []*github.IssueComment) {
	slices.SortFunc(comments, func(a, b *github.IssueComment) int { return cmp.Compare(a.GetID(), b.GetID()) })
}
