// Command argocd-ask asks a running argocd-cmp-server what Argo CD's repo-server asks it, with the repo-server's own code: it
// packs the repository, chooses the plugin by its socket, makes the environment, and reads the manifests that come back.
//
// In comes a question as JSON on standard input, out goes the answer as JSON. What the plugin or the server complains of is the
// error of the answer; the exit code is only about questions that were not asked.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	plugin "github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
)

// question is one call.
type question struct {
	// Call is generate, announce or match. The last two go to one Socket; generate finds it by the name of the plugin, or by
	// asking all of them.
	Call, Socket string
	// Repository is the root of a repository, Application the path of an application in it.
	Repository, Application string
	// Source is spec.source.plugin of the Application.
	Source v1alpha1.ApplicationSourcePlugin
	// Seconds are how long the repo-server waits.
	Seconds float64
}

// answer is what came back.
type answer struct {
	Manifests []json.RawMessage `json:",omitempty"`
	// SourceType is what the repo-server took the application for.
	SourceType string `json:",omitempty"`
	// Supported tells whether the plugin takes the application.
	Supported     bool                               `json:",omitempty"`
	Announcements []*apiclient.ParameterAnnouncement `json:",omitempty"`
	Error         string                             `json:",omitempty"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "argocd-ask: error:", err)
		os.Exit(1)
	}
}

func run() error {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	ask, known := map[string]func(context.Context, question) (answer, error){
		"generate": generate, "announce": announce, "match": match,
	}[asked.Call]
	if !known {
		return fmt.Errorf("call %q is none of generate, announce, match", asked.Call)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(asked.Seconds*float64(time.Second)))
	defer cancel()
	got, err := ask(ctx, asked)
	if err != nil {
		got.Error = err.Error()
	}
	return json.NewEncoder(os.Stdout).Encode(got)
}

func (q question) directory() string { return filepath.Join(q.Repository, q.Application) }

// generate asks as for an Application in namespace team-a of the destination.
func generate(ctx context.Context, q question) (answer, error) {
	source := &v1alpha1.ApplicationSource{
		RepoURL: "https://git.example/platform.git", Path: q.Application, TargetRevision: "main", Plugin: &q.Source,
	}
	request := &apiclient.ManifestRequest{
		Repo: &v1alpha1.Repository{Repo: source.RepoURL}, ApplicationSource: source,
		AppName: "web", Namespace: "team-a", ProjectName: "default", Revision: "0123456789abcdef0123456789abcdef01234567",
		KubeVersion: "1.34.0", ApiVersions: []string{"v1", "apps/v1"},
	}
	temporary, err := os.MkdirTemp("", "argocd-ask")
	if err != nil {
		return answer{}, err
	}
	defer os.RemoveAll(temporary)
	response, err := repository.GenerateManifests(ctx, q.directory(), q.Repository, request.Revision, request, false,
		git.NoopCredsStore{}, resource.MustParse("0"), utilio.NewRandomizedTempPaths(temporary))
	if err != nil {
		return answer{}, err
	}
	got := answer{SourceType: response.SourceType}
	for _, manifest := range response.Manifests {
		got.Manifests = append(got.Manifests, json.RawMessage(manifest))
	}
	return got, nil
}

// connect opens the socket of one plugin.
func (q question) connect() (utilio.Closer, plugin.ConfigManagementPluginServiceClient, error) {
	return plugin.NewConfigManagementPluginClientSet(filepath.Join(common.GetPluginSockFilePath(), q.Socket)).NewConfigManagementPluginClient()
}

func announce(ctx context.Context, q question) (answer, error) {
	closer, client, err := q.connect()
	if err != nil {
		return answer{}, err
	}
	defer closer.Close()
	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		return answer{}, err
	}
	if err := cmp.SendRepoStream(ctx, q.directory(), q.Repository, stream, []string{"ARGOCD_APP_NAME=web"}, nil); err != nil {
		return answer{}, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return answer{}, err
	}
	return answer{Announcements: response.ParameterAnnouncements}, nil
}

func match(ctx context.Context, q question) (answer, error) {
	closer, client, err := q.connect()
	if err != nil {
		return answer{}, err
	}
	defer closer.Close()
	stream, err := client.MatchRepository(ctx)
	if err != nil {
		return answer{}, err
	}
	if err := cmp.SendRepoStream(ctx, q.directory(), q.Repository, stream, nil, nil); err != nil {
		return answer{}, err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return answer{}, err
	}
	return answer{Supported: response.IsSupported}, nil
}
