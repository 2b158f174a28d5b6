package manifest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// Read reads the objects of all sources. Diagnostics of severity Error mean that the input is bad; the objects are still all
// those that could be read. When the context is cancelled the result is incomplete: ask the context.
//
// Equal sources give equal results, whatever the machine.
func Read(ctx context.Context, sources []Source, limits Limits) (*Objects, diagnostic.List) {
	limits = limits.withDefaults()
	documents, found := splitAll(sources, limits)
	r := reading{limits: limits}
	results := r.all(ctx, documents)
	objects, more := gather(results)
	found = append(found, more...)
	if r.aliasNodes.Load() > int64(limits.AliasNodes) {
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.AliasBomb, Severity: diagnostic.Error,
			Message: fmt.Sprintf("the aliases of all documents together unfold to more than %d nodes", limits.AliasNodes),
			Hint:    "write the values out, or read fewer files at a time",
		})
	}
	return objects, found.Sort()
}

// splitAll cuts the sources into documents, up to the limits on bytes and documents.
func splitAll(sources []Source, limits Limits) ([]document, diagnostic.List) {
	var documents []document
	var found diagnostic.List
	total := int64(0)
	for i := range sources {
		source := &sources[i]
		if size := int64(len(source.Data)); size > limits.FileBytes {
			found = append(found, tooLarge(source.Name, fmt.Sprintf("file has %d bytes, the limit is %d", size, limits.FileBytes)))
			continue
		}
		if total += int64(len(source.Data)); total > limits.TotalBytes {
			found = append(found, tooLarge(source.Name, fmt.Sprintf("all files together have more than %d bytes", limits.TotalBytes)))
			break
		}
		documents = append(documents, split(source)...)
		if len(documents) > limits.Documents {
			found = append(found, tooLarge(source.Name, fmt.Sprintf("more than %d documents", limits.Documents)))
			documents = documents[:limits.Documents]
			break
		}
	}
	return documents, found
}

// tooLarge is the diagnostic for an input over a limit.
func tooLarge(name, message string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code: diagnostic.TooLarge, Severity: diagnostic.Error, Position: diagnostic.Position{File: name},
		Message: message, Hint: "name only the files or folders that hold routes and what they refer to",
	}
}

// reading is the work that documents share.
type reading struct {
	limits Limits
	// aliasNodes counts what aliases add over all documents: many small bombs are one big one.
	aliasNodes atomic.Int64
}

// all reads documents side by side and gives their items in the order of the documents.
func (r *reading) all(ctx context.Context, documents []document) [][]item {
	results := make([][]item, len(documents))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(documents)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(documents) {
					return
				}
				results[i] = r.document(documents[i])
			}
		})
	}
	workers.Wait()
	return results
}

// document reads the items of one document.
func (r *reading) document(d document) []item {
	root, problem := parse(d)
	if problem != nil {
		return []item{{found: diagnostic.List{*problem}}}
	}
	if root == nil {
		return nil
	}
	return r.node(node{Node: root, document: d})
}

// node reads the items of one parsed node, if it keeps the bounds.
func (r *reading) node(n node) []item {
	added, err := checkBounds(n.Node, r.limits)
	if err != nil {
		return []item{{found: diagnostic.List{n.outOfBounds(err)}}}
	}
	if r.aliasNodes.Add(int64(added)) > int64(r.limits.AliasNodes) && added > 0 {
		return nil // Read says so, once
	}
	if of := n.document.list; of != nil && n.Kind == yaml.SequenceNode {
		return readList(n, n.Node, of.apiVersion, of.kind)
	}
	return readNode(n)
}

// outOfBounds is the diagnostic for an error of checkBounds.
func (n node) outOfBounds(err error) diagnostic.Diagnostic {
	found := diagnostic.Diagnostic{
		Code: diagnostic.TooLarge, Severity: diagnostic.Error, Position: n.document.position(n.Line, n.Column),
		Message: err.Error(), Hint: "no object of the API is nested as deep",
	}
	if errors.Is(err, errAliasBomb) {
		found.Code, found.Hint = diagnostic.AliasBomb, "write the values out instead of using aliases"
	}
	return found
}
