//go:build ignore

// Command cut reduces GitHub's description of its REST API to what plugin/github uses: the paths below and the components that
// they reach, without examples.
//
//	npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
//	go run cut.go package/generated/api.github.com.json > api.github.com.json
//	go run cut.go package/generated/ghes-3.19.json > ghes-3.19.json
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"
)

var paths = []string{
	"/repos/{owner}/{repo}/issues/{issue_number}/comments",
	"/repos/{owner}/{repo}/issues/comments/{comment_id}",
	"/repos/{owner}/{repo}/issues/{issue_number}/labels",
	"/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
	"/repos/{owner}/{repo}/pulls",
	"/repos/{owner}/{repo}/pulls/{pull_number}",
	"/repos/{owner}/{repo}/compare/{basehead}",
	"/repos/{owner}/{repo}/check-runs",
	"/repos/{owner}/{repo}/check-runs/{check_run_id}",
	"/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
	"/repos/{owner}/{repo}/commits/{ref}/check-runs",
	"/user",
}

type object = map[string]any

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var whole object
	if err := json.Unmarshal(text, &whole); err != nil {
		log.Fatal(err)
	}
	kept := object{}
	for _, path := range paths {
		kept[path] = whole["paths"].(object)[path]
	}
	components := object{}
	reach(kept, whole["components"].(object), components)
	delete(components, "examples")
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	if err := out.Encode(object{"openapi": whole["openapi"], "info": whole["info"], "paths": kept, "components": components}); err != nil {
		log.Fatal(err)
	}
}

// reach copies each component that a value refers to, and removes examples on its way.
func reach(value any, from, to object) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			reach(item, from, to)
		}
	case object:
		if _, isMap := value["examples"].(object); isMap {
			delete(value, "examples")
		}
		if name, ok := value["$ref"].(string); ok {
			parts := strings.Split(name, "/") // #/components/<kind>/<name>
			kind, name := parts[2], parts[3]
			if to[kind] == nil {
				to[kind] = object{}
			}
			if to[kind].(object)[name] == nil {
				component := from[kind].(object)[name]
				to[kind].(object)[name] = component
				reach(component, from, to)
			}
		}
		for _, item := range value {
			reach(item, from, to)
		}
	}
}
