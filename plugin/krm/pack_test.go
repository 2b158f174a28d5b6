package krm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routedelta/routedelta/render/files"
)

func filesOf(sizes map[string]int) []files.File {
	list := make([]files.File, 0, len(sizes))
	for name, size := range sizes {
		list = append(list, files.File{Path: name, Data: []byte(strings.Repeat("x", size))})
	}
	return list
}

func packed(t *testing.T, sizes map[string]int) map[string][]string {
	t.Helper()
	parts, err := pack(filesOf(sizes))
	if err != nil {
		t.Fatal(err)
	}
	byPart := map[string][]string{}
	seen := map[string]bool{}
	for _, one := range parts {
		if _, twice := byPart[one.suffix]; twice {
			t.Fatalf("two parts are called %q", one.suffix)
		}
		total := 0
		for key, text := range one.data {
			byPart[one.suffix] = append(byPart[one.suffix], key)
			total += len(text)
			seen[key] = true
		}
		if total > maxData || len(one.data) == 0 {
			t.Errorf("part %q has %d files of %d bytes", one.suffix, len(one.data), total)
		}
	}
	if len(seen) != len(sizes) {
		t.Errorf("%d of %d files are in the parts", len(seen), len(sizes))
	}
	return byPart
}

// TestPackIsStable: a file that is added among hundreds changes its own part; no part is renamed by it, and no other file moves.
func TestPackIsStable(t *testing.T) {
	sizes := map[string]int{"bootstrap.json": 20_000, "cds.json": 700_000, "rds/http-80.json": 900_000}
	for i := range 300 {
		sizes[fmt.Sprintf("eds/team_service-%d.json", i)] = 8000
	}
	before := packed(t, sizes)
	if len(before["cds"]) != 1 || len(before["rds.http-80"]) != 1 {
		t.Errorf("large files have no part of their own: %v", before)
	}
	sizes["eds/team_service-1a.json"] = 8000
	sizes["rds/http-80.json"] = 990_000
	after := packed(t, sizes)
	moved := 0
	for name, held := range before {
		now := map[string]bool{}
		for _, key := range after[name] {
			now[key] = true
		}
		for _, key := range held {
			if !now[key] {
				moved++
			}
		}
	}
	if moved > 0 || len(after) != len(before) {
		t.Errorf("%d files move, %d parts become %d", moved, len(before), len(after))
	}
	found := false
	for _, key := range after[""] {
		found = found || key == "bootstrap.json"
	}
	if !found {
		t.Error("the bootstrap is not in the first part")
	}
}

// TestPackOne: what fits stands in one part.
func TestPackOne(t *testing.T) {
	parts := packed(t, map[string]int{"bootstrap.json": 1, "cds.json": maxData / 2, "rds/a.json": maxData/2 - 1})
	if diff := cmp.Diff(1, len(parts)); diff != "" || len(parts[""]) != 3 {
		t.Error(parts)
	}
}

// TestObjectName: a name that an API server would not take is changed, into one that no other name is changed into.
func TestObjectName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"a-envoy", "a-envoy-rds.http-80", "A-envoy", "a_envoy", "a-envoy-", strings.Repeat("a", 254), strings.Repeat("a", 255), "a..b"} {
		made := objectName(name)
		if len(made) > 253 || !validName.MatchString(made) || seen[made] {
			t.Errorf("%q becomes %q", name, made)
		}
		seen[made] = true
	}
}
