package hostile

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/net/html"
)

// stranger is the word that stands in every string of the stranger's, at both ends.
const stranger = "pwned"

// elements are those of our comments, with their attributes.
var elements = map[string]string{
	"html": "", "head": "", "body": "", "h3": "", "h4": "", "p": "", "sub": "", "strong": "", "em": "", "br": "", "hr": "", "blockquote": "",
	"ul": "", "ol": "", "li": "", "details": "open", "summary": "", "pre": "lang", "code": "class", "a": "href",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "align", "td": "align",
}

// ourLinks is where links of a comment lead: a file of a commit, a run, and our own pages.
var ourLinks = regexp.MustCompile(`^https://github\.com/acme/gitops/(blob/[0-9a-f]{40}/[^?]*|actions/runs/42)$`)

// noticed is what GitHub makes more of than text, wherever it stands outside of code: mentions, references, addresses, pictures, formulas.
var noticed = regexp.MustCompile(`@[A-Za-z0-9]|#[0-9]|GH-[0-9]|://|www\.|:[a-z0-9_+-]+:|\$`)

// requireMarkdown renders a text as GitHub does, and holds what comes out to elements of ours around strings of the stranger.
func requireMarkdown(ts *testscript.TestScript, where, markdown string) {
	if markdown == "" {
		return
	}
	requireShown(ts, where, markdown)
	const last = "the end of the text"
	render := exec.Command("cmark-gfm", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tagfilter", "-e", "tasklist", "--unsafe")
	render.Stdin = strings.NewReader(markdown + "\n\n" + last + "\n")
	page, err := render.Output()
	ts.Check(err)
	if !strings.HasSuffix(string(page), "<p>"+last+"</p>\n") {
		ts.Fatalf("%s leaves something open:\n%s", where, page[max(0, len(page)-1000):])
	}
	root, err := html.Parse(strings.NewReader(string(page)))
	ts.Check(err)
	if node := root.LastChild.LastChild.LastChild; strings.TrimSpace(node.Data) != "" || node.PrevSibling.FirstChild.Data != last {
		ts.Fatalf("%s leaves an element open:\n%s", where, page[max(0, len(page)-1000):])
	}
	comments := 0
	for node := range root.Descendants() {
		switch node.Type {
		case html.ElementNode:
			requireOurs(ts, where, node)
		case html.CommentNode:
			if comments++; comments > 1 || strings.Contains(node.Data, stranger) {
				ts.Fatalf("%s has the hidden text %q", where, node.Data)
			}
		case html.TextNode:
			if text := node.Data; !inCode(node) && (strings.Contains(text, stranger) || noticed.MatchString(text)) {
				ts.Fatalf("%s has outside of code: %q", where, text)
			}
		}
	}
}

func requireOurs(ts *testscript.TestScript, where string, node *html.Node) {
	attributes, ok := elements[node.Data]
	if !ok {
		ts.Fatalf("%s has the element <%s>", where, node.Data)
	}
	for _, a := range node.Attr {
		if a.Key != attributes || strings.Contains(a.Val, stranger) && a.Key != "href" {
			ts.Fatalf("%s has <%s %s=%q>", where, node.Data, a.Key, a.Val)
		}
		if a.Key == "href" && (!ourLinks.MatchString(a.Val) || slices.Contains(strings.Split(a.Val, "/"), "..")) {
			ts.Fatalf("%s leads to %q", where, a.Val)
		}
	}
}

func inCode(node *html.Node) bool {
	for parent := range node.Ancestors() {
		if parent.Data == "code" || parent.Data == "pre" {
			return true
		}
	}
	return false
}
