package files_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"

	"github.com/routedelta/routedelta/render/files"
)

// large is the sample with so many more routes in its first table.
func large(b *testing.B, routes int) *files.Set {
	set := sample(b)
	host := set.Routes[0].VirtualHosts[1]
	for i := range routes {
		route := proto.CloneOf(host.Routes[3])
		route.Match = &routev3.RouteMatch{PathSpecifier: &routev3.RouteMatch_Path{Path: fmt.Sprintf("/p%d", i)}}
		host.Routes = append(host.Routes, route)
	}
	return set
}

func BenchmarkEncode(b *testing.B) {
	set := large(b, 10_000)
	for _, format := range []files.Format{files.JSON, files.YAML, files.Binary} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				encode(b, set, files.Options{Format: format})
			}
		})
	}
}

// BenchmarkLoad reads files of each format into messages: what a comparison of files takes before it begins.
func BenchmarkLoad(b *testing.B) {
	for _, routes := range []int{10_000, 100_000} {
		set := large(b, routes)
		for _, format := range []files.Format{files.Binary, files.JSON, files.YAML} {
			made := fstest.MapFS(tree(b, set, files.Options{Format: format}))
			b.Run(fmt.Sprintf("%s/%d", format, routes), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := files.LoadFS(b.Context(), made); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	set := large(b, 10_000)
	for b.Loop() {
		files.Check(set)
	}
}
