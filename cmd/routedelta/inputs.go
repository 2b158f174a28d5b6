package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
)

// actionInputs are the inputs of the action, see action.yml.
type actionInputs struct {
	path, base             string
	comment, whenClean     string
	instance, token        string
	failOn, targets        []string
	annotations, checkRun  bool
	labels                 []conditionalLabel
	artifact, fromArtifact string
}

// conditionalLabel is a label that a pull request has while a condition holds.
type conditionalLabel struct{ condition, name string }

// labelConditions are the conditions by name.
func labelConditions() map[string]func(*report.Report) bool {
	some := func(count func(report.Counts) int) func(*report.Report) bool {
		return func(r *report.Report) bool { return count(r.Counts) > 0 }
	}
	return map[string]func(*report.Report) bool{
		"changed":   func(r *report.Report) bool { return len(r.Classes) > 0 || r.Open() },
		"failed":    (*report.Report).Fails,
		"undecided": (*report.Report).Open,
		"lost":      some(func(c report.Counts) int { return c.Lost }),
		"moves":     some(func(c report.Counts) int { return c.Moves }),
		"gained":    some(func(c report.Counts) int { return c.Gained }),
		"treated":   some(func(c report.Counts) int { return c.Treated }),
		"served":    some(func(c report.Counts) int { return c.Served }),
	}
}

func (l conditionalLabel) holds(found *report.Report) bool {
	return labelConditions()[l.condition](found)
}

// read takes the inputs from the environment, in which they are INPUT_ and their name in capitals, with "_" for "-".
func (i *actionInputs) read(env func(string) string) error {
	input := func(name string) string {
		return strings.TrimSpace(env("INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))))
	}
	i.path, i.base, i.instance, i.token = input("path"), input("base"), input("instance"), input("token")
	i.artifact, i.fromArtifact = input("artifact"), input("from-artifact")
	i.failOn, i.targets = words(input("fail-on")), words(input("targets"))
	var err error
	if i.comment, err = choice("comment", input("comment"), "on-change", "always", "never"); err != nil {
		return err
	}
	if i.whenClean, err = choice("when-clean", input("when-clean"), string(github.UpdateClean), string(github.HideClean), string(github.DeleteClean)); err != nil {
		return err
	}
	annotations, err := choice("annotations", input("annotations"), "true", "false")
	if err != nil {
		return err
	}
	checkRun, err := choice("check-run", input("check-run"), "false", "true")
	if err != nil {
		return err
	}
	i.annotations, i.checkRun = annotations == "true", checkRun == "true"
	return i.readLabels(input("labels"))
}

// words are a list that is written with commas, blanks or line breaks between.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' || r == '\t' })
}

// choice is one of a few words, the first if nothing is said.
func choice(name, value string, known ...string) (string, error) {
	if value == "" {
		return known[0], nil
	}
	if !slices.Contains(known, value) {
		return "", fmt.Errorf("the input %s is %q, and none of %s", name, value, strings.Join(known, ", "))
	}
	return value, nil
}

// readLabels reads "lost=routes/lost, changed=routes": a label for each condition. A label's name may hold blanks.
func (i *actionInputs) readLabels(text string) error {
	for item := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		if strings.TrimSpace(item) == "" {
			continue
		}
		condition, name, ok := strings.Cut(strings.TrimSpace(item), "=")
		condition, name = strings.TrimSpace(condition), strings.TrimSpace(name)
		if _, known := labelConditions()[condition]; !known || !ok || name == "" {
			return fmt.Errorf("the input labels has %q, and wants CONDITION=LABEL, with changed, lost, moves, gained, treated, served, undecided or failed", item)
		}
		i.labels = append(i.labels, conditionalLabel{condition, name})
	}
	return nil
}
