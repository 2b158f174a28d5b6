package files

import (
	"bytes"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// compactJSON is the text of a message without white space. protojson puts blanks into its output that differ from build to
// build; the order of its fields does not.
func compactJSON(message proto.Message) ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("writing %s as JSON: %w", message.ProtoReflect().Descriptor().FullName(), err)
	}
	var b bytes.Buffer
	b.Grow(len(text))
	if err := json.Compact(&b, text); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// packedJSON is the text of a message as a discovery file holds it, its type in front.
func packedJSON(message proto.Message) ([]byte, error) {
	text, err := compactJSON(message)
	if err != nil {
		return nil, err
	}
	packed := fmt.Appendf(nil, `{"@type":"type.googleapis.com/%s"`, message.ProtoReflect().Descriptor().FullName())
	if len(text) > len("{}") {
		packed = append(packed, ',')
	}
	return append(packed, text[1:]...), nil
}

// marshal writes one message.
func marshal(message proto.Message, format Format) ([]byte, error) {
	if format == Binary {
		return proto.MarshalOptions{Deterministic: true}.Marshal(message)
	}
	text, err := compactJSON(message)
	if err != nil {
		return nil, err
	}
	return layOut(text, format)
}

// discoveryText writes a discovery response.
func discoveryText(version string, resources [][]byte, format Format) ([]byte, error) {
	text := fmt.Appendf(nil, `{"version_info":%q,"resources":[`, version)
	text = append(text, bytes.Join(resources, []byte(","))...)
	return layOut(append(text, "]}"...), format)
}

// layOut gives compact JSON its lines.
func layOut(text []byte, format Format) ([]byte, error) {
	switch format {
	case JSON:
		var b bytes.Buffer
		b.Grow(2 * len(text))
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return nil, err
		}
		b.WriteByte('\n')
		return b.Bytes(), nil
	case YAML:
		return yamlFromJSON(text)
	}
	return nil, fmt.Errorf("there is no format %q: take json, yaml or pb", format)
}
