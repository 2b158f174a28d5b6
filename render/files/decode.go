package files

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// maxFileSize bounds one Envoy file; 50,000 routes are 27 MB.
const maxFileSize = 256 << 20

// extensions are those by which Envoy picks a parser.
var extensions = []string{".json", ".yaml", ".yml", ".pb", ".pb_text"}

// DecodeError says why a file is not the message that it should be.
type DecodeError struct {
	File string
	// Line counts from 1; 0 is unknown.
	Line   int
	Reason string
}

func (e *DecodeError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// decode reads a file into a message by its extension, as Envoy does: what is neither YAML nor protobuf is JSON. Fields and
// enum values that nobody knows are dropped, which is what Envoy does in files; packed messages of types that nobody knows are
// kept as TypedStruct. CheckDir names them all.
func decode(file string, data []byte, into proto.Message) error {
	var err error
	switch path.Ext(file) {
	case ".pb":
		err = proto.UnmarshalOptions{}.Unmarshal(data, into)
	case ".pb_text":
		err = prototext.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, into)
	default:
		var text []byte
		if text, err = jsonText(file, data); err != nil {
			return err
		}
		err = decodeJSON(text, into)
	}
	if err != nil {
		return decodeError(file, err)
	}
	return nil
}

func decodeJSON(text []byte, into proto.Message) error {
	options := protojson.UnmarshalOptions{DiscardUnknown: true}
	err := options.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	for _, rewrite := range []func([]byte) []byte{wrapUnknownTypes, writeDurationsOut} {
		rewritten := rewrite(text)
		if rewritten == nil {
			continue
		}
		proto.Reset(into)
		if err = options.Unmarshal(rewritten, into); err == nil {
			return nil
		}
	}
	return err
}

// jsonText is a JSON or YAML file as JSON, in which each value stands on its line of the file.
func jsonText(file string, data []byte) ([]byte, error) {
	switch path.Ext(file) {
	case ".yaml", ".yml":
		return jsonFromYAML(file, data)
	}
	return data, nil
}

var (
	protobufPlace  = regexp.MustCompile(`\(line (\d+):\d+\):?`)
	protobufPrefix = regexp.MustCompile(`^proto:[\s\x{a0}]*`)
)

// decodeError takes the line out of a protobuf error, and the parts of its text that differ from build to build.
func decodeError(file string, err error) *DecodeError {
	reason := protobufPrefix.ReplaceAllString(err.Error(), "")
	decoded := &DecodeError{File: file}
	if place := protobufPlace.FindStringSubmatch(reason); place != nil {
		decoded.Line, _ = strconv.Atoi(place[1])
		reason = strings.Replace(reason, place[0], "", 1)
	}
	reason = strings.ReplaceAll(reason, "\u00a0", " ")
	decoded.Reason = strings.Join(strings.Fields(reason), " ")
	return decoded
}
