package config

import (
	"fmt"
	"regexp"
	"time"
)

// Check says what routedelta check leaves out.
type Check struct {
	Suppress []Suppression `yaml:"suppress"`
}

// Suppression takes a finding out of the list, for a reason.
type Suppression struct {
	// Code of the finding: RD3001.
	Code string `yaml:"code"`
	// Object that it is about: "HTTPRoute shop/orders"; empty is any.
	Object string `yaml:"object"`
	// Reason is for people, and must be there.
	Reason string `yaml:"reason"`
	// Until is the last day (2027-03-31) on which it holds; empty is for ever.
	Until string `yaml:"until"`
}

var diagnosticCode = regexp.MustCompile(`^RD[0-9]{4}$`)

// validate holds each suppression against what it must say.
func (c Check) validate(d document) error {
	for i, s := range c.Suppress {
		at := func(field string) string { return d.at(fmt.Sprintf("spec.check.suppress[%d].%s", i, field)) }
		switch {
		case !diagnosticCode.MatchString(s.Code):
			return fmt.Errorf("%s: %q is no code such as RD3001", at("code"), s.Code)
		case s.Reason == "":
			return fmt.Errorf("%s: want why %s is suppressed", at("reason"), s.Code)
		}
		if s.Until == "" {
			continue
		}
		if _, err := time.Parse(time.DateOnly, s.Until); err != nil {
			return fmt.Errorf("%s: %q is no day such as 2027-03-31", at("until"), s.Until)
		}
	}
	return nil
}
