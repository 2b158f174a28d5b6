package report

import "slices"

// HasFindings tells whether there is anything that a reviewer should look at: a class, an edit without effect, and what is open.
func (r *Report) HasFindings() bool { return len(r.Classes)+len(r.Effectless) > 0 || r.Open() }

// Open tells whether something about the change is not known: a region that could not be decided, or an edit that was not
// compared. It is never taken for "no change".
func (r *Report) Open() bool { return len(r.Undecided)+len(r.Uncompared) > 0 }

// Fails tells whether the policy forbids the change: a violation that nobody has waived.
func (r *Report) Fails() bool {
	return r.Policy != nil && slices.ContainsFunc(r.Policy.Violations, func(v Violation) bool { return v.Waived == nil })
}
