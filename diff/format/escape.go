package format

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names in manifests come from whoever opened the pull request. Each context of the output has one function here:
//
//	a terminal, and what all others build on   visible
//	inline code, also inside of tables         codeSpan
//	a fenced block                             fence
//	a link                                     link
//
// There is none for running text, since there is no escape for it: behind the Markdown renderer GitHub looks for @names, #123
// and URLs in all text outside of code, however it was escaped. So a string of a manifest is always code (or a link's
// text that is proved harmless).

// visible makes every character that a reader would not see as itself visible as its number: control and format
// characters (right-to-left marks, zero-width ones), odd blanks, line separators, bytes that are no UTF-8.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "‹0x%02X›", s[0])
		case hidden(r):
			fmt.Fprintf(&b, "‹U+%04X›", r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// hidden tells whether a character has no shape of its own, or changes how its neighbours are shown.
func hidden(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) || r != ' ' && unicode.Is(unicode.Zs, r)
}

// cut shortens the middle of a string to n characters: the ends of a name tell more than its middle.
func cut(s string, n int) string {
	if n <= 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	head := n / 2
	tail := n - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// codeSpan is inline code that holds in running text and in a table's cell. The fence is longer than any run of
// back-ticks inside; blanks beside a back-tick at an end, or a blank at both ends, would be lost without the outer
// blanks (CommonMark, "code spans"). A table splits its cells before it looks for code, so "|" is escaped there, and
// only there: outside of a table the backslash would be shown.
func codeSpan(s string, inTable bool) string {
	s = visible(s)
	if s == "" {
		s = " "
	}
	if inTable {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.Trim(s, "` ") != s && strings.TrimSpace(s) != "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// longestRun is the length of the longest run of c.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fence is a fenced block. Each line is made visible by itself, so that no name brings a line break of its own.
func fence(info string, lines []string) string {
	marks := 3
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = visible(line)
		marks = max(marks, longestRun(shown[i], '`')+1)
	}
	bar := strings.Repeat("`", marks)
	return bar + info + "\n" + strings.Join(shown, "\n") + "\n" + bar + "\n"
}

// harmless is link text that no renderer takes for anything else: no emphasis, no autolink, no :emoji:.
var harmless = regexp.MustCompile(`^[A-Za-z0-9./-]+(_[A-Za-z0-9./-]+)*(:[0-9]+)*$`)

// ours are words of ours: nothing that Markdown, or GitHub behind it, takes for more than text.
var ours = regexp.MustCompile(`^[A-Za-z0-9 ,.;%()→/:+=>'…–-]*$`)

// sentence is text of the report that should be words of ours around quoted literals. The literals are shown as code, and
// so is the whole sentence when the rest is not just words.
func sentence(s string, inTable bool) string {
	var b strings.Builder
	for rest := s; rest != ""; {
		text, _, _ := strings.Cut(rest, `"`)
		if !isWords(text) {
			return codeSpan(s, inTable)
		}
		b.WriteString(text)
		rest = rest[len(text):]
		if rest == "" {
			break
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return codeSpan(s, inTable)
		}
		literal, err := strconv.Unquote(quoted)
		if err != nil {
			return codeSpan(s, inTable)
		}
		b.WriteString(codeSpan(literal, inTable))
		rest = rest[len(quoted):]
	}
	return b.String()
}

// linked is what GitHub makes links and pictures of in plain words: addresses, GH-1, :emoji:.
var linked = regexp.MustCompile(`www\.|//|GH-|:[A-Za-z0-9+-]+:`)

func isWords(s string) bool {
	return ours.MatchString(s) && !linked.MatchString(s) && !strings.HasPrefix(strings.TrimSpace(s), ">")
}

// link is a link with the text as it is where that is harmless, else as code, which binds tighter than brackets. Without
// a usable address the text stands alone, as code.
func link(text, address string, inTable bool) string {
	if address == "" {
		return codeSpan(text, inTable)
	}
	if !harmless.MatchString(text) || strings.Contains(text, "www.") || strings.Contains(text, "//") {
		text = codeSpan(text, inTable)
	}
	return "[" + text + "](" + address + ")"
}

// blobAddress is the web address of a line of a file, or "" when the prefix is no address that a browser may be sent to.
func blobAddress(prefix, file string, line int) string {
	if !isFile(file) || !strings.HasPrefix(prefix, "https://") && !strings.HasPrefix(prefix, "http://") {
		return ""
	}
	if clean := path.Clean("/" + file); clean != "/"+file {
		return "" // a browser would resolve "..", and leave the repository
	}
	address := strings.TrimSuffix(percentEncode(prefix), "/") + "/" + escapeFile(file)
	if line > 0 {
		address += fmt.Sprintf("#L%d", line)
	}
	return address
}

// isFile tells whether a position has a file that can be looked at: what stands in angle brackets is none, as compilers write it.
func isFile(name string) bool { return name != "" && name[0] != '<' }

// escapeFile encodes each segment of a file's path.
func escapeFile(file string) string {
	segments := strings.Split(file, "/")
	for i, segment := range segments {
		// PathEscape leaves round brackets, which end a link in Markdown, and characters that GitHub shows as they are.
		segments[i] = percentEncode(url.PathEscape(segment))
	}
	return strings.Join(segments, "/")
}

// percentEncode encodes what may not stand in a link's address in Markdown, and leaves what is encoded already.
func percentEncode(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("()<>[]\\\"'`|{}^*_~@!", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(address[i])
	}
	return b.String()
}
