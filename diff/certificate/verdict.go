package certificate

// Sum is the verdict that the claims of the certificate amount to.
func (c *Certificate) Sum() Verdict {
	if len(c.Uncompared) > 0 {
		return NotDecided
	}
	verdict := NothingChanges
	for _, g := range c.Gateways {
		if g.Before == "" || g.After == "" || len(g.Backends) > 0 {
			verdict = Changes
		}
		for _, p := range g.Places {
			if len(p.Undecided) > 0 {
				return NotDecided
			}
			if len(p.Classes) > 0 || p.Certificates || p.Reading || p.Before < 0 || p.After < 0 {
				verdict = Changes
			}
		}
	}
	return verdict
}
