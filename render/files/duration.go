package files

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// writeDurationsOut rewrites durations that stand as messages, {seconds: 5}, in the form that the JSON of protobuf has for
// them, "5s". Envoy's reader takes both. Packed messages of unknown types are wrapped as by wrapUnknownTypes.
func writeDurationsOut(text []byte) []byte {
	return rewritten(text, &placedWriter{line: 1, durations: true})
}

// durationText is an object of seconds and nanos as the text of a duration, or "" for any other value.
func durationText(v placed) string {
	if !v.object() || len(v.names) == 0 || len(v.names) > 2 {
		return ""
	}
	var seconds, nanos int64
	for i, name := range v.names {
		number, ok := v.values[i].scalar.(json.Number)
		if !ok {
			return ""
		}
		value, err := strconv.ParseInt(number.String(), 10, 64)
		if err != nil {
			return ""
		}
		switch name {
		case "seconds":
			seconds = value
		case "nanos":
			nanos = value
		default:
			return ""
		}
	}
	const second = 1_000_000_000
	if nanos < 0 || nanos >= second || seconds < 0 {
		return ""
	}
	if nanos == 0 {
		return fmt.Sprintf("%ds", seconds)
	}
	return fmt.Sprintf("%d.%09ds", seconds, nanos)
}
