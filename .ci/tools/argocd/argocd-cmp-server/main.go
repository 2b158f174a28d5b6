// Command argocd-cmp-server is Argo CD's own server of config management plugins, alone, without the programs that it is
// released with.
package main

import (
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	if commands.NewCommand().Execute() != nil {
		os.Exit(1)
	}
}
