package review_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/plugin/review"
)

// TestEveryFileCounts alters bytes of the files of both sides, one at a time. No certificate of the files as they were fits then.
func TestEveryFileCounts(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "testdata", "example"))); err != nil {
		t.Fatal(err)
	}
	before := review.Source{Path: "before"}
	after := review.Source{Path: "after"}
	options := review.Options{Environment: review.Environment{Dir: root}}
	_, claims, err := review.Certify(t.Context(), before, after, options)
	if err != nil {
		t.Fatal(err)
	}
	text, err := certificate.Encode(claims)
	if err != nil {
		t.Fatal(err)
	}
	if claims, err = certificate.Parse(text); err != nil {
		t.Fatal(err)
	}
	verified := func() bool {
		result, err := review.Verify(t.Context(), claims, before, after, options)
		return err == nil && result.Verified()
	}
	if !verified() {
		t.Fatal("the certificate does not fit the files as they are")
	}
	altered := 0
	for _, name := range inputFiles(t, root) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := altered % 7; at < len(data); at += 1 + len(data)/6 {
			other := append([]byte(nil), data...)
			other[at] ^= 1
			write(t, name, other)
			if altered++; verified() {
				t.Errorf("%s with byte %d altered is verified", name, at)
			}
		}
		write(t, name, append(data, "# a comment\n"...))
		if verified() {
			t.Errorf("%s with a comment more is verified", name)
		}
		write(t, name, data)
	}
	if altered < 10 || !verified() {
		t.Errorf("%d bytes were altered; verified in the end: %v", altered, verified())
	}
}

func inputFiles(t *testing.T, root string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "*", "*.yaml"))
	if err != nil || len(names) < 2 {
		t.Fatalf("the example has the files %v, %v", names, err)
	}
	return names
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
