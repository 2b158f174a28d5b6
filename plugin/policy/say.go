package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// A sentence of a verdict holds words of ours, and literals between quotation marks as strconv.Quote writes them: formats set these apart
// and escape them.

func quoted(s string) string { return strconv.Quote(s) }

func quotedList(items []string) string {
	said := make([]string, len(items))
	for i, item := range items {
		said[i] = quoted(item)
	}
	return strings.Join(said, " and ")
}

// requestsTo says to which hosts requests are: `requests to "shop.example" and 2 more hosts`.
func requestsTo(areas []report.Area) string {
	var hosts []string
	for _, a := range areas {
		for _, t := range a.Hosts.Include {
			if t.Kind == class.TermAny {
				return "requests to any host"
			}
			if host := report.HostPhrase(t).Literal; host != "" && !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	switch n := len(hosts) - 1; {
	case n < 0:
		return "requests"
	case n == 0:
		return "requests to " + quoted(hosts[0])
	case n == 1:
		return "requests to " + quotedList(hosts)
	default:
		return fmt.Sprintf("requests to %s and %d more hosts", quoted(hosts[0]), n)
	}
}
