package review

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/config"
)

// TestFortyClasses is a release day: many teams change their routes in one pull request. The answer has to be in order: the worst
// first, then what has most traffic, what needs a header sent twice last; and every command of it works.
func TestFortyClasses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before, after := releaseDay()
	write(t, filepath.Join(dir, "before", "routes.yaml"), []byte(before))
	write(t, filepath.Join(dir, "after", "routes.yaml"), []byte(after))
	c := compareSides(t, dir, new(config.Config))
	const want = "4 kinds of requests lose their backend, 26 move, 5 gain a backend, 5 are treated differently; " +
		"1 kind of request changes only if a header is sent twice; nothing else changes"
	if got := format.Headline(c.found); got != want {
		t.Errorf("the answer is %q, want %q", got, want)
	}
	holdOrder(t, c.found.Classes)
	holdJSON(t, c.found)
	c.start(t).Hold(t, c.found)
}

func holdOrder(t *testing.T, classes []report.Class) {
	t.Helper()
	for i := range classes[1:] {
		a, b := classes[i], classes[i+1]
		if a.OnlyRepeated && !b.OnlyRepeated {
			t.Errorf("class %d needs a header sent twice and stands before one that does not", i)
		}
		if a.OnlyRepeated == b.OnlyRepeated && a.Severity.Rank() > b.Severity.Rank() {
			t.Errorf("class %d (%s) stands before a worse one (%s)", i, a.Severity, b.Severity)
		}
	}
}

// releaseDay is the manifests of both sides.
func releaseDay() (before, after string) {
	d := &release{services: map[string]bool{}}
	for _, name := range []string{"cart", "checkout", "catalogue", "search", "profile", "reviews"} {
		d.canary(name)
	}
	for _, name := range []string{"prices", "stock", "orders", "tax", "labels"} {
		d.shift(name)
	}
	for _, name := range []string{"wishlist", "coupons", "giftcards"} {
		d.retire(name)
	}
	for _, name := range []string{"about", "jobs", "press", "terms"} {
		d.redirect(name)
	}
	for _, name := range []string{"login", "billing", "invoices", "reports", "exports", "webhooks", "media", "chat"} {
		d.replace(name)
	}
	for _, name := range []string{"upload", "video", "import", "backup", "print"} {
		d.slow(name)
	}
	for _, name := range []string{"partners", "status"} {
		d.open(name)
	}
	d.others()
	return d.manifests()
}

// release gathers the rules of each host on both sides.
type release struct {
	hosts         []string
	before, after map[string][]string
	services      map[string]bool
}

// rule puts one rule on each side of a host, "" for none.
func (d *release) rule(host, before, after string) {
	if d.before == nil {
		d.before, d.after = map[string][]string{}, map[string][]string{}
	}
	if len(d.before[host])+len(d.after[host]) == 0 {
		d.hosts = append(d.hosts, host)
	}
	if before != "" {
		d.before[host] = append(d.before[host], before)
	}
	if after != "" {
		d.after[host] = append(d.after[host], after)
	}
}

// to is the end of a rule: "orders 90 orders-v2 10" are two services with their weights.
func (d *release) to(services string) string {
	var refs []string
	words := strings.Fields(services)
	for i := 0; i < len(words); i += 2 {
		d.services[words[i]] = true
		refs = append(refs, fmt.Sprintf("{name: %s, port: 80, weight: %s}", words[i], words[i+1]))
	}
	return "    backendRefs: [" + strings.Join(refs, ", ") + "]\n"
}

func onPath(value, more string) string {
	return fmt.Sprintf("  - matches: [{path: {type: PathPrefix, value: /%s}%s}]\n", value, more)
}

func (d *release) canary(name string) {
	stays := onPath(name, "") + d.to(name+" 1")
	d.rule("shop.example", stays, stays)
	d.rule("shop.example", "", onPath(name, ", headers: [{name: x-env, value: canary}]")+d.to(name+"-canary 1"))
}

func (d *release) shift(name string) {
	d.rule("api.example", onPath("v1/"+name, "")+d.to(name+" 90 "+name+"-v2 10"), onPath("v1/"+name, "")+d.to(name+" 50 "+name+"-v2 50"))
}

func (d *release) retire(name string) {
	d.rule("old.example", onPath(name, "")+d.to(name+" 1"), "")
	d.rule("old.example", "", onPath(name+"-archive", "")+d.to("archive 1"))
}

func (d *release) redirect(name string) {
	d.rule("www.example", onPath(name, "")+d.to("web 1"), onPath(name, "")+
		"    filters: [{type: RequestRedirect, requestRedirect: {hostname: corporate.example, statusCode: 301}}]\n")
}

func (d *release) replace(name string) {
	d.rule(name+".example", onPath("", "")+d.to(name+" 1"), onPath("", "")+d.to(name+"-next 1"))
}

func (d *release) slow(name string) {
	rule := onPath(name, "") + d.to(name+" 1")
	d.rule("files.example", rule+"    timeouts: {request: 10s}\n", rule+"    timeouts: {request: 60s}\n")
}

func (d *release) open(name string) {
	d.rule(name+".example", "", onPath("", "")+d.to(name+" 1"))
}

// others are the changes of which there is one each.
func (d *release) others() {
	d.rule("admin.example", onPath("", "")+d.to("admin 1"), onPath("", "")+d.to("admin 1"))
	d.rule("admin.example", onPath("", ", method: DELETE")+d.to("admin 1"), onPath("", ", method: DELETE")+d.to("guard 1"))
	d.rule("admin.example", "", onPath("audit", ", queryParams: [{name: full, value: \"1\"}]")+d.to("audit 1"))
	// Two tenants in the other order: only who names both sees it.
	a, b := onPath("", ", headers: [{name: x-tenant, value: a}]")+d.to("tenant-a 1"), onPath("", ", headers: [{name: x-tenant, value: b}]")+d.to("tenant-b 1")
	d.rule("tenants.example", a, b)
	d.rule("tenants.example", b, a)
	// A rule for all that is left goes away.
	d.rule("intranet.example", onPath("wiki", "")+d.to("wiki 1"), onPath("wiki", "")+d.to("wiki 1"))
	d.rule("intranet.example", onPath("", "")+d.to("portal 1"), "")
	d.rule("intranet.example", "", onPath("news", "")+d.to("news 1"))
}

func (d *release) manifests() (before, after string) {
	base := "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: public, namespace: default}\n" +
		"spec:\n  gatewayClassName: envoy\n  listeners:\n  - {name: http, port: 80, protocol: HTTP}\n"
	sides := [2]string{base, base}
	for i, rules := range []map[string][]string{d.before, d.after} {
		for _, host := range d.hosts {
			if len(rules[host]) == 0 {
				continue
			}
			name, _, _ := strings.Cut(host, ".")
			sides[i] += "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: default}\n" +
				"spec:\n  parentRefs: [{name: public}]\n  hostnames: [" + host + "]\n  rules:\n" + strings.Join(rules[host], "")
		}
		for _, service := range slices.Sorted(maps.Keys(d.services)) {
			sides[i] += "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + service + ", namespace: default}\nspec: {ports: [{port: 80}]}\n"
		}
	}
	return sides[0], sides[1]
}
