//go:build !linux

package loopback

import "errors"

// AllowLowPorts is an error: other systems have no block of loopback addresses that needs no set-up.
func AllowLowPorts() error { return errors.New("the suite runs on Linux only") }
