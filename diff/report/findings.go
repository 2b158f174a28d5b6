package report

// HasFindings tells whether there is anything that a reviewer should look at: a class, an edit without effect, an undecided region.
func (r *Report) HasFindings() bool {
	return len(r.Classes)+len(r.Effectless)+len(r.Undecided) > 0
}
