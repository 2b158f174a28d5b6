package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// step is one commit of a first-parent history, with the files in which it differs from its first parent.
type step struct {
	commit  string
	time    time.Time
	changes []change
}

// change is a file that a commit touched. before is its blob in the first parent, "" if the commit added it.
type change struct {
	name   string
	before string
}

// firstParents walks back from a commit and hands over the commits that touch the paths, latest first. git tells them as they
// are found, so stopping early saves the rest.
func (r *Repository) firstParents(ctx context.Context, commit Commit, paths []string, take func(step) error) error {
	args := []string{"log", "--first-parent", "-m", "--root", "--raw", "-z", "--no-abbrev", "--no-renames",
		// What a configuration could add to a log, programs to run among it.
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-relative", "--no-follow", "--no-notes", "--no-color",
		"--format=tformat:" + stepMark + "%H %ct", commit.Hash, "--"}
	for _, path := range paths {
		if path != "" {
			args = append(args, path)
		}
	}
	return r.git.stream(ctx, func(out io.Reader) error { return readSteps(out, take) }, args...)
}

// stepMark starts the record of a commit. Records of changes start with a colon.
const stepMark = "\x01"

// readSteps reads NUL-terminated records: "\x01<commit> <time>", then for each change ":<mode> <mode> <blob> <blob> <letter>"
// and the name of the file.
func readSteps(out io.Reader, take func(step) error) error {
	records := bufio.NewScanner(out)
	records.Buffer(nil, maxName)
	records.Split(splitNUL)
	var current step
	for records.Scan() {
		record := strings.TrimPrefix(records.Text(), "\n")
		switch {
		case strings.HasPrefix(record, stepMark):
			if err := handOver(current, take); err != nil {
				return err
			}
			hash, seconds, _ := strings.Cut(record[len(stepMark):], " ")
			landed, err := unixTime(seconds)
			if err != nil {
				return err
			}
			current = step{commit: hash, time: landed}
		case strings.HasPrefix(record, ":"):
			fields := strings.Fields(record)
			if len(fields) != 5 || !records.Scan() {
				return fmt.Errorf("git log: record %q", record)
			}
			current.changes = append(current.changes, change{name: records.Text(), before: blobBefore(fields)})
		default:
			return fmt.Errorf("git log: record %q", record)
		}
	}
	if err := records.Err(); err != nil {
		return err
	}
	return handOver(current, take)
}

func handOver(s step, take func(step) error) error {
	if s.commit == "" {
		return nil
	}
	return take(s)
}

// blobBefore is the old blob of a change, "" where there was no file: added, or a link or submodule before.
func blobBefore(fields []string) string {
	switch strings.TrimPrefix(fields[0], ":") {
	case modeFile, modeExecutable, "100664":
		return fields[2]
	}
	return ""
}

// shallowBoundary are the commits whose parents a shallow clone has cut off.
func (r *Repository) shallowBoundary(ctx context.Context) (map[string]bool, error) {
	if !r.Shallow {
		return nil, nil
	}
	path, err := r.git.output(ctx, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Root, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("shallow clone: %w", err)
	}
	boundary := map[string]bool{}
	for line := range strings.FieldsSeq(string(text)) {
		boundary[line] = true
	}
	return boundary, nil
}
