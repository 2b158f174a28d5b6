package diff_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/routedelta/routedelta/diff"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/render/model"
)

// BenchmarkCompare compares two loaded renderings, digests and backends included, in the two shapes in which they grow: 50 rules
// for each host, and all rules in one virtual host. "none" is what looking at both sides costs; what an edit takes beyond that is
// to depend on the edit, not on the number of rules.
func BenchmarkCompare(b *testing.B) {
	shapes := []struct {
		name         string
		rulesPerHost int
	}{{"hosts", 50}, {"one", 0}}
	for _, shape := range shapes {
		for _, rules := range []int{1_000, 10_000, 100_000} {
			perHost := shape.rulesPerHost
			if perHost == 0 {
				perHost = rules
			}
			for _, edited := range []int{-1, rules / 2} {
				name := map[bool]string{true: "none", false: "backend"}[edited < 0]
				before, after := sets(large(rules, perHost, -1)), sets(large(rules, perHost, edited))
				b.Run(fmt.Sprintf("%s/%d/%s", shape.name, rules, name), func(b *testing.B) {
					tabletest.ReportProcessorTime(b, func(int) {
						compared, err := diff.Compare(context.Background(), before, after, diff.Options{})
						if err != nil {
							b.Fatal(err)
						}
						if got := compared.Report; len(got.Undecided) > 0 || len(got.Classes) > 1 || (len(got.Classes) == 1) != (edited >= 0) {
							b.Fatalf("%d classes, undecided %v", len(got.Classes), got.Undecided)
						}
					})
				})
			}
		}
	}
}

// large has rules on many exact paths and prefixes, and at the end of each host a rule for all the rest. The edited rule, if
// there is one, goes to another backend.
func large(rules, perHost, edited int) *model.Gateway {
	var hosts []model.Host
	for first := 0; first < rules; first += perHost {
		var exact, prefixes []model.Rule
		for i := first; i < first+perHost-1; i++ {
			service := fmt.Sprint("service", i)
			if i == edited {
				service = "elsewhere"
			}
			path := fmt.Sprintf("/team%d/service%d", i%97, i)
			if i%3 == 0 {
				exact = append(exact, rule("shop", "="+path, to(service)))
			} else {
				prefixes = append(prefixes, rule("shop", path, to(service)))
			}
		}
		name := fmt.Sprintf("host%d.example", first)
		hosts = append(hosts, host(name, append(append(exact, prefixes...), rule("shop", "/", to("web")))...))
	}
	return gatewayOf(plain(80, hosts...))
}
