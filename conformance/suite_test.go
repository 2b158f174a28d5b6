package conformance

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	official "sigs.k8s.io/gateway-api/conformance"
	confv1 "sigs.k8s.io/gateway-api/conformance/apis/v1"
	"sigs.k8s.io/gateway-api/conformance/tests"
	"sigs.k8s.io/gateway-api/conformance/utils/config"
	"sigs.k8s.io/gateway-api/conformance/utils/roundtripper"
	"sigs.k8s.io/gateway-api/conformance/utils/suite"
)

// TestConformance runs the official suite. In the environment, RUN names tests, with commas between, where not all shall run; REPORT
// names the folder into which the report of a whole run is written.
func TestConformance(t *testing.T) {
	crlog.SetLogger(logr.Discard())
	w := newWorld(t)
	outcomes := &outcomes{begin: time.Now()}
	options := w.suiteOptions(t)
	options.Hook = outcomes.add
	s, err := suite.NewConformanceTestSuite(options)
	if err != nil {
		t.Fatal(err)
	}
	chosen := choose(t, os.Getenv("RUN"))
	t.Run("Suite", func(t *testing.T) {
		s.Setup(t, chosen)
		outcomes.setUp()
		if err := s.Run(t, chosen); err != nil {
			t.Error(err)
		}
	})
	report, err := s.Report()
	if err != nil {
		t.Fatal(err)
	}
	outcomes.requireAll(t)
	sortProfiles(report)
	outcomes.printCounts(report)
	done := w.fleet.Counts()
	fmt.Printf("%d Envoys started, %d renderings brought to running ones, %d checked in their merged form\n", done.Started, done.Updated, done.Validated)
	if directory := os.Getenv("REPORT"); directory != "" && len(chosen) == len(tests.ConformanceTests) {
		outcomes.writeReports(t, directory, report)
	}
}

func (w *world) suiteOptions(t *testing.T) suite.ConformanceOptions {
	t.Helper()
	outside := w.createClass(t)
	clients, err := kubernetes.NewForConfig(w.config)
	if err != nil {
		t.Fatal(err)
	}
	timeouts := timeouts()
	return suite.ConformanceOptions{
		// No features: the suite reads them from the status of the GatewayClass.
		ConfigurableOptions: suite.ConfigurableOptions{
			GatewayClassName:     gatewayClass,
			ConformanceProfiles:  profileNames(),
			CleanupBaseResources: true,
			CleanupTestResources: true,
			// A change of one test must not be waited for by another.
			DisableParallelTests:     true,
			TimeoutConfig:            timeouts,
			UsableNetworkAddresses:   addresses(w.network.Static().String()),
			UnusableNetworkAddresses: addresses("192.0.2.1"),
			Implementation: confv1.Implementation{
				Organization: "routedelta", Project: "routedelta", URL: "https://github.com/routedelta/routedelta", Version: "dev",
				Contact: []string{"https://github.com/routedelta/routedelta/issues"},
			},
		},
		Client: outside, ClientOptions: client.Options(w.options), Clientset: clients, RestConfig: w.config,
		ManifestFS:   []fs.FS{&official.Manifests},
		RoundTripper: &roundtripper.DefaultRoundTripper{TimeoutConfig: timeouts},
	}
}

// choose gives the tests of these names; "" is all.
func choose(t *testing.T, names string) []suite.ConformanceTest {
	t.Helper()
	if names == "" {
		return tests.ConformanceTests
	}
	var chosen []suite.ConformanceTest
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(tests.ConformanceTests, func(test suite.ConformanceTest) bool { return test.ShortName == name })
		if i < 0 {
			t.Fatalf("the suite has no test %q", name)
		}
		chosen = append(chosen, tests.ConformanceTests[i])
	}
	return chosen
}

func addresses(value string) []gatewayv1.GatewaySpecAddress {
	kind := gatewayv1.IPAddressType
	return []gatewayv1.GatewaySpecAddress{{Type: &kind, Value: value}}
}

// timeouts are short: everything has followed from a write once it is answered, so that a condition that does not hold by then will
// not. Some tests look once a second, so that less than two seconds is too little.
func timeouts() config.TimeoutConfig {
	const patience = 3 * time.Second
	timeouts := config.DefaultTimeoutConfig()
	for _, timeout := range []*time.Duration{
		&timeouts.GatewayMustHaveAddress, &timeouts.GatewayMustHaveCondition, &timeouts.GatewayStatusMustHaveListeners,
		&timeouts.GatewayListenersMustHaveConditions, &timeouts.ListenerSetMustHaveCondition, &timeouts.ListenerSetListenersMustHaveConditions,
		&timeouts.GWCMustBeAccepted, &timeouts.HTTPRouteMustNotHaveParents, &timeouts.HTTPRouteMustHaveCondition,
		&timeouts.TLSRouteMustHaveCondition, &timeouts.TCPRouteMustHaveCondition, &timeouts.UDPRouteMustHaveCondition,
		&timeouts.RouteMustHaveParents, &timeouts.MaxTimeToConsistency, &timeouts.NamespacesMustBeReady, &timeouts.RequestTimeout,
		&timeouts.LatestObservedGenerationSet, &timeouts.DefaultTestTimeout,
	} {
		*timeout = patience
	}
	timeouts.DefaultPollInterval = 20 * time.Millisecond
	return timeouts
}
