package diagnostic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages is where each code is explained.
const pages = "../../docs/diagnostics"

// TestEveryCodeHasAPage reads the codes from the source, so that a new one cannot be forgotten, and wants a page for each that
// says what it is, why it matters and what to do; and no page without a code.
func TestEveryCodeHasAPage(t *testing.T) {
	source, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	for _, found := range regexp.MustCompile(`Code = "(RD\d{4})"`).FindAllStringSubmatch(string(source), -1) {
		if codes[found[1]] {
			t.Errorf("%s stands for two things", found[1])
		}
		codes[found[1]] = true
	}
	if len(codes) == 0 {
		t.Fatal("no codes found in code.go")
	}
	for code := range codes {
		page, err := os.ReadFile(filepath.Join(pages, code+".md"))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.HasPrefix(string(page), "# "+code+": ") {
			t.Errorf("the title of %s is not %q", code, "# "+code+": ...")
		}
		for _, section := range []string{"\n## What\n\n", "\n## Why\n\n", "\n## What to do\n\n"} {
			if _, text, found := strings.Cut(string(page), section); !found || strings.TrimSpace(text) == "" {
				t.Errorf("%s has no section %q", code, strings.TrimSpace(section))
			}
		}
		if _, example, found := strings.Cut(string(page), "\n## Example\n"); found && !strings.Contains(example, ": "+code+" ") {
			t.Errorf("the example of %s shows no message with its code", code)
		}
	}
	files, err := filepath.Glob(filepath.Join(pages, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if code := strings.TrimSuffix(filepath.Base(file), ".md"); !codes[code] && code != "README" {
			t.Errorf("%s explains no code", file)
		}
	}
}
