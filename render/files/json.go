package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"google.golang.org/protobuf/proto"
)

// A discovery response begins with its version, which is known when the resources are written.
const (
	versionLead   = `{"version_info":"`
	resourcesLead = `","resources":[`
	versionLength = 16
)

// appendDiscovery appends a discovery response without white space to a text that is empty, and gives its version_info, the
// digest of its resources: who updates a running Envoy waits until it reports this.
func appendDiscovery[M proto.Message](w *writer, empty []byte, resources []M) (text []byte, version string, err error) {
	hash := sha256.New()
	text = fmt.Appendf(empty, "%s%*s%s", versionLead, versionLength, "", resourcesLead)
	for i, resource := range resources {
		if i > 0 {
			text = append(text, ',')
		}
		begin := len(text)
		if text, err = w.appendPacked(text, resource); err != nil {
			return nil, "", err
		}
		hash.Write(text[begin:])
		hash.Write([]byte{'\n'})
	}
	version = hex.EncodeToString(hash.Sum(nil))[:versionLength]
	copy(text[len(versionLead):], version)
	return append(text, "]}"...), version, nil
}

// layOut gives compact JSON its lines.
func layOut(text []byte, format Format) ([]byte, error) {
	switch format {
	case JSON:
		return indent(text), nil
	case YAML:
		return yamlFromJSON(text)
	}
	return nil, fmt.Errorf("there is no format %q: take json, yaml or pb", format)
}
