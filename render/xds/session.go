package xds

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	sessionv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/stateful_session/v3"
	cookiev3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/stateful_session/cookie/v3"
	headerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/stateful_session/header/v3"
	httpv3 "github.com/envoyproxy/go-control-plane/envoy/type/http/v3"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/routedelta/routedelta/render/model"
)

// session keeps the requests of a client at one endpoint, whose address the cookie or header holds. An endpoint that is gone is replaced
// by another one, and a new token is given out.
func session(s *model.Session) *sessionv3.StatefulSessionPerRoute {
	return &sessionv3.StatefulSessionPerRoute{Override: &sessionv3.StatefulSessionPerRoute_StatefulSession{
		StatefulSession: &sessionv3.StatefulSession{SessionState: sessionState(s)},
	}}
}

func sessionState(s *model.Session) *corev3.TypedExtensionConfig {
	if !s.Cookie {
		return &corev3.TypedExtensionConfig{
			Name:        "envoy.http.stateful_session.header",
			TypedConfig: packed(&headerv3.HeaderBasedSessionState{Name: s.Name}),
		}
	}
	cookie := &httpv3.Cookie{Name: s.Name, Path: s.Path}
	if s.Lifetime > 0 {
		cookie.Ttl = durationpb.New(s.Lifetime)
	}
	return &corev3.TypedExtensionConfig{
		Name:        "envoy.http.stateful_session.cookie",
		TypedConfig: packed(&cookiev3.CookieBasedSessionState{Cookie: cookie}),
	}
}
