package schematest

import (
	"maps"
	"regexp"
	"slices"
)

// step of a path: the name of a field, [] or {}.
var step = regexp.MustCompile(`[^.\[\]{}]+|\[\]|\{\}`)

// place is where a value stands in an object: names of fields and numbers of items.
type place []any

// locate finds the first value in an object that a path stands for.
func locate(value any, path string) (place, bool) {
	return locateSteps(value, step.FindAllString(path, -1))
}

func locateSteps(value any, steps []string) (place, bool) {
	if len(steps) == 0 {
		return nil, true
	}
	switch value := value.(type) {
	case map[string]any:
		names := []string{steps[0]}
		if steps[0] == "{}" {
			names = slices.Sorted(maps.Keys(value))
		}
		for _, name := range names {
			if item, is := value[name]; is {
				if rest, found := locateSteps(item, steps[1:]); found {
					return append(place{name}, rest...), true
				}
			}
		}
	case []any:
		for i, item := range value {
			if rest, found := locateSteps(item, steps[1:]); found && steps[0] == "[]" {
				return append(place{i}, rest...), true
			}
		}
	}
	return nil, false
}

// of gives the value at a place.
func (p place) of(value any) any {
	for _, step := range p {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

// put gives a copy of a value with another one at a place. What is not changed is shared.
func (p place) put(value, other any) any {
	if len(p) == 0 {
		return other
	}
	switch step := p[0].(type) {
	case string:
		changed := maps.Clone(value.(map[string]any))
		changed[step] = p[1:].put(changed[step], other)
		return changed
	default:
		changed := slices.Clone(value.([]any))
		changed[step.(int)] = p[1:].put(changed[step.(int)], other)
		return changed
	}
}
