package table_test

import (
	"fmt"
	"testing"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
)

// What a value of the static runtime makes of a default of 50%, as Envoy 1.40.0 answered 200 requests each.
func TestRuntimeFractions(t *testing.T) {
	for value, want := range map[string]string{
		`number_value: 30`:     "30/100",
		`number_value: 0`:      "0/100",
		`number_value: 100`:    "always",
		`number_value: 3e9`:    "always",
		`number_value: 30.5`:   "30/100",
		`number_value: 0.5`:    "0/100",
		`number_value: -5`:     "50/100",
		`string_value: "30"`:   "30/100",
		`string_value: " 0"`:   "0/100",
		`string_value: "abc"`:  "50/100",
		`string_value: "true"`: "50/100",
		`bool_value: false`:    "50/100",
		`struct_value { fields { key: "numerator" value { number_value: 30 } } fields { key: "denominator" value { string_value: "TEN_THOUSAND" } } }`: "30/10000",
		`struct_value { fields { key: "numerator" value { string_value: "0" } } }`:                                                                     "0/100",
		`struct_value { fields { key: "denominator" value { string_value: "HUNDRED" } } }`:                                                             "0/100",
		`struct_value { fields { key: "numerator" value { number_value: 300 } } }`:                                                                     "always",
		`struct_value { fields { key: "numerator" value { number_value: 0 } } fields { key: "x" value { number_value: 1 } } }`:                         "50/100",
		`struct_value { fields { key: "numerator" value { number_value: 30 } } fields { key: "denominator" value { number_value: 1 } } }`:              "50/100",
		`struct_value { fields { key: "a" value { number_value: 0 } } }`:                                                                               "50/100",
	} {
		if got := chanceOf(t, "k", `fields { key: "k" value { `+value+` } }`); got != want {
			t.Errorf("%s: got %s, want %s", value, got, want)
		}
	}
	nested := `fields { key: "k" value { struct_value { fields { key: "b" value { struct_value { fields { key: "numerator" value { number_value: 3 } } } } } } } }`
	if got := chanceOf(t, "k.b", nested); got != "3/100" {
		t.Errorf("a nested key: got %s", got)
	}
	if got := chanceOf(t, "", `fields { key: "" value { number_value: 3 } }`); got != "50/100" {
		t.Errorf("no key: got %s", got)
	}
	if got := chanceOf(t, "k", `fields { key: "k" value { number_value: 3 } }`, `fields { key: "k" value { number_value: 4 } }`); got != "4/100" {
		t.Errorf("the last layer is on top: got %s", got)
	}
}

// chanceOf is the chance of a rule of 50% with this runtime key, under these static layers.
func chanceOf(t *testing.T, key string, layers ...string) string {
	t.Helper()
	s := set(t, manager(t, parse(t, &routev3.RouteConfiguration{}, `virtual_hosts { name: "a" domains: "*"
		routes { match { prefix: "/" runtime_fraction { default_value { numerator: 50 } runtime_key: "`+key+`" } } direct_response { status: 200 } } }`)))
	runtime := &bootstrapv3.LayeredRuntime{}
	for i, layer := range layers {
		runtime.Layers = append(runtime.Layers, parse(t, &bootstrapv3.RuntimeLayer{}, fmt.Sprintf(`name: "%d" static_layer { %s }`, i, layer)))
	}
	s.Bootstrap.LayeredRuntime = runtime
	rule := readOne(t, s).Hosts[0].Rules[0]
	if rule.Chance == nil {
		return "always"
	}
	if rule.Chance.RuntimeKey != key {
		t.Errorf("the key is %q", rule.Chance.RuntimeKey)
	}
	return fmt.Sprintf("%d/%d", rule.Chance.Numerator, rule.Chance.Denominator)
}

// A rule that always holds shows the key with which it can be made to hold less often.
func TestRuntimeKeyOfARuleThatAlwaysHolds(t *testing.T) {
	rule := readRoute(t, `match { prefix: "/" runtime_fraction { default_value { numerator: 100 } runtime_key: "k" } } direct_response { status: 200 }`)
	if got := fmt.Sprint(rule.Outcome.Treatment); rule.Chance != nil || got != "[{runtime fraction 100% (runtime k)}]" {
		t.Errorf("got %v %s", rule.Chance, got)
	}
}

// A weight may come from the runtime too.
func TestRuntimeWeights(t *testing.T) {
	s := set(t, manager(t, parse(t, &routev3.RouteConfiguration{}, `virtual_hosts { name: "a" domains: "*" routes { match { prefix: "/" } route {
		weighted_clusters { runtime_key_prefix: "w" clusters { name: "orders" weight { value: 90 } } clusters { name: "cart" weight { value: 10 } } } } } }`)),
		cluster("orders"), cluster("cart"))
	s.Bootstrap.LayeredRuntime = parse(t, &bootstrapv3.LayeredRuntime{}, `layers { name: "s" static_layer { fields { key: "w" value { struct_value {
		fields { key: "cart" value { number_value: 30 } } } } } } }`)
	if got := readOne(t, s).Hosts[0].Rules[0].Outcome.String(); got != "75% orders, 25% cart" {
		t.Errorf("got %s", got)
	}
}
