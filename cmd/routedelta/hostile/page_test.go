package hostile

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/net/html"
)

// requirePage holds a page of HTML: one script and one style of ours, which its own policy names, links to where comments lead, and the
// stranger's strings as text.
func requirePage(ts *testscript.TestScript, where, page string) {
	root, err := html.Parse(strings.NewReader(page))
	ts.Check(err)
	count := map[string]int{}
	for node := range root.Descendants() {
		if node.Type == html.CommentNode {
			ts.Fatalf("%s has the hidden text %q", where, node.Data)
		}
		if node.Type != html.ElementNode {
			continue
		}
		count[node.Data]++
		if strings.Contains(node.Data, stranger) {
			ts.Fatalf("%s has the element <%s>", where, node.Data)
		}
		for _, a := range node.Attr {
			requireAttribute(ts, where, node, a)
		}
		if node.Data == "script" || node.Data == "style" {
			if node.FirstChild != nil && strings.Contains(node.FirstChild.Data, stranger) {
				ts.Fatalf("%s has the stranger's words in its <%s>", where, node.Data)
			}
		}
	}
	for _, name := range []string{"script", "style"} {
		if count[name] != 1 {
			ts.Fatalf("%s has %d <%s>", where, count[name], name)
		}
	}
	for _, name := range strings.Fields("img iframe object embed form input base svg math link video audio template") {
		if count[name] > 0 {
			ts.Fatalf("%s has an <%s>", where, name)
		}
	}
	if !strings.Contains(page, `http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`) {
		ts.Fatalf("%s has no policy of its own", where)
	}
}

func requireAttribute(ts *testscript.TestScript, where string, node *html.Node, a html.Attribute) {
	told := func() { ts.Fatalf("%s has <%s %s=%q>", where, node.Data, a.Key, a.Val) }
	switch {
	case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcdoc":
		told()
	case a.Key == "href":
		if !strings.HasPrefix(a.Val, "#") && !ourLinks.MatchString(a.Val) {
			told()
		}
	case strings.Contains(a.Val, stranger) && a.Key != "title":
		told()
	}
}

// embedded is a link in a message of SARIF: [text](target), where the bracket is not escaped.
var embedded = regexp.MustCompile(`(^|[^\\])\[([^\]\\]|\\.)*\]\(`)

// requireSARIF holds a file for code scanning: no message has a link, and no address leads out of the repository.
func requireSARIF(ts *testscript.TestScript, where, text string) {
	if text == "" {
		return
	}
	var log struct {
		Runs []struct {
			Results []any          `json:"results"`
			Bases   map[string]any `json:"originalUriBaseIds"`
		} `json:"runs"`
	}
	ts.Check(json.Unmarshal([]byte(text), &log))
	for _, run := range log.Runs {
		eachString(run.Results, "", func(key, value string) {
			switch {
			case key == "uri" && (strings.Contains(value, ":") || strings.HasPrefix(value, "/") || strings.Contains("/"+value+"/", "/../")):
				ts.Fatalf("%s leads to %q", where, value)
			case (key == "text" || key == "markdown") && embedded.MatchString(value):
				ts.Fatalf("%s has a link in a message: %q", where, value)
			case key == "ruleId" && strings.Contains(value, stranger):
				ts.Fatalf("%s has the rule %q", where, value)
			}
			requireShown(ts, where, value)
		})
		eachString(run.Bases, "", func(key, value string) {
			if key == "uri" && !strings.HasPrefix(value, "https://github.com/acme/gitops/blob/") {
				ts.Fatalf("%s leads to %q", where, value)
			}
		})
	}
}

// eachString visits the strings of a JSON value, each with the key that it stands behind.
func eachString(value any, key string, visit func(key, value string)) {
	switch value := value.(type) {
	case string:
		visit(key, value)
	case []any:
		for _, item := range value {
			eachString(item, key, visit)
		}
	case map[string]any:
		for name, item := range value {
			eachString(item, name, visit)
		}
	}
}
