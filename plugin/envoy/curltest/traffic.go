package curltest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// holdTraffic opens a connection, or sends a datagram, to both sides at each place of a class that is about no requests, and wants the
// backends that it states.
func (g *Gateway) holdTraffic(t testing.TB, c report.Class) {
	t.Helper()
	if c.Before[0].Kind == "" {
		return // it is about how a connection is made, not about where it leads
	}
	held := 0
	for _, p := range g.places {
		if !passesOn(p) || c.Listener != "" && !slices.Contains(strings.Split(c.Listener, " and "), label(p)) {
			continue
		}
		for _, name := range serverNames(c, p) {
			held++
			for _, one := range []struct {
				side   side
				stated []table.Outcome
				table  *table.Table
			}{{g.before, c.Before, p.Before}, {g.after, c.After, p.After}} {
				got := one.side.traffic(t, p, name)
				if !slices.ContainsFunc(one.stated, func(o table.Outcome) bool { return states(o, got) }) {
					t.Errorf("class %s, %s for %q: stated %v, shown is %s", c.ID, label(p), name, one.stated, got.text())
				}
			}
		}
	}
	if held == 0 && len(c.Areas) > 0 {
		t.Errorf("class %s is about %s at no place", c.ID, c.Traffic)
	}
}

func passesOn(p diff.ComparedPlace) bool {
	return p.Before != nil && p.Before.PassesOn() || p.After != nil && p.After.PassesOn()
}

func label(p diff.ComparedPlace) string {
	if p.Port == 0 {
		return p.Listener
	}
	return fmt.Sprint("port ", p.Port)
}

// serverNames are those of a place that are in a class, one of each wildcard; without TLS there is the one that is not sent.
func serverNames(c report.Class, p diff.ComparedPlace) []string {
	if !p.TLS {
		return []string{""}
	}
	var names []string
	for _, a := range c.Areas {
		for _, t := range a.Hosts.Include {
			switch listed := slices.Contains(p.ServerNames, t.Value); {
			case t.Kind == class.TermExact && listed:
				names = append(names, t.Value)
			case t.Kind == class.TermSuffix && slices.Contains(p.ServerNames, "*"+t.Value):
				names = append(names, "any"+t.Value)
			case t.Kind == class.TermAny:
				names = append(names, "any.example")
			}
		}
	}
	return names
}

// traffic is what becomes of a connection or a datagram. The echoes speak HTTP over whatever is passed on to them.
func (s side) traffic(t testing.TB, p diff.ComparedPlace, name string) shown {
	t.Helper()
	if s.envoy == nil {
		return noConnection
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if p.Port == 0 {
		port := p.After
		if port == nil {
			port = p.Before
		}
		endpoint, err := s.envoy.AskDatagram(ctx, port.Port)
		if err != nil {
			return noConnection
		}
		return s.behind(endpoint)
	}
	request := envoytest.Request{Method: "GET", Path: "/", Host: cmp.Or(name, "any.example")}
	if p.TLS {
		request.TLS = &envoytest.TLS{ServerName: name}
	}
	switch answer, err := s.envoy.Ask(ctx, p.Port, request); {
	case err != nil:
		return noConnection
	case answer.Seen == nil:
		return shown{status: status(answer)}
	default:
		return s.behind(answer.Seen.Endpoint)
	}
}

// behind is the backend of an endpoint.
func (s side) behind(endpoint string) shown {
	assignments := table.ReadAssignments(s.set)
	for _, cluster := range s.set.AllClusters() {
		for _, locality := range assignments.Of(cluster).GetEndpoints() {
			for _, e := range locality.GetLbEndpoints() {
				address := e.GetEndpoint().GetAddress().GetSocketAddress()
				if net.JoinHostPort(address.GetAddress(), strconv.Itoa(int(address.GetPortValue()))) == endpoint {
					return shown{backend: s.names.Identify(cluster), endpoint: endpoint}
				}
			}
		}
	}
	return noConnection
}
