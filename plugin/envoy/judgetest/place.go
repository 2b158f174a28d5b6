package judgetest

import (
	"slices"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	filterstatev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/common/set_filter_state/v3"
	luav3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/lua/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	setstatev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/set_filter_state/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// Place is where an oracle serves random tables: the options of its connection manager, and what else of the listener conditions
// look at. What a route configuration has of the options comes with each table.
type Place struct {
	Options table.Options
	// Tunnels: CONNECT is let through.
	Tunnels bool
	// State: a filter of the connection leaves tabletest.StateA. Metadata: a filter of requests leaves tabletest.Metadata where
	// MetadataHeader is "on", and has the route chosen anew.
	State, Metadata bool
}

// MetadataHeader is the header by which a client makes the condition tabletest.Metadata hold, at a place that has it.
const MetadataHeader = "x-metadata"

// Oracle are the options of an oracle that serves random tables at the place.
func (p Place) Oracle() envoytest.OracleOptions {
	return envoytest.OracleOptions{
		Clusters: tabletest.Clusters(), Port: p.Options.StripHostPort, Manager: p.set, Filters: p.connectionFilters(),
	}
}

// Free are the names of the conditions on what no client sends that a random table of the place has: those that may hold, or might.
func (p Place) Free() (names []string) {
	if p.State {
		names = append(names, tabletest.StateA, tabletest.StateB)
	}
	if p.Metadata {
		names = append(names, tabletest.Metadata, tabletest.Metadata)
	}
	return names
}

// Hold fills in which free conditions hold for requests to the place, whatever its options let through.
func (p Place) Hold(requests []table.Request) {
	lenient := table.Compile(&table.Table{Options: table.Options{UseRemoteAddress: true}})
	for i := range requests {
		requests[i].Holds = nil
		if p.State {
			requests[i].Holds = append(requests[i].Holds, tabletest.StateA)
		}
		arrived, ok := lenient.Arrive(requests[i])
		if p.Metadata && ok && slices.Equal(arrived.Values(table.Header, MetadataHeader), []string{"on"}) {
			requests[i].Holds = append(requests[i].Holds, tabletest.Metadata)
		}
	}
}

func (p Place) set(m *managerv3.HttpConnectionManager) {
	SetOptions(m, p.Options)
	if p.Tunnels {
		m.UpgradeConfigs = []*managerv3.HttpConnectionManager_UpgradeConfig{{UpgradeType: "connect"}}
	}
	if p.Metadata {
		lua := &luav3.Lua{DefaultSourceCode: inline(metadataScript)}
		m.HttpFilters = slices.Insert(m.HttpFilters, 0, &managerv3.HttpFilter{
			Name: "metadata", ConfigType: &managerv3.HttpFilter_TypedConfig{TypedConfig: packed(lua)},
		})
	}
}

// metadataScript leaves metadata, and makes Envoy choose the route again, which it has chosen before its filters run.
const metadataScript = `
function envoy_on_request(handle)
  if handle:headers():getNumValues("` + MetadataHeader + `") == 1 and handle:headers():get("` + MetadataHeader + `") == "on" then
    handle:streamInfo():dynamicMetadata():set("f", "k", true)
  end
  handle:clearRouteCache()
end`

// connectionFilters stand before the connection manager.
func (p Place) connectionFilters() []*listenerv3.Filter {
	if !p.State {
		return nil
	}
	state := &setstatev3.Config{OnNewConnection: []*filterstatev3.FilterStateValue{{
		Key: &filterstatev3.FilterStateValue_ObjectKey{ObjectKey: "k"}, FactoryKey: "envoy.string",
		Value: &filterstatev3.FilterStateValue_FormatString{FormatString: &corev3.SubstitutionFormatString{
			Format: &corev3.SubstitutionFormatString_TextFormatSource{TextFormatSource: inline("a")},
		}},
	}}}
	return []*listenerv3.Filter{{Name: "state", ConfigType: &listenerv3.Filter_TypedConfig{TypedConfig: packed(state)}}}
}

func inline(text string) *corev3.DataSource {
	return &corev3.DataSource{Specifier: &corev3.DataSource_InlineString{InlineString: text}}
}

func packed(m proto.Message) *anypb.Any {
	typed, err := anypb.New(m)
	if err != nil {
		panic(err) // a message of our own that cannot be marshalled is a fault of this package
	}
	return typed
}
