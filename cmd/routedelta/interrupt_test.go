package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// An interrupted run says so, exits with 2, and has printed nothing.
func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"render", "../../testdata/example/before"}, streams{
		in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" },
	})
	if code != codeInput || out.Len() > 0 || !strings.Contains(errs.String(), "routedelta: error: interrupted") {
		t.Errorf("exit code %d, output %q, errors %q", code, out.String(), errs.String())
	}
}

// A reader that goes away, or a disk that is full, is an error; half an output is never called a success.
func TestRunWithoutReader(t *testing.T) {
	reader, writer := io.Pipe()
	go func() {
		time.Sleep(time.Millisecond)
		reader.Close()
	}()
	var errs bytes.Buffer
	code := run(t.Context(), []string{"render", "../../testdata/example/before"}, streams{
		in: strings.NewReader(""), out: writer, err: &errs, env: func(string) string { return "" },
	})
	if code != codeInput || !strings.Contains(errs.String(), "routedelta: error: writing the output: ") {
		t.Errorf("exit code %d, errors %q", code, errs.String())
	}
}
