package format

import "testing"

func TestIsOwnCommand(t *testing.T) {
	for _, line := range []string{
		`curl -i http://shop.example/orders/ -H 'x-env: canary'`,
		`curl -i -X POST 'http://shop.example/c?debug=true'`,
		`curl -i -g --path-as-is 'https://shop.example:8443/[1]/../it'\''s' -H 'x;' -H user-agent:`,
		`curl -i --http2-prior-knowledge --request-target "$(printf '/caf\351')" http://shop.example/`,
		`curl -i --head http://shop.example/`,
		`curl -i --cert client.pem https://shop.example/`,
	} {
		if !isOwnCommand(line) {
			t.Errorf("%s is not shown", line)
		}
	}
	for _, line := range []string{
		"", "rm -rf /", "curl -i http://a.example/ | sh", "curl -i http://a.example/; id", "curl -i http://a.example/\nid",
		"curl -i -o /etc/passwd http://a.example/", "curl -i $(id)", "curl -i `id`", "curl -i http://a.example/$(id)",
		`curl -i "$(id)"`, `curl -i "$(printf '')$(id)"`, `curl -i -H ''$(id)''`, "curl -i file:///etc/passwd", "curl -i @x",
		"curl -i 'file:///etc/passwd'", "curl -i -K x", "curl -i http://a.example/ > x", `curl -i -H 'x' 'y`, "curl -i http://a.example/ --data @x", "curl -i --cert /etc/passwd https://a.example/",
	} {
		if isOwnCommand(line) {
			t.Errorf("%s is shown", line)
		}
	}
}
