package fake

import (
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"
)

// What GitHub takes in one request about a check run.
const (
	maxAnnotations = 50
	summaryLimit   = 65_535
)

// checkRunChange is a request to create or update a check run.
type checkRunChange struct {
	Name       string
	HeadSHA    string  `json:"head_sha"`
	ExternalID *string `json:"external_id"`
	DetailsURL *string `json:"details_url"`
	Status     *string
	Conclusion *string
	Output     *struct {
		Title, Summary string
		Annotations    []Annotation
	}
}

func (c *call) createCheckRun([]string) answer {
	var change checkRunChange
	c.decode(&change)
	if _, there := c.world.state.Commits[change.HeadSHA]; !there {
		return refusal(http.StatusUnprocessableEntity, "No commit found for SHA: "+change.HeadSHA)
	}
	run := CheckRun{Head: change.HeadSHA, Status: "queued"}
	if refused := change.apply(&run); refused != nil {
		return *refused
	}
	run.ID = c.world.state.nextID()
	c.world.state.CheckRuns = append(c.world.state.CheckRuns, run)
	return answer{status: http.StatusCreated, form: c.checkRunForm(run)}
}

// checkRun reads or changes one.
func (c *call) checkRun(parts []string) answer {
	run := c.findCheckRun(parts[0])
	if run == nil {
		return notFound()
	}
	if c.request.Method == http.MethodPatch {
		var change checkRunChange
		c.decode(&change)
		if refused := change.apply(run); refused != nil {
			return *refused
		}
	}
	return answer{status: http.StatusOK, form: c.checkRunForm(*run)}
}

func (c *call) findCheckRun(id string) *CheckRun {
	i := slices.IndexFunc(c.world.state.CheckRuns, func(run CheckRun) bool { return fmt.Sprint(run.ID) == id })
	if i < 0 {
		return nil
	}
	return &c.world.state.CheckRuns[i]
}

// apply carries a change out, or refuses it. Annotations are added to those that are there.
func (change checkRunChange) apply(run *CheckRun) *answer {
	if output := change.Output; output != nil {
		switch {
		case len(output.Annotations) > maxAnnotations:
			refused := invalid("CheckRun", "annotations", "Annotations exceeds a maximum quantity of 50")
			return &refused
		case utf8.RuneCountInString(output.Summary) > summaryLimit:
			refused := invalid("CheckRun", "summary", "Summary is too long (maximum is 65535 characters)")
			return &refused
		}
		run.Title, run.Summary = output.Title, output.Summary
		run.Annotations = append(run.Annotations, output.Annotations...)
	}
	if change.Name != "" {
		run.Name = change.Name
	}
	for _, member := range []struct {
		to   *string
		from *string
	}{{&run.ExternalID, change.ExternalID}, {&run.DetailsURL, change.DetailsURL}, {&run.Status, change.Status}, {&run.Conclusion, change.Conclusion}} {
		if member.from != nil {
			*member.to = *member.from
		}
	}
	if change.Conclusion != nil {
		run.Status = "completed"
	}
	return nil
}

// checkRuns lists those of a commit: the newest of each name, unless all are asked for.
func (c *call) checkRuns(parts []string) answer {
	query := c.request.URL.Query()
	latest := map[string]int64{}
	for _, run := range c.world.state.CheckRuns {
		if run.Head == parts[0] {
			latest[run.Name] = run.ID
		}
	}
	all := []any{}
	for _, run := range c.world.state.CheckRuns {
		named := query.Get("check_name") == "" || query.Get("check_name") == run.Name
		if run.Head == parts[0] && named && (query.Get("filter") == "all" || latest[run.Name] == run.ID) {
			all = append(all, c.checkRunForm(run))
		}
	}
	part, header := c.page(all)
	return answer{status: http.StatusOK, header: header, form: form{"total_count": len(all), "check_runs": part}}
}

func (c *call) annotations(parts []string) answer {
	run := c.findCheckRun(parts[0])
	if run == nil {
		return notFound()
	}
	all := []any{}
	for _, a := range run.Annotations {
		all = append(all, form{"path": a.Path, "start_line": a.StartLine, "end_line": a.EndLine, "annotation_level": a.Level, "title": a.Title,
			"message": a.Message, "raw_details": nil, "start_column": nil, "end_column": nil})
	}
	return c.list(all)
}

func (c *call) checkRunForm(run CheckRun) form {
	var conclusion any
	if run.Conclusion != "" {
		conclusion = run.Conclusion
	}
	return form{"id": run.ID, "name": run.Name, "head_sha": run.Head, "external_id": run.ExternalID, "details_url": run.DetailsURL,
		"status": run.Status, "conclusion": conclusion, "pull_requests": []any{},
		"html_url": fmt.Sprintf("https://github.com/%s/runs/%d", c.world.state.Repository, run.ID),
		"output":   form{"title": run.Title, "summary": run.Summary, "text": nil, "annotations_count": len(run.Annotations)}}
}
