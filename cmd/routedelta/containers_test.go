package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// engine stands in for docker and podman, which kustomize and kpt call by their names: podman as it also runs on a machine that is a
// container itself, has cgroups of version 1 and allows no other limits. Images are kept in a folder of the test's.
const engine = `#!/bin/sh
options="--root %[2]s/storage --runroot %[2]s/run --storage-driver=vfs --cgroup-manager=cgroupfs --runtime runc"
if [ "$1" = run ]; then
	shift
	exec %[1]s $options run --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 "$@"
fi
exec %[1]s $options "$@"
`

// condition tells what scripts may ask of the machine: [containers] is whether podman runs containers here.
func condition(name string) (bool, error) {
	if name != "containers" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return hasContainers(), nil
}

// hasContainers tells whether podman can be asked to run containers.
func hasContainers() bool {
	_, noPodman := exec.LookPath("podman")
	_, noRuntime := exec.LookPath("runc")
	return noPodman == nil && noRuntime == nil
}

// containersCommand puts docker and podman into PATH, and the image that `make image` packs into their store: containers.
func containersCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) > 0 {
		ts.Fatalf("usage: containers")
	}
	store, err := installContainers(ts.MkAbs(".bin"))
	ts.Defer(func() { _ = os.RemoveAll(store) })
	ts.Check(err)
}

// installContainers writes docker and podman into a folder, and puts the image into their store, which the caller removes.
func installContainers(bin string) (store string, err error) {
	image, err := filepath.Abs("../../.local/image")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(image); err != nil {
		return "", fmt.Errorf("%w: make image", err)
	}
	podman, err := exec.LookPath("podman")
	if err != nil {
		return "", err
	}
	if store, err = os.MkdirTemp("", "containers"); err != nil { // podman wants a short path
		return "", err
	}
	for _, name := range []string{"docker", "podman"} {
		if err := os.WriteFile(filepath.Join(bin, name), fmt.Appendf(nil, engine, podman, store), 0o755); err != nil {
			return store, err
		}
	}
	// podman reads the path of a layout as the name of an image, in which there are no capitals and no leading dots.
	if err := os.Symlink(image, filepath.Join(store, "image")); err != nil {
		return store, err
	}
	for _, arguments := range [][]string{{"pull", "--quiet", "oci:image"}, {"tag", "localhost/image", "localhost/routedelta:dev"}} {
		command := exec.Command(filepath.Join(bin, "podman"), arguments...)
		command.Dir = store
		if out, err := command.CombinedOutput(); err != nil {
			return store, fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	return store, nil
}
