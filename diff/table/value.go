package table

import (
	"slices"
	"strconv"
	"strings"
)

// values are those that a predicate looks at.
func (a *arrival) values(p Predicate) []string {
	var value string
	found := true
	switch p.Source {
	case Method:
		value = a.method
	case Query:
		value, found = firstParameter(a.query, p.Name)
	case Cookie:
		value, found = firstCookie(a.headers["cookie"], p.Name)
	case Free:
		found = slices.Contains(a.holds, p.Name)
	default:
		switch p.Name {
		case pathHeader:
			value, found = a.target(), a.method != connectMethod
		case authorityHeader:
			value = a.host
		default:
			return a.headers[p.Name]
		}
	}
	if !found {
		return nil
	}
	return []string{value}
}

// firstParameter is the first value of a query parameter, as it was sent: no byte is decoded, ";" is no separator, empty
// pieces are skipped, and a name without "=" has the empty value.
func firstParameter(query, name string) (value string, found bool) {
	for piece := range strings.SplitSeq(query, "&") {
		if piece == "" {
			continue
		}
		if key, value, _ := strings.Cut(piece, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// firstCookie is the value of the first cookie of a name in all lines. Pieces between ";" without "=" are none; spaces before a name
// are no part of it, all others of name and value are; a value between double quotes loses them. (Envoy 1.40,
// Http::Utility::forEachCookie, and experiment.)
func firstCookie(lines []string, name string) (value string, found bool) {
	for _, line := range lines {
		for piece := range strings.SplitSeq(line, ";") {
			key, value, isCookie := strings.Cut(piece, "=")
			if !isCookie || strings.TrimLeft(key, " ") != name {
				continue
			}
			if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
				value = value[1 : n-1]
			}
			return value, true
		}
	}
	return "", false
}

// inRange tells whether a value is a whole number in decimals, with blanks around it and a sign, that lies in a range "low high".
func inRange(bounds, value string) bool {
	number, err := strconv.ParseInt(strings.Trim(value, " \t"), 10, 64)
	if err != nil {
		return false
	}
	lowText, highText, _ := strings.Cut(bounds, " ")
	low, lowErr := strconv.ParseInt(lowText, 10, 64)
	high, highErr := strconv.ParseInt(highText, 10, 64)
	return lowErr == nil && highErr == nil && low <= number && number < high
}
