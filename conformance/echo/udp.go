package echo

import (
	"encoding/json"
	"net"

	"sigs.k8s.io/gateway-api/conformance/echo-basic/udpechoserver"
)

// startUDP opens the server that answers each datagram with who got it.
func (p Pod) startUDP(servers *Servers) error {
	return servers.datagrams(p, "UDP_PORT", 8080, func(request []byte, _ net.Addr) ([]byte, error) {
		return json.Marshal(udpechoserver.EchoResponse{
			Request: string(request),
			Context: udpechoserver.Context{Namespace: p.Namespace, Service: p.Environment["SERVICE_NAME"], Pod: p.Name},
		})
	})
}

// datagrams answers datagrams until the servers are closed; one that cannot be answered is dropped.
func (s *Servers) datagrams(p Pod, variable string, port int, answer func(request []byte, client net.Addr) ([]byte, error)) error {
	address, err := p.endpoint(variable, port)
	if err != nil {
		return err
	}
	socket, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, socket)
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			n, client, err := socket.ReadFrom(buffer)
			if err != nil {
				return // closed
			}
			if response, err := answer(buffer[:n], client); err == nil {
				_, _ = socket.WriteTo(response, client)
			}
		}
	}()
	return nil
}
