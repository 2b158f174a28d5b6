package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/rest"

	"github.com/routedelta/routedelta/render/schema/schematest"
)

// sideBySide is how many probes are on the way at a time.
const sideBySide = 4

// client asks one server.
type client struct {
	http *http.Client
	host string
}

func newClient(config *rest.Config) (*client, error) {
	made, err := rest.HTTPClientFor(config)
	return &client{made, config.Host}, err
}

// response is the answer to one request.
type response struct {
	code     int
	body     []byte
	warnings []string
}

func (c *client) do(ctx context.Context, method, path, contentType string, body []byte) (response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.host+path, bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Content-Type", contentType)
	answered, err := c.http.Do(request)
	if err != nil {
		return response{}, err
	}
	defer answered.Body.Close()
	data, err := io.ReadAll(answered.Body)
	return response{answered.StatusCode, data, answered.Header.Values("Warning")}, err
}

// installDefinitions creates the definitions and waits until each version is served.
func (c *client) installDefinitions(ctx context.Context) error {
	module, err := schematest.Module(ctx, "sigs.k8s.io/gateway-api")
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(module, "config", "crd", "experimental", "gateway.networking.k8s.io_*.yaml"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Contains(data, []byte("kind: CustomResourceDefinition")) {
			continue
		}
		got, err := c.do(ctx, http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/yaml", data)
		if err != nil || got.code != http.StatusCreated {
			return fmt.Errorf("installing %s: %d %s %w", filepath.Base(path), got.code, got.body, err)
		}
	}
	definitions, err := schematest.ReadModule(ctx)
	if err != nil {
		return err
	}
	for _, d := range definitions {
		if err := c.waitServed(ctx, "/apis/"+d.GroupVersion().String()+"/"+d.Resource); err != nil {
			return err
		}
	}
	return c.waitServed(ctx, "/api/v1/namespaces/default")
}

// waitServed waits until something can be read.
func (c *client) waitServed(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		got, err := c.do(ctx, http.MethodGet, path, "application/json", nil)
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", path, err)
		}
		if got.code == http.StatusOK {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// askAll asks about all probes.
func (c *client) askAll(ctx context.Context, probes []schematest.Probe) (schematest.Answers, error) {
	answers := schematest.Answers{List: make([]schematest.Answer, len(probes))}
	errs := make([]error, sideBySide)
	var asking sync.WaitGroup
	for worker := range sideBySide {
		asking.Go(func() {
			for i := worker; i < len(probes) && errs[worker] == nil; i += sideBySide {
				answers.List[i], errs[worker] = c.ask(ctx, probes[i])
			}
		})
	}
	asking.Wait()
	for _, err := range errs {
		if err != nil {
			return answers, err
		}
	}
	return answers, nil
}

// ask sends one probe, without leaving anything on the server.
func (c *client) ask(ctx context.Context, probe schematest.Probe) (schematest.Answer, error) {
	answer := schematest.Answer{Probe: probe.Name, Digest: schematest.Digest(probe.Object)}
	data, err := json.Marshal(probe.Object)
	if err != nil {
		return answer, err
	}
	d := probe.Definition
	path := "/apis/" + d.GroupVersion().String() + "/"
	if d.Namespaced {
		path += "namespaces/default/"
	}
	got, err := c.do(ctx, http.MethodPost, path+d.Resource+"?dryRun=All&fieldValidation=Strict", "application/json", data)
	if err != nil {
		return answer, fmt.Errorf("asking about %q: %w", probe.Name, err)
	}
	answer.Code = got.code
	return answer, read(got, &answer)
}

// read reads an answer: the object, or a Status that says what is wrong with it.
func read(got response, answer *schematest.Answer) error {
	for _, warning := range got.warnings {
		// RFC 9111, section 5.5: 299 - "text"
		text := strings.TrimSuffix(strings.TrimPrefix(warning, `299 - "`), `"`)
		answer.Warnings = append(answer.Warnings, strings.ReplaceAll(text, `\"`, `"`))
	}
	if answer.Accepted() {
		if err := utiljson.Unmarshal(got.body, &answer.Stored); err != nil {
			return fmt.Errorf("reading the answer to %q: %w", answer.Probe, err)
		}
		schematest.Clean(answer.Stored)
		return nil
	}
	var status struct {
		Message string
		Details struct{ Causes []schematest.Cause }
	}
	if err := json.Unmarshal(got.body, &status); err != nil {
		return fmt.Errorf("reading the answer to %q: %s: %w", answer.Probe, got.body, err)
	}
	switch got.code {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
	default:
		return fmt.Errorf("asking about %q: %d %s", answer.Probe, got.code, status.Message)
	}
	answer.Causes = status.Details.Causes
	if len(answer.Causes) == 0 {
		answer.Message = status.Message
	}
	schematest.SortCauses(answer.Causes)
	return nil
}
