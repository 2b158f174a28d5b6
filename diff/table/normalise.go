package table

import (
	"bytes"
	"strings"
)

// normalisePath gives the path (without query) as the router sees it. Status is 0 when a route is chosen, else the
// answer that Envoy gives instead. The steps stand in Envoy's order: escaped slashes, normalize_path, merge_slashes.
func normalisePath(path string, o Options) (normal string, status uint32) {
	redirect := false
	if o.EscapedSlashes != KeepEscapedSlashes {
		plain := slashUnescaper.Replace(path)
		if plain != path {
			if o.EscapedSlashes == RejectEscapedSlashes {
				return "", 400
			}
			redirect = o.EscapedSlashes == RedirectEscapedSlashes
		}
		path = plain
	}
	if o.NormalizePath {
		canonical, ok := canonicalPath(path)
		if !ok {
			return "", 400
		}
		path = canonical
	}
	if o.MergeSlashes {
		path = mergeSlashes(path)
	}
	if redirect {
		return path, 307
	}
	return path, 0
}

var (
	slashUnescaper = strings.NewReplacer("%2F", "/", "%2f", "/", "%5C", `\`, "%5c", `\`)
	dotUnescaper   = strings.NewReplacer("%2e", ".", "%2E", ".")
)

// canonicalPath is normalize_path: dot segments are resolved ("\" is a slash, a dot may be %2e), unreserved bytes are
// unescaped, bytes that a path may not hold are escaped. It fails on an escaped NUL.
func canonicalPath(path string) (string, bool) {
	path = dropDotParameters(path)
	out := canonicalWriter{bare: -1}
	for start := 0; start < len(path); {
		end := start + 1
		for end < len(path) && path[end] != '/' && path[end] != '\\' {
			end++
		}
		segment, last := path[start+1:end], end == len(path)
		switch dotUnescaper.Replace(segment) {
		case ".":
			if last {
				out.bytes = append(out.bytes, '/')
			}
		case "..":
			// The previous segment goes, an empty one too; at the root there is none.
			out.cut(max(0, bytes.LastIndexByte(out.bytes, '/')))
			if last {
				out.bytes = append(out.bytes, '/')
			}
		default:
			out.bytes = append(out.bytes, '/')
			if !out.segment(segment) {
				return "", false
			}
		}
		start = end
	}
	return string(out.bytes), true
}

// dropDotParameters cuts the rest of a segment whose text before ";" is "." or "..": "/a/..;x/b" is "/a/../b". It
// happens before escapes are read, and only "/" is a border here: "%2e;x" is no dot segment.
func dropDotParameters(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, _, _ := strings.Cut(segment, ";"); name == "." || name == ".." {
			segments[i] = name
		}
	}
	return strings.Join(segments, "/")
}

// canonicalWriter writes segments with their escapes in canonical form.
type canonicalWriter struct {
	bytes []byte
	// bare is where the last "%" was written that begins no escape, -1 for none.
	bare int
}

// cut takes back what stands behind a position.
func (w *canonicalWriter) cut(at int) {
	w.bytes = w.bytes[:at]
	if w.bare >= at {
		w.bare = -1
	}
}

func (w *canonicalWriter) segment(s string) bool {
	for i := 0; i < len(s); i++ {
		b := s[i]
		value, escape := unhex(s[i+1:])
		switch {
		case b == '%' && escape && value == 0:
			return false
		case b == '%' && escape && isUnreserved(value):
			w.bytes = append(w.bytes, value)
			w.protect(s[i+3:])
			i += 2
		case b == '%' && escape:
			w.bytes = append(w.bytes, s[i:i+3]...)
			i += 2
		case b >= 0x80 || strings.IndexByte("\"<>^`{|}", b) >= 0:
			const digits = "0123456789ABCDEF"
			w.bytes = append(w.bytes, '%', digits[b>>4], digits[b&15])
		default:
			if b == '%' {
				w.bare = len(w.bytes)
			}
			w.bytes = append(w.bytes, b)
		}
	}
	return true
}

// protect keeps a decoded byte from completing an escape with a bare "%" before it: "/%%341" would become "/%41", so the
// bare "%" is written "%25". Rest is what follows the decoded byte.
func (w *canonicalWriter) protect(rest string) {
	if w.bare < 0 || w.bare >= len(w.bytes) {
		return
	}
	behind := string(w.bytes[w.bare+1:])
	switch {
	case len(behind) == 1 && rest != "":
		behind += rest[:1]
	case len(behind) != 2:
		return
	}
	if _, ok := unhex(behind); ok {
		w.bytes = append(w.bytes[:w.bare+1:w.bare+1], "25"+string(w.bytes[w.bare+1:])...)
		w.bare = -1
	}
}

// mergeSlashes makes one "/" of several. A path of nothing but slashes keeps two, as Envoy does.
func mergeSlashes(path string) string {
	if len(path) > 1 && strings.Trim(path, "/") == "" {
		return "//"
	}
	var merged strings.Builder
	for i := range len(path) {
		if path[i] != '/' || i == 0 || path[i-1] != '/' {
			merged.WriteByte(path[i])
		}
	}
	return merged.String()
}

// cutParameters takes the parameters off each segment, from ";" on.
func cutParameters(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i], _, _ = strings.Cut(segment, ";")
	}
	return strings.Join(segments, "/")
}

// unhex reads two hexadecimal digits at the start of s.
func unhex(s string) (byte, bool) {
	if len(s) < 2 {
		return 0, false
	}
	high, ok1 := hexDigit(s[0])
	low, ok2 := hexDigit(s[1])
	return high<<4 | low, ok1 && ok2
}

func hexDigit(b byte) (byte, bool) {
	switch {
	case '0' <= b && b <= '9':
		return b - '0', true
	case 'a' <= b && b <= 'f':
		return b - 'a' + 10, true
	case 'A' <= b && b <= 'F':
		return b - 'A' + 10, true
	}
	return 0, false
}

// isUnreserved are the bytes that normalisation writes without an escape (RFC 3986, 2.3).
func isUnreserved(b byte) bool {
	return isAlphanumeric(b) || strings.IndexByte("-._~", b) >= 0
}
