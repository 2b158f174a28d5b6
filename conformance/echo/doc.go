// Package echo is what runs in the pods of the conformance suite: servers that say who answers and what arrived.
//
// In comes a pod with its address and its container's environment; out come the listeners that the image echo-basic opens in it
// (or coredns, for DNS), each on the pod's own address. The images cannot be run as they are, since they listen on all addresses
// of a machine; what they answer is restated here, and where the suite exports the form of an answer, that form is used.
package echo

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Pod is where servers run.
type Pod struct {
	Namespace, Name string
	Address         netip.Addr
	// Image and Environment are those of the container.
	Image       string
	Environment map[string]string
	// ReadFile reads what is mounted. It is asked again for each connection: a pod starts before its Secret is there.
	ReadFile func(path string) ([]byte, error)
	// Log takes the lines that the servers print.
	Log func(line string)
}

// Servers are the open listeners of one pod.
type Servers struct{ closers []io.Closer }

// Close closes all of them, and the connections to those that speak HTTP.
func (s *Servers) Close() error {
	var failed error
	for _, closer := range s.closers {
		failed = errors.Join(failed, closer.Close())
	}
	return failed
}

// Start opens the listeners that a container of this image has in this environment.
func Start(pod Pod) (*Servers, error) {
	servers := &Servers{}
	start := pod.startHTTP
	switch {
	case strings.Contains(pod.Image, "coredns"):
		start = pod.startDNS
	case pod.Environment["GRPC_ECHO_SERVER"] != "":
		start = pod.startGRPC
	case pod.Environment["TCP_ECHO_SERVER"] != "":
		start = pod.startTCP
	case pod.Environment["UDP_ECHO_SERVER"] != "":
		start = pod.startUDP
	}
	if err := start(servers); err != nil {
		return nil, errors.Join(fmt.Errorf("starting %s/%s: %w", pod.Namespace, pod.Name, err), servers.Close())
	}
	return servers, nil
}

// listen opens a port of the pod; a variable of the environment may name another.
func (p Pod) listen(variable string, port int) (net.Listener, error) {
	address, err := p.endpoint(variable, port)
	if err != nil {
		return nil, err
	}
	return net.Listen("tcp", address)
}

func (p Pod) endpoint(variable string, port int) (string, error) {
	if value := p.Environment[variable]; value != "" {
		var err error
		if port, err = strconv.Atoi(value); err != nil {
			return "", fmt.Errorf("reading %s: %w", variable, err)
		}
	}
	return net.JoinHostPort(p.Address.String(), strconv.Itoa(port)), nil
}

// sleep waits as long as a request wants; "" is not at all.
func sleep(duration string) error {
	if duration == "" {
		return nil
	}
	d, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	time.Sleep(d)
	return nil
}
