package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// No command lets out what a Secret holds, whatever is wrong with the input: not on its outputs, not in a file that it writes, neither
// as it is nor encoded. What asks for keys in files gets them there and nowhere else.
func TestNothingSecretGetsOut(t *testing.T) {
	secret := newConfidence(t)
	for name, defect := range secret.defects() {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			secret.layOut(t, "before", defect, "80")
			secret.layOut(t, "after", defect, "81")
			commands := commandsOnDefects
			if name == "none" {
				commands = commandsOnSecrets
			}
			for _, command := range commands {
				out, complaint := runOnce(t, command, "")
				secret.requireKept(t, command, out+complaint)
			}
			out, complaint := runIn(t, "after", "cmp generate", "")
			secret.requireKept(t, "cmp generate", out+complaint)
			list := listOf(t, "after")
			out, complaint = runOnce(t, "fn", list)
			secret.requireNoMore(t, "fn", list, out)
			secret.requireKept(t, "fn", complaint)
			secret.requireFilesKept(t, name == "none")
		})
	}
}

// commandsOnSecrets are run in a folder with before/ and after/.
var commandsOnSecrets = []string{
	"render after", "render after --format yaml", "render after --form static", "render after --references strict",
	"render after --status -", "render after --status -  --secrets none",
	"render after -o out/reference --status out/status.yaml", "render after -o out/none --secrets none", "render after -o out/pb --format pb",
	"render after -o out/files --secrets files", "render after -o out/static-files --secrets files --form static", "render after --secrets files",
	"render --check out/files",
	"diff before after", "diff before after --output markdown", "diff before after --output json", "diff before after --output sarif",
	"diff before after --output html", "diff before after --curl",
	"diff before after --report out/report.json --certificate out/certificate.json", "verify out/certificate.json before after",
	"diff out/files out/reference", "diff out/files after --output json", "diff before out/files",
	"show out/report.json", "show out/report.json --output html", "comment --dry-run --report out/report.json",
	"check after", "check after --output json", "check after --output markdown", "check after --output sarif", "check out/files --output json",
}

// commandsOnDefects are those whose words depend on what is wrong.
var commandsOnDefects = []string{
	"render after --references strict", "render after -o out/files --secrets files", "diff before after", "check after --output json",
}

// confidence is what must not get out: a key and a password.
type confidence struct {
	certificate, key []byte
	password         string
	// needles are the forms in which they would be seen.
	needles []string
}

func newConfidence(t *testing.T) *confidence {
	t.Helper()
	certificate, key, err := envoytest.SelfSigned("infra/shop.example")
	fatal(t, err)
	block, _ := pem.Decode(key)
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	fatal(t, err)
	number, err := private.(*ecdsa.PrivateKey).Bytes()
	fatal(t, err)
	c := &confidence{certificate: certificate, key: key, password: "open-sesame-1234567890"}
	c.needles = []string{
		"BEGIN PRIVATE", string(number), hex.EncodeToString(number), c.password, hex.EncodeToString([]byte(c.password)),
		inner(base64.StdEncoding.EncodeToString([]byte(c.password))), inner(base64.StdEncoding.EncodeToString(block.Bytes)),
		inner(base64.StdEncoding.EncodeToString(c.key)), inner(base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(c.key)))),
	}
	return c
}

// inner is the middle of an encoded text, which is in it wherever its lines are broken and whatever stands around it.
func inner(encoded string) string { return encoded[len(encoded)/2-8 : len(encoded)/2+8] }

