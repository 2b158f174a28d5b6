package table

import (
	"math"
	"strconv"
	"strings"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/structpb"
)

// runtimeValues are the values that the static layers of a bootstrap's runtime set, by key. Layers that are filled while Envoy
// runs (disk, RTDS, admin interface) are empty here: what they set is not in the files. That a key exists with which they can is
// kept beside the value.
type runtimeValues map[string]*structpb.Value

// readRuntime lays the layers over each other, the last on top.
func readRuntime(bootstrap *bootstrapv3.Bootstrap) runtimeValues {
	values := runtimeValues{}
	for _, layer := range bootstrap.GetLayeredRuntime().GetLayers() {
		values.add("", layer.GetStaticLayer())
	}
	return values
}

// add joins the names of nested values with dots, up to a value or a fraction.
func (r runtimeValues) add(prefix string, values *structpb.Struct) {
	for key, value := range values.GetFields() {
		inner := value.GetStructValue()
		if inner == nil || inner.Fields["numerator"] != nil || inner.Fields["denominator"] != nil {
			r[prefix+key] = value
			continue
		}
		r.add(prefix+key+".", inner)
	}
}

// fraction is the numerator and denominator that hold for a runtime fraction. (By experiment with Envoy 1.40: a number is a
// percentage without its decimals, also as a text, and more than 100 is always; a fraction is taken as it stands; any other value,
// such as a boolean, leaves the default.)
func (r runtimeValues) fraction(f *corev3.RuntimeFractionalPercent) (numerator, denominator uint32) {
	value := r[f.GetRuntimeKey()]
	if number, ok := runtimeInteger(value); ok && f.GetRuntimeKey() != "" {
		return uint32(min(number, 100)), 100
	}
	if n, d, ok := runtimeFraction(value.GetStructValue()); ok && f.GetRuntimeKey() != "" {
		return n, d
	}
	return f.GetDefaultValue().GetNumerator(), denominatorOf(f.GetDefaultValue().GetDenominator())
}

// chance is the condition that a runtime fraction is: nil where it always holds.
func (r runtimeValues) chance(f *corev3.RuntimeFractionalPercent) *Chance {
	if f == nil {
		return nil
	}
	numerator, denominator := r.fraction(f)
	if numerator >= denominator {
		return nil
	}
	return &Chance{Numerator: numerator, Denominator: denominator, RuntimeKey: f.GetRuntimeKey()}
}

// weight is the weight of a cluster, which a whole number in the runtime replaces.
func (r runtimeValues) weight(key string, standing uint32) uint64 {
	if number, ok := runtimeInteger(r[key]); ok {
		return number
	}
	return uint64(standing)
}

// runtimeInteger is a number of the runtime that is not negative, without its decimals.
func runtimeInteger(value *structpb.Value) (uint64, bool) {
	var number float64
	switch v := value.GetKind().(type) {
	case *structpb.Value_NumberValue:
		number = v.NumberValue
	case *structpb.Value_StringValue:
		text := strings.TrimSpace(v.StringValue)
		parsed, err := strconv.ParseFloat(text, 64)
		if err != nil || strings.Trim(text, "0123456789+-.eE") != "" {
			return 0, false
		}
		number = parsed
	default:
		return 0, false
	}
	if !(number >= 0 && number < math.MaxUint32) {
		return math.MaxUint32, number >= math.MaxUint32
	}
	return uint64(number), true
}

// runtimeFraction reads a fraction in the JSON form of envoy.type.v3.FractionalPercent.
func runtimeFraction(value *structpb.Struct) (numerator, denominator uint32, ok bool) {
	denominator = 100
	for name, field := range value.GetFields() {
		switch name {
		case "numerator":
			number, whole := runtimeInteger(field)
			if !whole || field.GetNumberValue() != math.Trunc(field.GetNumberValue()) {
				return 0, 0, false
			}
			numerator = uint32(number)
		case "denominator":
			kind, known := typev3.FractionalPercent_DenominatorType_value[field.GetStringValue()]
			if !known {
				return 0, 0, false
			}
			denominator = denominatorOf(typev3.FractionalPercent_DenominatorType(kind))
		default:
			return 0, 0, false
		}
	}
	return numerator, denominator, value != nil
}

func denominatorOf(kind typev3.FractionalPercent_DenominatorType) uint32 {
	switch kind {
	case typev3.FractionalPercent_TEN_THOUSAND:
		return 10_000
	case typev3.FractionalPercent_MILLION:
		return 1_000_000
	}
	return 100
}
