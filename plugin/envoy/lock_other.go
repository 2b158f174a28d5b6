//go:build !unix

package envoy

import (
	"errors"
	"os"
)

// lock: Envoy watches files on Linux and macOS only, so that there is nothing to install into elsewhere.
func lock(*os.File) error {
	return errors.New("files are installed under an Envoy on Linux and macOS only")
}
