// Package review does the whole job for every home of routedelta: two sources in, one report out.
//
//	source ─ load ─ ages ─ render ─┐
//	source ─ load ─ ages ─ render ─┴─ diff ─ causes ─ report
//
// load reads a side (manifests from a directory, a git revision or a stream; or a rendering that is there already); ages says
// which objects are younger than which; then both sides are rendered and compared; causes leads each class back to the
// manifest lines behind it and to the rung of the ladder on which the winner won.
package review
