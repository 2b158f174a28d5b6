package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the release build (-ldflags "-X main.version=v1.2.3").
var version = "" //nolint:gochecknoglobals // the linker writes it

// toolVersion is the release, else the module version that `go install` recorded, else "dev".
func toolVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// revision is the commit that the program was built from, "" where the build did not see a repository.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var commit, changed string
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = ", with changes"
		}
	}
	if commit == "" {
		return ""
	}
	return "commit " + commit + changed + ", "
}

// versionLine is what the program says of itself.
func versionLine() string {
	return fmt.Sprintf("routedelta %s (%s%s, %s/%s)", toolVersion(), revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, versionLine())
			return err
		},
	}
}
