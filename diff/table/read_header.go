package table

import (
	"regexp"
	"slices"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
)

// mutations are the header changes of one level: weighted cluster, route, virtual host, route configuration.
type mutations interface {
	GetRequestHeadersToAdd() []*corev3.HeaderValueOption
	GetRequestHeadersToRemove() []string
	GetResponseHeadersToAdd() []*corev3.HeaderValueOption
	GetResponseHeadersToRemove() []string
}

// headerTreatment folds the header changes of several levels, in the order in which Envoy applies them, into one
// treatment for each header. At each level Envoy removes before it adds.
func headerTreatment(levels []mutations) []Treatment {
	request, response := newHeaderChanges("request header "), newHeaderChanges("response header ")
	for _, level := range levels {
		request.apply(level.GetRequestHeadersToRemove(), level.GetRequestHeadersToAdd())
		response.apply(level.GetResponseHeadersToRemove(), level.GetResponseHeadersToAdd())
	}
	return append(request.treatment(), response.treatment()...)
}

// headerChanges are the steps that are done to each header, in order.
type headerChanges struct {
	prefix string
	steps  map[string][]string
	// order is every step of all headers; it matters only where a value is made of another header.
	order   []string
	dynamic bool
}

func newHeaderChanges(prefix string) *headerChanges {
	return &headerChanges{prefix: prefix, steps: map[string][]string{}}
}

func (c *headerChanges) apply(remove []string, add []*corev3.HeaderValueOption) {
	for _, name := range remove {
		c.step(name, "remove")
	}
	for _, option := range add {
		value := option.GetHeader().GetValue()
		if value == "" {
			value = string(option.GetHeader().GetRawValue())
		}
		c.dynamic = c.dynamic || command.MatchString(value)
		text := addVerb(option) + " " + headerText(value)
		if option.GetKeepEmptyValue() {
			text += " (kept when empty)"
		}
		c.step(option.GetHeader().GetKey(), text)
	}
}

func (c *headerChanges) step(name, what string) {
	name = lowerASCII(name)
	c.steps[name] = append(c.steps[name], what)
	c.order = append(c.order, name+" "+what)
}

// addVerb is append_action; the older append field, where it is set, wins over its default.
func addVerb(option *corev3.HeaderValueOption) string {
	switch option.GetAppendAction() {
	case corev3.HeaderValueOption_ADD_IF_ABSENT:
		return "set if absent"
	case corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD:
		return "set"
	case corev3.HeaderValueOption_OVERWRITE_IF_EXISTS:
		return "set if present"
	}
	if option.GetAppend() != nil && !option.GetAppend().GetValue() {
		return "set"
	}
	return "add"
}

// command is a substitution such as %REQ(x)% in a header value.
var command = regexp.MustCompile(`%[A-Z_]+[(%:]`)

// headerText undoubles "%%", unless the result would read as a substitution that it is not.
func headerText(value string) string {
	if plain := strings.ReplaceAll(value, "%%", "%"); !command.MatchString(plain) {
		return plain
	}
	return value
}

func (c *headerChanges) treatment() []Treatment {
	var list []Treatment
	for name, steps := range c.steps {
		list = append(list, Treatment{Name: c.prefix + name, Value: strings.Join(steps, ", then ")})
	}
	if c.dynamic && len(c.order) > 1 {
		list = append(list, Treatment{Name: strings.TrimSpace(c.prefix) + " order", Value: strings.Join(c.order, "; ")})
	}
	slices.SortFunc(list, compareTreatments)
	return list
}
