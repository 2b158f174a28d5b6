package xds

import (
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/routedelta/routedelta/render/model"
)

// headersToAdd is the set and add half of a header modifier. Envoy removes first, then adds in this order.
func headersToAdd(change model.HeaderChange) []*corev3.HeaderValueOption {
	var options []*corev3.HeaderValueOption
	for _, header := range change.Set {
		options = append(options, headerOption(header, corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD))
	}
	for _, header := range change.Add {
		options = append(options, headerOption(header, corev3.HeaderValueOption_APPEND_IF_EXISTS_OR_ADD))
	}
	return options
}

func headerOption(header model.Header, action corev3.HeaderValueOption_HeaderAppendAction) *corev3.HeaderValueOption {
	return &corev3.HeaderValueOption{
		Header:       &corev3.HeaderValue{Key: header.Name, Value: literalFormat(header.Value)},
		AppendAction: action,
		// Envoy leaves a header out whose value is empty unless told otherwise.
		KeepEmptyValue: header.Value == "",
	}
}

// literalFormat writes a text so that Envoy's substitution formatter gives it back: "50%" alone would be refused, and
// "%PROTOCOL%" replaced.
func literalFormat(text string) string { return strings.ReplaceAll(text, "%", "%%") }
