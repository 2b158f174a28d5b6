package main

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is the percentage by which the heap of a new process may grow until garbage is collected for the first time: from
// the few MB that every process has to some 80 MB.
const firstCollection = 800

// collectLate puts the first collection of garbage off. A process that begins with 4 MB looks through its heap five times on the way to
// 100 MB, and most of what it finds is still in use, as manifests are read first and rendered then; it is a tenth of the time that a
// thousand routes take. From the first collection on all is as Go has it, so that large inputs need no more memory than they would.
//
// Who sets GOGC gets what he asks for.
func collectLate() {
	usual := debug.SetGCPercent(firstCollection)
	if usual != 100 {
		debug.SetGCPercent(usual)
		return
	}
	collected := new([1]*byte) // nobody holds it, so the first collection finds it
	runtime.AddCleanup(collected, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
