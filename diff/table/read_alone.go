package table

import (
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
)

// readAlone reads route configurations that come without any listener: a table that is kept by itself, or the routes of a
// dump. Each is a table in a place of its own, which its name tells apart, behind a connection manager without options. (The
// router check tool of Envoy asks such tables in the same way.)
func (r *reader) readAlone() {
	for _, config := range r.set.Routes {
		t := &Table{Scope: Scope{Gateway: r.set.Name, Listener: config.GetName()}}
		r.fill(t, &listenerv3.Listener{Name: config.GetName()}, &managerv3.HttpConnectionManager{}, config, anywhere, nil)
		t.Seal()
		r.tables = append(r.tables, t)
	}
}
