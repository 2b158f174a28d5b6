package class

// findEffectless is filled in next.
func (c *comparison) findEffectless([]*hostPair) {}
