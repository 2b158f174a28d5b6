package review

import (
	"slices"
	"testing"

	"github.com/routedelta/routedelta/diff/certificate"
)

// holdCertificate certifies what is said, and has it verified. A certificate that says otherwise of the connections of a place, or forgets
// a backend, is not.
func holdCertificate(t *testing.T, c change) {
	t.Helper()
	before, after := Source{Path: "before"}, Source{Path: "after"}
	_, claims, err := Certify(t.Context(), before, after, c.options)
	if err != nil {
		t.Fatal(err)
	}
	verified := func() bool {
		result, err := Verify(t.Context(), claims, before, after, c.options)
		if err != nil {
			t.Fatal(err)
		}
		return result.Verified()
	}
	decided := len(c.found.Undecided)+len(c.found.Uncompared) == 0
	if got := verified(); got != decided {
		t.Errorf("verified: %v, decided: %v", got, decided)
	}
	falsely := func(what string) {
		claims.Verdict = claims.Sum()
		if verified() {
			t.Errorf("the certificate is verified with %s", what)
		}
	}
	for g := range claims.Gateways {
		gateway := &claims.Gateways[g]
		for i := range gateway.Places {
			was := gateway.Places[i]
			if was.Before < 0 || was.After < 0 {
				continue // nothing is said of how it is read
			}
			gateway.Places[i].Reading = !was.Reading
			falsely("a place that is read otherwise")
			gateway.Places[i] = was
			gateway.Places[i].Certificates = !was.Certificates
			falsely("a place with other certificates")
			gateway.Places[i] = was
		}
		if len(gateway.Backends) > 0 {
			all := slices.Clone(gateway.Backends)
			gateway.Backends = all[1:]
			falsely("a backend forgotten")
			gateway.Backends = all
		}
	}
	if claims.Verdict = claims.Sum(); decided && claims.Verdict == certificate.NotDecided {
		t.Error("the certificate leaves something undecided, and the answer does not")
	}
}
