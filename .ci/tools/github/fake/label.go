package fake

import (
	"net/http"
	"slices"
	"strings"
)

// labels lists those of a pull request, or adds some.
func (c *call) labels(parts []string) answer {
	pull := c.world.state.pullRequest(number(parts[0]))
	if pull == nil {
		return notFound()
	}
	if c.request.Method == http.MethodPost {
		var sent struct{ Labels []string }
		c.decode(&sent)
		for _, name := range sent.Labels {
			if !slices.ContainsFunc(pull.Labels, func(there string) bool { return strings.EqualFold(there, name) }) {
				pull.Labels = append(pull.Labels, name)
			}
		}
		return answer{status: http.StatusOK, form: labelForms(pull.Labels)}
	}
	return c.list(labelForms(pull.Labels))
}

// label removes one.
func (c *call) label(parts []string) answer {
	pull := c.world.state.pullRequest(number(parts[0]))
	if pull == nil {
		return notFound()
	}
	i := slices.IndexFunc(pull.Labels, func(there string) bool { return strings.EqualFold(there, parts[1]) })
	if i < 0 {
		return refusal(http.StatusNotFound, "Label does not exist")
	}
	pull.Labels = slices.Delete(pull.Labels, i, i+1)
	return answer{status: http.StatusOK, form: labelForms(pull.Labels)}
}

func labelForms(names []string) []any {
	forms := []any{}
	for _, name := range names {
		forms = append(forms, form{"name": name, "color": "ededed"})
	}
	return forms
}
