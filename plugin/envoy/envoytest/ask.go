package envoytest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

const (
	// connections is how many requests over HTTP/1.1 the oracle has in flight.
	connections = 32
	// connectionsHTTP2 is how many connections of HTTP/2 it has, each with many streams.
	connectionsHTTP2 = 4
)

// clients are the connections of an oracle, made when they are first used and used again.
type clients struct {
	socket string
	// port is that of the address that connections are said to be made to; 0 says nothing.
	port  uint32
	plain [connections]*connection
	http2 [connectionsHTTP2]*http2Connection
}

func (c *clients) close() {
	for _, one := range c.plain {
		if one != nil {
			one.Close()
		}
	}
	for _, one := range c.http2 {
		if one != nil {
			one.Close()
		}
	}
}

// Ask sends the requests, many at a time, and gives their answers in the same order.
func (o *Oracle) Ask(requests []Request) ([]Answer, error) {
	answers := make([]Answer, len(requests))
	var byProtocol [2][]int
	for i, request := range requests {
		if request.HTTP2 {
			byProtocol[1] = append(byProtocol[1], i)
		} else {
			byProtocol[0] = append(byProtocol[0], i)
		}
	}
	problems := make([]error, connections+connectionsHTTP2)
	var workers sync.WaitGroup
	for k := range min(connections, len(byProtocol[0])) {
		workers.Go(func() { problems[k] = o.clients.askPlain(k, byProtocol[0], requests, answers) })
	}
	for k := range min(connectionsHTTP2, len(byProtocol[1])) {
		workers.Go(func() { problems[connections+k] = o.clients.askHTTP2(k, byProtocol[1], requests, answers) })
	}
	workers.Wait()
	for i := range answers {
		answers[i].readOracle()
	}
	return answers, errors.Join(problems...)
}

// askPlain sends the requests that are the k-th connection's part, one after the other.
func (c *clients) askPlain(k int, indexes []int, requests []Request, answers []Answer) error {
	for n := k; n < len(indexes); n += connections {
		i := indexes[n]
		connection, err := c.plainConnection(k)
		if err != nil {
			return err
		}
		if answers[i], err = connection.ask(requests[i]); err != nil {
			return err
		}
	}
	return nil
}

// plainConnection is the k-th connection, or a new one in its place where Envoy has closed it (it does after a bad request).
func (c *clients) plainConnection(k int) (*connection, error) {
	if old := c.plain[k]; old != nil {
		if !old.broken {
			return old, nil
		}
		old.Close()
	}
	conn, err := c.connect()
	if err != nil {
		return nil, err
	}
	c.plain[k] = newConnection(conn)
	return c.plain[k], nil
}

// connect makes a connection and says, by the PROXY protocol, to which port. A socket has none.
func (c *clients) connect() (net.Conn, error) {
	conn, err := net.Dial("unix", c.socket)
	if err != nil || c.port == 0 {
		return conn, err
	}
	if _, err := fmt.Fprintf(conn, "PROXY TCP4 192.0.2.1 192.0.2.2 1024 %d\r\n", c.port); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// askHTTP2 sends the requests that are the k-th connection's part, in flights.
func (c *clients) askHTTP2(k int, indexes []int, requests []Request, answers []Answer) error {
	var mine []int
	for n := k; n < len(indexes); n += connectionsHTTP2 {
		mine = append(mine, indexes[n])
	}
	for len(mine) > 0 {
		flight := mine[:min(streams, len(mine))]
		mine = mine[len(flight):]
		if err := c.fly(k, flight, requests, answers); err != nil {
			return err
		}
	}
	return nil
}

// fly sends one flight. Where Envoy closes the connection over one of its requests, those without an answer are sent again,
// each alone and the first on a new connection: the one that is to blame stays without.
func (c *clients) fly(k int, flight []int, requests []Request, answers []Answer) error {
	connection, err := c.http2Connection(k)
	if err != nil {
		return err
	}
	fresh := connection.next == 1
	together := make([]Request, len(flight))
	for n, i := range flight {
		together[n] = requests[i]
	}
	for n, answer := range connection.ask(together) {
		switch {
		case answer != nil:
			answers[flight[n]] = *answer
		case len(flight) > 1 || !fresh:
			if err := c.fly(k, flight[n:n+1], requests, answers); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *clients) http2Connection(k int) (*http2Connection, error) {
	if old := c.http2[k]; old != nil {
		if !old.broken {
			return old, nil
		}
		old.Close()
	}
	conn, err := c.connect()
	if err != nil {
		return nil, err
	}
	c.http2[k], err = openHTTP2(conn)
	return c.http2[k], err
}

// readOracle takes apart what the body says (oracleFormat). A gRPC client has it in a header, and status 200.
func (a *Answer) readOracle() {
	body := a.Body
	if a.Status == http.StatusOK && a.Headers.Get("grpc-status") != "" {
		var err error
		if body, err = url.PathUnescape(a.Headers.Get("grpc-message")); err != nil {
			return
		}
	}
	fields := strings.SplitN(body, "|", 6)
	if len(fields) != 6 {
		// An answer that the codec gives before there is a stream has no such body.
		return
	}
	// The first is a number, as Envoy writes it.
	a.Status, _ = strconv.Atoi(fields[0])
	for i, target := range []*string{&a.Route, &a.Flags, &a.Cluster, &a.Host, &a.Path} {
		if fields[i+1] != "-" {
			*target = fields[i+1]
		}
	}
}
