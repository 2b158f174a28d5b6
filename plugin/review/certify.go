package review

import (
	"context"
	"fmt"

	"github.com/routedelta/routedelta/diff/certificate"
	"github.com/routedelta/routedelta/diff/certify"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/verify"
)

// Certify is Compare, and gives the certificate of what it says about Envoy's files.
func Certify(ctx context.Context, before, after Source, options Options) (*report.Report, *certificate.Certificate, error) {
	earlier, later, err := options.bothSides(ctx, before, after)
	if err != nil {
		return nil, nil, err
	}
	found, compared, err := options.compare(ctx, earlier, later)
	if err != nil {
		return nil, nil, err
	}
	return found, certify.Make(options.Tool, earlier.certified(), later.certified(), compared, notCompared(earlier, later)), nil
}

func (in *input) certified() certify.Side {
	return certify.Side{Source: in.source.String(), Order: in.side.Order, Files: in.digest(), Sets: in.sets}
}

// Verify reads and renders two sides as Compare does, and checks a certificate against them.
func Verify(ctx context.Context, c *certificate.Certificate, before, after Source, options Options) (*verify.Result, error) {
	earlier, later, err := options.bothSides(ctx, before, after)
	if err != nil {
		return nil, err
	}
	sides := verify.Sides{Before: earlier.verified(), After: later.verified(), Uncompared: notCompared(earlier, later)}
	return verify.Check(ctx, c, sides, verify.Limits{})
}

func (in *input) verified() verify.Side { return verify.Side{Files: in.digest(), Sets: in.sets} }

// notCompared are the differences beside Envoy's files, one line each.
func notCompared(earlier, later *input) []string {
	var lines []string
	for _, u := range uncompared(earlier, later) {
		lines = append(lines, fmt.Sprintf("%s %s/%s %s: %s", u.Kind, u.Namespace, u.Name, u.Edit, u.Reason))
	}
	return lines
}
