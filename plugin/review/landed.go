package review

import (
	"context"
	"maps"
	"strings"

	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// landed asks the history of the earlier commit when its routes landed on the branch, and renders both sides again with the
// answer (product.md, R9). History is read only where it can decide something: a name has decided between rules of equal match.
// A route that the later side alone has stays the youngest.
func landed(ctx context.Context, earlier, later *input, forEarlier, forLater render.Options) error {
	if earlier.repository == nil || earlier.objects == nil || !decidedByName(earlier) && !decidedByName(later) {
		return nil
	}
	var err error
	if forEarlier.Ages, err = earlier.landings(ctx); err != nil {
		return err
	}
	ages := maps.Clone(forEarlier.Ages)
	maps.Copy(ages, forLater.Ages)
	forLater.Ages = ages
	earlier.parse(ctx)
	later.parse(ctx)
	settle(forEarlier, earlier, later)
	if err := renderSide(ctx, earlier, forEarlier); err != nil {
		return err
	}
	return renderSide(ctx, later, forLater)
}

// landings asks the history when the routes of a commit landed. The age of one is missing where the history does not tell.
func (in *input) landings(ctx context.Context) (map[diagnostic.Object]model.Age, error) {
	asked, made, err := in.inHistory(ctx, placed(in.objects))
	if err != nil {
		return nil, err
	}
	landings, err := in.repository.Landings(ctx, in.commit, git.LandingQuery{
		Objects:  asked,
		Match:    manifest.Candidate,
		Identify: identify(ctx),
	})
	if err != nil {
		return nil, err
	}
	ages := map[diagnostic.Object]model.Age{}
	for object, landing := range landings {
		for _, name := range made[object] {
			ages[name] = model.Age{Created: landing.Time, Source: model.AgeGit}
		}
	}
	return ages, nil
}

func decidedByName(side *input) bool {
	if side.rendering == nil {
		return false
	}
	for _, d := range side.rendering.Diagnostics {
		if d.Code == diagnostic.DecidedByName {
			return true
		}
	}
	return false
}

// placed are the routes with the files that hold them.
func placed(objects *manifest.Objects) []git.ObjectAt {
	var found []git.ObjectAt
	for route := range objects.Routes() {
		found = append(found, git.ObjectAt{Object: route.Name(), File: route.Places.Document.File})
	}
	return found
}

// identify names the routes in an old version of a file; what is wrong with it does not matter any more.
func identify(ctx context.Context) func(string, []byte) []diagnostic.Object {
	reader := manifest.NewReader(manifest.Limits{})
	return func(name string, data []byte) []diagnostic.Object {
		objects, _ := reader.Read(ctx, []manifest.Source{{Name: name, Data: data}})
		found := routes(objects)
		for _, refused := range objects.Invalid {
			if strings.HasSuffix(refused.Kind, "Route") {
				found = append(found, refused.Object)
			}
		}
		return found
	}
}
