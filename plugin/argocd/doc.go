// Package argocd is the Argo CD config management plugin: an application's directory in, manifests out.
//
// Argo CD runs it in a copy of the repository, with the application's parameters in the environment, and applies what it prints.
// Whatever it prints with exit code 0 is the truth: an empty output would delete what runs, so an application without routes is
// an error unless its configuration allows it. It may be killed at any time, without a warning; it leaves nothing behind.
//
//	application.go  what Argo CD gives: directory, environment, configuration with the parameters laid over it
//	parameter.go    the parameters: what each is, what it says now, and how a value is taken
//	announce.go     the parameters of an application, for Argo CD's interface
//	discover.go     whether an application is ours
//	generate.go     ConfigMaps
//	component/      plugin.yaml and the patch for Argo CD's repo-server
package argocd
