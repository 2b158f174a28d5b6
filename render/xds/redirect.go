package xds

import (
	"strings"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"

	"github.com/routedelta/routedelta/render/model"
)

// redirect sends a client elsewhere. hostname is the virtual host's.
func redirect(l model.Listener, hostname string, rule model.Rule) *routev3.RedirectAction {
	r := rule.Action.Redirect
	action := &routev3.RedirectAction{
		HostRedirect: r.Hostname,
		ResponseCode: responseCode(r.Status),
	}
	if r.Scheme != "" {
		action.SchemeRewriteSpecifier = &routev3.RedirectAction_SchemeRedirect{SchemeRedirect: r.Scheme}
	}
	setRedirectPort(action, l, hostname, r)
	setRedirectPath(action, rule)
	return action
}

// setRedirectPort follows HTTPRequestRedirectFilter.port: without a port it is the scheme's own where a scheme is given,
// else the listener's; a port that is the scheme's own is not shown.
//
// Envoy has no word for "no port": it keeps the one of the Host header, unless the host is replaced. So the name of the virtual
// host, where it is one, is written in its place. Behind a wildcard the port is shown where the clients of this listener
// have to send another one; elsewhere they send none.
func setRedirectPort(action *routev3.RedirectAction, l model.Listener, hostname string, r *model.Redirect) {
	own := wellKnownPort(strings.ToLower(string(l.Protocol)))
	scheme := own
	if r.Scheme != "" {
		scheme = wellKnownPort(r.Scheme)
	}
	port := r.Port
	if port == 0 {
		port = l.Port
		if r.Scheme != "" {
			port = scheme
		}
	}
	switch {
	case port != scheme:
		action.PortRedirect = port
	case action.HostRedirect != "":
	case !strings.HasPrefix(hostname, "*"):
		action.HostRedirect = hostname
	case l.Port != own:
		action.PortRedirect = port
	}
}

func wellKnownPort(scheme string) uint32 {
	if scheme == "https" {
		return 443
	}
	return 80
}

func setRedirectPath(action *routev3.RedirectAction, rule model.Rule) {
	path := rule.Action.Redirect.Path
	if path == nil {
		return
	}
	if !path.Prefix {
		action.PathRewriteSpecifier = &routev3.RedirectAction_PathRedirect{PathRedirect: absolute(path.Value)}
		return
	}
	prefix, stripped := prefixChange(rule.Match.PathValue, path.Value)
	if stripped != nil {
		action.PathRewriteSpecifier = &routev3.RedirectAction_RegexRewrite{RegexRewrite: stripped}
		return
	}
	action.PathRewriteSpecifier = &routev3.RedirectAction_PrefixRewrite{PrefixRewrite: prefix}
}

// responseCode: 302 is Gateway API's default, 301 Envoy's.
func responseCode(status uint32) routev3.RedirectAction_RedirectResponseCode {
	switch status {
	case 301:
		return routev3.RedirectAction_MOVED_PERMANENTLY
	case 303:
		return routev3.RedirectAction_SEE_OTHER
	case 307:
		return routev3.RedirectAction_TEMPORARY_REDIRECT
	case 308:
		return routev3.RedirectAction_PERMANENT_REDIRECT
	}
	return routev3.RedirectAction_FOUND
}
