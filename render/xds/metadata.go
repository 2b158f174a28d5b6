package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/routedelta/routedelta/render/model"
)

// MetadataKey is the entry of filter_metadata under which a resource says what it was made from. It holds names, no
// positions: a rule that moves in its file does not change a rendering.
const MetadataKey = "routedelta"

func metadata(fields map[string]*structpb.Value) *corev3.Metadata {
	return &corev3.Metadata{FilterMetadata: map[string]*structpb.Struct{MetadataKey: {Fields: fields}}}
}

func objectFields(kind string, name model.Name) map[string]*structpb.Value {
	return map[string]*structpb.Value{
		"kind":      structpb.NewStringValue(kind),
		"namespace": structpb.NewStringValue(name.Namespace),
		"name":      structpb.NewStringValue(name.Name),
	}
}

// ruleMetadata is the origin of a route, and why it has no backend where it has none.
func ruleMetadata(rule model.Rule) *corev3.Metadata {
	fields := objectFields(rule.Origin.Kind, rule.Origin.Name)
	if rule.Origin.RuleName != "" {
		fields["rule"] = structpb.NewStringValue(rule.Origin.RuleName)
	}
	if direct := rule.Action.Direct; direct != nil && direct.Reason != "" {
		fields["reason"] = structpb.NewStringValue(direct.Reason)
	}
	if parts := rule.Action.Unrendered; len(parts) > 0 {
		fields[UnrenderedField] = unrendered(parts)
	}
	return metadata(fields)
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

// hostMetadata is the Gateway: a virtual host gathers rules of many routes.
func hostMetadata(gateway model.Name) *corev3.Metadata {
	return metadata(objectFields("Gateway", gateway))
}

// backendMetadata is the identity of a backend: it survives a renaming of the cluster.
func backendMetadata(b *model.Backend) *corev3.Metadata {
	kind := b.Kind
	if kind == "" {
		kind = "Service"
	}
	fields := objectFields(kind, b.Name)
	fields["port"] = structpb.NewNumberValue(float64(b.Port))
	return metadata(fields)
}
