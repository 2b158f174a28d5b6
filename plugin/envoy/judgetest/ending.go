package judgetest

import (
	"slices"
	"strconv"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
	"github.com/routedelta/routedelta/plugin/envoy/envoytest"
)

// ending is where a request ended that an oracle sent on.
type ending struct {
	// cluster is "" where it did not get to one.
	cluster string
	// named is the cluster that a header of the request names, "" for none that exists.
	named func(header string) string
}

// naming looks up clusters that a request names.
func naming(tested *table.Table, request table.Request) func(header string) string {
	return func(header string) string {
		arrived, _ := table.Compile(&table.Table{Options: tested.Options}).Arrive(request)
		if values := arrived.Values(table.Header, header); len(values) > 0 && slices.Contains(tabletest.Clusters(), values[0]) {
			return values[0]
		}
		return ""
	}
}

// of tells whether an outcome that chance decides about can be that of the rule which Envoy took, with this end.
func (e ending) of(o, taken table.Outcome) bool {
	if o.Kind == table.Mixed {
		return slices.ContainsFunc(o.Parts, func(p table.Part) bool { return e.of(p.Outcome, taken) })
	}
	if o.Kind == table.ToBackends && taken.Kind == table.ToBackends {
		return e.among(o)
	}
	// No route and a rule that answers 404 are one outcome, whichever of them the evaluator names.
	return statusOf(o) == statusOf(taken) && o.Location == taken.Location
}

// among tells whether one of the shares ends so.
func (e ending) among(o table.Outcome) bool {
	return slices.ContainsFunc(o.Backends, func(s table.Share) bool {
		if header := tabletest.NamedBy(s.Backend); header != "" {
			return e.named(header) == e.cluster
		}
		return s.Backend.Cluster == e.cluster
	})
}

// unlike says in what an answer is not that of an outcome with backends. Those of an oracle have no endpoints.
func (e ending) unlike(o table.Outcome, answer envoytest.Answer) string {
	status, flags := 503, "UH"
	if e.cluster == "" {
		flags = "NC"
		for _, t := range o.Treatment {
			if t.Name == tabletest.NotFoundTreatment {
				status, _ = strconv.Atoi(t.Value) // one of two texts of ours
			}
		}
	}
	if !e.among(o) || answer.Flags != flags {
		return "another backend"
	}
	return unequal("status", status, answer.Status)
}
