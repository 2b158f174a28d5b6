package class

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// anyOptions draws all options that change paths or hosts.
func anyOptions(r *rand.Rand) table.Options {
	o := tabletest.RandomOptions(r)
	o.IgnorePathParameters, o.StripTrailingDot = r.IntN(3) == 0, r.IntN(3) == 0
	o.StripHostPort = []uint32{0, 0, 80, 8080}[r.IntN(4)]
	return o
}

// optionPairs calls f with options that agree, and with such as differ in some.
func optionPairs(seeds uint64, f func(r *rand.Rand, b, a table.Options)) {
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 8))
		b := anyOptions(r)
		a := b
		if r.IntN(3) > 0 {
			a = anyOptions(r)
		}
		if r.IntN(3) == 0 {
			a.NormalizePath, a.MergeSlashes = b.NormalizePath, b.MergeSlashes
		}
		f(r, b, a)
	}
}

// pathTexts are all texts of a few parts that options look at.
func pathTexts(parts []string, most int) []string {
	out, last := []string{"/"}, []string{"/"}
	for range most {
		var longer []string
		for _, text := range last {
			for _, part := range parts {
				longer = append(longer, text+part)
			}
		}
		out, last = append(out, longer...), longer
	}
	return out
}

// TestCommonPaths: what any short path becomes on both sides is in the language, if it is the same; and every short path of the
// language can be sent.
func TestCommonPaths(t *testing.T) {
	texts := pathTexts([]string{"/", ".", ";", "a", "%2e", "%2F", "%41", "%", `\`, "^", "2"}, 4)
	in, out, differ := 0, 0, 0
	optionPairs(16, func(_ *rand.Rand, b, a table.Options) {
		language, err := commonPaths(b, a, newPatterns(DefaultLimits.States))
		if err != nil {
			t.Fatal(err)
		}
		evaluators := [2]*table.Evaluator{table.Compile(&table.Table{Options: b}), table.Compile(&table.Table{Options: a})}
		arrive := func(path string) (string, bool) {
			x, ok := evaluators[0].Arrive(table.Request{Method: "GET", Host: "a", Path: path})
			y, both := evaluators[1].Arrive(table.Request{Method: "GET", Host: "a", Path: path})
			return x.Path(), ok && both && x.Path() == y.Path()
		}
		for _, text := range texts {
			if seen, ok := arrive(text); !ok {
				differ++
			} else if !language.Matches(seen) {
				t.Fatalf("%+v %+v: %q becomes %q, which is not in the language", b, a, text, seen)
			}
			if !language.Matches(text) {
				out++
				continue
			}
			in++
			if seen, ok := arrive(sendablePath(text, b, a)); !ok || seen != text {
				t.Fatalf("%+v %+v: %q of the language is sent as %q and becomes %q, %v", b, a, text, sendablePath(text, b, a), seen, ok)
			}
		}
	})
	if in == 0 || out == 0 || differ == 0 {
		t.Error("the paths show nothing")
	}
}

// TestSendableHosts: a host that any short text becomes on both sides can be sent by the means of sendableHost.
func TestSendableHosts(t *testing.T) {
	var texts []string
	for _, text := range pathTexts([]string{"a", ".", ":", ":80", ":8080", "[::1]", ":x", "b"}, 4) {
		texts = append(texts, strings.TrimPrefix(text, "/"))
	}
	common := 0
	optionPairs(200, func(r *rand.Rand, b, a table.Options) {
		evaluators := [2]*table.Evaluator{table.Compile(&table.Table{Options: lookupOptions(b)}), table.Compile(&table.Table{Options: lookupOptions(a)})}
		for range 300 {
			text := texts[r.IntN(len(texts))]
			request := table.Request{Method: "GET", Host: text, Path: "/"}
			x, ok := evaluators[0].Arrive(request)
			y, both := evaluators[1].Arrive(request)
			if !ok || !both || x.Host() != y.Host() {
				continue
			}
			common++
			if sent, ok := sendableHost(x.Host(), b, a); !ok {
				t.Fatalf("%+v %+v: %q becomes %q, which cannot be sent (%q)", b, a, text, x.Host(), sent)
			}
		}
	})
	if common == 0 {
		t.Error("the hosts show nothing")
	}
}
