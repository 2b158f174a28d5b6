package manifest

// Limits bound what an input may cost. A zero field means its default; there is no way to say "without limit".
type Limits struct {
	// FileBytes is the largest file, TotalBytes the largest sum of all. Defaults: 32 MiB and 256 MiB.
	FileBytes, TotalBytes int64
	// Documents is the largest number of YAML documents. Default: 200,000.
	Documents int
	// Depth is the deepest nesting. Default: 100; the deepest field of the kinds read here is at 14.
	Depth int
	// AliasFactor is how many times larger than written a document may become when its aliases are unfolded, and AliasNodes
	// how many nodes all aliases of an input may add together. Defaults: 10 and 1,000,000.
	AliasFactor, AliasNodes int
}

// withDefaults fills in what is not set.
func (l Limits) withDefaults() Limits {
	return Limits{
		FileBytes:   orDefault(l.FileBytes, 32<<20),
		TotalBytes:  orDefault(l.TotalBytes, 256<<20),
		Documents:   orDefault(l.Documents, 200_000),
		Depth:       orDefault(l.Depth, 100),
		AliasFactor: orDefault(l.AliasFactor, 10),
		AliasNodes:  orDefault(l.AliasNodes, 1_000_000),
	}
}

func orDefault[T int | int64](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}
