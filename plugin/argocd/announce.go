package argocd

import (
	"encoding/json"
	"fmt"
	"io"
)

// announcement is a parameter as Argo CD's interface shows it (argoproj.io/v1alpha1, ParameterAnnouncement).
type announcement struct {
	value
	Title   string `json:"title"`
	Tooltip string `json:"tooltip"`
	// CollectionType is array or map; a text has none.
	CollectionType string `json:"collectionType,omitempty"`
}

// Announce prints the parameters of an application with the values that its configuration gives them, as JSON. serverSideApply, which is
// the same for every application, is announced by plugin.yaml: Argo CD shows both lists, and a name in both twice.
func Announce(application Application, out io.Writer) error {
	configured, err := application.file()
	if err != nil {
		return err
	}
	var announced []announcement
	for _, p := range parameters() {
		one := announcement{value: p.now(configured.Spec), Title: p.title, Tooltip: p.tooltip}
		one.Name = p.name
		switch {
		case one.Map != nil:
			one.CollectionType = "map"
		case one.Array != nil:
			one.CollectionType = "array"
		}
		announced = append(announced, one)
	}
	text, err := json.Marshal(announced)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}
