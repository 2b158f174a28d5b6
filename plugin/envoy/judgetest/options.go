package judgetest

import (
	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	managerv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/routedelta/routedelta/diff/table"
)

// SetOptions is the inverse of what table.Read does for a connection manager.
func SetOptions(m *managerv3.HttpConnectionManager, o table.Options) {
	m.NormalizePath = wrapperspb.Bool(o.NormalizePath)
	m.MergeSlashes = o.MergeSlashes
	m.UseRemoteAddress = wrapperspb.Bool(o.UseRemoteAddress)
	m.StripTrailingHostDot = o.StripTrailingDot
	m.StripMatchingHostPort = o.StripHostPort != 0
	if o.StripAnyHostPort {
		m.StripPortMode = &managerv3.HttpConnectionManager_StripAnyHostPort{StripAnyHostPort: true}
	}
	m.PathWithEscapedSlashesAction = map[table.EscapedSlashes]managerv3.HttpConnectionManager_PathWithEscapedSlashesAction{
		table.KeepEscapedSlashes:     managerv3.HttpConnectionManager_KEEP_UNCHANGED,
		table.RejectEscapedSlashes:   managerv3.HttpConnectionManager_REJECT_REQUEST,
		table.ForwardEscapedSlashes:  managerv3.HttpConnectionManager_UNESCAPE_AND_FORWARD,
		table.RedirectEscapedSlashes: managerv3.HttpConnectionManager_UNESCAPE_AND_REDIRECT,
	}[o.EscapedSlashes]
	m.CommonHttpProtocolOptions = &corev3.HttpProtocolOptions{
		HeadersWithUnderscoresAction: map[table.Underscores]corev3.HttpProtocolOptions_HeadersWithUnderscoresAction{
			table.AllowUnderscores:  corev3.HttpProtocolOptions_ALLOW,
			table.RejectUnderscores: corev3.HttpProtocolOptions_REJECT_REQUEST,
			table.DropUnderscores:   corev3.HttpProtocolOptions_DROP_HEADER,
		}[o.Underscores],
	}
}
