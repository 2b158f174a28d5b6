package class

import "github.com/routedelta/routedelta/diff/table"

// numbers numbers texts, so that they are compared once.
type numbers map[string]int

func (n numbers) of(s string) int {
	i, ok := n[s]
	if !ok {
		i = len(n)
		n[s] = i
	}
	return i
}

// outcomes numbers outcomes by key and by choice.
type outcomes struct {
	keys, choices numbers
	known         []table.Outcome // by number
	choiceOf      []int           // by number
}

func newOutcomes() *outcomes { return &outcomes{keys: numbers{}, choices: numbers{}} }

func (o *outcomes) of(key string, outcome *table.Outcome) (number, choice int) {
	number = o.keys.of(key)
	if number == len(o.known) {
		o.known = append(o.known, *outcome)
		o.choiceOf = append(o.choiceOf, o.choices.of(outcome.ChoiceKey()))
	}
	return number, o.choiceOf[number]
}

// hiddenOutcome is the outcome of a rest that stands for rules.
const hiddenOutcome = -1

// choice numbers what of a rule's outcome chooses the backend.
func (c *comparison) choice(k *candidate) int {
	_, choice := c.outcomes.of(k.rule.OutcomeKey(), &k.rule.Outcome)
	return choice
}
