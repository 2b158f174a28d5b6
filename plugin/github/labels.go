package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Labels are set and taken away so that the labels of a pull request say what its newest commit does. GitHub makes a label that the
// repository does not have yet.
type Labels struct {
	Add, Remove []string
}

// SetLabels makes the pull request have the labels to add and none of those to remove; it writes only what differs. A run whose
// commit is not the newest any more changes nothing.
func SetLabels(ctx context.Context, client *Client, place Place, labels Labels) (Result, error) {
	if err := place.validate(); err != nil {
		return Result{}, err
	}
	for _, name := range slices.Concat(labels.Add, labels.Remove) {
		if strings.TrimSpace(name) == "" || name == "." || name == ".." {
			return Result{}, fmt.Errorf("label %q: not a name", name)
		}
	}
	l := &labelling{client: client, place: place, labels: labels}
	err := client.untilDone(ctx, place.operation("labelling"), l.once)
	return l.result, err
}

// labelling is one SetLabels under way.
type labelling struct {
	client *Client
	place  Place
	labels Labels
	result Result
}

func (l *labelling) once(ctx context.Context) error {
	there, err := l.list(ctx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(l.labels.Add), func(name string) bool { return hasLabel(there, name) })
	superfluous := slices.DeleteFunc(slices.Clone(l.labels.Remove), func(name string) bool { return !hasLabel(there, name) })
	if len(missing)+len(superfluous) == 0 {
		l.result.Action = Unchanged
		return nil
	}
	if outdated, err := l.outdated(ctx); outdated || err != nil {
		l.result.Action = Outdated
		return err
	}
	for _, name := range superfluous {
		if err := l.remove(ctx, name); err != nil {
			return err
		}
	}
	if err := l.add(ctx, missing); err != nil {
		return err
	}
	l.result.Action = Updated
	return nil
}

// outdated tells whether the pull request has another commit by now.
func (l *labelling) outdated(ctx context.Context) (bool, error) {
	if l.place.Run.Head == "" {
		return false, nil
	}
	pull, err := l.client.PullRequest(ctx, l.place.Owner, l.place.Repository, l.place.Number)
	return err == nil && pull.Head != l.place.Run.Head, err
}

// hasLabel compares names as GitHub does: it knows a label by any case of its letters.
func hasLabel(there []string, name string) bool {
	return slices.ContainsFunc(there, func(label string) bool { return strings.EqualFold(label, name) })
}

func (l *labelling) list(ctx context.Context) ([]string, error) {
	var names []string
	var options github.ListOptions
	err := paged(&options, func() (*github.Response, error) {
		page, response, err := l.client.api.Issues.ListLabelsByIssue(ctx, l.place.Owner, l.place.Repository, l.place.Number, &options)
		for _, label := range page {
			names = append(names, label.GetName())
		}
		return response, err
	})
	if err != nil {
		return nil, l.client.failed(ctx, l.place.operation("listing the labels of"), err)
	}
	return names, nil
}

// add sends the names as a member: go-github sends the list alone, which GitHub takes, but does not describe.
func (l *labelling) add(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	address := fmt.Sprintf("repos/%s/%s/issues/%d/labels", l.place.Owner, l.place.Repository, l.place.Number)
	request, err := l.client.api.NewRequest(http.MethodPost, address, map[string]any{"labels": names})
	if err != nil {
		return err
	}
	if _, err := l.client.api.Do(ctx, request, nil); err != nil {
		return unsure(l.client.failed(ctx, l.place.operation("adding labels to"), err))
	}
	return nil
}

// remove takes a label away. Another run may have done so already.
func (l *labelling) remove(ctx context.Context, name string) error {
	response, err := l.client.api.Issues.RemoveLabelForIssue(ctx, l.place.Owner, l.place.Repository, l.place.Number, url.PathEscape(name))
	if err == nil || (response != nil && response.StatusCode == http.StatusNotFound) {
		return nil
	}
	return l.client.failed(ctx, l.place.operation("removing a label of"), err)
}
