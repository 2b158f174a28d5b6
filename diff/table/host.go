package table

import (
	"cmp"
	"slices"
	"strings"
)

// hostIndex finds the virtual host of a name as Envoy does: the full name, else the longest "*suffix", else the longest
// "prefix*", else "*". A wildcard stands for at least one byte. A host once chosen is never left, whether or not one of its
// rules matches.
type hostIndex struct {
	exact              map[string]int
	suffixes, prefixes []wildcard // longest first
	any                int
}

// wildcard is a domain without its "*".
type wildcard struct {
	text string
	host int
}

func indexHosts(hosts []Host) hostIndex {
	index := hostIndex{exact: map[string]int{}, any: -1}
	for i, host := range hosts {
		for _, domain := range host.Domains {
			index.add(lowerASCII(domain), i)
		}
	}
	longest := func(a, b wildcard) int { return cmp.Compare(len(b.text), len(a.text)) }
	slices.SortStableFunc(index.suffixes, longest)
	slices.SortStableFunc(index.prefixes, longest)
	return index
}

// add takes only a first or a last "*" as a wildcard; elsewhere it is a byte as any other.
func (x *hostIndex) add(domain string, host int) {
	switch {
	case domain == "*":
		if x.any < 0 {
			x.any = host
		}
	case strings.HasPrefix(domain, "*"):
		x.suffixes = append(x.suffixes, wildcard{domain[1:], host})
	case strings.HasSuffix(domain, "*"):
		x.prefixes = append(x.prefixes, wildcard{domain[:len(domain)-1], host})
	default:
		if _, taken := x.exact[domain]; !taken {
			x.exact[domain] = host
		}
	}
}

// find returns the index of the virtual host, -1 for none.
func (x *hostIndex) find(host string, o Options) int {
	if o.IgnoreHostPort {
		if i := portStart(host); i >= 0 {
			host = host[:i]
		}
	}
	host = lowerASCII(host)
	if found, ok := x.exact[host]; ok {
		return found
	}
	for _, w := range x.suffixes {
		if len(host) > len(w.text) && strings.HasSuffix(host, w.text) {
			return w.host
		}
	}
	for _, w := range x.prefixes {
		if len(host) > len(w.text) && strings.HasPrefix(host, w.text) {
			return w.host
		}
	}
	return x.any
}
