package envoytest

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
)

// datagrams are the ports and backends of a rendering that speak UDP. Envoy takes no Unix socket for it: they are loopback ports.
type datagrams struct {
	// ports of listeners: the rendering's own, and the one in its place.
	ports map[uint32]int
	// echoes by the address that the rendering names.
	echoes map[string]net.PacketConn
}

func newDatagrams(t testing.TB) *datagrams {
	d := &datagrams{ports: map[uint32]int{}, echoes: map[string]net.PacketConn{}}
	t.Cleanup(func() {
		for _, echo := range d.echoes {
			echo.Close()
		}
	})
	return d
}

// listener gives a listener a free port.
func (d *datagrams) listener(address *corev3.SocketAddress) error {
	free, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	port := free.LocalAddr().(*net.UDPAddr).Port
	d.ports[address.GetPortValue()] = port
	address.Address = "127.0.0.1"
	address.PortSpecifier = &corev3.SocketAddress_PortValue{PortValue: uint32(port)}
	return free.Close()
}

// echo is where the backend of an address listens; the first call starts it. It answers each datagram with that address.
func (d *datagrams) echo(address string) (*corev3.Address, error) {
	conn := d.echoes[address]
	if conn == nil {
		var err error
		if conn, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
			return nil, err
		}
		d.echoes[address] = conn
		go answerDatagrams(conn, address)
	}
	return &corev3.Address{Address: &corev3.Address_SocketAddress{SocketAddress: &corev3.SocketAddress{
		Protocol:      corev3.SocketAddress_UDP,
		Address:       "127.0.0.1",
		PortSpecifier: &corev3.SocketAddress_PortValue{PortValue: uint32(conn.LocalAddr().(*net.UDPAddr).Port)},
	}}}, nil
}

func answerDatagrams(conn net.PacketConn, address string) {
	buffer := make([]byte, 2048)
	for {
		_, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		// A datagram that is lost is one that the test misses.
		_, _ = conn.WriteTo([]byte(address), from)
	}
}

// answerTime is how long an answer to a datagram is waited for: it comes in less than a millisecond, or never.
const answerTime = time.Second

// AskDatagram sends a datagram from a port of its own to the UDP listener of a port, and gives the address of the backend that
// answered, "" where none did.
func (e *Envoy) AskDatagram(ctx context.Context, port uint32) (string, error) {
	local, ok := e.datagrams.ports[port]
	if !ok {
		return "", fmt.Errorf("the rendering has no UDP listener on port %d", port)
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "udp", net.JoinHostPort("127.0.0.1", strconv.Itoa(local)))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte("?")); err != nil {
		return "", err
	}
	buffer := make([]byte, 2048)
	n, err := conn.Read(buffer)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		return "", nil
	}
	return string(buffer[:n]), err
}
