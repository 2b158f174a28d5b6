package git

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// Present are the names of the files that a commit of the work tree as it is would have: those that are known to git and those that
// are new and not ignored. Some of the known ones may be gone from the disk.
func (r *Repository) Present(ctx context.Context, limits Limits) ([]string, error) {
	most := limits.withDefaults().Entries
	var names []string
	err := r.git.stream(ctx, func(out io.Reader) error {
		records := bufio.NewScanner(out)
		records.Buffer(nil, maxName)
		records.Split(splitNUL)
		for records.Scan() {
			if len(names) == most {
				return &LimitError{What: "files in the work tree", Limit: int64(most)}
			}
			names = append(names, strings.TrimSuffix(records.Text(), "/")) // a repository inside of the work tree ends so
		}
		return records.Err()
	}, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	return names, err
}
