package table

import (
	"fmt"
	"strconv"
	"strings"
)

// String is the outcome in a few words for people: "orders:80", "90% orders:80, 10% orders-canary:80",
// "301 https://{host}{path}", "404".
func (o Outcome) String() string {
	switch o.Kind {
	case ToBackends:
		return sharesText(o.Backends, o.Total)
	case Redirected:
		return fmt.Sprintf("%d %s", o.Status, o.Location)
	case Answered:
		return strconv.FormatUint(uint64(o.Status), 10)
	case Mixed:
		words := make([]string, len(o.Parts))
		for i, p := range o.Parts {
			words[i] = percent(p.Weight, o.Total) + " " + p.Outcome.String()
		}
		return strings.Join(words, ", ")
	}
	return "404"
}

func sharesText(shares []Share, total uint64) string {
	if len(shares) == 1 {
		return shares[0].Backend.String()
	}
	words := make([]string, len(shares))
	for i, s := range shares {
		words[i] = percent(s.Weight, total) + " " + s.Backend.String()
	}
	return strings.Join(words, ", ")
}

// percent is a share with at most two decimals, "≈" where these are not exact.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "0%"
	}
	value := float64(part) * 100 / float64(whole)
	text := strconv.FormatFloat(value, 'f', 2, 64)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if parsed, _ := strconv.ParseFloat(text, 64); parsed*float64(whole) != float64(part)*100 {
		text = "≈" + text
	}
	return text + "%"
}

// String is "orders:80", with the kind in front when it is no Service. The namespace is left out: who prints several
// namespaces adds it.
func (b Backend) String() string {
	switch {
	case b.Status != 0:
		return strconv.FormatUint(uint64(b.Status), 10)
	case b.Service == "":
		return b.Cluster
	}
	name := b.Service
	if b.Kind != "" {
		name = b.Kind + " " + name
	}
	if b.Port == 0 {
		return name
	}
	return name + ":" + strconv.FormatUint(uint64(b.Port), 10)
}
