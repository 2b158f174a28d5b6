package files

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
)

// The files of one Gateway, from its directory on, with the extension of JSON. Envoy demands one resource in each file of
// routes, endpoints and secrets; listeners and clusters stand together.
const (
	BootstrapPath = "bootstrap.json"
	ListenersPath = "lds.json"
	ClustersPath  = "cds.json"
)

// RoutesPath is the file of a route configuration.
func RoutesPath(name string) string { return "rds/" + fileName(name) + ".json" }

// EndpointsPath is the file of a cluster load assignment.
func EndpointsPath(serviceName string) string { return "eds/" + fileName(serviceName) + ".json" }

// SecretPath is the file of a secret.
func SecretPath(name string) string { return "sds/" + fileName(name) + ".json" }

// MountDirectory is where a Secret or ConfigMap is mounted whose files only the installer of a rendering has. All below certs/ is
// his.
func MountDirectory(name string) string { return "certs/" + fileName(name) }

// KeyPath is the file that is written with a rendering and holds the certificate and the key of a secret. All below secrets/ is the
// rendering's. It is one file for both, since two would be replaced one after the other, and not fit in between.
func KeyPath(name string) string { return "secrets/" + fileName(name) + ".pem" }

// SourcePath is a file as a config source names it. The path is relative, so that a rendering is the same on every machine,
// and it has a directory part: Envoy finds no bare "cds.json".
func SourcePath(file string) string { return "./" + file }

// MaxSubscriptions is the number of files that one Envoy may watch. Each takes one inotify instance, of which a user has 128
// by default (fs.inotify.max_user_instances) for all his processes; beyond it Envoy aborts.
const MaxSubscriptions = 100

var plainName = regexp.MustCompile(`^[A-Za-z0-9][-.A-Za-z0-9]*([/:][-.A-Za-z0-9]+)*$`)

// fileName is a resource's name as the name of a file, in the characters that a key of a ConfigMap may have. Separators become
// "_", which no Kubernetes name contains; any other name gets a digest behind it, so that two names never share a file.
func fileName(name string) string {
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '_'
	}, name)
	if plainName.MatchString(name) && len(readable) <= 200 {
		return readable
	}
	sum := sha256.Sum256([]byte(name))
	return readable[:min(len(readable), 100)] + "_" + hex.EncodeToString(sum[:6])
}

// FlatName is a path without directories, for homes that have none (the keys of a ConfigMap): "rds/x.json" is "rds.x.json".
func FlatName(file string) string { return strings.ReplaceAll(path.Clean(file), "/", ".") }

// withExtension replaces the extension of a path.
func withExtension(file, extension string) string {
	return strings.TrimSuffix(file, path.Ext(file)) + extension
}
