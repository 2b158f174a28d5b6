package envoytest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Socket is where the listener of a port is found, for a client that is not of this package.
func (e *Envoy) Socket(port uint32) string { return listenerSocket(e.root, port) }

// TrustedClient is the certificate of the trusted client and its key in one file, as curl reads them.
func TrustedClient() []byte { return slices.Concat(clientCertificate, clientKey) }

// Curl gives a command line of "curl -i" to a shell, as somebody who pastes it, and reads the answer that curl prints. Environment is
// what that person has set: "CURL_HOME=/path".
func Curl(ctx context.Context, line string, environment ...string) (Answer, error) {
	command := exec.CommandContext(ctx, "sh", "-c", line)
	command.Env = append(append(os.Environ(), "no_proxy=*"), environment...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	printed, err := command.Output()
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w: %s", line, err, complaints.Bytes())
	}
	// curl writes the version of HTTP/2 as nobody who reads HTTP/1.1 expects it.
	text := strings.Replace(string(printed), "HTTP/2 ", "HTTP/2.0 ", 1)
	// A body is not read: that of HEAD is announced and not there.
	response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: reading the answer %q: %w", line, printed, err)
	}
	response.Body.Close()
	answer := Answer{Status: response.StatusCode, Headers: response.Header}
	return answer, answer.trace()
}
