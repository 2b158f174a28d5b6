package table_test

import (
	"strings"
	"testing"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

const tcpProxy = `name: "l" address { socket_address { address: "0.0.0.0" port_value: 443 } }
	filter_chains { name: "chain" filter_chain_match { MATCH } filters { name: "tcp" typed_config {
		[type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy] { stat_prefix: "s" PROXY } } } }`

const udpProxy = `name: "l" address { socket_address { protocol: UDP address: "0.0.0.0" port_value: 443 } } udp_listener_config {}
	listener_filters { name: "udp" typed_config {
		[type.googleapis.com/envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig] { stat_prefix: "s" PROXY } } }`

// udpTo is an action that sends to a cluster.
func udpTo(cluster string) string {
	return `action { name: "r" typed_config { [type.googleapis.com/envoy.extensions.filters.udp.udp_proxy.v3.Route] { cluster: "` + cluster + `" } } }`
}

// udpShare is a share of the clients, which ends at a part of a million.
func udpShare(below, cluster string) string {
	return `matchers { predicate { single_predicate {
		input { name: "p" typed_config { [type.googleapis.com/envoy.extensions.matching.common_inputs.network.v3.SourcePortInput] {} } }
		custom_match { name: "f" typed_config { [type.googleapis.com/envoy.extensions.matching.input_matchers.runtime_fraction.v3.RuntimeFraction] {
			runtime_fraction { default_value { numerator: ` + below + ` denominator: MILLION } } } } } } }
		on_match { ` + udpTo(cluster) + ` } }`
}

// What a chain passes on is one rule, which takes everything. What else a chain does is not modelled, and never left out.
func TestReadForward(t *testing.T) {
	cases := []struct {
		name, listener, match, proxy string
		// want is the outcome as text, "" for a chain that is not modelled.
		want string
		tls  bool
	}{
		{"one cluster", tcpProxy, "", `cluster: "a"`, "a passes bytes", false},
		{"no such cluster", tcpProxy, "", `cluster: "none"`, "503 passes bytes", false},
		{"weights", tcpProxy, "", `weighted_clusters { clusters { name: "a" weight: 6 } clusters { name: "b" weight: 4 } }`, "60% a, 40% b passes bytes", false},
		{"TLS as it is", tcpProxy, `server_names: "x.example" transport_protocol: "tls"`, `cluster: "a"`, "a passes TLS", true},
		{"an option", tcpProxy, "", `cluster: "a" idle_timeout { seconds: 5 }`, `a passes bytes idle timeout=5s`, false},
		{"datagrams", udpProxy, "", `cluster: "a"`, "a passes datagrams", false},
		{"datagrams by matcher", udpProxy, "", `matcher { on_no_match { ` + udpTo("a") + ` } }`, "a passes datagrams", false},
		{"datagrams by weight", udpProxy, "", `matcher { matcher_list { ` + udpShare("200000", "a") + udpShare("500000", "none") + ` } on_no_match { ` + udpTo("b") + ` } }`,
			"50% b, 30% 503, 20% a passes datagrams", false},
		{"shares that shrink", udpProxy, "", `matcher { matcher_list { ` + udpShare("500000", "a") + udpShare("200000", "b") + ` } on_no_match { ` + udpTo("b") + ` } }`, "", false},
		{"nobody for the rest", udpProxy, "", `matcher { matcher_list { ` + udpShare("500000", "a") + ` } }`, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer("MATCH", c.match, "PROXY", c.proxy).Replace(c.listener)
			s := &files.Set{Listeners: []*listenerv3.Listener{parse(t, &listenerv3.Listener{}, text)}, Clusters: []*clusterv3.Cluster{cluster("a"), cluster("b")}}
			got := readOne(t, s)
			if c.want == "" {
				if len(got.Options.Unmodelled) == 0 {
					t.Errorf("modelled as %+v", got.Hosts)
				}
				return
			}
			if len(got.Options.Unmodelled) > 0 || !got.PassesOn() || got.TLS != c.tls {
				t.Fatalf("not modelled: %v, passes on %q, TLS %v", got.Options.Unmodelled, got.Passes, got.TLS)
			}
			decision := got.Evaluate(table.Request{Method: "GET", Scheme: "http", Host: "any.example", Path: "/x"})
			text = decision.Outcome.String() + " passes " + string(got.Passes)
			for _, how := range decision.Outcome.Treatment {
				text += " " + how.Name + "=" + how.Value
			}
			if text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}
