// Package trace leads the lines of objects that kustomize has made back to the lines that people edit.
//
// In come the documents that went into a build, and the objects that came out of it; out goes each object as text, with a place for
// every line of it: the same field of the manifest that it was made of, where that has the value; else the patch, or the line of the
// kustomization, that wrote it; else the manifest all the same.
//
// kustomize itself tells of an object only the file that it comes from, and for that it writes annotations into objects, which
// patches see. So objects are recognized by what is in them, among the documents that this one build has read.
package trace
