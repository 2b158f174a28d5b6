package source

import (
	"strings"

	"github.com/routedelta/routedelta/diff/report"
	"github.com/routedelta/routedelta/plugin/yamlnode"
)

// Values of Secrets are never read. What a Secret of the tree holds can decide what an object means all the same: so its names are, and
// a digest, which tells that it changes.

// secrets are the Secrets of the tree that an object of a namespace calls by a name.
func (c *collector) secrets(namespace, name string) []object {
	var found []object
	for _, o := range c.rawObjects(groupKind{"", "Secret"}) {
		if o.name() == name && (o.namespace() == "" || namespace == "" || o.namespace() == namespace) {
			found = append(found, o)
		}
	}
	return found
}

// withoutSecret notes a Secret that has values of variables, and forgets those that it takes the place of: nobody knows them.
func (c *collector) withoutSecret(o object, name string, values map[string]string) {
	found := c.secrets(o.namespace(), name)
	if len(found) == 0 {
		d := c.newDigest()
		d.add(name)
		d.routes = true
		c.note(Unread{
			Source: report.Source{Path: o.at.File, Form: formFlux, Unread: "variables have values of the Secret " + shown(name) + ", which is not in the tree"},
			Object: o.identified(), Position: o.at,
		}, d)
	}
	for _, secret := range found {
		d := c.newDigest()
		for _, field := range []string{"data", "stringData"} {
			held := yamlnode.Get(secret.node, field)
			d.node(held)
			if held == nil {
				continue
			}
			for i := 0; i+1 < len(held.Content); i += 2 {
				name := held.Content[i].Value
				if assumed, is := c.options.Sources.Variables[name]; is {
					values[name] = assumed
				} else {
					delete(values, name)
				}
			}
		}
		c.noteSecret(secret, d)
	}
}

// noteSecret notes that values come from an object that is not read.
func (c *collector) noteSecret(secret object, d *digest) {
	if c.isNoted(formFlux, secret.at.File, secret.identified()) {
		return
	}
	d.routes = true
	c.note(Unread{
		Source: report.Source{Path: secret.at.File, Form: formFlux, Unread: "variables have values of it that are not read"},
		Object: secret.identified(), Position: secret.at,
	}, d)
}

// encrypted tells of a value that SOPS has encrypted, and notes that there is one: it may be another one.
func (c *collector) encrypted(o object) func(name, value string) bool {
	return func(name, value string) bool {
		if !strings.HasPrefix(value, "ENC[") {
			return false
		}
		d := c.newDigest()
		d.add(name, value)
		d.routes = true
		c.note(Unread{
			Source: report.Source{Path: o.at.File, Form: formFlux, Unread: "a variable " + shown(name) + " has an encrypted value"},
			Object: o.identified(), Position: o.at,
		}, d)
		return true
	}
}
