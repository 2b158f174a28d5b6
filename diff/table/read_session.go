package table

import (
	sessionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/stateful_session/v3"
	cookiev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/stateful_session/cookie/v3"
	headerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/stateful_session/header/v3"
	"google.golang.org/protobuf/proto"
)

// sessionText is where a session is kept in a reader's words, "" where the configuration says more than they do.
func sessionText(config *sessionv3.StatefulSessionPerRoute) string {
	if config.GetDisabled() {
		return "none"
	}
	session := config.GetStatefulSession()
	rest := proto.CloneOf(session)
	if rest == nil {
		return ""
	}
	rest.SessionState = nil
	state := session.GetSessionState().GetTypedConfig()
	if proto.Size(rest) > 0 || state == nil {
		return ""
	}
	header, cookie := &headerv3.HeaderBasedSessionState{}, &cookiev3.CookieBasedSessionState{}
	switch {
	case state.MessageIs(header) && state.UnmarshalTo(header) == nil:
		return "in header " + header.GetName()
	case state.MessageIs(cookie) && state.UnmarshalTo(cookie) == nil && len(cookie.GetCookie().GetAttributes()) == 0:
		text := "in cookie " + cookie.GetCookie().GetName() + " for " + cookie.GetCookie().GetPath()
		if ttl := cookie.GetCookie().GetTtl(); ttl != nil {
			text += ", ends after " + durationText(ttl)
		}
		return text
	}
	return ""
}
