package files

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tapv3 "github.com/envoyproxy/go-control-plane/envoy/data/tap/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"pgregory.net/rapid"
)

// oracle is the text that protojson and encoding/json make of a message, without and with lines.
func oracle(message proto.Message) (compact, indented []byte, err error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, nil, err
	}
	var short, long bytes.Buffer
	if err := json.Compact(&short, text); err != nil {
		return nil, nil, err
	}
	if err := json.Indent(&long, short.Bytes(), "", "  "); err != nil {
		return nil, nil, err
	}
	return short.Bytes(), append(long.Bytes(), '\n'), nil
}

// sameAsOracle compares the texts of one message, and whether there is one. Packed is what protojson makes of it in an Any.
func sameAsOracle(t rapid.TB, message proto.Message) {
	t.Helper()
	want, wantLines, wantErr := oracle(message)
	got, err := newWriter().appendMessage(nil, message)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("error %v, protojson's is %v", err, wantErr)
	}
	if err != nil {
		return
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("written as\n%s\nprotojson writes\n%s", got, want)
	}
	if lines := indent(got); !bytes.Equal(lines, wantLines) {
		t.Fatalf("laid out as\n%s\nencoding/json writes\n%s", lines, wantLines)
	}
	inAny, err := anypb.New(message)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := newWriter().appendPacked(nil, message)
	if err != nil {
		t.Fatal(err)
	}
	if want, _, err := oracle(inAny); err != nil || !bytes.Equal(packed, want) {
		t.Fatalf("packed as\n%s\nprotojson writes\n%s (%v)", packed, want, err)
	}
}

// TestMessageIsThatOfProtojson draws messages of types that have every kind of field between them.
func TestMessageIsThatOfProtojson(t *testing.T) {
	kinds := []proto.Message{
		&bootstrapv3.Bootstrap{}, &clusterv3.Cluster{}, &listenerv3.Listener{}, &routev3.RouteConfiguration{}, &routev3.Route{},
		&hcmv3.HttpConnectionManager{}, &corev3.Node{}, &corev3.Metadata{}, &tapv3.TraceWrapper{}, &descriptorpb.FileDescriptorProto{},
		&structpb.Struct{}, &structpb.Value{}, &structpb.ListValue{}, &anypb.Any{}, &timestamppb.Timestamp{}, &durationpb.Duration{},
		&fieldmaskpb.FieldMask{}, &emptypb.Empty{}, &wrapperspb.BoolValue{}, &wrapperspb.StringValue{}, &wrapperspb.BytesValue{},
		&wrapperspb.FloatValue{}, &wrapperspb.DoubleValue{}, &wrapperspb.Int32Value{}, &wrapperspb.Int64Value{},
		&wrapperspb.UInt32Value{}, &wrapperspb.UInt64Value{},
	}
	rapid.Check(t, func(t *rapid.T) {
		message := proto.Clone(rapid.SampledFrom(kinds).Draw(t, "kind"))
		drawer{t}.fill(message.ProtoReflect(), 4)
		sameAsOracle(t, message)
	})
}

// drawer draws the content of messages.
type drawer struct{ *rapid.T }

// fill sets a few fields of a message. Half of what is packed is a message that there is.
func (d drawer) fill(m protoreflect.Message, depth int) {
	if packed, ok := m.Interface().(*anypb.Any); ok && rapid.Bool().Draw(d.T, "packed") {
		inner := proto.Clone(rapid.SampledFrom([]proto.Message{&routev3.Route{}, &structpb.Struct{}, &emptypb.Empty{}, &descriptorpb.MethodOptions{}}).Draw(d.T, "type"))
		d.fill(inner.ProtoReflect(), depth-1)
		// What cannot be packed leaves an Any without a value, which is one too.
		_ = packed.MarshalFrom(inner)
		return
	}
	fields := m.Descriptor().Fields()
	if depth <= 0 || fields.Len() == 0 {
		return
	}
	for range rapid.IntRange(0, 4).Draw(d.T, "fields") {
		field := fields.Get(rapid.IntRange(0, fields.Len()-1).Draw(d.T, "field"))
		switch {
		case field.IsMap():
			entries := m.Mutable(field).Map()
			for range rapid.IntRange(0, 3).Draw(d.T, "entries") {
				entries.Set(d.scalar(field.MapKey()).MapKey(), d.value(field.MapValue(), entries.NewValue, depth))
			}
		case field.IsList():
			list := m.Mutable(field).List()
			for range rapid.IntRange(0, 3).Draw(d.T, "items") {
				list.Append(d.value(field, list.NewElement, depth))
			}
		default:
			m.Set(field, d.value(field, func() protoreflect.Value { return m.NewField(field) }, depth))
		}
	}
}

func (d drawer) value(field protoreflect.FieldDescriptor, fresh func() protoreflect.Value, depth int) protoreflect.Value {
	if field.Message() == nil {
		return d.scalar(field)
	}
	value := fresh()
	d.fill(value.Message(), depth-1)
	return value
}

func (d drawer) scalar(field protoreflect.FieldDescriptor) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(d.T, "bool"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.Int32Range(-1, 9).Draw(d.T, "enum")))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(d.T, "int32"))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(rapid.Uint32().Draw(d.T, "uint32"))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(rapid.Int64().Draw(d.T, "int64"))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(rapid.Uint64().Draw(d.T, "uint64"))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(d.float()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(d.float())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(d.T, "bytes"))
	}
	return protoreflect.ValueOfString(rapid.OneOf(
		rapid.StringN(0, 12, -1),
		rapid.SampledFrom([]string{"", "a.b_c", `"\`, "\x00\x1f\x7f", "\b\f\n\r\t", "\u2028é😀\ufffd", "<&>", "{}[],:", "half of \xc3"}),
	).Draw(d.T, "text"))
}

func (d drawer) float() float64 {
	return rapid.OneOf(
		rapid.Float64(),
		rapid.Map(rapid.Float32(), func(f float32) float64 { return float64(f) }),
		rapid.SampledFrom([]float64{0, 1, 0.1, 1e-6, 9.9e-7, 1e-7, 1e-10, 1e20, 1e21, 1e22, -1e21, 123456789}),
	).Draw(d.T, "float")
}

// TestMessageWritesWhatIsNoNumber: rapid draws neither.
func TestMessageWritesWhatIsNoNumber(t *testing.T) {
	inf := math.Inf(1)
	for _, number := range []float64{inf, -inf, inf - inf} {
		sameAsOracle(t, wrapperspb.Double(number))
		sameAsOracle(t, wrapperspb.Float(float32(number)))
		sameAsOracle(t, structpb.NewNumberValue(number))
	}
}

// TestMessageWritesExtensions: of a packed type that describes types.
func TestMessageWritesExtensions(t *testing.T) {
	file := protodesc.ToFileDescriptorProto(routev3.File_envoy_config_route_v3_route_components_proto)
	sameAsOracle(t, file)
}

func TestIndentIsThatOfJSON(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `"a"`, `-1`, `[[],{}]`, `{"a":[{}],"b":{"c":[[]]}}`, `[1,true,null,"\"","\\",":,{}[]"]`, `{"":0}`} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(text), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := indent([]byte(text)); string(got) != want.String()+"\n" {
			t.Errorf("%s is laid out as\n%s", text, got)
		}
	}
}
