package diff_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	statedLemma = regexp.MustCompile(`(?m)^\s*// Lemma (\d+) \(([^)]+)\)`)
	testedLemma = regexp.MustCompile(`(?m)^func TestLemma(\d+)\(`)
	listedLemma = regexp.MustCompile("(?m)^\\| (\\d+) \\| ([^|]+) \\| `([^`]+)` \\|$")
)

// TestLemmasAreProvedAndTested: each lemma is stated in one file, with its proof, has its property test in the same
// directory, and is in the list for developers.
func TestLemmasAreProvedAndTested(t *testing.T) {
	stated, tested := map[string]string{}, map[string]string{}
	lemmas := map[string]string{} // number to name and file
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.HasSuffix(file, "_test.go") {
			for _, found := range testedLemma.FindAllSubmatch(text, -1) {
				tested[string(found[1])] = filepath.Dir(file)
			}
			return nil
		}
		for _, found := range statedLemma.FindAllSubmatch(text, -1) {
			number := string(found[1])
			if stated[number] != "" {
				t.Errorf("lemma %s is stated in %s and in %s", number, stated[number], file)
			}
			stated[number], lemmas[number] = file, string(found[2])+" in diff/"+filepath.ToSlash(file)
		}
		if statedLemma.Match(text) && !strings.Contains(string(text), "// Proof. ") {
			t.Errorf("%s states a lemma without its proof", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for number, file := range stated {
		if tested[number] != filepath.Dir(file) {
			t.Errorf("lemma %s of %s has no TestLemma%s beside it", number, file, number)
		}
	}
	checkLemmaList(t, lemmas)
}

// checkLemmaList holds the table of docs/developing.md to the files.
func checkLemmaList(t *testing.T, lemmas map[string]string) {
	t.Helper()
	text, err := os.ReadFile("../docs/developing.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, found := range listedLemma.FindAllStringSubmatch(string(text), -1) {
		listed[found[1]] = true
		if got := found[2] + " in " + found[3]; lemmas[found[1]] != got {
			t.Errorf("lemma %s is listed as %s, but is %s", found[1], got, lemmas[found[1]])
		}
	}
	for number, lemma := range lemmas {
		if !listed[number] {
			t.Errorf("lemma %s (%s) is not listed", number, lemma)
		}
	}
}
