package schema

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
)

//go:generate go run ./internal/crdgen crds.zip

//go:embed crds.zip
var definitions []byte

// Channel is a set of definitions that a cluster can have.
type Channel string

const (
	// Experimental has every field. It is the default: who reads a manifest does not know what its cluster has.
	Experimental Channel = "experimental"
	// Standard has what is stable only, so that a field of the other channel is an unknown one.
	Standard Channel = "standard"
)

// ErrUnknownKind is the error for a kind or a version that the definitions do not have.
var ErrUnknownKind = errors.New("no such kind")

// Validator applies the definitions of one channel. Definitions are read, and rules compiled, when the first object asks for
// them. It is safe for use side by side.
type Validator struct {
	channel  Channel
	patterns patterns
	rules    rulebook
	open     func() (catalogue, error)
}

// catalogue is the open bundle with the kinds of a channel.
type catalogue struct {
	archive bundle.Archive
	kinds   map[schema.GroupKind]*kind
}

// kind is a kind with its versions.
type kind struct {
	bundle.Kind
	versions map[string]func() (*version, error)
	storage  string
	served   []string
}

// New is a validator for a channel, "" being Experimental.
func New(channel Channel) *Validator {
	if channel == "" {
		channel = Experimental
	}
	v := &Validator{channel: channel}
	v.open = sync.OnceValues(v.openCatalogue)
	v.rules.environment = sync.OnceValues(newEnvironment)
	v.rules.archive = func() (bundle.Archive, error) {
		catalogue, err := v.open()
		return catalogue.archive, err
	}
	return v
}

func (v *Validator) openCatalogue() (catalogue, error) {
	archive, err := bundle.Open(definitions)
	if err != nil {
		return catalogue{}, err
	}
	kinds, err := archive.Kinds(string(v.channel))
	if err != nil {
		return catalogue{}, err
	}
	opened := catalogue{archive: archive, kinds: map[schema.GroupKind]*kind{}}
	for _, of := range kinds {
		known := &kind{Kind: of, versions: map[string]func() (*version, error){}}
		for _, one := range of.Versions {
			if one.Storage {
				known.storage = one.Name
			}
			if !one.Served {
				continue
			}
			known.served = append(known.served, one.Name)
			known.versions[one.Name] = sync.OnceValues(func() (*version, error) { return v.newVersion(archive, known, one) })
		}
		opened.kinds[schema.GroupKind{Group: of.Group, Kind: of.Kind}] = known
	}
	return opened, nil
}

// version finds the definition of a kind in a version.
func (v *Validator) version(of schema.GroupVersionKind) (*version, error) {
	catalogue, err := v.open()
	if err != nil {
		return nil, err
	}
	known := catalogue.kinds[of.GroupKind()]
	if known == nil || known.versions[of.Version] == nil {
		return nil, fmt.Errorf("%s: %w", of, ErrUnknownKind)
	}
	return known.versions[of.Version]()
}

// Served lists the versions in which a kind is served, as its definition does: the preferred one first.
func (v *Validator) Served(of schema.GroupKind) ([]string, error) {
	catalogue, err := v.open()
	if err != nil {
		return nil, err
	}
	known := catalogue.kinds[of]
	if known == nil {
		return nil, fmt.Errorf("%s: %w", of, ErrUnknownKind)
	}
	return known.served, nil
}

// Result is what becomes of an object.
type Result struct {
	// Value is the object as the server would store it: without unknown fields, with defaults. It is complete only where
	// there are no causes.
	Value map[string]any
	// Causes are the reasons to refuse it; none means that it is accepted.
	Causes []Cause
	// Warnings are what the server says about an object that it takes.
	Warnings []string
}

// Apply does with one object what the API server does on `kubectl apply` before it stores it: unknown fields are refused (strict
// field validation), defaults are filled in, and schema, metadata, list types and rules are checked. The value is as
// k8s.io/apimachinery/pkg/util/json decodes it, with whole numbers as int64; it is taken over and changed. In contrast to
// the server, an object with unknown fields is checked on, so that one run shows all that is wrong with it.
//
// The error is for a kind that the definitions do not have (ErrUnknownKind) and for a cancelled context.
func (v *Validator) Apply(ctx context.Context, of schema.GroupVersionKind, value map[string]any) (Result, error) {
	return v.apply(ctx, of, value, (*version).accepts)
}

// apply is Apply with a way to see that an object is right without the library.
func (v *Validator) apply(ctx context.Context, of schema.GroupVersionKind, value map[string]any, accepts func(*version, map[string]any) bool) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	version, err := v.version(of)
	if err != nil {
		return Result{}, err
	}
	result := Result{Value: value}
	if version.Warning != "" {
		result.Warnings = append(result.Warnings, version.Warning)
	}
	metadata, refused := readMetadata(value, version.namespaced)
	result.Causes = append(result.Causes, refused...)
	if len(refused) > 0 && metadata == nil {
		return result, nil
	}
	metadataErrors := metadata.validate(version.namespaced)
	if len(metadataErrors) > 0 || !accepts(version, value) {
		result.Causes = append(result.Causes, version.judge(ctx, value, metadataErrors)...)
	}
	if version.Status {
		version.resetStatus(value)
	}
	if err := metadata.write(value); err != nil {
		return result, err
	}
	if err := version.convert(v, of, value); err != nil {
		return result, err
	}
	return result, ctx.Err()
}
