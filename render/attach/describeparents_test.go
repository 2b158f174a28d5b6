package attach_test

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// describeParents prints the statuses of what routes attach to.
func describeParents(s status.Status) string {
	var b strings.Builder
	for _, c := range s.GatewayClasses {
		fmt.Fprintf(&b, "status GatewayClass %s: %s\n", c.Name, conditions(c.Conditions))
	}
	for _, g := range s.Gateways {
		fmt.Fprintf(&b, "status Gateway %s: %s%s\n", g.Gateway, conditions(g.Conditions), note(g.AttachedListenerSets > 0, fmt.Sprintf(", %d ListenerSets", g.AttachedListenerSets)))
		for _, a := range g.Addresses {
			fmt.Fprintf(&b, "status address %s %s\n", *a.Type, a.Value)
		}
		b.WriteString(describeListeners(g.Listeners))
	}
	for _, set := range s.ListenerSets {
		fmt.Fprintf(&b, "status ListenerSet %s: %s\n", set.ListenerSet, conditions(set.Conditions))
		b.WriteString(describeListeners(set.Listeners))
	}
	return b.String()
}

func describeListeners(listeners []status.Listener) string {
	var b strings.Builder
	for _, l := range listeners {
		fmt.Fprintf(&b, "status listener %s: %d routes, %s\n", l.Name, l.AttachedRoutes, conditions(l.Conditions))
	}
	return b.String()
}

// describeOwn prints what a Gateway has beside its listeners.
func describeOwn(g *model.Gateway) string {
	var b strings.Builder
	if g.ClientCertificate != nil {
		fmt.Fprintf(&b, " shows %s", g.ClientCertificate.Name)
	}
	for _, m := range []map[string]string{g.Labels, g.Annotations} {
		if len(m) > 0 {
			fmt.Fprintf(&b, " %v", m)
		}
	}
	return b.String()
}

func validation(v *model.ClientValidation) string {
	if v == nil {
		return ""
	}
	text := fmt.Sprintf(" validates by %d bytes", len(v.Authorities))
	if v.AuthoritiesFrom != nil {
		text += " of " + v.AuthoritiesFrom.String()
	}
	return text + note(v.AllowInsecure, ", lets others in")
}
