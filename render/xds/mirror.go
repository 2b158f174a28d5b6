package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"

	"github.com/routedelta/routedelta/render/model"
)

// mirrors copies requests. The copy has the Host header of the request: Envoy would put "-shadow" behind it.
func mirrors(list []model.Mirror) []*routev3.RouteAction_RequestMirrorPolicy {
	var policies []*routev3.RouteAction_RequestMirrorPolicy
	for _, mirror := range list {
		policy := &routev3.RouteAction_RequestMirrorPolicy{
			Cluster:                       clusterName(mirror.Backend),
			DisableShadowHostSuffixAppend: true,
		}
		if mirror.Numerator < mirror.Denominator {
			policy.RuntimeFraction = &corev3.RuntimeFractionalPercent{DefaultValue: fraction(mirror.Numerator, mirror.Denominator)}
		}
		policies = append(policies, policy)
	}
	return policies
}

// fraction is a part of all requests in Envoy's words, which know hundredths, ten thousandths and millionths. Other parts come down to
// the nearest millionth; none that is above nothing becomes nothing.
func fraction(numerator, denominator uint32) *typev3.FractionalPercent {
	scales := []struct {
		parts uint64
		name  typev3.FractionalPercent_DenominatorType
	}{{100, typev3.FractionalPercent_HUNDRED}, {10_000, typev3.FractionalPercent_TEN_THOUSAND}}
	for _, scale := range scales {
		if parts := uint64(numerator) * scale.parts; parts%uint64(denominator) == 0 {
			return &typev3.FractionalPercent{Numerator: uint32(parts / uint64(denominator)), Denominator: scale.name}
		}
	}
	millionths := (uint64(numerator)*1_000_000 + uint64(denominator)/2) / uint64(denominator)
	return &typev3.FractionalPercent{Numerator: uint32(max(1, millionths)), Denominator: typev3.FractionalPercent_MILLION}
}
