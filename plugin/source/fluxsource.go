package source

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/yamlnode"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// ownSource is the name that flux bootstrap, the operator and every guide give the source that is the repository itself.
const ownSource = "flux-system"

// foreignSource says why a Flux Kustomization does not apply this tree; "" is that it does.
//
// A GitRepository of the tree tells its address. One that the tree does not describe was made when Flux was installed: it is this
// repository. Artifacts of other kinds may hold anything, but for the one that is always made of the repository.
func (c *collector) foreignSource(spec fluxSpec, namespace string) string {
	of := spec.SourceRef
	if of.Namespace != "" {
		namespace = of.Namespace
	}
	switch {
	case of.Kind == "" || of.Kind == "GitRepository":
	case of.Name == ownSource:
		return ""
	default:
		return fmt.Sprintf("its source is the %q, which is not in the tree", of.Kind+" "+of.Name)
	}
	for _, o := range c.sources() {
		if o.name() != of.Name || o.namespace() != "" && namespace != "" && o.namespace() != namespace {
			continue
		}
		if address := yamlnode.Text(o.node, "spec", "url"); !c.isThisRepository(address) {
			return fmt.Sprintf("its source is another repository: %q", withoutCredentials(address))
		}
	}
	return ""
}

// isThisRepository tells whether an address is that of the tree, as far as it is known: without any known address all may be.
func (c *collector) isThisRepository(address string) bool {
	if c.options.Remotes == nil || address == "" || strings.Contains(address, "${") {
		return true
	}
	remotes := c.options.Remotes()
	for _, remote := range remotes {
		if sameAddress(remote, address) {
			return true
		}
	}
	return len(remotes) == 0
}

// sameAddress tells whether two addresses of a repository, by whatever protocol, mean the same.
func sameAddress(a, b string) bool {
	return strings.EqualFold(repositoryOf(a), repositoryOf(b))
}

var (
	scheme   = regexp.MustCompile(`^[a-z][a-z0-9+.-]*://`)
	user     = regexp.MustCompile(`^[^/@]*@`)
	hostPort = regexp.MustCompile(`^([^/:]+)(?::[0-9]+)?[:/]+`)
)

// repositoryOf is host/owner/name of an address.
func repositoryOf(address string) string {
	address = user.ReplaceAllString(scheme.ReplaceAllString(strings.TrimSpace(address), ""), "")
	address = hostPort.ReplaceAllString(address, "$1/")
	return strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".git")
}

// withoutCredentials is an address that may be printed.
func withoutCredentials(address string) string {
	if head := scheme.FindString(address); head != "" {
		return head + user.ReplaceAllString(address[len(head):], "")
	}
	return address
}

// sources are the GitRepository objects of the tree.
func (c *collector) sources() []object {
	return c.rawObjects(groupKind{"source.toolkit.fluxcd.io", "GitRepository"})
}

// withoutSourceFields notes what the sources of the tree say of which files Flux gets, and of which revision, where something is read by
// them.
func (c *collector) withoutSourceFields() {
	if !slices.ContainsFunc(c.Pointers, func(p Pointer) bool { return p.Kind == "Kustomization" }) {
		return
	}
	for _, o := range c.sources() {
		c.withoutFields(o, formFlux)
	}
	d := c.newDigest()
	d.file(".sourceignore")
	_, err := fs.Stat(c.tree, ".sourceignore")
	d.routes = err == nil
	c.note(Unread{
		Source:   report.Source{Path: ".sourceignore", Form: formFlux, Unread: "which files Flux leaves out is not read"},
		Position: diagnostic.Position{File: ".sourceignore", Line: 1},
	}, d)
}

// isDirectory tells whether the tree has a directory.
func (c *collector) isDirectory(name string) bool {
	info, err := fs.Stat(c.tree, name)
	return err == nil && info.IsDir()
}
