package format

import (
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// What relative addresses are relative to. %SRCROOT% is the name that GitHub knows for the checkout, which is the later side.
const (
	baseAfter  = "%SRCROOT%"
	baseBefore = "BEFORE"
)

// sarifBases describes both sides, and where the earlier one can be read.
func sarifBases(r *report.Report) map[string]sarifArtifact {
	describe := func(which string, s report.Side) *sarifMessage {
		return &sarifMessage{sarifText(strings.TrimSpace("the " + which + " side, " + visible(revision(s))))}
	}
	before := sarifArtifact{Description: describe("earlier", r.Before)}
	if address := r.Before.BlobURL; strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		before.URI = strings.TrimSuffix(percentEncode(address), "/") + "/"
	}
	return map[string]sarifArtifact{baseAfter: {Description: describe("later", r.After)}, baseBefore: before}
}

// sarifPlace is a position of one side. What stood only in the earlier side has two: in the later one its file without a
// line, since every line of it means something else now, and the line where it was.
func sarifPlace(p diagnostic.Position, side string) (now, then *sarifLocation) {
	if !isFile(p.File) {
		return nil, nil
	}
	uri, base := sarifURI(p.File, baseAfter)
	here := sarifLocation{PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: sarifArtifact{URI: uri, URIBaseID: base}}}
	if side != "before" {
		here.PhysicalLocation.Region = sarifRegionOf(p)
		return &here, nil
	}
	uri, base = sarifURI(p.File, baseBefore)
	there := sarifLocation{
		PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: sarifArtifact{URI: uri, URIBaseID: base}, Region: sarifRegionOf(p)},
		Message:          &sarifMessage{"where it was before the change"},
	}
	return &here, &there
}

// key tells one place from another.
func (l *sarifLocation) key() string {
	p := l.PhysicalLocation
	key := p.ArtifactLocation.URIBaseID + " " + p.ArtifactLocation.URI
	if p.Region != nil {
		key += fmt.Sprintf(" %d:%d", p.Region.StartLine, p.Region.StartColumn)
	}
	return key
}

// nowhere is the root of the checkout: the place of what has none. GitHub refuses a whole file for one result without a
// place ("locationFromSarifResult: expected at least one location").
func nowhere() sarifLocation {
	return sarifLocation{PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: sarifArtifact{URI: ".", URIBaseID: baseAfter}}}
}

func sarifRegionOf(p diagnostic.Position) *sarifRegion {
	if p.Line < 1 {
		return nil
	}
	return &sarifRegion{StartLine: p.Line, StartColumn: max(p.Column, 0)}
}

// sarifURI is the address of a file, and what it is relative to. A colon in the first segment would end a scheme.
func sarifURI(file, base string) (uri, baseID string) {
	uri = strings.ReplaceAll(escapeFile(file), ":", "%3A")
	if strings.HasPrefix(file, "/") {
		return "file://" + uri, ""
	}
	return uri, base
}

// sarifObject names an object of the manifests.
func sarifObject(o diagnostic.Object) []sarifLogicalLocation {
	name := visible(o.String())
	if name == "" {
		return nil
	}
	return []sarifLogicalLocation{{FullyQualifiedName: name, Kind: "resource"}}
}
