package render_test

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/manifest/manifesttest"
)

// BenchmarkRender renders 1,000 routes of four rules from text to text, and prints the processor time of that as a multiple of
// the time that only parsing the same text takes in the same run. The goal is three times.
func BenchmarkRender(b *testing.B) {
	text := []byte(edge + string(manifesttest.Routes(1000)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var parsing, rendering time.Duration
	for b.Loop() {
		b.StopTimer()
		parsing += processorTime(b, func() {
			if _, err := manifesttest.Parse(text); err != nil {
				b.Fatal(err)
			}
		})
		b.StartTimer()
		rendering += processorTime(b, func() { renderText(b, text) })
	}
	b.ReportMetric(rendering.Seconds()/parsing.Seconds(), "x-parsing")
}

func renderText(b *testing.B, text []byte) {
	objects, _ := manifest.Read(context.Background(), []manifest.Source{{Name: "routes.yaml", Data: text}}, manifest.Limits{})
	rendering, err := render.Render(context.Background(), objects, render.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, gateway := range rendering.Gateways {
		if _, err := files.Encode(gateway.Files, files.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// processorTime is what some work takes of all processors, with the collection of its garbage: on a busy machine it differs
// less than time on the wall does.
func processorTime(b *testing.B, work func()) time.Duration {
	runtime.GC() // what was there before is not this work's
	started := userTime(b)
	work()
	return userTime(b) - started
}

func userTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}
