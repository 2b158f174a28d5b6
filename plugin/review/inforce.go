package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/plugin/config"
	"github.com/routedelta/routedelta/plugin/git"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// maxConfiguration bounds what is read of a configuration. A pull request may hold one of any size.
const maxConfiguration = 1 << 20

// InForce finds the configuration that a comparison is held to where the caller names none.
//
// Where the earlier side is a commit, it is the file in the root of that commit: somebody has merged it. That of the later side is never
// in force, since it comes with the change that is under review: it could run a command or weaken the policy. What it says otherwise comes
// back as notes. A file that lies in the root of the work tree and is in neither the earlier commit nor HEAD is the caller's own: no change
// brought it there, it waits to be committed. Where the earlier side is a directory, the file in Environment.Dir is the caller's own.
func (e Environment) InForce(ctx context.Context, before, after Source) (*config.Config, diagnostic.List, error) {
	if before.Kind != Revision {
		configured, err := e.ownConfiguration()
		return configured, nil, err
	}
	repository, err := git.Open(ctx, e.Dir)
	if err != nil {
		return nil, nil, err
	}
	base, err := configurationAt(ctx, repository, before.Revision)
	if err != nil {
		return nil, nil, err
	}
	configured, err := base.parse("git:" + before.Revision + ":" + config.FileName)
	if err != nil {
		return nil, nil, err
	}
	head, committed, err := e.configurationUnderReview(ctx, repository, after)
	if err != nil {
		return nil, nil, err
	}
	if head.apart {
		return configured, nil, nil
	}
	if !base.found && head.found && !committed {
		configured, err = head.parse(config.FileName)
		return configured, nil, err
	}
	return configured, configurationNotes(configured, base, head), nil
}

// ownConfiguration is the file in the directory of the caller.
func (e Environment) ownConfiguration() (*config.Config, error) {
	name := e.place(Source{Path: config.FileName})
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return new(config.Config), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return config.Parse(name, text)
}

// configurationText is a configuration as it was read, if there is one.
type configurationText struct {
	found bool
	text  []byte
	// apart: the side is no state of the repository, and says nothing of its configuration.
	apart bool
	// unread is why a file that is there has no text.
	unread error
}

func (c configurationText) parse(name string) (*config.Config, error) {
	switch {
	case c.unread != nil:
		return nil, fmt.Errorf("reading %s: %w", name, c.unread)
	case !c.found:
		return new(config.Config), nil
	}
	return config.Parse(name, c.text)
}

// configurationAt reads the configuration of a commit.
func configurationAt(ctx context.Context, repository *git.Repository, revision string) (configurationText, error) {
	commit, err := repository.Resolve(ctx, revision)
	if err != nil {
		return configurationText{}, err
	}
	itself := func(name string) bool { return name == config.FileName }
	found, err := repository.Files(ctx, commit, config.FileName, itself, git.Limits{FileBytes: maxConfiguration})
	var missing *git.PathError
	if errors.As(err, &missing) || err == nil && len(found) == 0 {
		return configurationText{}, nil
	}
	if errors.Is(err, git.ErrOutside) {
		return configurationText{found: true, unread: git.ErrOutside}, nil
	}
	if err != nil {
		return configurationText{}, fmt.Errorf("reading %s of commit %s: %w", config.FileName, commit.Short, err)
	}
	return configurationText{found: true, text: found[0].Data, unread: found[0].Err}, nil
}

// configurationUnderReview is the configuration of the later side. committed tells whether a commit has it.
func (e Environment) configurationUnderReview(ctx context.Context, repository *git.Repository, after Source) (_ configurationText, committed bool, err error) {
	switch after.Kind {
	case Revision:
		found, err := configurationAt(ctx, repository, after.Revision)
		return found, true, err
	case Stdin:
		return configurationText{apart: true}, true, nil
	}
	if _, err := e.inside(repository, after.Path); err != nil {
		var outside *git.RepositoryError
		if errors.As(err, &outside) {
			return configurationText{apart: true}, true, nil // another directory has nothing to say about this repository
		}
		return configurationText{}, false, err
	}
	found, err := configurationOnDisk(repository.Root)
	if err != nil || !found.found {
		return found, true, err
	}
	head, err := configurationAt(ctx, repository, "HEAD")
	var none *git.RevisionError
	if errors.As(err, &none) {
		return found, false, nil // nothing is committed yet
	}
	return found, head.found, err
}

// configurationOnDisk reads the file in a directory. The name is looked up in the directory's listing: a disk that does not mind
// capitals would otherwise give a file for it that a commit has under another name.
func configurationOnDisk(directory string) (configurationText, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return configurationText{}, fmt.Errorf("reading the configuration: %w", err)
	}
	if !slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.Name() == config.FileName }) {
		return configurationText{}, nil
	}
	root, err := os.OpenRoot(directory) // a link must not lead out
	if err != nil {
		return configurationText{}, fmt.Errorf("reading the configuration: %w", err)
	}
	defer root.Close()
	file, err := root.Open(config.FileName)
	if err != nil {
		return configurationText{found: true, unread: err}, nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfiguration+1))
	if err == nil && len(text) > maxConfiguration {
		err = git.ErrTooLarge
	}
	return configurationText{found: true, text: text, unread: err}, nil
}

// configurationNotes say what the later side's configuration has otherwise than that in force.
func configurationNotes(inForce *config.Config, base, head configurationText) diagnostic.List {
	if base.found == head.found && slices.Equal(base.text, head.text) {
		return nil
	}
	note := diagnostic.Diagnostic{
		Code: diagnostic.NotInForce, Severity: diagnostic.Warning, Position: diagnostic.Position{File: config.FileName, Line: 1},
		Hint: "merge a change of the configuration by itself, before the change that needs it",
	}
	proposed, err := head.parse(config.FileName)
	switch fields := changedFields(inForce, proposed); {
	case err != nil:
		note.Message = fmt.Sprintf("the change leaves a configuration that cannot be read: %q; in force is that of the earlier commit", err)
	case !head.found:
		note.Message = "the change removes the configuration: in force is that of the earlier commit"
	case len(fields) == 0:
		return nil // comments, order, defaults
	case !base.found:
		note.Message = fmt.Sprintf("the change adds a configuration (%s): it is in force once it is merged", strings.Join(fields, ", "))
	default:
		note.Message = fmt.Sprintf("the change alters the configuration (%s): in force is that of the earlier commit", strings.Join(fields, ", "))
	}
	return diagnostic.List{note}
}

// changedFields are the fields of spec that differ, by their names in the document.
func changedFields(before, after *config.Config) []string {
	if after == nil {
		return nil
	}
	var names []string
	was, is := reflect.ValueOf(before.Spec), reflect.ValueOf(after.Spec)
	for i := range was.NumField() {
		if !reflect.DeepEqual(was.Field(i).Interface(), is.Field(i).Interface()) {
			name, _, _ := strings.Cut(was.Type().Field(i).Tag.Get("yaml"), ",")
			names = append(names, name)
		}
	}
	return names
}
