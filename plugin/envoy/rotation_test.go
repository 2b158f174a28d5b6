package envoy_test

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
)

const encrypted = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: https, port: %d, protocol: HTTPS, tls: {certificateRefs: [{name: shop}]}}
---
apiVersion: v1
kind: Secret
metadata: {name: shop, namespace: infra}
type: kubernetes.io/tls
data: {tls.crt: %s, tls.key: %s}
`

// TestRenewedCertificateIsTaken: an Envoy that runs from a rendering shows the new certificate of a listener once it is there: by the swap
// of a Secret volume (secrets: reference), and by another rendering (secrets: files).
func TestRenewedCertificateIsTaken(t *testing.T) {
	t.Parallel()
	for secrets, bring := range map[render.Secrets]func(*testing.T, *encryptedGateway, pair){
		render.SecretsReference: func(t *testing.T, g *encryptedGateway, p pair) { g.write(t, p); g.mount(t, p) },
		render.SecretsFiles:     func(t *testing.T, g *encryptedGateway, p pair) { g.write(t, p) },
	} {
		t.Run(string(secrets), func(t *testing.T) {
			t.Parallel()
			g := &encryptedGateway{dir: filepath.Join(t.TempDir(), "out"), port: freePort(t), admin: freePort(t), secrets: secrets}
			first := newPair(t)
			bring(t, g, first)
			envoy := envoytest.Run(t, filepath.Join(g.dir, "infra-edge"), fmt.Sprintf("127.0.0.1:%d", g.admin))
			g.requireShown(t, first)
			for range 3 {
				renewed := newPair(t)
				bring(t, g, renewed)
				g.requireShown(t, renewed)
			}
			envoy.RequireLoaded(t)
		})
	}
}

// pair is a certificate with its key, as PEM.
type pair struct{ certificate, key []byte }

func newPair(t *testing.T) pair {
	t.Helper()
	certificate, key, err := envoytest.SelfSigned("infra/shop.example")
	if err != nil {
		t.Fatal(err)
	}
	return pair{certificate, key}
}

// shownBy tells whether the server of a connection has shown the certificate.
func (p pair) shownBy(connection *tls.Conn) bool {
	block, _ := pem.Decode(p.certificate)
	return bytes.Equal(connection.ConnectionState().PeerCertificates[0].Raw, block.Bytes)
}

// encryptedGateway is a rendering on the disk.
type encryptedGateway struct {
	dir         string
	port, admin int
	secrets     render.Secrets
	// mounted counts the versions of the Secret's volume.
	mounted int
}

// write renders the Gateway with a certificate.
func (g *encryptedGateway) write(t *testing.T, p pair) {
	t.Helper()
	encode := base64.StdEncoding.EncodeToString
	text := fmt.Sprintf(encrypted, g.port, encode(p.certificate), encode(p.key))
	objects, found := manifest.Reader{KeepKeys: true}.Read(t.Context(), []manifest.Source{{Name: "edge.yaml", Data: []byte(text), Named: true}})
	rendering, err := render.Render(t.Context(), objects, render.Options{ListenAddress: "127.0.0.1", AdminPort: g.admin, Secrets: g.secrets})
	if err != nil {
		t.Fatal(err)
	}
	var keys []files.File
	if g.secrets == render.SecretsFiles {
		keys, rendering.Diagnostics = rendering.KeyFiles(objects)
	}
	if found = append(found, rendering.Diagnostics...); found.HasErrors() {
		t.Fatal(found)
	}
	if err := files.WriteWithKeys(t.Context(), g.dir, []*files.Set{rendering.Gateways[0].Files}, keys, files.Options{}); err != nil {
		t.Fatal(err)
	}
}

// mount shows a pair as a kubelet does: the files are links into ..data, and ..data is a link that is swapped.
func (g *encryptedGateway) mount(t *testing.T, p pair) {
	t.Helper()
	volume := filepath.Join(g.dir, "infra-edge", "certs", "infra_shop")
	version := fmt.Sprintf("..version_%d", g.mounted)
	g.mounted++
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(volume, version), 0o755))
	for name, data := range map[string][]byte{"tls.crt": p.certificate, "tls.key": p.key} {
		must(os.WriteFile(filepath.Join(volume, version, name), data, 0o600))
		if g.mounted == 1 {
			must(os.Symlink(filepath.Join("..data", name), filepath.Join(volume, name)))
		}
	}
	must(os.Symlink(version, filepath.Join(volume, "..data_tmp")))
	must(os.Rename(filepath.Join(volume, "..data_tmp"), filepath.Join(volume, "..data")))
}

// requireShown waits until a client is shown the certificate of a pair.
func (g *encryptedGateway) requireShown(t *testing.T, p pair) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		client, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", g.port), &tls.Config{InsecureSkipVerify: true})
		if err == nil {
			shown := p.shownBy(client)
			client.Close()
			if shown {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("Envoy does not show the certificate: %v", err)
		}
	}
}
