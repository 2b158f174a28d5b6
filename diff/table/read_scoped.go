package table

import (
	"fmt"
	"slices"
	"strings"

	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
)

// scoped reads scoped_routes: a table for each scope. A request whose headers give no scope finds no route, so it has no table.
// Where the scopes cannot be read there is one table, which is not modelled.
func (r *reader) scoped(place Table, listener *listenerv3.Listener, manager *managerv3.HttpConnectionManager, around surroundings, shared []Treatment) []*Table {
	routes := manager.GetScopedRoutes()
	scopes := routes.GetScopedRouteConfigurationsList().GetScopedRouteConfigurations()
	builder, reason := readScopeKeyBuilder(routes.GetScopeKeyBuilder())
	if len(scopes) == 0 {
		reason = "they do not stand in the listener"
	}
	if reason != "" {
		place.Options.Unmodelled = []string{"scoped_routes, since " + reason + ": " + canonical(routes)}
		return []*Table{&place}
	}
	tables := make([]*Table, len(scopes))
	for i, scope := range scopes {
		t := place
		var problem string
		t.RouteScope, problem = builder.scope(scope)
		r.fill(&t, listener, manager, r.scopeConfiguration(&t, scope), around, slices.Clone(shared))
		t.Options.ScopedBy = canonical(routes.GetScopeKeyBuilder())
		if problem == "" {
			problem = builder.conflict(&t)
		}
		if problem != "" {
			t.Options.Unmodelled = append(t.Options.Unmodelled, fmt.Sprintf("scope %s: %s", t.RouteScope.Key, problem))
		}
		tables[i] = &t
	}
	return tables
}

func (r *reader) scopeConfiguration(t *Table, scope *routev3.ScopedRouteConfiguration) *routev3.RouteConfiguration {
	if inline := scope.GetRouteConfiguration(); inline != nil {
		return inline
	}
	return r.named(t, scope.GetRouteConfigurationName())
}

// scopeKeyBuilder takes the key of a scope out of the headers of a request, one part by each extractor.
type scopeKeyBuilder []*headerExtractor

// headerExtractor takes an element of a header's value: that at an index, or what follows a key within the first element that has
// it. Of a header with several values it sees the first (Envoy's scoped_config_impl.cc).
type headerExtractor struct {
	header string
	// separator of elements; "" for a value that is one element.
	separator string
	index     int
	// byKey: the element is the one with the key, which assign separates from the rest.
	byKey       bool
	key, assign string
}

func readScopeKeyBuilder(builder *managerv3.ScopedRoutes_ScopeKeyBuilder) (scopeKeyBuilder, string) {
	var out scopeKeyBuilder
	for _, fragment := range builder.GetFragments() {
		from := fragment.GetHeaderValueExtractor()
		e := &headerExtractor{header: lowerASCII(from.GetName()), separator: from.GetElementSeparator(), index: int(from.GetIndex())}
		if element := from.GetElement(); element != nil {
			e.byKey, e.key, e.assign = true, element.GetKey(), element.GetSeparator()
		}
		// Envoy writes some headers itself, and others decide more than the scope.
		if e.header == "" || alteredHeaders[e.header] || e.header == "content-type" || strings.HasPrefix(e.header, ":") {
			return nil, fmt.Sprintf("the scope depends on %q", e.header)
		}
		if slices.ContainsFunc(out, func(o *headerExtractor) bool { return o.header == e.header }) {
			return nil, fmt.Sprintf("two parts of the scope depend on %q", e.header)
		}
		out = append(out, e)
	}
	return out, ""
}

// scope is the place of a scope, with header lines that lead there. A problem says why nothing is known of its requests.
func (b scopeKeyBuilder) scope(scope *routev3.ScopedRouteConfiguration) (out RouteScope, problem string) {
	fragments := scope.GetKey().GetFragments()
	var words []string
	for i, fragment := range fragments {
		value := fragment.GetStringKey()
		if i >= len(b) {
			words = append(words, value)
			continue
		}
		words = append(words, b[i].label()+"="+value)
		line, ok := b[i].line(value)
		if !ok {
			problem = fmt.Sprintf("no value of %s gives %q", b[i].header, value)
		}
		out.Headers = append(out.Headers, Field{Name: b[i].header, Value: line})
	}
	out.Key = strings.Join(words, " ")
	switch {
	case len(fragments) != len(b):
		problem = "its key has not as many parts as the key that is built"
	case scope.GetOnDemand():
		problem = "it is loaded on demand"
	}
	return out, problem
}

// label names what is extracted: the header, and which element of it.
func (e *headerExtractor) label() string {
	switch {
	case e.byKey:
		return e.header + "[" + e.key + "]"
	case e.separator != "":
		return fmt.Sprintf("%s[%d]", e.header, e.index)
	}
	return e.header
}

// maxScopeElements bounds the elements that a header is written with. Envoy takes no longer header than maxHeadBytes.
const maxScopeElements = 1000

// line is a value of the header out of which this part of a key comes, if there is one that any client can send.
func (e *headerExtractor) line(part string) (string, bool) {
	line := part
	switch {
	case e.byKey:
		line = e.key + e.assign + part
	case e.index > maxScopeElements:
		return "", false
	default:
		line = strings.Repeat(e.separator, e.index) + part
	}
	got, ok := e.extract(line)
	sent := isFieldValue(line) && strings.Trim(line, " \t") == line
	return line, ok && got == part && sent
}

// extract does what Envoy does with the first value of the header.
func (e *headerExtractor) extract(value string) (string, bool) {
	elements := []string{value}
	if e.separator != "" {
		elements = strings.Split(value, e.separator)
	}
	if !e.byKey {
		if e.index >= len(elements) {
			return "", false
		}
		return elements[e.index], true
	}
	for _, element := range elements {
		if key, part, _ := strings.Cut(element, e.assign); key == e.key {
			return part, true
		}
	}
	return "", false
}

// conflict says why the requests of a scope are not all requests to its table, or "": a rule looks at the header that chooses
// the scope, so that some of what the rules tell apart does not come here; or the listener may take the header away.
func (b scopeKeyBuilder) conflict(t *Table) string {
	for _, e := range b {
		if t.Options.Underscores != AllowUnderscores && strings.Contains(e.header, "_") {
			return fmt.Sprintf("the listener drops or refuses %q", e.header)
		}
		looks := func(p Predicate) bool { return p.Source == Header && p.Name == e.header }
		for h := range t.Hosts {
			for i := range t.Hosts[h].Rules {
				if slices.ContainsFunc(t.Hosts[h].Rules[i].Predicates, looks) {
					return fmt.Sprintf("a rule looks at %q, which chooses the scope", e.header)
				}
			}
		}
	}
	return ""
}
