package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// roomyHeap is the size of a heap below which no garbage is collected.
	roomyHeap = 48 << 20
	// growth is by how many percent a larger heap may grow over what is in use until the next collection, and usualGrowth Go's default.
	growth, usualGrowth = 70, 100
)

// collectLate has a small heap left alone, and a large one collected sooner than by Go's default. A process begins with 4 MB, and Go looks
// through its heap each time that it has doubled, where most of what it finds is still in use, since manifests are read first and
// rendered then: that is a sixth of the time that a thousand routes take. Ten thousand take a tenth more time this way, and a
// fifth less memory.
//
// Who sets GOGC gets what he asks for.
func collectLate() {
	if usual := debug.SetGCPercent(growth); usual != usualGrowth {
		debug.SetGCPercent(usual)
		return
	}
	leaveRoom()
}

// leaveRoom has the next collection come when the heap is roomy, or has grown, and does so again after each.
func leaveRoom() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	const smallest = 4 << 20 // of a heap, to Go
	live := max(smallest, sample[0].Value.Uint64())
	percent := growth
	if live < roomyHeap {
		percent = max(percent, int(100*(roomyHeap-live)/live))
	}
	debug.SetGCPercent(percent)
	collected := new([1]*byte) // nobody holds it, so the next collection finds it
	runtime.AddCleanup(collected, func(struct{}) { leaveRoom() }, struct{}{})
}
