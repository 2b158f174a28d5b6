package echo

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"

	"sigs.k8s.io/gateway-api/conformance/echo-basic/tcpserver"
)

// startTCP opens the server that talks in lines, with TLS on a second port where there is a certificate.
func (p Pod) startTCP(servers *Servers) error {
	plain, err := p.listen("TCP_PORT", 3000)
	if err != nil {
		return err
	}
	servers.accept(plain, p.talk)
	config := p.serverTLS("TLS_SERVER_PRIV_KEY")
	if config == nil {
		return nil
	}
	secure, err := p.listen("TLS_PORT", 8443)
	if err != nil {
		return err
	}
	servers.accept(tls.NewListener(secure, config), p.talk)
	return nil
}

// accept hands each connection to a function until the servers are closed.
func (s *Servers) accept(listener net.Listener, talk func(net.Conn)) {
	s.closers = append(s.closers, listener)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go talk(connection)
		}
	}()
}

// talk greets and answers a client's lines.
func (p Pod) talk(connection net.Conn) {
	defer connection.Close()
	assertions := tcpserver.TCPAssertions{Context: tcpserver.Context{
		Namespace: p.Namespace, Service: p.Environment["SERVICE_NAME"], Pod: p.Name, TCPPort: "3000", TLSPort: "8443",
	}}
	if secure, ok := connection.(*tls.Conn); ok {
		if err := secure.Handshake(); err != nil {
			p.Log(fmt.Sprintf("TLS handshake failed: %v", err))
			return
		}
		state := secure.ConnectionState()
		assertions.IsTLS = true
		assertions.TLSAssertion = &tcpserver.TLSAssertions{
			Version: tls.VersionName(state.Version), ServerName: state.ServerName, NegotiatedProtocol: state.NegotiatedProtocol,
			Curves: state.CurveID.String(), CipherSuite: cipherSuite(&state),
		}
	}
	described, err := json.Marshal(assertions)
	if err != nil {
		p.Log(fmt.Sprintf("encoding an answer: %v", err))
		return
	}
	answers := map[string]string{"TEST": string(described), "IS_TLS": fmt.Sprint(assertions.IsTLS), "PING": "PONG"}
	fmt.Fprint(connection, tcpserver.WelcomeMessage)
	for lines := bufio.NewScanner(connection); lines.Scan(); {
		if answer, ok := answers[lines.Text()]; ok {
			fmt.Fprintln(connection, answer)
		}
	}
}

func cipherSuite(state *tls.ConnectionState) string { return tls.CipherSuiteName(state.CipherSuite) }
