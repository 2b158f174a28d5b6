package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/render/model"
)

// MetadataKey is the entry of filter_metadata under which a resource says what it was made from. It holds names, no
// positions: a rule that moves in its file does not change a rendering.
const MetadataKey = "routedelta"

// describer makes the metadata of one rendering, which would be a third of its memory: what is equal is one message. Nobody
// changes the messages of a files.Set without cloning them.
type describer struct {
	texts map[string]*structpb.Value
	rules map[ruleOrigin]*corev3.Metadata
	// gateway is what a virtual host is made from, since it gathers rules of many routes; host says so.
	gateway model.Name
	host    *corev3.Metadata
}

// ruleOrigin is all that the metadata of most rules says.
type ruleOrigin struct {
	kind   string
	name   model.Name
	rule   string
	reason string
	// preflight: the route answers CORS preflights alone (model.Origin).
	preflight bool
}

func newDescriber(gateway model.Name) *describer {
	d := &describer{texts: map[string]*structpb.Value{}, rules: map[ruleOrigin]*corev3.Metadata{}, gateway: gateway}
	d.host = metadata(d.objectFields("Gateway", gateway))
	return d
}

func metadata(fields map[string]*structpb.Value) *corev3.Metadata {
	return &corev3.Metadata{FilterMetadata: map[string]*structpb.Struct{MetadataKey: {Fields: fields}}}
}

func (d *describer) objectFields(kind string, name model.Name) map[string]*structpb.Value {
	return map[string]*structpb.Value{
		"kind":      d.text(kind),
		"namespace": d.text(name.Namespace),
		"name":      d.text(name.Name),
	}
}

func (d *describer) text(text string) *structpb.Value {
	value := d.texts[text]
	if value == nil {
		value = structpb.NewStringValue(text)
		d.texts[text] = value
	}
	return value
}

// rule is the origin of a route, and why it has no backend where it has none.
func (d *describer) rule(rule model.Rule) *corev3.Metadata {
	origin := ruleOrigin{kind: rule.Origin.Kind, name: rule.Origin.Name, rule: rule.Origin.RuleName, preflight: rule.Origin.Preflight}
	if direct := rule.Action.Direct; direct != nil {
		origin.reason = direct.Reason
	}
	if parts := rule.Action.Unrendered; len(parts) > 0 {
		fields := d.ruleFields(origin)
		fields[UnrenderedField] = unrendered(parts)
		return metadata(fields)
	}
	if d.rules[origin] == nil {
		d.rules[origin] = metadata(d.ruleFields(origin))
	}
	return d.rules[origin]
}

// forward is the origin of what passes connections or datagrams on, and why there is no backend where there is none. What no
// route asks for is made from the Gateway.
func (d *describer) forward(f *model.Forward) *corev3.Metadata {
	origin := ruleOrigin{kind: f.Origin.Kind, name: f.Origin.Name, rule: f.Origin.RuleName, reason: f.Reason}
	if origin.kind == "" {
		origin.kind, origin.name = "Gateway", d.gateway
	}
	return metadata(d.ruleFields(origin))
}

func (d *describer) ruleFields(origin ruleOrigin) map[string]*structpb.Value {
	fields := d.objectFields(origin.kind, origin.name)
	if origin.rule != "" {
		fields["rule"] = d.text(origin.rule)
	}
	if origin.reason != "" {
		fields["reason"] = d.text(origin.reason)
	}
	if origin.preflight {
		fields["preflight"] = structpb.NewBoolValue(true)
	}
	return fields
}

// UnrenderedField of a route's metadata lists what its rule asks for and Envoy is not told: objects of "part" and "value".
const UnrenderedField = "unrendered"

func unrendered(parts []model.Unrendered) *structpb.Value {
	list := &structpb.ListValue{}
	for _, p := range parts {
		list.Values = append(list.Values, structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{
			"part": structpb.NewStringValue(p.Part), "value": structpb.NewStringValue(p.Value),
		}}))
	}
	return structpb.NewListValue(list)
}

// backend is the identity of a backend: it survives a renaming of the cluster.
func (d *describer) backend(b *model.Backend) *corev3.Metadata {
	kind := b.Kind
	if kind == "" {
		kind = "Service"
	}
	fields := d.objectFields(kind, b.Name)
	fields["port"] = structpb.NewNumberValue(float64(b.Port))
	return metadata(fields)
}
