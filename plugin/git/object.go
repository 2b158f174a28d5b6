package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
)

// objects is a conversation with `git cat-file`: object names go in, answers come out in the same order.
type objects struct {
	cmd  *exec.Cmd
	stop context.CancelFunc
	in   io.WriteCloser
	out  *bufio.Reader
	// contents: the answers hold the contents (--batch), else the sizes only (--batch-check).
	contents bool
}

// openObjects starts a conversation. Close it.
func (r *Repository) openObjects(ctx context.Context, contents bool) (*objects, error) {
	mode := "--batch-check"
	if contents {
		mode = "--batch"
	}
	ctx, stop := context.WithCancel(ctx)
	o := &objects{cmd: r.git.command(ctx, "cat-file", mode), stop: stop, contents: contents}
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		stop()
		return nil, &ProgramError{Err: err}
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		stop()
		return nil, &ProgramError{Err: err}
	}
	o.out = bufio.NewReaderSize(out, 64<<10)
	if err := o.cmd.Start(); err != nil {
		stop()
		return nil, &ProgramError{Err: err}
	}
	return o, nil
}

// close ends the program. It may be in the middle of an answer that nobody wants, so its exit code says nothing.
func (o *objects) close() {
	o.stop()
	_ = o.in.Close()
	_ = o.cmd.Wait()
}

// askAll asks for many objects while the answers are read, so that neither side waits for the other.
func (o *objects) askAll(hashes []string) {
	go func() {
		buffered := bufio.NewWriterSize(o.in, 64<<10)
		for _, hash := range hashes {
			if _, err := buffered.WriteString(hash + "\n"); err != nil {
				return // the reader of the answers sees why
			}
		}
		_ = buffered.Flush()
		_ = o.in.Close()
	}()
}

// ask asks for one object.
func (o *objects) ask(hash string) error {
	_, err := io.WriteString(o.in, hash+"\n")
	return err
}

// answer reads the next answer. Contents over max bytes are not kept, and the error is ErrTooLarge.
func (o *objects) answer(max int64) (size int64, data []byte, err error) {
	line, err := o.out.ReadSlice('\n')
	if err != nil {
		return 0, nil, fmt.Errorf("git cat-file: %w", unexpected(err))
	}
	name, rest, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
	_, digits, ok := strings.Cut(rest, " ")
	if !ok { // "<name> missing", "<name> ambiguous"
		return 0, nil, &MissingError{Object: name}
	}
	if size, err = strconv.ParseInt(digits, 10, 64); err != nil || size < 0 {
		return 0, nil, fmt.Errorf("git cat-file: answer %q", line)
	}
	if !o.contents {
		return size, nil, nil
	}
	if size > max {
		if _, err = io.CopyN(io.Discard, o.out, size+1); err != nil {
			return size, nil, fmt.Errorf("git cat-file: %w", unexpected(err))
		}
		return size, nil, ErrTooLarge
	}
	data = make([]byte, size+1)
	if _, err := io.ReadFull(o.out, data); err != nil {
		return size, nil, fmt.Errorf("git cat-file: %w", unexpected(err))
	}
	return size, data[:size:size], nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// each asks for many objects and hands over the answers in the order of the names.
func (r *Repository) each(ctx context.Context, hashes []string, contents bool, take func(i int, size int64, data []byte)) error {
	if len(hashes) == 0 {
		return nil
	}
	conversation, err := r.openObjects(ctx, contents)
	if err != nil {
		return err
	}
	defer conversation.close()
	conversation.askAll(hashes)
	for i := range hashes {
		size, data, err := conversation.answer(math.MaxInt64)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		take(i, size, data)
	}
	return nil
}
