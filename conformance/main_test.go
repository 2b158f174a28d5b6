package conformance

import (
	"fmt"
	"os"
	"testing"

	"github.com/routedelta/routedelta/conformance/loopback"
)

// TestMain runs the tests where ports below 1024 may be opened: the suite wants Gateways on 80 and 443.
func TestMain(m *testing.M) {
	if err := loopback.AllowLowPorts(); err != nil {
		fmt.Fprintf(os.Stderr, "ports below 1024 cannot be opened: %v\nhint: run as root, or set net.ipv4.ip_unprivileged_port_start=0\n", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
