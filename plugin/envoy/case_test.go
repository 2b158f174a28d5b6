package envoy_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
	"github.com/routedelta/routedelta/render"
	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
)

// caseRoot holds one folder for each feature; its README describes the files.
const caseRoot = "../../testdata/cases"

// testCase is one file: manifests, requests, and the answers that are known to be right.
type testCase struct {
	ID            string `yaml:"id"`
	Source        string `yaml:"source"`
	Title         string `yaml:"title"`
	Area          string `yaml:"area"`
	Input         string `yaml:"input"`
	Dialect       string `yaml:"dialect"`
	Feature       string `yaml:"feature"`
	Note          string `yaml:"note"`
	Manifests     string `yaml:"manifests"`
	ManifestsFile string `yaml:"manifests_file"`
	Ages          []struct {
		Kind, Namespace, Name string
		New                   bool
		Created               time.Time
	} `yaml:"ages"`
	Requests          []caseRequest  `yaml:"requests"`
	ExpectStatus      []statusWanted `yaml:"expect_status"`
	ExpectDiagnostics []string       `yaml:"expect_diagnostics"`

	// path is the file without its extension.
	path string
}

// caseRequest is one request and its answer.
type caseRequest struct {
	Method  string            `yaml:"method"`
	Scheme  string            `yaml:"scheme"`
	Host    string            `yaml:"host"`
	Port    uint32            `yaml:"port"`
	Path    string            `yaml:"path"`
	Headers map[string]string `yaml:"headers"`
	// SNI is the server name of the connection, that of Host where it is not set.
	SNI    *string          `yaml:"sni"`
	Client envoytest.Client `yaml:"client"`
	// GRPC calls the path over HTTP/2, as gRPC clients do.
	GRPC bool         `yaml:"grpc"`
	Want answerWanted `yaml:"want"`
	Why  string       `yaml:"why"`
}

// answerWanted says what matters of an answer; a field that is not set does not.
type answerWanted struct {
	Backend     string `yaml:"backend"`
	Cluster     string `yaml:"cluster"`
	Status      int    `yaml:"status"`
	Location    string `yaml:"location"`
	Path        string `yaml:"path"`
	Endpoint    string `yaml:"endpoint"`
	Certificate string `yaml:"certificate"`
	// Closed: the connection is closed, or the datagram has no answer.
	Closed bool `yaml:"closed"`
	// Headers are those of the answer, and Seen those that the backend got; "" is one that is not there.
	Headers map[string]string `yaml:"headers"`
	Seen    map[string]string `yaml:"seen"`
	// GRPC is the status that a gRPC client is told ("12" is UNIMPLEMENTED, "14" UNAVAILABLE).
	GRPC string `yaml:"grpc"`
	// Tries is how often backends got the request, copies included. Its path must be that of no other request.
	Tries int `yaml:"tries"`
	// Client and ServerName are what the backend is shown over TLS.
	Client     string   `yaml:"client"`
	ServerName string   `yaml:"server_name"`
	Share      *float64 `yaml:"share"`
	Split      []struct {
		Backend string  `yaml:"backend"`
		Status  int     `yaml:"status"`
		Closed  bool    `yaml:"closed"`
		GRPC    string  `yaml:"grpc"`
		Share   float64 `yaml:"share"`
	} `yaml:"split"`
}

// statusWanted is a condition of a route, a Gateway or a listener, or the refusal of an object by its schema.
type statusWanted struct {
	Kind       string  `yaml:"kind"`
	Namespace  string  `yaml:"namespace"`
	Name       string  `yaml:"name"`
	Listener   string  `yaml:"listener"`
	Condition  string  `yaml:"condition"`
	Status     string  `yaml:"status"`
	Reason     *string `yaml:"reason"`
	Validation string  `yaml:"validation"`
	Field      string  `yaml:"field"`
}

// loadCases reads all cases, in the order of their paths.
func loadCases(t *testing.T) []testCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(caseRoot, "*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	ids := map[string]string{}
	for _, path := range paths {
		if filepath.Base(path) == "manifests.yaml" {
			continue
		}
		c := loadCase(t, path)
		if other := ids[c.ID]; c.ID == "" || other != "" {
			t.Fatalf("%s: id %q is empty or that of %s", path, c.ID, other)
		}
		ids[c.ID] = path
		cases = append(cases, c)
	}
	return cases
}

func loadCase(t *testing.T, path string) testCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := testCase{path: strings.TrimSuffix(path, ".yaml")}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if c.ManifestsFile != "" {
		manifests, err := os.ReadFile(filepath.Join(filepath.Dir(path), c.ManifestsFile))
		if err != nil {
			t.Fatal(err)
		}
		c.Manifests = string(manifests)
	}
	return c
}

// isReport: the cases of public reports are about one answer each and have no wanted rendering.
func (c testCase) isReport() bool { return filepath.Base(filepath.Dir(c.path)) == "corpus" }

// render reads and renders the manifests as a controller would see them: what is not in the input does not exist.
func (c testCase) render(t *testing.T) *render.Rendering {
	t.Helper()
	objects, found := manifest.Read(t.Context(), []manifest.Source{{Name: c.ID + ".yaml", Data: []byte(c.Manifests), Named: true}}, manifest.Limits{})
	rendering, err := render.Render(t.Context(), objects, render.Options{
		References: render.Strict, Dialect: c.dialect(), Ages: c.ages(), AdminPort: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
	rendering.Diagnostics = append(found, rendering.Diagnostics...)
	return rendering
}

// dialect: where a case names an implementation without its version, the newest is meant.
func (c testCase) dialect() string {
	if c.Dialect == "envoy-gateway" {
		return "envoy-gateway-1.9"
	}
	return c.Dialect
}

func (c testCase) ages() map[diagnostic.Object]model.Age {
	ages := map[diagnostic.Object]model.Age{}
	for _, age := range c.Ages {
		object := diagnostic.Object{Kind: age.Kind, Namespace: age.Namespace, Name: age.Name}
		ages[object] = model.Age{New: age.New, Created: age.Created, Source: model.AgeGit}
	}
	return ages
}

func (r caseRequest) String() string {
	text := fmt.Sprintf("%s %s%s", r.Method, r.Host, r.Path)
	if r.Port != 0 {
		text += fmt.Sprintf(" on port %d", r.Port)
	}
	return text
}
