package class

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// sendablePath is what a client sends to have a path of commonPaths at the routers of both sides. A segment ".;x" would be cut to
// "." and resolved before escapes are read, "%2e;x" is not; where parameters are ignored they keep a dot from being resolved and
// slashes from being merged.
func sendablePath(path string, b, a table.Options) string {
	normalize := b.NormalizePath && a.NormalizePath
	ignore := b.IgnorePathParameters && a.IgnorePathParameters
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		name, _, found := strings.Cut(segment, ";")
		isDot := name == "." || name == ".."
		switch {
		case normalize && isDot && ignore:
			segments[i] = "%2e" + name[1:] + ";"
		case normalize && isDot && found:
			segments[i] = "%2e" + segment[1:]
		case ignore && segment == "" && i > 0 && i < len(segments)-1:
			segments[i] = ";"
		}
	}
	return strings.Join(segments, "/")
}

// sendableHost is what a client sends to have a host looked up by the tables of both sides, "" and false if there is no such host.
// Strip options and ignored ports take a dot and up to two ports off, so these are what may have to be sent beside the host.
func sendableHost(host string, b, a table.Options) (string, bool) {
	lookups := []*table.Evaluator{table.Compile(&table.Table{Options: lookupOptions(b)}), table.Compile(&table.Table{Options: lookupOptions(a)})}
	for sent := range hostSpellings(host, b, a) {
		arrives := true
		for _, lookup := range lookups {
			arrived, ok := lookup.Arrive(table.Request{Method: "GET", Host: sent, Path: "/"})
			arrives = arrives && ok && arrived.Host() == host
		}
		if arrives {
			return sent, true
		}
	}
	return "", false
}

// lookupOptions are those that decide which host is looked up.
func lookupOptions(o table.Options) table.Options {
	return table.Options{
		IgnoreHostPort: o.IgnoreHostPort, StripAnyHostPort: o.StripAnyHostPort, StripHostPort: o.StripHostPort,
		StripTrailingDot: o.StripTrailingDot, UseRemoteAddress: true,
	}
}

// hostSpellings are a host, and the host with what options may take off: ports, and a second dot where there is one already. A dot
// behind a port is taken off in the place of the host's. Mostly the first is asked for only.
func hostSpellings(host string, b, a table.Options) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if !yield(host) {
			return
		}
		spellings := withPorts(host, b, a)
		for _, sent := range spellings {
			if !yield(sent) {
				return
			}
		}
		for _, plain := range append([]string{host}, spellings...) {
			dot := strings.LastIndexByte(plain, '.')
			if dot >= 0 && !yield(plain[:dot]+"."+plain[dot:]) {
				return
			}
		}
	}
}

// withPorts are a host with one port and with two.
func withPorts(host string, b, a table.Options) []string {
	ports := []string{":80", ":80.", ":81", ":81.", ":x", ":x."}
	for _, o := range []table.Options{b, a} {
		if o.StripHostPort != 0 {
			ports = append(ports, fmt.Sprint(":", o.StripHostPort), fmt.Sprint(":", o.StripHostPort, "."))
		}
	}
	var out []string
	for _, first := range ports {
		out = append(out, host+first)
	}
	for _, first := range ports {
		for _, second := range ports {
			out = append(out, host+first+second)
		}
	}
	return out
}
