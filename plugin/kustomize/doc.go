// Package kustomize builds a kustomization of a tree in process, as kustomize build does.
//
// In comes a file system, of which the kustomization is one directory; out come the objects, byte for byte those of kustomize build, and
// the files that they were made of. A kustomization may be written by a stranger: nothing but the file system is read, nothing is
// fetched and nothing is run (vet.go), and what it may cost is bounded (budget.go).
package kustomize
