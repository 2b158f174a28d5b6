package manifest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

// newPair makes a certificate for a.example and its key, both in PEM.
func newPair(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a"}, DNSNames: []string{"a.example"},
		NotAfter: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}

// secretText is a Secret with these entries, in base64 under data, or as they are under stringData.
func secretText(field string, entries map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: v1\nkind: Secret\nmetadata: {name: s, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"data\":1}'}}\ntype: kubernetes.io/tls\n%s:\n", field)
	for name, value := range entries {
		fmt.Fprintf(&b, "  %s: %q\n", name, value)
	}
	return b.String()
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func readSecret(t *testing.T, reader Reader, text string) *Secret {
	t.Helper()
	objects, found := reader.Read(t.Context(), []Source{{Name: "f.yaml", Data: []byte(text)}})
	if found.HasErrors() || len(objects.Secrets) != 1 {
		t.Fatal(found)
	}
	return objects.Secrets[0].Object
}

// TestPair: the data of a Secret is judged, and what is encrypted is not known.
func TestPair(t *testing.T) {
	certificate, key := newPair(t)
	_, otherKey := newPair(t)
	encrypted := "ENC[AES256_GCM,data:aaaa,iv:bbbb,tag:cccc,type:str]"
	for name, test := range map[string]struct {
		text string
		want Verdict
		says string
	}{
		"valid":                 {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encoded(key)}), PairValid, ""},
		"valid as text":         {secretText("stringData", map[string]string{"tls.crt": certificate, "tls.key": key}), PairValid, ""},
		"no certificate":        {secretText("data", map[string]string{"tls.key": encoded(key)}), PairMissing, "it has no tls.crt"},
		"no key":                {secretText("data", map[string]string{"tls.crt": encoded(certificate)}), PairMissing, "it has no tls.key"},
		"empty key":             {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": ""}), PairMissing, "it has no tls.key"},
		"no data":               {"apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n", PairMissing, "it has no tls.crt"},
		"another key":           {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encoded(otherKey)}), PairMismatched, "tls.key is not the key of tls.crt"},
		"no certificate at all": {secretText("data", map[string]string{"tls.crt": encoded("hello"), "tls.key": encoded(key)}), PairMalformed, "tls.crt holds no certificate in PEM"},
		"broken certificate": {secretText("data", map[string]string{"tls.crt": encoded("-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n"), "tls.key": encoded(key)}),
			PairMalformed, "tls.crt holds a certificate that cannot be read"},
		"no key at all":   {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encoded("s3cret")}), PairMalformed, "tls.key is no private key in PEM that can be read"},
		"long key":        {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encoded(strings.Repeat("s3cret", 2000))}), PairMalformed, "tls.key has more than 8192 bytes"},
		"no base64":       {secretText("data", map[string]string{"tls.crt": "!", "tls.key": encoded(key)}), PairMalformed, "tls.crt is no base64"},
		"SOPS":            {secretText("data", map[string]string{"tls.crt": encrypted, "tls.key": encrypted}) + "sops: {mac: x}\n", PairUnknown, ""},
		"SOPS of the key": {secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encrypted}), PairUnknown, ""},
		"variable":        {secretText("data", map[string]string{"tls.crt": "${CRT}", "tls.key": "${KEY}"}), PairUnknown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			secret := readSecret(t, reader, test.text)
			if secret.Pair.Verdict != test.want || secret.Pair.Problem != test.says {
				t.Errorf("%q %q", secret.Pair.Verdict, secret.Pair.Problem)
			}
			if public := secret.Pair; test.want == PairValid && (fmt.Sprint(public.DNSNames) != "[a.example]" || public.NotAfter.Year() != 2030) {
				t.Error(public)
			}
		})
	}
}

// TestNoKeyIsKept: nothing of a key is in an object, unless it is asked for, and then nothing prints it.
func TestNoKeyIsKept(t *testing.T) {
	certificate, key := newPair(t)
	text := secretText("data", map[string]string{"tls.crt": encoded(certificate), "tls.key": encoded(key), "ca.crt": encoded(certificate), "other": encoded("s3cret")})
	secret := readSecret(t, reader, text)
	if secret.Chain.Reveal() != nil || secret.Key.Reveal() != nil || len(secret.Annotations) != 0 || secret.Authorities != certificate {
		t.Errorf("%#v", secret)
	}
	secret = readSecret(t, Reader{Schema: reader.Schema, KeepKeys: true}, text)
	if string(secret.Key.Reveal()) != key || string(secret.Chain.Reveal()) != certificate {
		t.Error("the pair is not kept")
	}
	encodedSecret, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	part := strings.Split(key, "\n")[1]
	for _, printed := range []string{fmt.Sprint(secret.Key), fmt.Sprintf("%#v", secret.Key), fmt.Sprintf("%+v %s %q %x", secret.Key, secret.Key, secret.Key, secret.Key), string(encodedSecret)} {
		if strings.Contains(printed, part) || strings.Contains(printed, fmt.Sprintf("%x", part)) || !strings.Contains(printed, "[confidential]") && !strings.Contains(printed, fmt.Sprintf("%x", confidential)) {
			t.Error(printed)
		}
	}
}

// TestConfigMap: of a ConfigMap, the certificates of authorities are read and nothing else is looked at.
func TestConfigMap(t *testing.T) {
	objects, found := readText(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  ca.crt: x\n  script: \"${NOT_OURS}\"\n  number: 1\nnew: 1\n")
	for _, d := range found {
		if d.Severity != "warning" || d.Code != "RD1011" {
			t.Error(d)
		}
	}
	if len(objects.ConfigMaps) != 1 || fmt.Sprint(objects.ConfigMaps[0].Object.Data) != "map[ca.crt:x]" {
		t.Error(objects.ConfigMaps)
	}
}
