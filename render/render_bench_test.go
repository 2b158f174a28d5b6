package render_test

import (
	"context"
	"math"
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
// the time that only parsing the same text takes in the same run: the goal is three times. x-parsing-wall is the same of time on the
// wall. Of both it is the fastest run that counts, since whatever else a machine does adds time and takes none away. Garbage is
// collected as Go does by default.
func BenchmarkRender(b *testing.B) {
	text := []byte(edge + string(manifesttest.Routes(1000)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	parsing, rendering := slowest, slowest
	for b.Loop() {
		b.StopTimer()
		parsing.improve(b, func() {
			if _, err := manifesttest.Parse(text); err != nil {
				b.Fatal(err)
			}
		})
		b.StartTimer()
		rendering.improve(b, func() { renderText(b, text) })
	}
	b.ReportMetric(rendering.processor.Seconds()/parsing.processor.Seconds(), "x-parsing")
	b.ReportMetric(rendering.wall.Seconds()/parsing.wall.Seconds(), "x-parsing-wall")
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

// duration is what some work takes of all processors, with the collection of its garbage, and on the wall.
type duration struct{ processor, wall time.Duration }

var slowest = duration{math.MaxInt64, math.MaxInt64}

// improve does some work and keeps what it takes, if it is less.
func (d *duration) improve(b *testing.B, work func()) {
	runtime.GC() // what was there before is not this work's
	begin, processor := time.Now(), userTime(b)
	work()
	d.processor, d.wall = min(d.processor, userTime(b)-processor), min(d.wall, time.Since(begin))
}

func userTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}
