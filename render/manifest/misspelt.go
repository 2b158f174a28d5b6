package manifest

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/diagnostic"
)

// meant is the kind that the author of a kind that no cluster knows has meant: one whose name differs by the case of its letters only, or
// one of the Gateway API whose group is misspelt. It is known by its names alone, so a kind of another group stays what it is.
func meant(id groupKind) (groupKind, bool) {
	if id.group != gatewayGroup && id.group != experimentalGroup && isGatewayKind(id.kind) &&
		diagnostic.Nearest(id.group, []string{gatewayGroup}) != "" {
		return groupKind{gatewayGroup, id.kind}, true
	}
	for known := range kinds {
		if known.group == id.group && known != id && strings.EqualFold(known.kind, id.kind) {
			return known, true // no two kinds of a group differ by case alone
		}
	}
	return groupKind{}, false
}

// misspelt is the error of an object whose kind is none, in the words of the API server.
func (one *item) misspelt(near groupKind, version string) *item {
	field, hint := "kind", "did you mean "+near.kind+"?"
	if near.kind == one.other.Kind {
		field, hint = "apiVersion", fmt.Sprintf("did you mean %s/%s?", near.group, visible(version))
	}
	one.complain(diagnostic.VersionNotServed, diagnostic.Error, field,
		fmt.Sprintf("no matches for kind %q in version %q", one.other.Kind, visible(one.other.APIVersion)), hint)
	return one
}
