package github

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// maxBody is how many characters GitHub takes in a comment ("body is too long (maximum is 65536 characters)"). They are
// counted as runes here, which is at most what GitHub counts.
const maxBody = 65_536

// markerRoom is what the marker may take of maxBody.
const markerRoom = 256

// shortestText is where writing a shorter text after "too long" ends: the length was not what GitHub minded.
const shortestText = 2000

// BodyLimit is how long the text of a Comment may be: what the marker leaves.
const BodyLimit = maxBody - markerRoom

// instanceName keeps an instance from ending the HTML comment that it stands in.
var instanceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$`)

// fullSHA is a commit as GitHub names it, in SHA-1 or SHA-256.
var fullSHA = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// marker is the last line of our comments, in an HTML comment, which does not show. It is the last line and not the first because
// mail and lists show how a comment begins. It says whose comment it is, and which run wrote it.
type marker struct {
	instance string
	run      Run
	// hidden: the comment was folded by us, and is to be unfolded when there is news.
	hidden bool
}

func (m marker) String() string {
	text := "<!-- routedelta instance=" + m.instance
	if m.run.Head != "" {
		text += " head=" + m.run.Head
	}
	if m.run.ID != 0 {
		text += fmt.Sprintf(" run=%d.%d", m.run.ID, m.run.Attempt)
	}
	if m.hidden {
		text += " hidden"
	}
	return text + " -->"
}

var markerForm = regexp.MustCompile(`^<!-- routedelta instance=(\S+)(?: head=([0-9a-f]+))?(?: run=(\d{1,18})\.(\d{1,9}))?( hidden)? -->$`)

// split takes a body apart: into its marker, which is the zero value if there is none, and the text above it.
func split(body string) (marker, string) {
	body = settled(body)
	last := strings.LastIndexByte(body, '\n') + 1
	parts := markerForm.FindStringSubmatch(body[last:])
	if parts == nil {
		return marker{}, body
	}
	id, _ := strconv.ParseInt(parts[3], 10, 64) // "" is 0, not known
	attempt, _ := strconv.Atoi(parts[4])
	return marker{instance: parts[1], run: Run{Head: parts[2], ID: id, Attempt: attempt}, hidden: parts[5] != ""}, settled(body[:last])
}

// signed is the text as it is sent: with its marker.
func signed(text string, m marker) (string, error) {
	if !instanceName.MatchString(m.instance) || strings.Contains(m.instance, "--") {
		return "", fmt.Errorf("instance %q: want letters, digits, '.', '_', '/' and single '-', at most 63", m.instance)
	}
	body := strings.TrimRight(text, " \t\r\n") + "\n\n" + m.String()
	if n := utf8.RuneCountInString(body); n > maxBody {
		return "", &Error{Operation: "writing a comment", Kind: TooLong,
			Message: fmt.Sprintf("the comment has %d characters, GitHub takes %d", n, maxBody)}
	}
	return body, nil
}

// isOurs tells whether a comment belongs to the instance: by its last line and by who wrote it. Anybody can copy a marker into a
// comment, and a text that we quote may hold one, so neither its place nor its author may be left out.
func isOurs(comment *github.IssueComment, author, instance string) bool {
	m, _ := split(comment.GetBody())
	return m.instance == instance && strings.EqualFold(comment.GetUser().GetLogin(), author) // as GitHub compares logins
}

// settled is a body without what GitHub or an editor may change: line ends and the white space at the end.
func settled(body string) string {
	return strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n"), " \t\n")
}

// oldestFirst sorts comments by when they were made. Numbers are given in order, times only to the second.
func oldestFirst(comments []*github.IssueComment) {
	slices.SortFunc(comments, func(a, b *github.IssueComment) int { return cmp.Compare(a.GetID(), b.GetID()) })
}
