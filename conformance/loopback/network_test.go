package loopback

import (
	"net"
	"testing"
)

func TestClaim(t *testing.T) {
	first, second := claimed(t), claimed(t)
	seen := map[string]bool{}
	for i := range 600 {
		for _, network := range []*Network{first, second} {
			gateway, err := network.Gateway(i)
			if err != nil {
				t.Fatal(err)
			}
			pod, err := network.Pod(i)
			if err != nil {
				t.Fatal(err)
			}
			if seen[gateway.String()] || seen[pod.String()] || gateway == pod {
				t.Fatalf("%s or %s is given twice", gateway, pod)
			}
			seen[gateway.String()], seen[pod.String()] = true, true
		}
	}
	if seen[first.Static().String()] {
		t.Errorf("the static address %s is given to somebody", first.Static())
	}
	if _, err := first.Gateway(100000); err == nil {
		t.Error("there is no end of addresses")
	}
	address, err := first.Pod(599)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(address.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
}

func claimed(t *testing.T) *Network {
	t.Helper()
	network, err := Claim()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := network.Close(); err != nil {
			t.Error(err)
		}
	})
	return network
}
