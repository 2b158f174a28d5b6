package diagnostic_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCodeIsEmitted wants a use of each code in the program: a code that nothing emits has a page that explains nothing.
func TestEveryCodeIsEmitted(t *testing.T) {
	source, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	used := usedNames(t, "../..")
	declared := regexp.MustCompile(`(?m)^\t(\w+)\s+Code = "(RD\d{4})"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) == 0 {
		t.Fatal("no codes found in code.go")
	}
	for _, code := range declared {
		if !used[code[1]] {
			t.Errorf("nothing emits %s (%s)", code[1], code[2])
		}
	}
}

// usedNames are the names of this package that Go files outside of it use, tests left out.
func usedNames(t *testing.T, root string) map[string]bool {
	use := regexp.MustCompile(`\bdiagnostic\.([A-Z]\w*)`)
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range use.FindAllSubmatch(text, -1) {
			used[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}
