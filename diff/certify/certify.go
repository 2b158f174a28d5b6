// Package certify makes the certificate of a comparison.
//
// In comes what package diff compared and how it was decided; out goes a certificate.Certificate, which claims just what the
// report of the comparison says. Checking it is package verify's, which shares no code with how it was found.
package certify

import (
	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/render/files"
)

// Side is what is known of an input beside its sets.
type Side struct {
	// Source is what the caller named, Order the dialect of competing rules, Files the digest of the bytes that were read.
	Source, Order, Files string
	Sets                 []*files.Set
}

// Make writes down what a comparison of two sides found. uncompared are differences beside Envoy's files.
func Make(tool string, before, after Side, compared []diff.Compared, uncompared []string) *certificate.Certificate {
	c := &certificate.Certificate{
		APIVersion: certificate.APIVersion, Kind: certificate.Kind, Tool: tool,
		Before: sideOf(before), After: sideOf(after), Gateways: []certificate.Gateway{}, Uncompared: uncompared,
	}
	for i := range compared {
		c.Gateways = append(c.Gateways, gatewayOf(&compared[i]))
	}
	c.Verdict = c.Sum()
	return c
}

func sideOf(s Side) certificate.Side {
	out := certificate.Side{Source: s.Source, Order: s.Order, Files: s.Files, Envoy: map[string]string{}}
	for _, set := range s.Sets {
		out.Envoy[set.Name] = files.Digest(set)
	}
	return out
}

func gatewayOf(c *diff.Compared) certificate.Gateway {
	g := certificate.Gateway{Backends: c.Backends, Places: []certificate.Place{}}
	if c.Before != nil {
		g.Before = c.Before.Name
	}
	if c.After != nil {
		g.After = c.After.Name
	}
	if c.Before == nil || c.After == nil {
		return g // all its connections come or go
	}
	for i := range c.Places {
		g.Places = append(g.Places, Place(&c.Places[i]))
	}
	return g
}

// Place writes down what was found of one place.
func Place(p *diff.ComparedPlace) certificate.Place {
	out := certificate.Place{
		Port: p.Port, TLS: p.TLS, Listener: p.Listener, ServerNames: p.ServerNames, Scope: p.Scope, Before: p.BeforeIndex, After: p.AfterIndex,
	}
	if p.Before != nil && p.After != nil {
		out.Certificates = !sameNames(p.Before.Certificates, p.After.Certificates) || p.Before.ClientCertificate != p.After.ClientCertificate
		out.Reading = p.Before.Passes != p.After.Passes
	}
	if p.Result == nil {
		return out
	}
	if p.Before != nil && p.After != nil {
		out.Options = certificate.OptionsOf(p.After.Options)
		if p.Before.Digest() != p.After.Digest() {
			for _, pair := range class.Account(p.Before, p.After) {
				out.Pairs = append(out.Pairs, pairOf(pair))
			}
		}
	}
	for i := range p.Result.Classes {
		out.Classes = append(out.Classes, classOf(&p.Result.Classes[i]))
	}
	for i := range p.Result.Undecided {
		u := &p.Result.Undecided[i]
		out.Undecided = append(out.Undecided, certificate.Undecided{Area: areaOf(u.Area), Reason: u.Reason})
	}
	return out
}
