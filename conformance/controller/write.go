package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/status"
)

// object names an object that has a status.
type object struct {
	kind string
	model.Name
}

// reported are the kinds whose statuses are ours to write. Routes and policies share theirs with other controllers: each has a list
// with one entry for each controller and parent.
var reported = map[string]struct{ shared string }{
	"GatewayClass": {}, "Gateway": {}, "ListenerSet": {},
	"HTTPRoute": {"parents"}, "GRPCRoute": {"parents"}, "TLSRoute": {"parents"}, "TCPRoute": {"parents"}, "UDPRoute": {"parents"},
	"BackendTLSPolicy": {"ancestors"},
}

// writeStatuses writes the statuses that differ from those in the API.
func (c *Controller) writeStatuses(ctx context.Context, lists [][]byte, said *status.Status) error {
	documents, err := said.Documents()
	if err != nil {
		return err
	}
	made := map[object]map[string]any{}
	for _, document := range documents {
		made[object{document.Kind, document.Name}] = document.Status
	}
	now := time.Now().UTC().Format(time.RFC3339)
	for _, data := range lists {
		list := &unstructured.UnstructuredList{}
		if err := json.Unmarshal(data, list); err != nil {
			return err
		}
		for i := range list.Items {
			have := &list.Items[i]
			if _, ours := reported[have.GetKind()]; !ours {
				continue
			}
			if err := c.writeStatus(ctx, have, made, now); err != nil {
				return fmt.Errorf("writing the status of %s %s/%s: %w", have.GetKind(), have.GetNamespace(), have.GetName(), err)
			}
		}
	}
	return nil
}

func (c *Controller) writeStatus(ctx context.Context, have *unstructured.Unstructured, made map[object]map[string]any, now string) error {
	name := object{have.GetKind(), model.Name{Namespace: have.GetNamespace(), Name: have.GetName()}}
	old, _, err := unstructured.NestedMap(have.Object, "status")
	if err != nil {
		return err
	}
	wanted := made[name]
	if wanted == nil {
		wanted = map[string]any{}
	}
	if shared := reported[name.kind].shared; shared != "" {
		merge(wanted, old, shared)
	} else if made[name] == nil {
		return nil // not a Gateway of ours
	}
	keepTimes(wanted, old, now)
	if reflect.DeepEqual(wanted, old) {
		return nil
	}
	have.Object["status"] = wanted
	return c.Client.Status().Update(ctx, have)
}

// merge puts the entries that other controllers have written before ours.
func merge(wanted, old map[string]any, shared string) {
	ours, _ := wanted[shared].([]any)
	entries, _ := old[shared].([]any)
	others := []any{}
	for _, entry := range entries {
		if fields, ok := entry.(map[string]any); ok && fields["controllerName"] != Name {
			others = append(others, entry)
		}
	}
	if len(old) > 0 || len(ours) > 0 {
		wanted[shared] = slices.Concat(others, ours)
	}
}

// keepTimes sets lastTransitionTime, which the renderer knows nothing of: a condition whose status stays keeps its time. Conditions are
// found wherever they are, each list beside the list at the same place of the old status.
func keepTimes(wanted, old any, now string) {
	switch wanted := wanted.(type) {
	case map[string]any:
		before, _ := old.(map[string]any)
		if isCondition(wanted) {
			if before["lastTransitionTime"] == nil || before["status"] != wanted["status"] {
				before = map[string]any{"lastTransitionTime": now}
			}
			wanted["lastTransitionTime"] = before["lastTransitionTime"]
			return
		}
		for name, value := range wanted {
			keepTimes(value, before[name], now)
		}
	case []any:
		before, _ := old.([]any)
		for _, value := range wanted {
			keepTimes(value, counterpart(before, value), now)
		}
	}
}

// isCondition tells a condition from all else in a status: only it has a reason.
func isCondition(fields map[string]any) bool { return fields["reason"] != nil }

// counterpart is the entry of an old list that stands for the same as one of the new: the condition of the same type, the listener of
// the same name, the same parent.
func counterpart(old []any, value any) any {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	for _, key := range []string{"type", "name", "parentRef", "ancestorRef"} {
		if fields[key] == nil {
			continue
		}
		for _, candidate := range old {
			if before, ok := candidate.(map[string]any); ok && reflect.DeepEqual(before[key], fields[key]) {
				return candidate
			}
		}
		return nil
	}
	return nil
}
