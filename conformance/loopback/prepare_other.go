//go:build !linux

package loopback

import "errors"

var ownBlock [2]byte

func isolated() bool { return false }

// Prepare is an error: other systems have no block of loopback addresses that needs no set-up.
func Prepare(bool) error { return errors.New("the suite runs on Linux only") }
