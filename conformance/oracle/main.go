package main

import (
	"context"
	"debug/buildinfo"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/routedelta/routedelta/conformance/kube"
	"github.com/routedelta/routedelta/render/schema/schematest"
)

// advertised is where the server says that it is reached, which may be no loopback's address. Nobody goes there: it is one for
// documentation (RFC 5737).
var advertised = netip.AddrFrom4([4]byte{192, 0, 2, 1})

func main() {
	programs := flag.String("programs", "../.local/bin", "folder with etcd and kube-apiserver")
	goldens := flag.String("answers", "../render/schema/testdata/apiserver.jsonl.gz", "file of answers")
	write := flag.Bool("write", false, "rewrite the file of answers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *programs, *goldens, *write); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// run asks, and compares or writes.
func run(ctx context.Context, programs, goldens string, write bool) error {
	probes, err := readProbes(ctx)
	if err != nil {
		return err
	}
	answers, err := answersOf(ctx, programs, probes)
	if err != nil {
		return err
	}
	fmt.Printf("%d objects, %d accepted by Kubernetes %s\n", len(answers.List), accepted(answers), answers.Kubernetes)
	if write {
		data, err := answers.Marshal()
		if err != nil {
			return err
		}
		return os.WriteFile(goldens, data, 0o644)
	}
	data, err := os.ReadFile(goldens)
	if err != nil {
		return err
	}
	kept, err := schematest.ReadAnswers(data)
	if err != nil {
		return err
	}
	return report(kept, answers)
}

// readProbes makes the probes of the definitions, and those of the examples that come with them.
func readProbes(ctx context.Context) ([]schematest.Probe, error) {
	definitions, err := schematest.ReadModule(ctx)
	if err != nil {
		return nil, err
	}
	probes, err := schematest.AllProbes(definitions)
	if err != nil {
		return nil, err
	}
	examples, err := schematest.Examples(ctx, definitions)
	return append(probes, examples...), err
}

// answersOf runs the servers and asks them.
func answersOf(ctx context.Context, programs string, probes []schematest.Probe) (answers schematest.Answers, err error) {
	programs, err = filepath.Abs(programs)
	if err != nil {
		return answers, err
	}
	directory, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return answers, err
	}
	defer os.RemoveAll(directory)
	server, err := kube.Start(ctx, programs, directory, advertised)
	if err != nil {
		return answers, fmt.Errorf("%w\nhint: make kube-apiserver builds it", err)
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	asking, err := newClient(server.Config)
	if err != nil {
		return answers, err
	}
	if err := asking.installDefinitions(ctx); err != nil {
		return answers, err
	}
	if answers, err = asking.askAll(ctx, probes); err != nil {
		return answers, err
	}
	answers.Kubernetes, err = kubernetesVersion(filepath.Join(programs, "kube-apiserver"))
	return answers, err
}

// kubernetesVersion is that of the module that a program was built from; the server itself says it only of a release.
func kubernetesVersion(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			return module.Version, nil
		}
	}
	return "", fmt.Errorf("%s is no program of Kubernetes", program)
}

func accepted(answers schematest.Answers) int {
	count := 0
	for _, answer := range answers.List {
		if answer.Accepted() {
			count++
		}
	}
	return count
}
