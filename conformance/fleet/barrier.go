package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/routedelta/routedelta/render/files"
)

// taken is the condition that Envoy has read each of the files, refused none, and has nothing warming.
//
// Each subscription counts what it took in <scope>.update_success. The scope of a resource's subscription ends with the
// resource's name for routes and secrets and endpoints; those of clusters and listeners are the managers'.
func taken(e *envoy, changed []files.File, before stats) func(context.Context) error {
	return func(ctx context.Context) error {
		now, err := e.stats(ctx)
		if err != nil {
			return err
		}
		if err := now.settled(); err != nil {
			return err
		}
		for _, file := range changed {
			if err := takenOne(file, before, now); err != nil {
				return err
			}
		}
		return nil
	}
}

// takenOne is nil once every subscription to a file counts one more success than before. A file to which nobody subscribes (a
// secret whose listener is gone) has no counter to wait for.
func takenOne(file files.File, before, now stats) error {
	counters, err := successCounters(file, before)
	if err != nil {
		return err
	}
	for _, counter := range counters {
		if now.number(counter) <= before.number(counter) {
			return fmt.Errorf("%s has not moved after a change of %s", counter, file.Path)
		}
	}
	return nil
}

func successCounters(file files.File, known stats) ([]string, error) {
	switch file.Path {
	case files.ClustersPath:
		return []string{"cluster_manager.cds.update_success"}, nil
	case files.ListenersPath:
		return []string{"listener_manager.lds.update_success"}, nil
	}
	name, err := resourceName(file)
	if err != nil {
		return nil, err
	}
	directory, _, _ := strings.Cut(file.Path, "/")
	end := map[string]string{"rds": ".rds.", "sds": "sds.", "eds": "cluster."}[directory] + statName(name) + ".update_success"
	var counters []string
	for counter := range known {
		if strings.HasSuffix(counter, end) {
			counters = append(counters, counter)
		}
	}
	return counters, nil
}

// resourceName is the name of the one resource in a file.
func resourceName(file files.File) (string, error) {
	var response struct {
		Resources []struct {
			Name        string `json:"name"`
			ClusterName string `json:"clusterName"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(file.Data, &response); err != nil {
		return "", err
	}
	if len(response.Resources) != 1 {
		return "", fmt.Errorf("%s has %d resources, want one", file.Path, len(response.Resources))
	}
	return response.Resources[0].Name + response.Resources[0].ClusterName, nil
}

// statName is a name as Envoy writes it into the names of statistics.
func statName(name string) string { return strings.ReplaceAll(name, ":", "_") }
