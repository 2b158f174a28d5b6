package attach_test

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/model"
)

// describeExtras prints what few actions have.
func describeExtras(a model.Action) string {
	var b strings.Builder
	if a.RefusedStatus != 0 {
		fmt.Fprintf(&b, " refused %d", a.RefusedStatus)
	}
	for _, m := range a.Mirrors {
		fmt.Fprintf(&b, " mirror %d/%d to %s", m.Numerator, m.Denominator, backend(m.Backend))
	}
	b.WriteString(externalAuth("", a.ExternalAuth) + cors("", a.CORS))
	if a.Retry != nil {
		fmt.Fprintf(&b, " retry %v", a.Retry.Codes)
		if a.Retry.Attempts != nil {
			fmt.Fprintf(&b, " attempts %d", *a.Retry.Attempts)
		}
		if a.Retry.Backoff != nil {
			fmt.Fprintf(&b, " backoff %s", a.Retry.Backoff)
		}
	}
	if s := a.Session; s != nil {
		fmt.Fprintf(&b, " session %s%s", s.Name, note(s.Cookie, fmt.Sprintf(" cookie for %s, lifetime %s", s.Path, s.Lifetime)))
	}
	for _, u := range a.Unrendered {
		fmt.Fprintf(&b, " unrendered %s: %s", u.Part, u.Value)
	}
	return b.String()
}

func externalAuth(whose string, a *model.ExternalAuth) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s asks %s%s path %q tells %v copies %v body %d", whose, backend(a.Backend), note(a.GRPC, " gRPC"), a.Path, a.RequestHeaders, a.ResponseHeaders, a.MaxBody)
}

func cors(whose string, c *model.CORS) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s cors origins %v methods %v headers %v expose %v credentials %t age %d",
		whose, c.Origins, c.Methods, c.RequestHeaders, c.ExposeHeaders, c.Credentials, c.MaxAge)
}
