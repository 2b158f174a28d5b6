package certify_test

import (
	"math/rand/v2"
	"slices"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/table"
)

// falsehoods make a false certificate out of a true one, if it has what they alter.
var falsehoods = map[string]func(*rand.Rand, certificate.Place) (certificate.Place, bool){
	"a class is left out": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		if len(p.Classes) == 0 {
			return p, false
		}
		at := r.IntN(len(p.Classes))
		p.Classes = slices.Delete(slices.Clone(p.Classes), at, at+1)
		return p, true
	},
	"an area is left out": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		return alterClass(r, p, func(c *certificate.Class) bool {
			if len(c.Areas) < 2 {
				return false
			}
			c.Areas = slices.Delete(slices.Clone(c.Areas), 0, 1)
			return true
		})
	},
	"an area stands twice": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		return alterClass(r, p, func(c *certificate.Class) bool {
			c.Areas = append(slices.Clone(c.Areas), c.Areas[0])
			return true
		})
	},
	"an area has other paths": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		return alterClass(r, p, func(c *certificate.Class) bool {
			c.Areas = slices.Clone(c.Areas)
			was := c.Areas[0].Paths
			c.Areas[0].Paths = certificate.Terms{Include: []certificate.Term{{Kind: "exact", Value: "/surely/no/rule/of/the/pools"}}}
			return len(was.Include) > 0
		})
	},
	"the other facet": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		return alterClass(r, p, func(c *certificate.Class) bool {
			c.Facet = map[string]string{"backend": "treatment", "treatment": "backend"}[c.Facet]
			return true
		})
	},
	"another outcome": func(r *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		return alterClass(r, p, func(c *certificate.Class) bool {
			c.After = []table.Outcome{{Kind: table.Answered, Status: 418}}
			return true
		})
	},
	"an edited rule is called kept": func(_ *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		if len(p.Classes) == 0 || len(p.Pairs) == 0 {
			return p, false
		}
		p.Pairs = slices.Clone(p.Pairs)
		for i := range p.Pairs {
			p.Pairs[i].Kept = []certificate.Run{{Before: 0, After: 0, Length: 1 << 20}}
		}
		return p, true
	},
	"pairs are left out": func(_ *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		changed := len(p.Classes) > 0
		p.Pairs = nil
		return p, changed
	},
	"another option": func(_ *rand.Rand, p certificate.Place) (certificate.Place, bool) {
		options := *p.Options
		options.MergeSlashes = !options.MergeSlashes
		p.Options = &options
		return p, true
	},
}

func alterClass(r *rand.Rand, p certificate.Place, alter func(*certificate.Class) bool) (certificate.Place, bool) {
	if len(p.Classes) == 0 {
		return p, false
	}
	p.Classes = slices.Clone(p.Classes)
	return p, alter(&p.Classes[r.IntN(len(p.Classes))])
}
