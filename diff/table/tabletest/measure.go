package tabletest

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ReportProcessorTime does work in rounds and reports cpu-ms, what one takes: the time of all processors, collection of garbage
// included. On a busy machine it differs less than time on the wall does.
func ReportProcessorTime(b *testing.B, work func(round int)) {
	b.Helper()
	runtime.GC() // what was there before is not this work's
	started, rounds := processorTime(b), 0
	for b.Loop() {
		work(rounds)
		rounds++
	}
	b.ReportMetric(float64(processorTime(b)-started)/float64(time.Millisecond)/float64(rounds), "cpu-ms")
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ReportPeakMemory does work and reports peak-MB, the most memory that the process has taken meanwhile, with what was there before and
// is still used.
func ReportPeakMemory(b *testing.B, work func()) {
	b.Helper()
	debug.FreeOSMemory()
	// 5 resets the peak (proc_pid_clear_refs(5)).
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Skip("the peak of memory is known on Linux only")
	}
	for b.Loop() {
		work()
	}
	b.ReportMetric(float64(peakMemory(b))/(1<<20), "peak-MB")
}

func peakMemory(b *testing.B) int {
	b.Helper()
	status, err := os.Open("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if kilobytes, found := strings.CutPrefix(lines.Text(), "VmHWM:"); found {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(kilobytes, "kB")))
			if err != nil {
				b.Fatal(err)
			}
			return n << 10
		}
	}
	b.Fatal("no peak of memory in /proc/self/status")
	return 0
}
