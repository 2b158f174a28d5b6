package envoytest

import (
	"bufio"
	"crypto/tls"
	_ "embed"
	"fmt"
	"net"
	"sync"
	"time"
)

// backendAuthority is the CA of every echo's certificate. That is for backend.test, *.wild.test and spiffe://backend.test/id,
// whatever server name is asked for. The key is good for nothing else.
//
//go:embed backend/ca.crt
var backendAuthority []byte

//go:embed backend/tls.crt
var backendCertificate []byte

//go:embed backend/tls.key
var backendKey []byte

// handshakeByte begins a record of a TLS handshake, and no request of HTTP.
const handshakeByte = 0x16

// sniffTime bounds the wait for a client that says nothing.
const sniffTime = 10 * time.Second

// sniffer accepts connections in plain text and over TLS on one socket, as their first byte says.
type sniffer struct {
	net.Listener
	config *tls.Config
	ready  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func sniff(listener net.Listener) (*sniffer, error) {
	pair, err := tls.X509KeyPair(backendCertificate, backendKey)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate of the echoes: %w", err)
	}
	s := &sniffer{Listener: listener, ready: make(chan net.Conn), closed: make(chan struct{})}
	s.config = &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}, ClientAuth: tls.RequestClientCert}
	go s.run()
	return s, nil
}

func (s *sniffer) run() {
	for {
		conn, err := s.Listener.Accept()
		if err != nil {
			s.stop()
			return
		}
		go s.look(conn)
	}
}

// look hands a connection on once its first byte is there.
func (s *sniffer) look(conn net.Conn) {
	peeked := &peekedConn{Conn: conn, reader: bufio.NewReader(conn)}
	_ = conn.SetReadDeadline(time.Now().Add(sniffTime))
	first, err := peeked.reader.Peek(1)
	if err != nil {
		conn.Close()
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	var accepted net.Conn = peeked
	if first[0] == handshakeByte {
		accepted = tls.Server(peeked, s.config)
	}
	select {
	case s.ready <- accepted:
	case <-s.closed:
		conn.Close()
	}
}

func (s *sniffer) Accept() (net.Conn, error) {
	select {
	case conn := <-s.ready:
		return conn, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *sniffer) Close() error {
	s.stop()
	return s.Listener.Close()
}

func (s *sniffer) stop() { s.once.Do(func() { close(s.closed) }) }

// peekedConn gives the byte that was looked at once more.
type peekedConn struct {
	net.Conn
	reader *bufio.Reader
}

func (c *peekedConn) Read(p []byte) (int, error) { return c.reader.Read(p) }
