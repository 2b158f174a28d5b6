package judgetest

import (
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// Wire are the requests as an oracle sends them.
func Wire(requests []table.Request) []envoytest.Request {
	list := make([]envoytest.Request, len(requests))
	for i, r := range requests {
		list[i] = envoytest.Request{Method: r.Method, Host: r.Host, Path: r.Path, HTTP2: r.HTTP2}
		for _, f := range r.Headers {
			list[i].Headers = append(list[i].Headers, envoytest.Header{Name: f.Name, Value: f.Value})
		}
	}
	return list
}
