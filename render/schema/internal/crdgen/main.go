// Command crdgen writes the file of definitions that package schema embeds, from the CustomResourceDefinitions in the module of
// the Gateway API that this module requires.
//
//	go generate ./render/schema
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: crdgen FILE"))
	}
	module, err := findModule()
	if err != nil {
		fail(err)
	}
	content, err := build(filepath.Join(module, "config", "crd"))
	if err != nil {
		fail(err)
	}
	data, err := pack(content)
	if err != nil {
		fail(err)
	}
	if err := os.WriteFile(os.Args[1], data, 0o644); err != nil {
		fail(err)
	}
}

// findModule is the folder of the Gateway API's module in the cache of modules.
func findModule() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	if err != nil {
		return "", fmt.Errorf("finding the module of the Gateway API: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "crdgen:", err)
	os.Exit(1)
}
