package conformance

import (
	"fmt"
	"os"
	"testing"

	"github.com/routedelta/routedelta/conformance/loopback"
)

// TestMain runs the tests where ports below 1024 may be opened: the suite wants Gateways on 80 and 443. kube-apiserver takes no loopback
// address for an endpoint, so that it needs others.
func TestMain(m *testing.M) {
	if err := loopback.Prepare(os.Getenv("API") == "kube"); err != nil {
		fmt.Fprintf(os.Stderr, "preparing the network: %v\nhint: run as root, or where user namespaces are allowed\n", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
