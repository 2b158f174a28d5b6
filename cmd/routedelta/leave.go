package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/github"
	"github.com/routedelta/routedelta/plugin/github/artifact"
)

// What a run leaves where no rights are needed: files for an artifact, the summary of its job, outputs for later steps, and its log.

// maxSummary is how long a summary may be, in runes: GitHub takes 1 MiB of a step, and refuses all of what is longer ("Workflow commands",
// "Step isolation and limits"). A rune takes four bytes at most.
const maxSummary = 1<<20/4 - 1

// summaryRows is how many classes the summary has a row for each.
const summaryRows = 100

// left are the files of an artifact.
type left struct{ dir, report, sarif string }

// leaveFiles writes the artifact: the report and what it is about, which routedelta comment --from-artifact reads, and forms of the report
// for people and for code scanning.
func (w *workflow) leaveFiles(dir string, r *reviewed) (left, error) {
	if err := plainFolder(dir); err != nil {
		return left{}, err
	}
	var text bytes.Buffer
	if err := report.Encode(&text, r.report); err != nil {
		return left{}, err
	}
	about := artifact.About{Number: r.event.Number(), Head: w.head(r), Base: r.sides.Before.Hash}
	if err := artifact.Write(dir, artifact.Artifact{Report: text.Bytes(), About: about}); err != nil {
		return left{}, err
	}
	files := left{dir, filepath.Join(dir, artifact.ReportName), filepath.Join(dir, "report.sarif")}
	for name, write := range map[string]func(io.Writer, *report.Report) error{files.sarif: format.SARIF, filepath.Join(dir, "report.html"): format.HTML} {
		text.Reset()
		if err := write(&text, r.report); err != nil {
			return left{}, err
		}
		if err := replaceFile(name, text.Bytes()); err != nil {
			return left{}, err
		}
	}
	return files, nil
}

// head is the commit that people know: that of the pull request, and not its merge.
func (w *workflow) head(r *reviewed) string {
	if pull := r.event.PullRequest; pull != nil {
		return pull.Head
	}
	return r.sides.After.Hash
}

// plainFolder makes a folder that is new or empty. Inside of the workspace the pull request may have put a link in its way.
func plainFolder(dir string) error {
	way := ""
	for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(dir)), "/") {
		way = filepath.Join(way, part)
		if info, err := os.Lstat(way); err == nil && info.Mode()&fs.ModeSymlink != 0 && !filepath.IsAbs(dir) {
			return fmt.Errorf("the artifact: %s is a link", way)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the artifact: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fail(codeInput, fmt.Errorf("the artifact: the folder %s is not empty", dir), "name another folder: it is made")
	}
	return err
}

// leaveSummary appends the report to the summary of the job.
func (w *workflow) leaveSummary(found *report.Report) error {
	text := format.Markdown(found, format.MarkdownOptions{
		Limit: maxSummary, Rows: summaryRows, Instance: w.shown(), MoreText: "the report in JSON, among the files of this run",
	})
	return appendTo(w.env("GITHUB_STEP_SUMMARY"), func(file io.Writer) error { _, err := io.WriteString(file, text+"\n"); return err })
}

// leaveOutputs appends the outputs of the step.
func (w *workflow) leaveOutputs(outputs []github.Output) error {
	return appendTo(w.env("GITHUB_OUTPUT"), func(file io.Writer) error { return github.WriteOutputs(file, outputs) })
}

// appendTo writes to a file of the runner's; "" is outside of a workflow.
func appendTo(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("writing for the runner: %w", err)
	}
	return errors.Join(write(file), file.Close())
}
