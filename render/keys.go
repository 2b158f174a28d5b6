package render

import (
	"fmt"
	"slices"

	"github.com/routedelta/routedelta/render/diagnostic"
	"github.com/routedelta/routedelta/render/files"
	"github.com/routedelta/routedelta/render/manifest"
	"github.com/routedelta/routedelta/render/model"
	"github.com/routedelta/routedelta/render/xds"
)

func keysOf(secrets Secrets) xds.Keys {
	if secrets == SecretsFiles {
		return xds.KeysWritten
	}
	return xds.KeysMounted
}

// KeyFiles makes the files that a rendering with SecretsFiles names: the certificate and the key of each Secret in one, in a directory of
// their own that git ignores. The objects are those of the rendering, read by a manifest.Reader that keeps keys. A Secret whose key
// they do not have is an error.
func (r *Rendering) KeyFiles(objects *manifest.Objects) ([]files.File, diagnostic.List) {
	secrets := map[string]*manifest.Secret{}
	for _, located := range objects.Secrets {
		secrets[model.Name{Namespace: located.Object.Namespace, Name: located.Object.Name}.String()] = located.Object
	}
	var made []files.File
	var found diagnostic.List
	for _, gateway := range r.Gateways {
		set := gateway.Files
		if len(set.Secrets) > 0 {
			made = append(made, files.File{Path: set.Name + "/secrets/.gitignore", Data: []byte("*\n")})
		}
		for _, named := range set.Secrets {
			secret := secrets[named.Name]
			if secret == nil || len(secret.Key.Reveal()) == 0 {
				found = append(found, keyUnknown(gateway.Model.Name, named.Name))
				continue
			}
			data := slices.Concat(secret.Chain.Reveal(), []byte("\n"), secret.Key.Reveal())
			made = append(made, files.File{Path: set.Name + "/" + files.KeyPath(named.Name), Data: data, Private: true})
		}
	}
	return made, found
}

func keyUnknown(gateway model.Name, secret string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code: diagnostic.KeyUnknown, Severity: diagnostic.Error,
		Object:  diagnostic.Object{Kind: "Gateway", Namespace: gateway.Namespace, Name: gateway.Name},
		Message: fmt.Sprintf("the key of Secret %s is not in the input: it cannot be written to a file", secret),
		Hint:    "add the Secret with its data to the input, or use secrets: reference",
	}
}
