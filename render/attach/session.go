package attach

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/model"
)

// session reads how the requests of one client are kept together. served is the number of backends that get requests, and paths are
// those of the rule's matches. What Envoy does not do of it goes along as unrendered.
func (r ruleReader) session(spec *gatewayv1.SessionPersistence, served int, paths []model.Match) (*model.Session, []model.Unrendered) {
	if spec == nil {
		return nil, nil
	}
	field := r.field + ".sessionPersistence"
	session := &model.Session{Cookie: spec.Type == nil || *spec.Type == gatewayv1.CookieBasedSessionPersistence}
	if session.Name = r.sessionName(spec, session.Cookie); !isToken(session.Name) {
		r.warn(r.route.source, field+".sessionName", diagnostic.Approximated,
			fmt.Sprintf("%q cannot be the name of a cookie or header: any endpoint may get a request", diagnostic.Clip(session.Name)),
			"use letters, digits, - and _")
		return nil, []model.Unrendered{{Part: "session persistence", Value: written(spec)}}
	}
	if session.Cookie {
		session.Path = cookiePath(paths)
	}
	if served > 1 {
		r.warn(r.route.source, field, diagnostic.Approximated,
			"Envoy draws the backend by weight before it looks for the session: a client stays with one endpoint of each backend, not with one backend",
			"give the session's rule one backend")
	}
	timeout := timeout(spec.AbsoluteTimeout)
	switch {
	case timeout == nil:
		return session, nil
	case session.Cookie && isPermanent(spec.CookieConfig):
		session.Lifetime = *timeout
		return session, nil
	}
	r.warn(r.route.source, field+".absoluteTimeout", diagnostic.Approximated,
		"Envoy keeps no time of a session in a header or a session cookie: it does not end by itself", "use a cookie with lifetimeType: Permanent")
	return session, []model.Unrendered{{Part: "session timeout", Value: timeout.String()}}
}

func isPermanent(config *gatewayv1.CookieConfig) bool {
	return config != nil && config.LifetimeType != nil && *config.LifetimeType == gatewayv1.PermanentCookieLifetimeType
}

// sessionName is the manifest's, or one that no other rule has: two rules of a host that shared a cookie would take each other's
// sessions away. It tells clients nothing of the cluster.
func (r ruleReader) sessionName(spec *gatewayv1.SessionPersistence, cookie bool) string {
	if spec.SessionName != nil && *spec.SessionName != "" {
		return *spec.SessionName
	}
	rule := cmp.Or(r.name, fmt.Sprint(r.position))
	sum := sha256.Sum256([]byte(strings.Join([]string{r.route.Kind, r.route.Name.String(), rule}, "\x00")))
	name := "session-" + hex.EncodeToString(sum[:6])
	if !cookie {
		name = "x-" + name
	}
	return name
}

// isToken: the names of cookies and of headers are tokens (RFC 6265, 4.1.1; RFC 9110, 5.1).
func isToken(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// cookiePath is what the paths of the matches have in common, whole segments only: Envoy gives the cookie out, and reads it, below that
// path alone.
func cookiePath(matches []model.Match) string {
	var common []string
	for i, m := range matches {
		if m.PathKind == model.PathRegex {
			return "/"
		}
		segments := strings.Split(strings.Trim(m.PathValue, "/"), "/")
		if n := slices.IndexFunc(segments, func(segment string) bool { return strings.Contains(segment, ";") }); n >= 0 {
			segments = segments[:n] // it would end the attribute
		}
		if i == 0 {
			common = segments
			continue
		}
		n := 0
		for n < min(len(common), len(segments)) && common[n] == segments[n] {
			n++
		}
		common = common[:n]
	}
	return "/" + strings.Join(common, "/")
}
