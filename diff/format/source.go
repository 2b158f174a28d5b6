package format

import (
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/diff/report"
)

// toldSource is a part of a tree, with the targets that have it.
type toldSource struct {
	report.Source
	targets []string
}

// partsRead are the parts of the trees that were read, and those that were not, each once however many targets have it.
func partsRead(r *report.Report) (read, unread []toldSource) {
	for _, s := range r.Sources {
		list := &read
		if s.Unread != "" {
			list = &unread
		}
		target := s.Target
		s.Target = ""
		at := slices.IndexFunc(*list, func(t toldSource) bool { return t.Source == s })
		if at < 0 {
			at = len(*list)
			*list = append(*list, toldSource{Source: s})
		}
		if target != "" && !slices.Contains((*list)[at].targets, target) {
			(*list)[at].targets = append((*list)[at].targets, target)
		}
	}
	return read, unread
}

// formWord is one part of a form, and many.
func formWord(form string) (one, many string) {
	switch form {
	case "kustomization":
		return "kustomization", "kustomizations"
	case "flux":
		return "Flux Kustomization", "Flux Kustomizations"
	case "argocd":
		return "Argo CD application", "Argo CD applications"
	case "helm":
		return "Helm chart", "Helm charts"
	case "command":
		return "output of the render command", "outputs of the render command"
	}
	return "directory of manifests", "directories of manifests"
}

// formsRead counts what was read, "" where that is nothing but manifests as they are: nobody wonders about these.
func formsRead(r *report.Report) string {
	read, _ := partsRead(r)
	counts := map[string]int{}
	paths := map[string]bool{}
	for _, s := range read {
		if key := s.Form + " " + s.Path; !paths[key] {
			paths[key] = true
			counts[s.Form]++
		}
	}
	if counts["manifests"] == len(paths) {
		return ""
	}
	var said []string
	for _, form := range []string{"kustomization", "flux", "argocd", "helm", "command", "manifests"} {
		if n := counts[form]; n > 0 {
			one, many := formWord(form)
			said = append(said, Plural(n, one, many))
		}
	}
	return "read: " + joined(said...)
}

// source is "`apps/web` (Helm chart): not read, because ...".
func (w words) source(r *report.Report, s toldSource) string {
	one, _ := formWord(s.Form)
	said := fmt.Sprintf("%s (%s)", w.code(s.Path), one)
	switch s.Side {
	case "before":
		said += ", before the change"
	case "after":
		said += ", after the change"
	}
	return w.scoped(r, s.targets, said+": "+w.word(s.Unread))
}

// unreadParts are the parts that were not read, as sentences.
func (w words) unreadParts(r *report.Report) []string {
	_, unread := partsRead(r)
	said := make([]string, len(unread))
	for i, s := range unread {
		said[i] = w.source(r, s)
	}
	return said
}

// sources folds what was not read, and says what was.
func (p *page) sources() {
	unread := p.words(false).unreadParts(p.report)
	if len(unread) == 0 || p.detail.findings == 0 {
		return
	}
	fmt.Fprintf(p, "\n<details><summary>%s not read</summary>\n\n", Plural(len(unread), "part of the tree was", "parts of the tree were"))
	for _, line := range unread[:min(len(unread), p.detail.findings)] {
		p.WriteString("- " + line + "\n")
	}
	if n := len(unread) - p.detail.findings; n > 0 {
		fmt.Fprintf(p, "- …and %d more\n", n)
	}
	p.WriteString("\n</details>\n")
}

func (t *terminal) sources() {
	lines := t.words.unreadParts(t.report)
	for _, line := range lines {
		fmt.Fprintf(t, "%-*s%s\n", indent, "not read", line)
	}
	if len(lines) > 0 {
		t.WriteString("\n")
	}
}
