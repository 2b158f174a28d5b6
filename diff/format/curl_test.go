package format_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/diff/format"
	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/diff/table"
)

func curlScript(t *testing.T, r *report.Report, options format.CurlOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := format.Curl(&out, r, options); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCurl: the golden files are what a reviewer pastes from. Every class has its command; with addresses it has one for each
// side.
func TestCurl(t *testing.T) {
	for name, r := range reports(t) {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".curl", curlScript(t, r, format.CurlOptions{}))
			if name == "hostile" {
				return
			}
			witnesses := 0
			for _, c := range r.Classes {
				witnesses += len(c.Witnesses)
			}
			for _, u := range r.Undecided {
				witnesses += len(u.Samples)
			}
			for want, options := range map[int]format.CurlOptions{
				witnesses:     {},
				2 * witnesses: {Before: "10.0.0.1:80", After: "unix:/run/envoy"},
			} {
				if got := len(commandLines(curlScript(t, r, options))); got != want {
					t.Errorf("%d commands, want %d", got, want)
				}
			}
		})
	}
}

func commandLines(script string) []string {
	var lines []string
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "curl ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// TestCurlOfHostileNames: whatever a name is, every line is empty, a comment, or a command that routedelta writes.
func TestCurlOfHostileNames(t *testing.T) {
	for _, file := range []string{"several", "listener-gone", "weights", "undecided", "mixed"} {
		for _, name := range hostileNames {
			for line := range strings.Lines(curlScript(t, renamed(t, file, name), format.CurlOptions{After: "10.0.0.1:80"})) {
				if line != "\n" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "curl -i ") {
					t.Errorf("%s with %q has the line %q", file, name, line)
				}
			}
		}
	}
}

func TestCurlAddresses(t *testing.T) {
	r := reports(t)["weights"]
	for address, want := range map[string]string{
		"":                 "curl -i http",
		"10.0.0.1:8001":    "curl -i --connect-to '::10.0.0.1:8001' http",
		"envoy.example":    "curl -i --connect-to '::envoy.example:' http",
		"[::1]:80":         "curl -i --connect-to '::[::1]:80' http",
		"unix:/run/envoy0": "curl -i --unix-socket /run/envoy0 http",
	} {
		line := commandLines(curlScript(t, r, format.CurlOptions{Before: address, After: "x"}))[0]
		if !strings.HasPrefix(line, want) {
			t.Errorf("%q gives %s, want %s", address, line, want)
		}
	}
	for _, address := range []string{"http://a.example", "a b", "a'b", "$(id)", "a:b", ":80", "unix:run", "unix:/a b", "-o", "a\nb"} {
		err := format.Curl(&bytes.Buffer{}, r, format.CurlOptions{After: address})
		if taken := err == nil; taken != (address == "-o") {
			t.Errorf("%q is taken: %t", address, taken)
		}
	}
}

// TestCurlOfGRPC: what Envoy answers by itself to a request of gRPC looks otherwise to the client.
func TestCurlOfGRPC(t *testing.T) {
	r := reports(t)["weights"]
	r.Classes = r.Classes[:1]
	w := &r.Classes[0].Witnesses[0]
	w.Before, w.After = table.Outcome{Kind: table.NoRoute}, table.Outcome{Kind: table.Answered, Status: 503}
	for contentType, want := range map[string]string{
		"application/grpc":       "# before: 404 (as 200 with grpc-status 12)\n# after:  503 (as 200 with grpc-status 14)\n",
		"application/grpc+proto": "# before: 404 (as 200 with grpc-status 12)\n# after:  503 (as 200 with grpc-status 14)\n",
		"application/grpc-web":   "# before: 404\n# after:  503\n",
	} {
		w.Headers = []table.Field{{Name: "Content-Type", Value: contentType}}
		if text := curlScript(t, r, format.CurlOptions{}); !strings.Contains(text, want) {
			t.Errorf("%s: %s", contentType, text)
		}
	}
}
