package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// roots are the parts of a directory that nothing else in it refers to.
type roots struct {
	kustomizations []kustomization
	// manifests are files that are applied as they are.
	manifests []string
	// stray are files beside or below a kustomization that does not name them.
	stray []string
}

// roots finds out what stands for itself: a kustomization that is no base of another and that no Flux Kustomization points to, and
// manifests outside of kustomizations.
func (s *scan) roots(claimed []string) roots {
	referred := map[string]bool{}
	for _, k := range s.kustomizations {
		for _, name := range k.references {
			if name != k.directory {
				referred[name] = true
			}
		}
	}
	var found roots
	for directory, k := range s.kustomizations {
		if !k.component && !referred[directory] && !s.isClaimed(directory, claimed) {
			found.kustomizations = append(found.kustomizations, k)
		}
	}
	slices.SortFunc(found.kustomizations, func(a, b kustomization) int { return cmp.Compare(a.directory, b.directory) })
	for _, name := range s.names {
		switch {
		case referred[name] || s.isClaimed(name, claimed):
		case s.kustomizationAbove(name) != "":
			found.stray = append(found.stray, name)
		default:
			found.manifests = append(found.manifests, name)
		}
	}
	return found
}

// isClaimed tells whether a file or directory belongs to what somebody points to: a kustomization by its own directory, all else by any
// directory above that is not a kustomization.
func (s *scan) isClaimed(name string, claimed []string) bool {
	for _, directory := range claimed {
		_, built := s.kustomizations[directory]
		if name == directory || !built && isBelow(name, directory) {
			return true
		}
	}
	return false
}

// kustomizationAbove is the nearest directory above a file that is a kustomization, "" if none is.
func (s *scan) kustomizationAbove(name string) string {
	for directory := path.Dir(name); ; directory = path.Dir(directory) {
		if _, is := s.kustomizations[directory]; is {
			return directory
		}
		if directory == "." || directory == "/" {
			return ""
		}
	}
}

// isBelow tells whether a name is below a directory.
func isBelow(name, directory string) bool {
	return directory == "." || strings.HasPrefix(name, directory+"/")
}
