// Command fake-github serves the fake GitHub of package fake until its standard input ends, so that it never outlives the test that
// started it. The first line that it prints is its address.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/routedelta/routedelta/.ci/tools/github/fake"
)

func main() {
	address := flag.String("listen", "127.0.0.1:0", "the `ADDRESS` to listen at")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("fake-github: error: ")
	handler, err := fake.New()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(server.Serve(listener))
}