// defects are the Secrets of an input: a good one under "none", and those that are wrong at the very place of what they hide.
func (c *confidence) defects() map[string]string {
	chain, key := base64.StdEncoding.EncodeToString(c.certificate), base64.StdEncoding.EncodeToString(c.key)
	password := base64.StdEncoding.EncodeToString([]byte(c.password))
	secret := func(data string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: shop, namespace: infra}\ntype: kubernetes.io/tls\n" + data
	}
	good := fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: %s\n  password: %s\n", chain, key, password)
	indented := strings.ReplaceAll(strings.TrimSpace(string(c.key)), "\n", "\n    ")
	return map[string]string{
		"none":                 secret(good),
		"text":                 secret(fmt.Sprintf("stringData:\n  password: %s\n  tls.key: |\n    %s\ndata:\n  tls.crt: %s\n", c.password, indented, chain)),
		"no base64":            secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: '%s!'\n  password: %s\n", chain, key, c.password)),
		"key in clear text":    secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: |\n    %s\n", chain, indented)),
		"key twice":            secret(good + "  tls.key: " + key + "\n"),
		"list for text":        secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: [%s, %s]\n", chain, key, c.password)),
		"text for data":        secret("data: " + c.password + key + "\n"),
		"text for stringData":  secret("stringData: " + c.password + "\n"),
		"open quote":           secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: \"%s\n  password: %s\n", chain, key, password)),
		"wrong indent":         secret(fmt.Sprintf("data:\n  tls.crt: %s\n tls.key: %s\n   password: %s\n", chain, key, c.password)),
		"no colon":             secret(fmt.Sprintf("data:\n  tls.crt: %s\n  %s\n  %s\n", chain, key, c.password)),
		"misspelt field":       secret(fmt.Sprintf("datta:\n  tls.key: %s\n  password: %s\n", key, c.password)),
		"misspelt kind":        strings.Replace(secret(good), "kind: Secret", "kind: Secrets", 1),
		"without a kind":       strings.Replace(secret(good), "kind: Secret\n", "", 1),
		"wrong name":           strings.Replace(secret(good), "name: shop", "name: Shop_1", 1),
		"wrong type":           strings.Replace(secret(good), "kubernetes.io/tls", "Opaque", 1),
		"key of another":       secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: %s\n", chain, base64.StdEncoding.EncodeToString(append([]byte("x"), c.key[10:]...)))),
		"key for certificate":  secret(fmt.Sprintf("data:\n  tls.crt: %s\n  tls.key: %s\n", key, key)),
		"in the annotation":    strings.Replace(secret(good), "namespace: infra}", fmt.Sprintf("namespace: infra, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"data\":{\"tls.key\":\"%s\",\"p\":\"%s\"}}'}}", key, c.password), 1),
		"unknown alias":        secret(fmt.Sprintf("data:\n  tls.key: *%s\n  tls.crt: %s\n", c.password, chain)),
		"immutable as text":    secret(good + "immutable: " + c.password + "\n"),
		"list of Secrets":      "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(secret(good)), "\n", "\n  ") + "\n",
		"no object of a list":  "apiVersion: v1\nkind: List\nitems:\n- " + c.password + "\n- data: {tls.key: " + key + "}\n",
		"a scalar of its own":  c.password + "\n",
		"a ConfigMap with all": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop, namespace: infra}\ndata: {ca.crt: " + key + ", password: [" + c.password + "]}\n",
	}
}

const manifestsOfSecrets = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  listeners:
  - {name: http, port: 8080, protocol: HTTP}
  - {name: https, port: 8443, protocol: HTTPS, tls: {certificateRefs: [{name: shop}]}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop, namespace: infra}
spec:
  parentRefs: [{name: edge}]
  rules:
  - backendRefs: [{name: web, port: PORT}]
`

func (c *confidence) layOut(t *testing.T, dir, secret, port string) {
	t.Helper()
	fatal(t, os.MkdirAll(dir, 0o755))
	fatal(t, os.MkdirAll("out", 0o755))
	fatal(t, os.WriteFile(filepath.Join(dir, "routes.yaml"), []byte(strings.Replace(manifestsOfSecrets, "PORT", port, 1)), 0o644))
	fatal(t, os.WriteFile(filepath.Join(dir, "secret.yaml"), []byte(secret), 0o644))
}

// requireKept looks for what must not be in a text.
func (c *confidence) requireKept(t *testing.T, where, text string) {
	t.Helper()
	for _, needle := range c.needles {
		if i := strings.Index(text, needle); i >= 0 {
			t.Errorf("%s lets out %q:\n%s", where, needle, text[max(0, i-300):min(len(text), i+300)])
			return
		}
	}
}

// requireNoMore is for a command that passes its input through: it may not add to what is in it.
func (c *confidence) requireNoMore(t *testing.T, where, in, out string) {
	t.Helper()
	for _, needle := range c.needles {
		if strings.Count(out, needle) > strings.Count(in, needle) {
			t.Errorf("%s lets out %q:\n%s", where, needle, out)
		}
	}
}

// requireFilesKept looks into every file that a command has written. Only the two forms that were asked for keys have them, if the
// Secret is good.
func (c *confidence) requireFilesKept(t *testing.T, good bool) {
	t.Helper()
	keys := 0
	fatal(t, filepath.WalkDir("out", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if filepath.Ext(path) == ".pem" {
			keys++
			if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v (%v)", path, info.Mode(), err)
			}
			if !bytes.Contains(text, c.certificate) || !bytes.Contains(text, c.key) {
				t.Errorf("%s is not the certificate with its key", path)
			}
			return err
		}
		c.requireKept(t, path, string(text))
		return err
	}))
	if good && keys != 2 {
		t.Errorf("%d keys were written, want those of out/files and of out/static-files", keys)
	}
}

// listOf is what kustomize sends of a folder.
func listOf(t *testing.T, dir string) string {
	t.Helper()
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	for _, name := range []string{"routes.yaml", "secret.yaml"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		fatal(t, err)
		for document := range strings.SplitSeq(string(data), "\n---\n") {
			text += "- " + strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
		}
	}
	return text
}

// runOnce gives what a command prints.
func runOnce(t *testing.T, command, in string) (output, complaints string) {
	t.Helper()
	var out, complaint bytes.Buffer
	run(t.Context(), strings.Fields(command), streams{in: strings.NewReader(in), out: &out, err: &complaint, env: func(string) string { return "" }})
	return out.String(), complaint.String()
}

func runIn(t *testing.T, dir, command, in string) (output, complaints string) {
	t.Helper()
	here, err := os.Getwd()
	fatal(t, err)
	t.Chdir(dir)
	defer t.Chdir(here)
	return runOnce(t, command, in)
}

func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
