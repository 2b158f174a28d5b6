package main

import (
	"fmt"
	"reflect"

	"github.com/routedelta/routedelta/render/schema/schematest"
)

// report tells what differs between the answers that are kept and those of today.
func report(kept, now schematest.Answers) error {
	if kept.Kubernetes != now.Kubernetes {
		fmt.Printf("the answers that are kept are of Kubernetes %s\n", kept.Kubernetes)
	}
	before := make(map[string]schematest.Answer, len(kept.List))
	for _, answer := range kept.List {
		before[answer.Probe] = answer
	}
	different := 0
	for _, answer := range now.List {
		was, known := before[answer.Probe]
		delete(before, answer.Probe)
		if known && reflect.DeepEqual(normal(was), normal(answer)) {
			continue
		}
		different++
		fmt.Printf("%s\n  kept: %+v\n  now:  %+v\n", answer.Probe, was, answer)
	}
	for name := range before {
		different++
		fmt.Printf("%s\n  is not asked any more\n", name)
	}
	if different > 0 {
		return fmt.Errorf("%d answers differ; WRITE=1 keeps those of today", different)
	}
	return nil
}

// normal makes answers comparable: no list and an empty one are the same in a file.
func normal(answer schematest.Answer) schematest.Answer {
	if len(answer.Causes) == 0 {
		answer.Causes = nil
	}
	if len(answer.Warnings) == 0 {
		answer.Warnings = nil
	}
	return answer
}
