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
	_, noPodman := exec.LookPath("podman")
	_, noRuntime := exec.LookPath("runc")
	return noPodman == nil && noRuntime == nil, nil
}

// containersCommand puts docker and podman into PATH, and the image that `make image` packs into their store: containers.
func containersCommand(ts *testscript.TestScript, neg bool, arguments []string) {
	if neg || len(arguments) > 0 {
		ts.Fatalf("usage: containers")
	}
	image, err := filepath.Abs("../../.local/image")
	ts.Check(err)
	if _, err := os.Stat(image); err != nil {
		ts.Fatalf("there is no image: make image")
	}
	podman, err := exec.LookPath("podman")
	ts.Check(err)
	store, err := os.MkdirTemp("", "containers") // podman wants a short path
	ts.Check(err)
	ts.Defer(func() { _ = os.RemoveAll(store) })
	for _, name := range []string{"docker", "podman"} {
		ts.Check(os.WriteFile(ts.MkAbs(filepath.Join(".bin", name)), fmt.Appendf(nil, engine, podman, store), 0o755))
	}
	// podman reads the path of a layout as the name of an image, in which there are no capitals and no leading dots.
	ts.Check(os.Symlink(image, filepath.Join(store, "image")))
	pull := exec.Command(ts.MkAbs(".bin/podman"), "pull", "--quiet", "oci:image")
	pull.Dir = store
	if out, err := pull.CombinedOutput(); err != nil {
		ts.Fatalf("podman pull: %v\n%s", err, out)
	}
	ts.Check(ts.Exec("podman", "tag", "localhost/image", "localhost/routedelta:dev"))
}
