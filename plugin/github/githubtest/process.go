package githubtest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// process is the fake GitHub, one for all tests of a program. It ends with the program, since its standard input does.
type process struct {
	address string
	stdin   io.Closer // held, or it would be closed when nothing leads to it any more
}

var started = sync.OnceValues(start)

func start() (*process, error) {
	program, err := program()
	if err != nil {
		return nil, err
	}
	command := exec.Command(program)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the fake GitHub does not say its address: %w", err)
	}
	return &process{strings.TrimSpace(line), stdin}, nil
}

// program is where FAKE_GITHUB says, or where make has built it.
func program() (string, error) {
	if path := os.Getenv("FAKE_GITHUB"); path != "" {
		return path, nil
	}
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, ".local", "bin", "fake-github")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", fmt.Errorf("there is no fake GitHub: make fake-github (%w)", os.ErrNotExist)
}
