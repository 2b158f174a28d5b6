package diff

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routedelta/routedelta/diff/table"
)

func TestCurl(t *testing.T) {
	get := func(path string, headers ...table.Field) table.Request {
		return table.Request{Method: "GET", Scheme: "http", Host: "shop.example", Path: path, Headers: headers}
	}
	with := func(r table.Request, change func(*table.Request)) table.Request {
		change(&r)
		return r
	}
	cases := map[string]struct {
		line curl
		want string
	}{
		"plain":              {curl{request: get("/orders/"), port: 80}, "curl -i http://shop.example/orders/"},
		"a header":           {curl{request: get("/", table.Field{Name: "x-env", Value: "canary"}), port: 80}, "curl -i http://shop.example/ -H 'x-env: canary'"},
		"an empty header":    {curl{request: get("/", table.Field{Name: "x-env"}), port: 80}, "curl -i http://shop.example/ -H 'x-env;'"},
		"a quote":            {curl{request: get("/", table.Field{Name: "x", Value: "it's"}), port: 80}, `curl -i http://shop.example/ -H 'x: it'\''s'`},
		"a query":            {curl{request: get("/a?b=c&d"), port: 80}, "curl -i 'http://shop.example/a?b=c&d'"},
		"brackets":           {curl{request: get("/a[1]{2}"), port: 80}, "curl -i -g 'http://shop.example/a[1]{2}'"},
		"dots":               {curl{request: get("/a/../b"), port: 80}, "curl -i --path-as-is http://shop.example/a/../b"},
		"escaped dots":       {curl{request: get("/a/%2e%2E/b"), port: 80}, "curl -i --path-as-is http://shop.example/a/%2e%2E/b"},
		"a method":           {curl{request: with(get("/"), func(r *table.Request) { r.Method = "POST" }), port: 80}, "curl -i -X POST http://shop.example/"},
		"head":               {curl{request: with(get("/"), func(r *table.Request) { r.Method = "HEAD" }), port: 80}, "curl -i --head http://shop.example/"},
		"an unknown method":  {curl{request: with(get("/"), func(r *table.Request) { r.Method = "FOO" }), port: 80}, "curl -i -X FOO --http2-prior-knowledge http://shop.example/"},
		"http2 only":         {curl{request: with(get("/", table.Field{Name: "x", Value: "a "}), func(r *table.Request) { r.HTTP2 = true }), port: 80}, "curl -i --http2-prior-knowledge http://shop.example/ -H 'x: a '"},
		"http2 over tls":     {curl{request: with(get("/"), func(r *table.Request) { r.HTTP2, r.Scheme = true, "https" }), port: 443}, "curl -i --http2 https://shop.example/"},
		"head over http2":    {curl{request: with(get("/"), func(r *table.Request) { r.HTTP2, r.Method = true, "HEAD" }), port: 80}, "curl -i --head --http2-prior-knowledge http://shop.example/"},
		"another port":       {curl{request: get("/"), port: 8080, ignorePort: true}, "curl -i http://shop.example:8080/"},
		"a port that counts": {curl{request: get("/"), port: 8080}, "curl -i http://shop.example:8080/ -H 'Host: shop.example'"},
		"tls":                {curl{request: with(get("/"), func(r *table.Request) { r.Scheme = "https" }), port: 443}, "curl -i https://shop.example/"},
		"tls on 8443":        {curl{request: with(get("/"), func(r *table.Request) { r.Scheme = "https" }), port: 8443, ignorePort: true}, "curl -i https://shop.example:8443/"},
		"no host":            {curl{request: with(get("/"), func(r *table.Request) { r.Host = "" }), port: 80}, "curl -i http://localhost/ -H 'Host;'"},
		"an odd host":        {curl{request: with(get("/"), func(r *table.Request) { r.Host = "a$b" }), port: 80}, "curl -i http://localhost/ -H 'Host: a$b'"},
		"bytes over 0x7f":    {curl{request: get("/caf\xe9"), port: 80}, `curl -i --http2-prior-knowledge --request-target "$(printf '/caf\351')" http://shop.example/`},
		"an agent missing":   {curl{request: get("/"), port: 80, absent: []string{"user-agent"}}, "curl -i http://shop.example/ -H user-agent:"},
		"an agent given":     {curl{request: get("/", table.Field{Name: "user-agent", Value: "x"}), port: 80, absent: []string{"user-agent"}}, "curl -i http://shop.example/ -H 'user-agent: x'"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.line.String(); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestQuoteInARealShell: what a shell makes of a quoted word is the word.
func TestQuoteInARealShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatalf("a POSIX shell is needed: %v", err)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 12), 1, 6).Draw(t, "words")
		line := "printf '%s\\n' "
		want := ""
		for _, w := range words {
			word := strings.ReplaceAll(string(w), "\n", "")
			line += " " + quote(word)
			want += word + "\n"
		}
		out, err := exec.Command(shell, "-c", line).Output()
		if err != nil || string(out) != want {
			t.Fatalf("%s\ngives %q, want %q (%v)", line, out, want, err)
		}
	})
}
