package envoy

import (
	"slices"

	"github.com/routedelta/routedelta/render/files"
)

// step is a part of a change that Envoy has to take before the next may begin.
type step struct {
	name string
	put  []files.File
	// lingers: what requests that were routed before the change may still need goes with this step.
	lingers bool
}

// plan orders a change. In between, Envoy serves some requests by the old routes and some by the new ones, and no request is lost
// if whatever is named is there before what names it, and goes after it:
//
//	keys, secrets, endpoints → clusters of both → routes → listeners → clusters of the new side alone → what nobody names
//
// The clusters of both sides are no part of any rendering: they are the one thing that only who installs can know. before is nil
// where nothing runs.
func plan(before, after *state, format files.Format) ([]step, error) {
	both := after
	if before != nil {
		// One kind of file is wanted; the bootstrap is there for its references only.
		clusters := &files.Set{Name: after.set.Name, Bootstrap: after.set.Bootstrap, Clusters: files.KeepClusters(after.set, before.set).Clusters}
		made, err := newState(&Rendering{Set: clusters}, format)
		if err != nil {
			return nil, err
		}
		both = made
	}
	return []step{
		{name: "keys", put: after.of("secrets")},
		{name: "secrets", put: after.of("sds")},
		{name: "endpoints", put: after.of("eds")},
		{name: "clusters of both", put: both.of("cds")},
		{name: "routes", put: after.of("rds")},
		{name: "listeners", put: after.of("lds")},
		{name: "clusters", put: after.of("cds"), lingers: true},
		{name: "bootstrap", put: after.of("bootstrap")},
	}, nil
}

// of are the files of one kind.
func (s *state) of(kind string) []files.File {
	return slices.DeleteFunc(slices.Clone(s.files), func(f files.File) bool { return kindOf(f.Path) != kind })
}
