package table

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What becomes of a path, seen at Envoy 1.40.0.
func TestNormalisePath(t *testing.T) {
	normalize := Options{NormalizePath: true}
	merge := Options{MergeSlashes: true}
	both := Options{NormalizePath: true, MergeSlashes: true}
	forward := Options{NormalizePath: true, EscapedSlashes: ForwardEscapedSlashes}
	for _, test := range []struct {
		options    Options
		path, want string
	}{
		{Options{}, "//foo/../x%41", "//foo/../x%41"},
		{normalize, "/a/..;x/b", "/b"},
		{normalize, "/a/.;", "/a/"},
		{normalize, "/a/%2e%2e;x/b", "/a/..;x/b"},
		{normalize, "/a//../b", "/a/b"},
		{normalize, "/../../a", "/a"},
		{normalize, "/foo/..", "/"},
		{normalize, "/foo/.", "/foo/"},
		{normalize, `/a\..\b`, "/b"},
		{normalize, "/%2e%2E/b", "/b"},
		{normalize, "/%41%7e%2d%5f", "/A~-_"},
		{normalize, "/a%2Fb%2fc", "/a%2Fb%2fc"},
		{normalize, "/%%341", "/%2541"},
		{normalize, "/a%2%46b", "/a%252Fb"},
		{normalize, "/%/../6%31b", "/61b"},
		{normalize, "/%zz%", "/%zz%"},
		{normalize, `/"<>^` + "`{|}\xe9", "/%22%3C%3E%5E%60%7B%7C%7D%E9"},
		{normalize, "/[];=:@!$&'()*+,", "/[];=:@!$&'()*+,"},
		{merge, "//a///b//", "/a/b/"},
		{merge, "///", "//"},
		{merge, "//", "//"},
		{merge, "/", "/"},
		{merge, `/\a`, `/\a`},
		{both, `/\a`, "/a"},
		{both, "/a/.//b", "/a/b"},
		{forward, "/a%2f..%5Cb", "/b"},
	} {
		if got, status := normalisePath(test.path, test.options); got != test.want || status != 0 {
			t.Errorf("%+v %q: got %q %d, want %q", test.options, test.path, got, status, test.want)
		}
	}
}

// A path that went through once goes through again as it is, but for "%2e;x": it becomes ".;x", which is a dot segment if it is
// sent so.
func TestNormalisePathIsIdempotent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"/", "/", ".", "..", ";", "%", "2", "e", "E", "%2e", "%2F", `\`, "4", "1", "a", "~", "%25", "|", "%C3", "%zz"}
	for range 100_000 {
		path := "/"
		for range random.IntN(9) {
			path += pieces[random.IntN(len(pieces))]
		}
		options := Options{NormalizePath: true, MergeSlashes: random.IntN(2) == 0}
		once, status := normalisePath(path, options)
		if status != 0 || strings.Contains(once, "/.;") || strings.Contains(once, "/..;") {
			continue
		}
		if twice, _ := normalisePath(once, options); twice != once {
			t.Fatalf("%q becomes %q, then %q", path, once, twice)
		}
	}
}
