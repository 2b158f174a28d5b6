package diff

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routedelta/routedelta/diff/table"
)

// TestARealCurlSendsTheRequest gives command lines to a shell with a real curl, and looks at what arrives, byte by byte.
func TestARealCurlSendsTheRequest(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed: the command lines were compared with what they should be, but not run")
	}
	address, arrived := acceptRequests(t)
	requests := []table.Request{
		{Method: "GET", Host: "shop.example", Path: "/orders/"},
		{Method: "GET", Host: "shop.example", Path: "/a/../b/./c"},
		{Method: "GET", Host: "shop.example", Path: "/a/%2e%2e/b"},
		{Method: "GET", Host: "shop.example", Path: "/[1]{2}?q={a,b}&r=[0-9]"},
		{Method: "GET", Host: "shop.example", Path: "/a//b?debug=true&x=%20;y"},
		{Method: "GET", Host: "shop.example", Path: "/it's?q='\"$HOME`id`!"},
		{Method: "GET", Host: "shop.example", Path: "/a|b<c>d\\e^f"},
		{Method: "POST", Host: "shop.example", Path: "/"},
		{Method: "DELETE", Host: "shop.example", Path: "/orders/1"},
		{Method: "HEAD", Host: "shop.example", Path: "/"},
		{Method: "OPTIONS", Host: "shop.example", Path: "/"},
		{Method: "GET", Host: "", Path: "/"},
		{Method: "GET", Host: "a_b.example", Path: "/"},
		{Method: "GET", Host: "a$b!c", Path: "/"},
		{Method: "GET", Host: "shop.example:8080", Path: "/"},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "x-env", Value: "canary"}}},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "x-env", Value: ""}}},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "x", Value: "1"}, {Name: "x", Value: "2"}}},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "x", Value: "it's @\"$(id)\" \\ %s !"}}},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "x", Value: "caf\xe9"}}},
		{Method: "GET", Host: "shop.example", Path: "/", Headers: []table.Field{{Name: "user-agent", Value: "me"}}},
	}
	for _, r := range requests {
		r.Scheme = "http"
		line := curl{request: r, port: 80, absent: []string{"user-agent", "accept"}}.String()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		command := exec.CommandContext(ctx, "sh", "-c", strings.Replace(line, "curl ", "curl -s --noproxy '*' --connect-to ::"+address+" ", 1))
		out, err := command.CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("%s\n%v: %s", line, err, out)
			continue
		}
		got, want := <-arrived, onTheWire(r)
		if !slices.Equal(got, want) {
			t.Errorf("%s\nsends %q\n want %q", line, got, want)
		}
	}
}

// onTheWire is the request line and the headers that curl should send, the latter sorted.
func onTheWire(r table.Request) []string {
	lines := []string{"Host: " + r.Host}
	for _, f := range r.Headers {
		lines = append(lines, f.Name+": "+f.Value)
	}
	return sortedRequest(r.Method+" "+r.Path+" HTTP/1.1", lines)
}

// sortedRequest drops the blank of an empty value: it is not part of the value.
func sortedRequest(line string, headers []string) []string {
	for i := range headers {
		headers[i] = strings.TrimSpace(headers[i])
	}
	slices.Sort(headers)
	return append([]string{line}, headers...)
}

// acceptRequests answers every request with 200 and hands on its lines.
func acceptRequests(t *testing.T) (address string, arrived chan []string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	arrived = make(chan []string, 1)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			arrived <- readRequest(connection)
			_, _ = connection.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			connection.Close()
		}
	}()
	return listener.Addr().String(), arrived
}

func readRequest(connection net.Conn) []string {
	reader := bufio.NewReader(connection)
	first, _ := reader.ReadString('\n')
	var headers []string
	for {
		line, err := reader.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		if err != nil || line == "" {
			return sortedRequest(strings.TrimRight(first, "\r\n"), headers)
		}
		headers = append(headers, line)
	}
}

// TestMethodsOfCurl: the methods that need HTTP/2 are those that Envoy's HTTP/1.1 parser does not know.
func TestMethodsOfCurl(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions, http.MethodTrace, "PROPFIND"} {
		if line := (curl{request: table.Request{Method: method, Scheme: "http", Host: "a.example", Path: "/"}}).String(); strings.Contains(line, "http2") {
			t.Errorf("%s needs no HTTP/2", line)
		}
	}
	for _, method := range []string{"M-SEARCH", "get", "FOO", "PRI"} {
		if line := (curl{request: table.Request{Method: method, Scheme: "http", Host: "a.example", Path: "/"}}).String(); !strings.Contains(line, "--http2-prior-knowledge") {
			t.Errorf("%s needs HTTP/2", line)
		}
	}
}
