package layout

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// unfit is what a target's name does not have.
var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// maxName is the length of a target's name.
const maxName = 63

// names gives each path a short name that no other has: its last folder, with those above it as far as it takes.
func names(paths []string) []string {
	given := make([]string, len(paths))
	for i := range paths {
		for folders := 1; ; folders++ {
			given[i] = shortName(paths[i], folders)
			if folders > strings.Count(paths[i], "/") || isAlone(paths, i, folders) {
				break
			}
		}
	}
	taken := map[string]bool{}
	for i, name := range given {
		for n := 2; taken[given[i]]; n++ { // paths that differ in what a name does not have
			suffix := fmt.Sprintf("-%d", n)
			given[i] = name[:min(len(name), maxName-len(suffix))] + suffix
		}
		taken[given[i]] = true
	}
	return given
}

func isAlone(paths []string, i, folders int) bool {
	for j := range paths {
		if j != i && shortName(paths[j], folders) == shortName(paths[i], folders) {
			return false
		}
	}
	return true
}

// telling leaves out the folders whose names only say what is in them.
func telling(parts []string) []string {
	told := slices.DeleteFunc(slices.Clone(parts[:len(parts)-1]), func(part string) bool { return slices.Contains(groupFolders(), part) })
	return append(told, parts[len(parts)-1])
}

// shortName is made of the last folders of a path.
func shortName(name string, folders int) string {
	parts := telling(strings.Split(path.Clean(name), "/"))
	short := unfit.ReplaceAllString(strings.Join(parts[max(0, len(parts)-folders):], "-"), "-")
	short = strings.TrimLeft(short, "._-")
	if short == "" {
		short = "all"
	}
	return short[max(0, len(short)-maxName):]
}
