// Package fetch brings what a kustomization names on the network, for a caller who has allowed that.
//
// In comes a reference as kustomize takes one (a file by its address, or a repository with a path and a revision); out goes a tree of
// files. Only http and https are spoken, without credentials; whoever wrote the reference chooses the server, so that a caller must want
// this. What was brought once is the same for all who ask until Close.
package fetch
