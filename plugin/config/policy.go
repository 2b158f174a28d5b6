package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Policy says which changes fail a review, and who has allowed which of them.
type Policy struct {
	// FailOn are rules by name, see PolicyRules; none lets every change pass.
	FailOn []string `yaml:"failOn"`
	// MaxMovedShare, in percent from 1 to 100, is how much of a kind of requests may move at once under the rule "moved-share".
	MaxMovedShare int      `yaml:"maxMovedShare"`
	Waivers       []Waiver `yaml:"waivers"`
}

// Rules of a policy.
const (
	BackendLost      = "backend-lost"      // requests that had a backend get an error answer or no route
	NotFoundAdded    = "404-introduced"    // requests that had any answer of the configuration get 404
	HostLost         = "host-lost"         // a host is not served any more
	MovedShare       = "moved-share"       // more than MaxMovedShare percent of a kind of requests moves
	UndecidedChange  = "undecided"         // something could not be decided or compared
	SecurityRemoved  = "security-removed"  // a treatment that protects (authorization, CORS, client certificates, TLS to the backend) goes
	NamespaceCrossed = "namespace-crossed" // requests move to a backend of another namespace
)

// PolicyRules are all rules that FailOn takes.
func PolicyRules() []string {
	return []string{BackendLost, NotFoundAdded, HostLost, MovedShare, UndecidedChange, SecurityRemoved, NamespaceCrossed}
}

// Waiver allows what a rule forbids, for a time. It stands in the configuration of the base commit, so that somebody has merged it.
type Waiver struct {
	// Rule that it waives.
	Rule string `yaml:"rule"`
	// Class is the ID of one class of a report; Host a host or *.suffix. At least one is set, and all that are set must fit.
	Class string `yaml:"class"`
	Host  string `yaml:"host"`
	// Target that it holds for; empty is any.
	Target string `yaml:"target"`
	// By names who allows it, Reason says why, Until (2027-03-31) is the last day on which it holds. All three must be there.
	By     string `yaml:"by"`
	Reason string `yaml:"reason"`
	Until  string `yaml:"until"`
}

func (p Policy) validate(d document, targets []Target) error {
	for i, rule := range p.FailOn {
		if !slices.Contains(PolicyRules(), rule) {
			return fmt.Errorf("%s: %q is none of %s", d.at(fmt.Sprintf("spec.policy.failOn[%d]", i)), rule, strings.Join(PolicyRules(), ", "))
		}
	}
	if p.MaxMovedShare < 0 || p.MaxMovedShare > 100 {
		return fmt.Errorf("%s: want a percentage from 1 to 100, have %d", d.at("spec.policy.maxMovedShare"), p.MaxMovedShare)
	}
	if p.MaxMovedShare == 0 && slices.Contains(p.FailOn, MovedShare) {
		return fmt.Errorf("%s: the rule %s needs it", d.at("spec.policy.maxMovedShare"), MovedShare)
	}
	for i, waiver := range p.Waivers {
		if err := waiver.validate(func(field string) string { return d.at(fmt.Sprintf("spec.policy.waivers[%d]%s", i, field)) }, targets); err != nil {
			return err
		}
	}
	return nil
}

// waiverHost keeps "*", which would waive everything, from being a host.
var waiverHost = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

// validate holds a waiver against what it must say; at is how an error of a field of it begins.
func (w Waiver) validate(at func(field string) string, targets []Target) error {
	switch {
	case !slices.Contains(PolicyRules(), w.Rule):
		return fmt.Errorf("%s: %q is none of %s", at(".rule"), w.Rule, strings.Join(PolicyRules(), ", "))
	case w.Class == "" && w.Host == "":
		return fmt.Errorf("%s: want class or host, or it would waive everything", at(""))
	case w.Host != "" && !waiverHost.MatchString(w.Host):
		return fmt.Errorf("%s: %q: want a name, or *.suffix", at(".host"), w.Host)
	case w.Target != "" && !slices.ContainsFunc(targets, func(t Target) bool { return t.Name == w.Target }):
		return fmt.Errorf("%s: no target is named %q; targets are %s", at(".target"), w.Target, cmp.Or(strings.Join(TargetNames(targets), ", "), "none"))
	case w.By == "" || w.Reason == "":
		return fmt.Errorf("%s: want by and reason: who allows it, and why", at(""))
	}
	if _, err := time.Parse(time.DateOnly, w.Until); err != nil {
		return fmt.Errorf("%s: %q is no day such as 2027-03-31", at(".until"), w.Until)
	}
	return nil
}
