package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Recognise tells whether a text is Envoy configuration in one of the forms of Parse, by what is in it.
func Recognise(file string, data []byte) bool {
	if isManifest(data) {
		return false
	}
	documents, err := findDocuments(file, data)
	return err == nil && len(documents) > 0
}

// Parse reads the Envoy configuration in one text: a /config_dump, the output of `egctl x translate` or `egctl config`, a
// DiscoveryResponse, a list of resources, a single one. It makes a set for each Gateway that the text names. Secrets are
// redacted. The error is ErrForeign for any other text, and a *DecodeError for a message that Envoy would not have written.
func Parse(ctx context.Context, file string, data []byte) ([]*Set, error) {
	documents, err := findDocuments(file, data)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("reading %s: %w", file, ErrForeign)
	}
	return collect(ctx, stem(file), documents)
}

// isManifest finds the first key of a Kubernetes object at the start of a text, so that a large one is not read twice to see
// what it is.
func isManifest(data []byte) bool { return manifestKey.Match(data[:min(len(data), 1<<16)]) }

var manifestKey = regexp.MustCompile(`(?m)^["']?apiVersion["']?\s*:|\A\s*\{\s*"(?:apiVersion|kind)"`)

// collect makes sets of documents, one for each Gateway, sorted by name.
func collect(ctx context.Context, name string, documents []document) ([]*Set, error) {
	collectors := map[string]*collector{}
	for _, d := range documents {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if collectors[d.gateway] == nil {
			collectors[d.gateway] = newCollector(strings.ReplaceAll(d.gateway, "/", "-"))
		}
		if err := collectors[d.gateway].document(d); err != nil {
			return nil, err
		}
	}
	var sets []*Set
	for _, c := range collectors {
		set := c.finish()
		if own := nodeName(set.Bootstrap); own != "" {
			set.Name = own
		}
		if set.Name == "" {
			set.Name = name
		}
		sets = append(sets, set)
	}
	slices.SortFunc(sets, func(a, b *Set) int { return strings.Compare(a.Name, b.Name) })
	return sets, nil
}

// listing is a directory of files that each hold some resources. Those of one Envoy share their name up to the word that says
// what is in them: shop.routes.yaml, shop.clusters.yaml.
type listing struct {
	names []string // of the Envoys, sorted
	files map[string][]string
}

// findListing looks whether all JSON and YAML files of a tree are such files, and gives nil where not. The first that is none
// ends it, so that a directory of manifests costs one look.
func findListing(tree fs.FS) (*listing, error) {
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return nil, err
	}
	l := &listing{files: map[string][]string{}}
	some := false
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if entry.IsDir() {
			return nil, nil
		}
		if !slices.Contains([]string{".json", ".yaml", ".yml"}, path.Ext(entry.Name())) {
			continue
		}
		documents, err := documentsIn(tree, entry.Name())
		if errors.Is(err, ErrForeign) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		some = some || len(documents) > 0
		l.add(entry.Name())
	}
	if !some {
		return nil, nil
	}
	slices.Sort(l.names)
	return l, nil
}

func (l *listing) add(file string) {
	name := stem(file)
	if l.files[name] == nil {
		l.names = append(l.names, name)
	}
	l.files[name] = append(l.files[name], file)
}

// load reads all files of the directory.
func (l *listing) load(ctx context.Context, tree fs.FS) ([]*Set, error) {
	var sets []*Set
	for _, name := range l.names {
		var documents []document
		for _, file := range l.files[name] {
			found, err := documentsIn(tree, file)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", file, err)
			}
			documents = append(documents, found...)
		}
		of, err := collect(ctx, name, documents)
		if err != nil {
			return nil, err
		}
		sets = append(sets, of...)
	}
	return sets, nil
}

func documentsIn(tree fs.FS, file string) ([]document, error) {
	data, err := readTreeFile(tree, file)
	if err != nil {
		return nil, err
	}
	if isManifest(data) {
		return nil, ErrForeign
	}
	return findDocuments(file, data)
}

// stem is a file's name without its extension and without the word that says what is in it.
func stem(file string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(file), path.Ext(file)), ".")
	var kept []string
	for _, part := range parts {
		if !contentWord.MatchString(part) {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return parts[0]
	}
	return strings.Join(kept, ".")
}

var contentWord = regexp.MustCompile(`(?i)^(?:routes?|listeners?|clusters?|endpoints?|secrets?|bootstrap|[lcres]ds)$`)
