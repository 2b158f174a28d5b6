package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/routedelta/routedelta/conformance/api"
	"github.com/routedelta/routedelta/conformance/kube"
	"github.com/routedelta/routedelta/conformance/loopback"
)

// server is the API that the suite talks to.
type server struct {
	config *rest.Config
	mapper meta.RESTMapper
}

// startServer starts the API in the process, or with API=kube a kube-apiserver, with the CRDs of the experimental channel: it has
// what the standard one has and more.
func startServer(t *testing.T, network *loopback.Network) server {
	t.Helper()
	crds, err := api.ReadCRDs(os.DirFS(filepath.Join(gatewayAPI(t), "config", "crd", "experimental")))
	if err != nil {
		t.Fatal(err)
	}
	in, err := api.New(crds)
	if err != nil {
		t.Fatal(err)
	}
	made := server{config: in.Config(), mapper: in.Mapper()}
	switch choice := os.Getenv("API"); choice {
	case "":
	case "kube":
		made.config = startKube(t, network)
		installCRDs(t, made, crds)
	default:
		t.Fatalf("API is %q, want kube or nothing", choice)
	}
	return made
}

// startKube runs the servers that `make kube-apiserver` builds; they end with the test.
func startKube(t *testing.T, network *loopback.Network) *rest.Config {
	t.Helper()
	programs := os.Getenv("KUBE_PROGRAMS")
	if programs == "" {
		programs = filepath.Join("..", ".local", "bin")
	}
	programs, err := filepath.Abs(programs)
	if err != nil {
		t.Fatal(err)
	}
	running, err := kube.Start(t.Context(), programs, t.TempDir(), network.Static())
	if err != nil {
		t.Fatalf("%v\nhint: make kube-apiserver builds it", err)
	}
	t.Cleanup(func() { check(t, running.Close()) })
	return running.Config
}

// installCRDs writes the CRDs and waits until their kinds are served.
func installCRDs(t *testing.T, s server, crds []*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	c, err := client.New(s.config, client.Options{Scheme: newScheme(t), Mapper: s.mapper})
	if err != nil {
		t.Fatal(err)
	}
	for _, crd := range crds {
		if err := c.Create(t.Context(), crd); err != nil {
			t.Fatal(err)
		}
	}
	for _, crd := range crds {
		err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			err := c.Get(ctx, client.ObjectKeyFromObject(crd), crd)
			return established(crd), err
		})
		if err != nil {
			t.Fatal(fmt.Errorf("waiting for %s: %w", crd.Name, err))
		}
	}
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range crd.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}

// gatewayAPI is the folder of the module that holds the CRDs.
func gatewayAPI(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
