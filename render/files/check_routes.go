package files

import (
	"slices"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// checkRoutes checks the route tables of a resource: names, domains, matches and per-filter configuration.
func (c *checker) checkRoutes() {
	c.eachTable(func(path string, table *routev3.RouteConfiguration, managers []manager) {
		c.checkHostNames(path, table)
		c.checkDomains(path, table)
		c.checkMatches(path, table, managers)
		c.checkPerFilter(at(path, "typed_per_filter_config"), table.GetTypedPerFilterConfig(), managers)
		for i, host := range table.GetVirtualHosts() {
			field := at(path, indexed("virtual_hosts", i))
			c.checkPerFilter(field+".typed_per_filter_config", host.GetTypedPerFilterConfig(), managers)
			for j, route := range host.GetRoutes() {
				c.checkPerFilter(field+"."+indexed("routes", j)+".typed_per_filter_config", route.GetTypedPerFilterConfig(), managers)
			}
		}
	})
}

// checkPerFilter finds configuration for a filter that is not in the chain, and of a type that is another filter's: Envoy
// takes both, and the request goes by what it should meet.
func (c *checker) checkPerFilter(field string, configs map[string]*anypb.Any, managers []manager) {
	if len(managers) == 0 {
		return
	}
	for _, name := range sortedNames(configs) {
		config := unwrapFilter(configs[name])
		place := field + "[" + quote(name) + "]"
		filter, found := filterType(name, managers)
		switch {
		case !found:
			c.errorf(diagnostic.FilterMissing, place, "no HTTP filter is called %q: this configuration has no effect", name)
		case filter != "" && config != "" && packageOf(filter) != packageOf(config):
			c.errorf(diagnostic.FilterMissing, place, "%s is configuration of another filter than %q (%s): it has no effect", config, name, filter)
		}
	}
}

func sortedNames(configs map[string]*anypb.Any) []string {
	var names []string
	for name := range configs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// unwrapFilter is the type of a per-filter configuration, or "" where nothing but the filter's name says it.
func unwrapFilter(packed *anypb.Any) string {
	wrapped := new(routev3.FilterConfig)
	if packed.MessageIs(wrapped) {
		if packed.UnmarshalTo(wrapped) != nil || wrapped.Config == nil {
			return ""
		}
		packed = wrapped.Config
	}
	name := string(packed.MessageName())
	if strings.HasSuffix(name, ".TypedStruct") {
		return ""
	}
	return name
}

// filterType is the type of the HTTP filter of that name in the first manager that has it; "" is unknown.
func filterType(name string, managers []manager) (string, bool) {
	for _, m := range managers {
		for _, filter := range m.GetHttpFilters() {
			if filter.GetName() != name {
				continue
			}
			if packed := filter.GetTypedConfig(); packed != nil && !slices.Contains(anySlot, string(packed.MessageName())) {
				return string(packed.MessageName()), true
			}
			return "", true
		}
	}
	return "", false
}

// packageOf is a message's package: the messages of one filter share theirs.
func packageOf(message string) string { return message[:max(0, strings.LastIndexByte(message, '.'))] }

// checkDomains finds domains that Envoy refuses because they stand twice (without case), and those that it takes as a
// literal that no client sends.
func (c *checker) checkDomains(path string, table *routev3.RouteConfiguration) {
	seen := map[string]string{}
	for i, host := range table.GetVirtualHosts() {
		for j, domain := range host.GetDomains() {
			field := at(path, indexed("virtual_hosts", i)+"."+indexed("domains", j))
			folded := strings.ToLower(domain)
			if other, ok := seen[folded]; ok {
				c.errorf(diagnostic.BadDomain, field, "domain %q is that of virtual host %q too: Envoy refuses the table", domain, other)
			}
			seen[folded] = host.GetName()
			switch {
			case domain == "":
				c.errorf(diagnostic.BadDomain, field, "an empty domain matches no request")
			case domain != "*" && strings.Contains(strings.TrimSuffix(strings.TrimPrefix(domain, "*"), "*"), "*"),
				len(domain) > 1 && strings.HasPrefix(domain, "*") && strings.HasSuffix(domain, "*"):
				c.errorf(diagnostic.BadDomain, field, "domain %q: a star is a wildcard as the first or the last character only, and a literal elsewhere", domain)
			case table.GetIgnorePortInHostMatching() && hasPort(domain):
				c.errorf(diagnostic.BadDomain, field, "domain %q has a port, and ports are ignored (ignore_port_in_host_matching): it matches no request", domain)
			}
		}
	}
}

// hasPort tells whether a domain ends in a colon and digits, outside brackets.
func hasPort(domain string) bool {
	i := strings.LastIndexByte(domain, ':')
	return i >= 0 && !strings.Contains(domain[i:], "]") && strings.Trim(domain[i+1:], "0123456789") == ""
}
