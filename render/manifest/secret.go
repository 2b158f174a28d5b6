package manifest

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/schema/typed"
)

// Secret is what is kept of a Secret: what its certificate and key are worth, and what is public. The key itself is dropped while
// reading, unless a reader is told to keep keys.
type Secret struct {
	metav1.ObjectMeta
	Type corev1.SecretType
	// Pair is what "tls.crt" and "tls.key" are worth.
	Pair Pair
	// Authorities is the entry "ca.crt": the certificates of authorities, in PEM.
	Authorities string
	// Chain is "tls.crt" and Key is "tls.key", both in PEM, where Reader.KeepKeys asks for them and the pair is valid.
	Chain, Key Confidential
}

// Keys of the entries of a Secret or ConfigMap that the Gateway API looks for.
const (
	chainKey       = corev1.TLSCertKey
	privateKeyKey  = corev1.TLSPrivateKeyKey
	authoritiesKey = "ca.crt"
)

// secretKeys are the entries of a Secret that are read.
var secretKeys = []string{chainKey, privateKeyKey, authoritiesKey}

// defineSecret describes Secrets. Their data is looked at while it is read, and is in no object.
func defineSecret(known shapes) kind {
	s := known.of(reflect.TypeFor[corev1.Secret]()).without("data", "stringData")
	list := func(o *Objects) *[]Located[*Secret] { return &o.Secrets }
	return kind{shape: s, read: func(d *decoder, value map[string]any) (store, diagnostic.List) {
		decoded := new(corev1.Secret)
		d.decode(value, s, reflect.ValueOf(decoded).Elem())
		// kubectl apply writes the whole object into it, data included.
		delete(decoded.Annotations, corev1.LastAppliedConfigAnnotation)
		object := &Secret{ObjectMeta: decoded.ObjectMeta, Type: decoded.Type}
		object.readData(newSecretData(value), d.keepKeys)
		return storeIn(list, object), typed.Named(object.Name)
	}}
}

// readData judges the data of a Secret and keeps what may be kept.
func (s *Secret) readData(data secretData, keepKeys bool) {
	chain, chainState := data.entry(chainKey)
	key, keyState := data.entry(privateKeyKey)
	s.Pair = judgePair(chain, chainState, key, keyState)
	if authorities, state := data.entry(authoritiesKey); state == entryRead && len(authorities) <= longestChain {
		s.Authorities = string(authorities)
	}
	if keepKeys && s.Pair.Verdict == PairValid {
		s.Chain, s.Key = Confidential{chain}, Confidential{key}
	}
}

// Confidential is text that no output may hold: printed, formatted or encoded it is "[confidential]".
type Confidential struct{ text []byte }

const confidential = "[confidential]"

// Reveal gives the text, for the one file that is made for it.
func (c Confidential) Reveal() []byte { return c.text }

func (c Confidential) String() string               { return confidential }
func (c Confidential) GoString() string             { return confidential }
func (c Confidential) MarshalText() ([]byte, error) { return []byte(confidential), nil }
