package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// roomyHeap is the size of a heap below which no garbage is collected.
const roomyHeap = 48 << 20

// collectLate leaves a small heap alone. A process begins with 4 MB, and Go looks through its heap each time that it has doubled, where most
// of what it finds is still in use, since manifests are read first and rendered then: that is a sixth of the time that a thousand
// routes take. A heap above it is collected as Go does by default, so that a large input needs no more memory than it would.
//
// Who sets GOGC gets what he asks for.
func collectLate() {
	if usual := debug.SetGCPercent(usualPercent); usual != usualPercent {
		debug.SetGCPercent(usual)
		return
	}
	leaveRoom()
}

// usualPercent is Go's default: by how much the heap may grow over what is in use until the next collection.
const usualPercent = 100

// leaveRoom has the next collection come when the heap is roomy, and does so again after each.
func leaveRoom() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	const smallest = 4 << 20 // of a heap, to Go
	live := max(smallest, sample[0].Value.Uint64())
	percent := usualPercent
	if live < roomyHeap {
		percent = max(percent, int(100*(roomyHeap-live)/live))
	}
	debug.SetGCPercent(percent)
	collected := new([1]*byte) // nobody holds it, so the next collection finds it
	runtime.AddCleanup(collected, func(struct{}) { leaveRoom() }, struct{}{})
}
