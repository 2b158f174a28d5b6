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
	"github.com/routedelta/routedelta/render/schema"
)

// Reader reads manifests. The zero value is ready: its limits are the defaults, it holds objects against the definitions of the
// experimental channel, and it keeps no key.
type Reader struct {
	Limits Limits
	// Schema holds the definitions that objects of the Gateway API are held against. Nil is schema.New(schema.Experimental).
	Schema *schema.Validator
	// KeepKeys keeps certificates and keys of Secrets whose pair is valid, for a caller who writes them to files.
	KeepKeys bool
	// Namespace is that of objects whose manifest names none; "" is what kubectl takes then.
	Namespace string
}

// NewReader is a reader that keeps what it has compiled of the definitions, for who reads more than once.
func NewReader(limits Limits) Reader {
	return Reader{Limits: limits, Schema: schema.New(schema.Experimental)}
}

// Read reads with a zero Reader, but for its limits.
func Read(ctx context.Context, sources []Source, limits Limits) (*Objects, diagnostic.List) {
	return Reader{Limits: limits}.Read(ctx, sources)
}

// Read reads the objects of all sources, fills in the defaults of the API, and reports what an API server would refuse.
// Diagnostics of severity Error mean that the input is bad; the objects are still all those that are good. When the context is
// cancelled the result is incomplete: ask the context.
//
// Equal sources give equal results, whatever the machine.
func (reader Reader) Read(ctx context.Context, sources []Source) (*Objects, diagnostic.List) {
	r := reader.begin(ctx)
	documents, found := splitAll(sources, r.limits)
	list := runs(documents)
	results := r.each(len(list), func(i int) []item { return r.run(list[i]) })
	objects, more := gather(results)
	found = append(found, more...)
	if r.aliasNodes.Load() > int64(r.limits.AliasNodes) {
		found = append(found, diagnostic.Diagnostic{
			Code: diagnostic.AliasBomb, Severity: diagnostic.Error,
			Message: fmt.Sprintf("the aliases of all documents together unfold to more than %d nodes", r.limits.AliasNodes),
			Hint:    "write the values out, or read fewer files at a time",
		})
	}
	return objects, found.Sort()
}

// begin is the work of one reading.
func (reader Reader) begin(ctx context.Context) *reading {
	if reader.Schema == nil {
		reader.Schema = schema.New(schema.Experimental)
	}
	return &reading{
		ctx: ctx, limits: reader.Limits.withDefaults(), schema: reader.Schema, keepKeys: reader.KeepKeys, namespace: reader.Namespace,
	}
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
	// ctx is that of the one call of Read that this is.
	ctx      context.Context
	limits   Limits
	schema   *schema.Validator
	keepKeys bool
	// namespace is what the caller knows of where objects are applied, or "".
	namespace string
	// aliasNodes counts what aliases add over all documents: many small bombs are one big one.
	aliasNodes atomic.Int64
	// rooms are the rooms that no worker uses.
	rooms sync.Pool
}

// each reads the items at so many indices side by side, and gives them in their order.
func (r *reading) each(count int, read func(int) []item) [][]item {
	results := make([][]item, count)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), count) {
		workers.Go(func() {
			for r.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				results[i] = read(i)
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
		return r.readList(n, n.Node, of.apiVersion, of.kind)
	}
	return r.readNode(n)
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
