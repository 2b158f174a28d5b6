package github

import (
	"context"
	"errors"
)

// Publication is all that one run has to say in one place. Parts that are nil are left as they are.
type Publication struct {
	Place    Place
	Comment  *Comment
	CheckRun *CheckRun
	Labels   *Labels
}

// Published is what became of each part. One that fails keeps none of the others from being published.
type Published struct {
	Comment, CheckRun, Labels Outcome
}

// Outcome of one part.
type Outcome struct {
	Result
	// Err is an *Error, or that of a cancelled context; nil where the part was published or not asked for.
	Err error
}

// Publish writes each part of the publication. An older run that finishes late writes a check run for its own commit only.
func Publish(ctx context.Context, client *Client, publication Publication) Published {
	var published Published
	place := publication.Place
	if comment := publication.Comment; comment != nil && place.Number != 0 {
		published.Comment.Result, published.Comment.Err = Upsert(ctx, client, place, *comment)
	}
	if check := publication.CheckRun; check != nil {
		published.CheckRun.Result, published.CheckRun.Err = UpsertCheckRun(ctx, client, place, *check)
	}
	if labels := publication.Labels; labels != nil && place.Number != 0 {
		published.Labels.Result, published.Labels.Err = SetLabels(ctx, client, place, *labels)
	}
	return published
}

// Err joins the errors that a run fails on. Labels are a convenience: that one could not be set fails nobody's run, and is said
// by the caller who looks at Labels.Err.
func (p Published) Err() error { return errors.Join(p.Comment.Err, p.CheckRun.Err) }

// Forbidden tells that something was not published for one reason only, that the token may not do it. It is so in the runs of
// pull requests from forks, whose token can only read.
func (p Published) Forbidden() bool {
	some := false
	for _, err := range []error{p.Comment.Err, p.CheckRun.Err} {
		if err != nil && !IsKind(err, Forbidden) {
			return false
		}
		some = some || err != nil
	}
	return some
}
