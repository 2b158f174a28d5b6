package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/routedelta/routedelta/conformance/cluster"
	"github.com/routedelta/routedelta/conformance/controller"
	"github.com/routedelta/routedelta/conformance/fleet"
	"github.com/routedelta/routedelta/conformance/loopback"
	"github.com/routedelta/routedelta/render/diagnostic"
)

// gatewayClass is the class of all Gateways of a run.
const gatewayClass = "routedelta"

// world is all that the suite meets: an API, a cluster's pods, Envoys, and the controller between them.
type world struct {
	network *loopback.Network
	fleet   *fleet.Fleet
	// config and options are for the clients of the suite, whose writes settle.
	config  *rest.Config
	options client.Options
}

func newWorld(t *testing.T) *world {
	t.Helper()
	network, err := loopback.Claim()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { check(t, network.Close()) })
	server := startServer(t, network)
	w := &world{network: network, options: client.Options{Scheme: newScheme(t), Mapper: server.mapper}}
	inside, err := client.New(server.config, w.options)
	if err != nil {
		t.Fatal(err)
	}
	clients, err := kubernetes.NewForConfig(server.config)
	if err != nil {
		t.Fatal(err)
	}
	w.fleet = newFleet(t, network, inside)
	pods := cluster.New(inside, network)
	t.Cleanup(func() { check(t, pods.Close()) })
	manager := controller.New(controller.Config{
		Client: inside, REST: clients.CoreV1().RESTClient(), Fleet: w.fleet, Static: []netip.Addr{network.Static()}, Log: logger(t),
	})
	settle := func(ctx context.Context) error {
		if err := pods.Settle(ctx); err != nil {
			return err
		}
		return manager.Settle(ctx)
	}
	w.config = rest.CopyConfig(server.config)
	w.config.Wrap(func(next http.RoundTripper) http.RoundTripper { return pods.Logs(settled{next, settle}) })
	return w
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	made := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, gatewayv1.Install, apiextensionsv1.AddToScheme} {
		if err := add(made); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// newFleet makes a fleet whose files are gone with the test, unless KEEP names a folder for them.
func newFleet(t *testing.T, network *loopback.Network, inside client.Client) *fleet.Fleet {
	t.Helper()
	directory := os.Getenv("KEEP")
	if directory == "" {
		var err error
		if directory, err = os.MkdirTemp("", "conf"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { check(t, os.RemoveAll(directory)) })
	}
	made := fleet.New(fleet.Config{
		Envoy: envoy(t), Directory: directory, Network: network,
		Secret: func(ctx context.Context, name string) (map[string][]byte, error) {
			var secret corev1.Secret
			namespace, name, _ := strings.Cut(name, "/")
			err := inside.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, &secret)
			return secret.Data, err
		},
	})
	t.Cleanup(func() { check(t, made.Close()) })
	return made
}

// envoy is the path of the program: ENVOY from the environment, else what `make envoy` installed.
func envoy(t *testing.T) string {
	t.Helper()
	path := os.Getenv("ENVOY")
	if path == "" {
		path = filepath.Join("..", ".local", "bin", "envoy")
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("there is no Envoy: %v\nhint: run `make envoy`, or set ENVOY to the path of an Envoy 1.40.0", err)
	}
	return path
}

// createClass writes the GatewayClass of the run.
func (w *world) createClass(t *testing.T) client.Client {
	t.Helper()
	outside, err := client.New(w.config, w.options)
	if err != nil {
		t.Fatal(err)
	}
	class := &gatewayv1.GatewayClass{
		ObjectMeta: metav1.ObjectMeta{Name: gatewayClass},
		Spec:       gatewayv1.GatewayClassSpec{ControllerName: controller.Name},
	}
	if err := outside.Create(t.Context(), class); err != nil {
		t.Fatal(err)
	}
	return outside
}

// logger prints each diagnostic once; errors only: what the renderer warns of is what half of the tests are about.
func logger(t *testing.T) func(diagnostic.Diagnostic) {
	said := map[string]bool{}
	return func(d diagnostic.Diagnostic) {
		text := fmt.Sprintf("%s %s %s: %s", d.Code, d.Severity, d.Object, d.Message)
		if d.Severity == diagnostic.Error && !said[text] {
			said[text] = true
			t.Log(text)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
