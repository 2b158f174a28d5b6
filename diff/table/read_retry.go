package table

import (
	"fmt"
	"slices"
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
)

// codesListed is the condition that stands for the status codes of a policy.
const codesListed = "retriable-status-codes"

// retryTreatment splits off the timeout of one try, which holds without a retry as well.
func retryTreatment(policy *routev3.RetryPolicy) []Treatment {
	if policy == nil {
		return nil
	}
	var list []Treatment
	rest := proto.CloneOf(policy)
	if rest.GetPerTryTimeout() != nil {
		list = append(list, Treatment{Name: "timeout of one try", Value: durationText(rest.GetPerTryTimeout())})
		rest.PerTryTimeout = nil
	}
	if rest.GetRetryOn() == "" && rest.GetNumRetries().GetValue() == 0 {
		rest.NumRetries = nil // no retry is asked for
	}
	if text := retryText(rest); text != "" {
		list = append(list, Treatment{Name: "retry", Value: text})
	}
	return list
}

// retryText is how often a request is tried again and on what, "" for never: "up to 3 times on 502, 503, connect-failure, backing off from 100ms".
// What there are no words for stands behind them as it is.
func retryText(policy *routev3.RetryPolicy) string {
	if policy.GetRetryOn() == "" {
		if text := canonical(policy); text != "{}" {
			return text
		}
		return ""
	}
	times := uint32(1) // Envoy's default
	if policy.GetNumRetries() != nil {
		times = policy.GetNumRetries().GetValue()
	}
	words := "once"
	if times != 1 {
		words = fmt.Sprintf("up to %d times", times)
	}
	words += " on " + strings.Join(retryConditions(policy), ", ")
	rest := proto.CloneOf(policy)
	rest.NumRetries, rest.RetryOn, rest.RetriableStatusCodes = nil, "", nil
	if wait := rest.GetRetryBackOff(); wait != nil {
		words += ", backing off from " + durationText(wait.GetBaseInterval())
		if wait.GetMaxInterval() != nil {
			words += " to " + durationText(wait.GetMaxInterval())
		}
		rest.RetryBackOff = nil
	}
	if text := canonical(rest); text != "{}" {
		words += ", " + text
	}
	return words
}

// retryConditions are status codes and Envoy's words for all else, sorted: their order says nothing.
func retryConditions(policy *routev3.RetryPolicy) []string {
	var named []string
	byCode := false
	for condition := range strings.SplitSeq(policy.GetRetryOn(), ",") {
		if condition = strings.TrimSpace(condition); condition == codesListed {
			byCode = true
		} else if condition != "" {
			named = append(named, plainWord(condition))
		}
	}
	var codes []string
	for _, code := range policy.GetRetriableStatusCodes() {
		codes = append(codes, fmt.Sprint(code))
	}
	if !byCode && len(codes) > 0 {
		codes = []string{"(no " + codesListed + ": " + strings.Join(codes, " ") + ")"} // they count for nothing
	}
	slices.Sort(codes)
	slices.Sort(named)
	return slices.Compact(append(codes, slices.Compact(named)...))
}
