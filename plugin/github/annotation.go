package github

import (
	"context"

	"github.com/google/go-github/v60/github"
)

// Annotation is a remark on lines of a file, shown in the view of the changed files.
type Annotation struct {
	// Path from the root of the repository.
	Path string
	// StartLine and EndLine count from 1.
	StartLine, EndLine int
	Level              AnnotationLevel
	Title, Message     string
}

// AnnotationLevel is how grave an annotation is.
type AnnotationLevel string

const (
	LevelNotice  AnnotationLevel = "notice"
	LevelWarning AnnotationLevel = "warning"
	LevelFailure AnnotationLevel = "failure"
)

// maxAnnotations is how many annotations GitHub takes in one request ("Update a check run", output.annotations).
const maxAnnotations = 50

// batch splits off as many annotations as fit into a request.
func batch(annotations []Annotation) (first, rest []Annotation) {
	n := min(len(annotations), maxAnnotations)
	return annotations[:n], annotations[n:]
}

func (a Annotation) wire() *github.CheckRunAnnotation {
	return &github.CheckRunAnnotation{
		Path: &a.Path, StartLine: &a.StartLine, EndLine: &a.EndLine, AnnotationLevel: github.String(string(a.Level)),
		Title: optional(a.Title), Message: &a.Message,
	}
}

// annotations are those that a check run shows.
func (c *checking) annotations(ctx context.Context, there *github.CheckRun) ([]Annotation, error) {
	if there.GetOutput().GetAnnotationsCount() == 0 {
		return nil, nil
	}
	var shown []Annotation
	var options github.ListOptions
	err := paged(&options, func() (*github.Response, error) {
		page, response, err := c.client.api.Checks.ListCheckRunAnnotations(ctx, c.place.Owner, c.place.Repository, there.GetID(), &options)
		for _, a := range page {
			shown = append(shown, Annotation{Path: a.GetPath(), StartLine: a.GetStartLine(), EndLine: a.GetEndLine(),
				Level: AnnotationLevel(a.GetAnnotationLevel()), Title: a.GetTitle(), Message: a.GetMessage()})
		}
		return response, err
	})
	if err != nil {
		return nil, c.client.failed(ctx, c.place.operation("listing the annotations of"), err)
	}
	return shown, nil
}

// without are the wanted annotations that are not shown yet; false if one is shown that is not wanted.
func without(wanted, shown []Annotation) ([]Annotation, bool) {
	there := map[Annotation]int{}
	for _, a := range shown {
		there[a.settled()]++
	}
	var missing []Annotation
	for _, a := range wanted {
		if there[a.settled()] == 0 {
			missing = append(missing, a)
			continue
		}
		there[a.settled()]--
	}
	for _, n := range there {
		if n > 0 {
			return nil, false
		}
	}
	return missing, true
}

// settled is an annotation without what GitHub may change in its texts.
func (a Annotation) settled() Annotation {
	a.Title, a.Message = settled(a.Title), settled(a.Message)
	return a
}
