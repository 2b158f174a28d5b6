package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The README shows what its first command prints.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const command = "go run ./cmd/routedelta diff testdata/example/before testdata/example/after\n"
	if !bytes.Contains(readme, []byte(command)) {
		t.Errorf("the README does not name the command %s", command)
	}
	var out, errs bytes.Buffer
	arguments := strings.Fields(command)[3:]
	code := run(t.Context(), arguments, streams{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }})
	if code != codeNothing || errs.Len() > 0 {
		t.Fatalf("exit code %d, errors %q", code, errs.String())
	}
	if !bytes.Contains(readme, []byte("```\n"+out.String()+"```\n")) {
		t.Errorf("the README shows something else than\n%s", out.String())
	}
}
