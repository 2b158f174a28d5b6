package xds

import (
	"strings"
	"time"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/render/model"
)

// connectionErrors are what is always tried again where a rule has retries: "Implementations SHOULD retry on connection errors
// (disconnect, reset, timeout, TCP failure) if a retry stanza is configured" (HTTPRouteRetry). A try that runs into its timeout is a
// reset.
const connectionErrors = "connect-failure,refused-stream,reset"

// retryPolicy holds the retries of a rule and the timeout of one try; nil where it has neither. A backend timeout without retries asks for
// none.
func retryPolicy(a model.Action) *routev3.RetryPolicy {
	timeout := a.BackendTimeout != nil && *a.BackendTimeout > 0
	if a.Retry == nil && !timeout {
		return nil
	}
	policy := &routev3.RetryPolicy{}
	if timeout {
		policy.PerTryTimeout = durationpb.New(*a.BackendTimeout)
	}
	if a.Retry == nil {
		policy.NumRetries = wrapperspb.UInt32(0)
	} else {
		setRetry(policy, a.Retry)
	}
	return policy
}

func setRetry(policy *routev3.RetryPolicy, retry *model.Retry) {
	conditions := []string{connectionErrors}
	if len(retry.Codes) > 0 {
		conditions = append(conditions, "retriable-status-codes")
		policy.RetriableStatusCodes = retry.Codes
	}
	policy.RetryOn = strings.Join(conditions, ",")
	policy.NumRetries = wrapperspb.UInt32(retries(retry))
	if retry.Backoff != nil {
		// Envoy takes no wait of 0 and rounds up to milliseconds.
		policy.RetryBackOff = &routev3.RetryPolicy_RetryBackOff{BaseInterval: durationpb.New(max(time.Millisecond, *retry.Backoff))}
	}
}

// retries is how often a request is tried again at most. Where a rule has retries and does not say how many there is one, which is Envoy's
// own default.
func retries(retry *model.Retry) uint32 {
	switch {
	case retry == nil:
		return 0
	case retry.Attempts == nil:
		return 1
	}
	return *retry.Attempts
}
