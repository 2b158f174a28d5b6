package acttest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// withoutNetwork is set in a process that has no network but its own.
const withoutNetwork = "ROUTEDELTA_WITHOUT_NETWORK"

// TestWithoutNetwork runs the tests of the pull request and of the documented workflows once more, in a network of their own where nothing
// else is: neither the Action nor what the tests stand on asks anybody but the fake GitHub.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	if os.Getenv(withoutNetwork) != "" {
		return // this is the process below
	}
	alone := ""
	for _, way := range []string{"unshare --net", "unshare --map-root-user --net", "sudo -n unshare --net"} {
		if exec.Command("sh", "-c", way+" true").Run() == nil {
			alone = way
			break
		}
	}
	if alone == "" {
		t.Log("this machine lets nobody have a network of their own: the tests ran on the machine's network only")
		return
	}
	test, err := os.Executable()
	must(t, err)
	program(t)
	cmd := exec.Command("sh", "-c", alone+` sh -c 'ip link set lo up && exec "$@"' sh "$@"`, "sh", test,
		"-test.run", "^(TestPullRequest|TestDocumented.*)$", "-test.count", "1")
	cmd.Env = append(os.Environ(), withoutNetwork+"="+program(t))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
