package diff

import (
	"slices"

	"github.com/routedelta/routedelta/diff/class"
	"github.com/routedelta/routedelta/diff/report"
)

// editKey tells edits of the manifests apart, as far as Envoy's files do: one rule of a route gives a route of Envoy for
// each host and listener, and is one edit for its author.
type editKey struct {
	kind                         class.EditKind
	kindName, namespace, name    string
	rule, match, matchBefore     string
	domain, hostWithoutAnyOrigin string
}

// editUse is what is known of an edit after some of the tables.
type editUse struct {
	order int
	// effect: the edit changes requests of at least one table.
	effect  bool
	finding foundEffectless
	// worthy: the edit is one that a reviewer believes to do something.
	worthy bool
}

// noteEdits records which edits had an effect in these tables, and which had none.
func (c *gatewayComparison) noteEdits(p pair, result *class.Result) {
	effectless := map[int]*class.Effectless{}
	for i := range result.Effectless {
		effectless[result.Effectless[i].Edit] = &result.Effectless[i]
	}
	for i, e := range result.Edits {
		key := keyOf(p, e)
		use := c.edits[key]
		if use == nil {
			use = &editUse{order: len(c.edits)}
			c.edits[key] = use
		}
		idle := effectless[i]
		if idle == nil {
			use.effect = true
			continue
		}
		if worthy := len(idle.Coverers) > 0 && (e.Kind == class.Added || e.Kind == class.Changed); worthy || use.finding.effectless.Reason == "" {
			use.worthy = use.worthy || worthy
			use.finding = c.idleEdit(p, e, idle)
		}
	}
}

// idleEdits reports the edits that had no effect in any table. A rule that was added or changed and never wins needs a
// word. One that moved, that was dead when it was removed, or that wins requests and gives them what they had, is
// refactoring: it is counted.
func (c *gatewayComparison) idleEdits() {
	var idle []*editUse
	for _, use := range c.edits {
		if !use.effect {
			idle = append(idle, use)
		}
	}
	slices.SortFunc(idle, func(a, b *editUse) int { return a.order - b.order })
	for _, use := range idle {
		if use.worthy {
			c.effectless = append(c.effectless, use.finding)
		} else {
			c.refactored++
		}
	}
}

func (c *gatewayComparison) idleEdit(p pair, e class.Edit, idle *class.Effectless) foundEffectless {
	out := foundEffectless{trace: editTrace(p, e)}
	out.effectless = report.Effectless{Cause: cause(p, e), Gateway: c.gateway.name, Reason: "same outcome"}
	if rule := ruleOf(p.after, e.After); rule != nil {
		out.effectless.Match = ruleMatch(rule)
	} else if rule := ruleOf(p.before, e.Before); rule != nil {
		out.effectless.Match = ruleMatch(rule)
	}
	side, coverTable := After, p.after
	if e.After == nil {
		side, coverTable = Before, p.before
	}
	for i := range idle.Coverers {
		out.effectless.Reason = "covered"
		ref := &idle.Coverers[i]
		out.effectless.Coverers = append(out.effectless.Coverers, ruleLabel(ruleOf(coverTable, ref)))
		out.trace.Coverers = append(out.trace.Coverers, *ruleAt(side, coverTable, ref))
	}
	return out
}

// keyOf identifies an edit by object, rule and match. Where the files say nothing of an origin the host stands for it.
func keyOf(p pair, e class.Edit) editKey {
	key := editKey{kind: e.Kind, domain: e.Domain}
	if rule := ruleOf(p.before, e.Before); rule != nil {
		key.matchBefore = rule.MatchKey()
		key.kindName, key.namespace, key.name, key.rule = rule.Origin.Kind, rule.Origin.Namespace, rule.Origin.Name, rule.Origin.Rule
	}
	ref, t := e.After, p.after
	if ref == nil {
		ref, t = e.Before, p.before
	}
	if rule := ruleOf(t, ref); rule != nil {
		key.match = rule.MatchKey()
		key.kindName, key.namespace, key.name, key.rule = rule.Origin.Kind, rule.Origin.Namespace, rule.Origin.Name, rule.Origin.Rule
		if rule.Origin.Name == "" {
			key.hostWithoutAnyOrigin = t.Routes + "/" + t.Hosts[ref.Host].Name + "/" + rule.Name
		}
	}
	return key
}
