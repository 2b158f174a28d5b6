package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"

	"github.com/routedelta/routedelta/conformance/api"
)

// server is the API that the suite talks to.
type server struct {
	config *rest.Config
	mapper meta.RESTMapper
}

// startServer starts an API with the CRDs of the experimental channel, which has what the standard one has and more.
func startServer(t *testing.T) server {
	t.Helper()
	crds, err := api.ReadCRDs(os.DirFS(filepath.Join(gatewayAPI(t), "config", "crd", "experimental")))
	if err != nil {
		t.Fatal(err)
	}
	in, err := api.New(crds)
	if err != nil {
		t.Fatal(err)
	}
	return server{config: in.Config(), mapper: in.Mapper()}
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
