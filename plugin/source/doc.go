// Package source makes manifests of a tree as it is in a repository.
//
// In comes a tree (a commit, a directory) and what the caller named in it; out go texts for render/manifest, each with the lines
// of the repository that its own come from, and a list of the parts that were read and of those that were not, with the reason.
//
// What a directory is, is seen when it is read: a kustomization is built in process; Flux Kustomizations among the manifests are
// followed to their paths; what is left are manifests as they are. Nothing is fetched, nothing is run, and nothing outside of the
// tree is opened: trees are written by strangers.
package source
