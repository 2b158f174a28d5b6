package envoytest

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	// streams is how many requests an HTTP/2 connection has in flight.
	streams = 32
	// window is what Envoy may send before it waits for us: more than all answers of one flight.
	window = 1 << 24
	// frameSize is what Envoy takes in one frame before it says otherwise (RFC 9113, 4.2).
	frameSize     = 16384
	flightTimeout = time.Minute
)

// http2Connection is a client's connection of HTTP/2 without TLS, by prior knowledge. It is framed by hand: net/http would
// refuse most of the bytes that a test wants to send.
type http2Connection struct {
	net.Conn
	out     *bufio.Writer
	framer  *http2.Framer
	block   bytes.Buffer
	encoder *hpack.Encoder
	// next is the number of the next stream.
	next uint32
	// broken: the connection cannot be used for another request.
	broken bool
}

func openHTTP2(plain net.Conn) (*http2Connection, error) {
	c := &http2Connection{Conn: plain, out: bufio.NewWriterSize(plain, 1<<16), next: 1}
	c.encoder = hpack.NewEncoder(&c.block)
	c.framer = http2.NewFramer(c.out, bufio.NewReaderSize(plain, 1<<16))
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if err := c.greet(); err != nil {
		plain.Close()
		return nil, fmt.Errorf("opening an HTTP/2 connection: %w", err)
	}
	return c, nil
}

// greet writes what the next flush sends first.
func (c *http2Connection) greet() error {
	if _, err := c.out.WriteString(http2.ClientPreface); err != nil {
		return err
	}
	if err := c.framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: window}); err != nil {
		return err
	}
	return c.framer.WriteWindowUpdate(0, window)
}

// ask sends the requests as one flight and reads their answers. The answers that are nil did not come, because the
// connection broke: one of the requests may be the cause, the others are to be sent again.
func (c *http2Connection) ask(requests []Request) []*Answer {
	flight := &flight{first: c.next, answers: make([]*Answer, len(requests)), partial: make([]Answer, len(requests))}
	for _, request := range requests {
		if err := c.send(request); err != nil {
			c.broken = true
			return flight.answers
		}
	}
	// An answer takes milliseconds; without an end a lost one would stop the test for ever, and say nothing.
	if c.SetDeadline(time.Now().Add(flightTimeout)) != nil || c.out.Flush() != nil {
		c.broken = true
		return flight.answers
	}
	for flight.done < len(requests) && !c.broken {
		frame, err := c.framer.ReadFrame()
		if odd, ok := err.(http2.StreamError); ok { // an answer with a header that the library does not take
			flight.end(odd.StreamID)
			continue
		}
		if err != nil || c.control(frame) != nil {
			c.broken = true
			break
		}
		flight.take(frame)
	}
	return flight.answers
}

// send writes the frames of one request, into the buffer.
func (c *http2Connection) send(request Request) error {
	c.block.Reset()
	fields := []Header{{":method", request.Method}, {":authority", request.Host}}
	if request.Path != "" {
		fields = append(fields, Header{":scheme", "http"}, Header{":path", request.Path})
	}
	for _, h := range append(fields, request.Headers...) {
		if err := c.encoder.WriteField(hpack.HeaderField{Name: h.Name, Value: h.Value}); err != nil {
			return err
		}
	}
	stream := c.next
	c.next += 2
	rest := c.block.Bytes()
	first := rest[:min(len(rest), frameSize)]
	rest = rest[len(first):]
	if err := c.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: first, EndStream: true, EndHeaders: len(rest) == 0,
	}); err != nil {
		return err
	}
	for len(rest) > 0 {
		part := rest[:min(len(rest), frameSize)]
		rest = rest[len(part):]
		if err := c.framer.WriteContinuation(stream, len(rest) == 0, part); err != nil {
			return err
		}
	}
	return nil
}

// control answers the frames that belong to the connection.
func (c *http2Connection) control(frame http2.Frame) error {
	switch f := frame.(type) {
	case *http2.SettingsFrame:
		if f.IsAck() {
			return nil
		}
		if err := c.framer.WriteSettingsAck(); err != nil {
			return err
		}
		return c.out.Flush()
	case *http2.PingFrame:
		if f.IsAck() {
			return nil
		}
		if err := c.framer.WritePing(true, f.Data); err != nil {
			return err
		}
		return c.out.Flush()
	case *http2.DataFrame:
		if n := len(f.Data()); n > 0 {
			// It goes out with the next flight, well before the window is used up.
			return c.framer.WriteWindowUpdate(0, uint32(n))
		}
	case *http2.GoAwayFrame:
		c.broken = f.ErrCode != http2.ErrCodeNo
	}
	return nil
}

// flight gathers the answers to the requests that were sent together.
type flight struct {
	// first is the stream of the first request; the others follow in steps of two.
	first   uint32
	answers []*Answer
	partial []Answer
	done    int
}

// take adds a frame to the answer that it belongs to.
func (f *flight) take(frame http2.Frame) {
	stream := frame.Header().StreamID
	answer := f.of(stream)
	if answer == nil {
		return
	}
	switch frame := frame.(type) {
	case *http2.MetaHeadersFrame:
		answer.addHeaders(frame)
		if frame.StreamEnded() {
			f.end(stream)
		}
	case *http2.DataFrame:
		answer.Body += string(frame.Data())
		if frame.StreamEnded() {
			f.end(stream)
		}
	case *http2.RSTStreamFrame:
		f.end(stream)
	}
}

// index of the request that a stream carries, -1 for none that waits.
func (f *flight) index(stream uint32) int {
	i := int(stream-f.first) / 2
	if stream < f.first || i >= len(f.answers) || f.answers[i] != nil {
		return -1
	}
	return i
}

func (f *flight) of(stream uint32) *Answer {
	if i := f.index(stream); i >= 0 {
		return &f.partial[i]
	}
	return nil
}

func (f *flight) end(stream uint32) {
	if i := f.index(stream); i >= 0 {
		f.answers[i] = &f.partial[i]
		f.done++
	}
}

// addHeaders of an informational answer are overwritten by those of the final one.
func (a *Answer) addHeaders(frame *http2.MetaHeadersFrame) {
	a.Headers = http.Header{}
	for _, field := range frame.RegularFields() {
		a.Headers.Add(field.Name, field.Value)
	}
	// Envoy's status is a number, and one that is not would be seen as 0.
	a.Status, _ = strconv.Atoi(frame.PseudoValue("status"))
}
