package diff

import (
	"strings"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/render/files"
)

// readTables are the tables of a set, none for a Gateway that is not there. What table.Read complains of stands in the
// options of its tables too, as the reason why they are not decided.
func readTables(set *files.Set) []*table.Table {
	if set == nil {
		return nil
	}
	tables, _ := table.Read(set)
	return tables
}

// gatewayName is namespace/name: our renderings start Envoy under that name, and name the directory after it with a dash,
// from which it could not be told where the namespace ends.
func gatewayName(set *files.Set) string {
	if id := set.Bootstrap.GetNode().GetId(); strings.ReplaceAll(id, "/", "-") == set.Name {
		return id
	}
	return set.Name
}
