package files_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render/files"
)

// validate lets a real Envoy read a set as one merged bootstrap, which is the only form of which it reads everything. It
// returns what Envoy says, "" for nothing.
func validate(t *testing.T, set *files.Set) string {
	t.Helper()
	dir := t.TempDir()
	lay(t, dir, tree(t, set, files.Options{Form: files.Static}))
	home := filepath.Join(dir, set.Name)
	for _, secret := range []string{"shop_one", "shop_two"} {
		writeCertificate(t, filepath.Join(home, "certs", secret))
	}
	command := exec.CommandContext(t.Context(), envoytest.Binary(t), "--mode", "validate", "-c", "bootstrap.json", "-l", "error")
	command.Dir = home
	said, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return string(said) + err.Error()
}

func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"shop.example"}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"tls.crt": {Type: "CERTIFICATE", Bytes: certificate},
		"tls.key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEnvoyTakesTheStaticForm(t *testing.T) {
	if said := validate(t, sample(t)); said != "" {
		t.Errorf("Envoy refuses the merged bootstrap: %s", said)
	}
}

// TestEnvoyAgrees shows that the table of edits tells the truth about Envoy: what it refuses, and what it takes in silence,
// so that nobody but the graph check will say it.
func TestEnvoyAgrees(t *testing.T) {
	for _, e := range edits {
		if e.refuses == "" && !e.silent {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			sets, err := files.LoadFS(t.Context(), edited(t, e))
			if err != nil {
				t.Fatal(err)
			}
			said := validate(t, sets[0])
			switch {
			case e.silent && said != "":
				t.Errorf("Envoy refuses what it is said to take: %s", said)
			case !e.silent && !strings.Contains(said, e.refuses):
				t.Errorf("Envoy does not refuse with %q: %s", e.refuses, said)
			}
		})
	}
}

// TestEnvoyServesAWrittenBootstrap: a bootstrap with everything in it, read as other people's and written as ours, does in Envoy
// what it did.
func TestEnvoyServesAWrittenBootstrap(t *testing.T) {
	sets, err := files.Parse(t.Context(), "bootstrap.yaml", []byte(staticBootstrap))
	if err != nil || len(sets) != 1 {
		t.Fatalf("%d sets: %v", len(sets), err)
	}
	dir := filepath.Join(t.TempDir(), "envoy")
	if err := files.Write(t.Context(), dir, sets, files.Options{}); err != nil {
		t.Fatal(err)
	}
	written, err := files.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	envoy := envoytest.Start(t, written[0])
	envoy.RequireLoaded(t)
	for path, cluster := range map[string]string{"/": "web", "/missing": ""} {
		answer, err := envoy.Ask(t.Context(), 80, envoytest.Request{Method: "GET", Path: path, Host: "shop.example"})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Cluster != cluster {
			t.Errorf("%s went to %q, want %q", path, answer.Cluster, cluster)
		}
	}
}

const staticBootstrap = `
static_resources:
  listeners:
  - name: http
    address: {socket_address: {address: 0.0.0.0, port_value: 80}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          http_filters:
          - {name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - {name: missing, match: {path: /missing}, direct_response: {status: 404}}
              - {name: web, match: {prefix: /}, route: {cluster: web}}
  clusters:
  - name: web
    load_assignment:
      cluster_name: web
      endpoints:
      - lb_endpoints: [{endpoint: {address: {socket_address: {address: 192.0.2.1, port_value: 8080}}}}]
`
