package attach

import (
	"slices"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// retry reads when a request is tried again; nil is never.
func (r ruleReader) retry(spec *gatewayv1.HTTPRouteRetry) *model.Retry {
	if spec == nil {
		return nil
	}
	retry := &model.Retry{Backoff: timeout(spec.Backoff)}
	for _, code := range spec.Codes {
		retry.Codes = append(retry.Codes, uint32(code))
	}
	slices.Sort(retry.Codes)
	retry.Codes = slices.Compact(retry.Codes)
	if spec.Attempts != nil {
		attempts := uint32(max(0, min(*spec.Attempts, maxAttempts)))
		retry.Attempts = &attempts
	}
	if retry.Backoff != nil {
		r.remark(r.route.source, r.field+".retry.backoff", diagnostic.Approximated,
			"Envoy draws each wait between 0 and the backoff, and doubles it from try to try: a retry may come sooner than the backoff says")
	}
	return retry
}

// maxAttempts bounds what is written; nobody tries a request this often.
const maxAttempts = 1000
