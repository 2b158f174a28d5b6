package classtest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
	"github.com/routedelta/routedelta/diff/table/tabletest"
)

// fulfil changes a request so that a test holds, or so that it does not. Invert is the caller's matter. It does not look at what
// else the request has to meet.
func fulfil(r *table.Request, p table.Predicate, holds bool) {
	if holds {
		set(r, p, valueOf(p))
	} else {
		remove(r, p)
	}
}

// changesOf are the steps over the border of a condition.
func changesOf(p table.Predicate) []func(*table.Request) {
	value := valueOf(p)
	changes := []func(*table.Request){
		func(r *table.Request) { remove(r, p) },
		func(r *table.Request) { add(r, p, "other") }, // a second value
	}
	for _, v := range []string{value, value + "x", "x" + value, strings.ToUpper(value), "", "other", value + "," + value, value[:max(len(value)-1, 0)]} {
		changes = append(changes, func(r *table.Request) { set(r, p, v) })
	}
	return append(changes, func(r *table.Request) { add(r, p, value) })
}

// valueOf is a value for which the test holds.
func valueOf(p table.Predicate) string {
	switch p.Test {
	case table.Regex:
		return sampleOf(p.Value)
	case table.Range:
		low, _, _ := strings.Cut(p.Value, " ")
		return low
	}
	return p.Value
}

// set gives a request this one value for what the condition looks at.
func set(r *table.Request, p table.Predicate, value string) {
	remove(r, p)
	add(r, p, value)
}

// add puts a value behind those that are there. What no client sends stays as it is.
func add(r *table.Request, p table.Predicate, value string) {
	switch p.Source {
	case table.Method:
		if value = onlyToken(value); value != "" {
			setMethod(r, value)
		}
	case table.Header:
		r.Headers = append(r.Headers, table.Field{Name: p.Name, Value: value})
	case table.Cookie:
		r.Headers = append(r.Headers, table.Field{Name: "cookie", Value: p.Name + "=" + value})
	case table.Query:
		path, query, has := cutQuery(r.Path)
		if has && query != "" {
			query += "&"
		}
		r.Path = path + "?" + query + p.Name + "=" + tabletest.QueryValue(value)
	}
}

func remove(r *table.Request, p table.Predicate) {
	switch p.Source {
	case table.Method:
		setMethod(r, "GET")
		if p.Value == "GET" {
			setMethod(r, "PATCH")
		}
	case table.Header:
		r.Headers = slices.DeleteFunc(r.Headers, func(f table.Field) bool { return strings.EqualFold(f.Name, p.Name) })
	case table.Cookie:
		r.Headers = slices.DeleteFunc(r.Headers, func(f table.Field) bool { return strings.EqualFold(f.Name, "cookie") })
	case table.Query:
		removeParameter(r, p.Name)
	}
}

// setMethod: CONNECT has no path, all others have one.
func setMethod(r *table.Request, method string) {
	r.Method = method
	switch {
	case method == http.MethodConnect:
		r.Path = ""
	case r.Path == "":
		r.Path = "/"
	}
}

func removeParameter(r *table.Request, name string) {
	path, query, has := cutQuery(r.Path)
	if !has {
		return
	}
	pieces := slices.DeleteFunc(strings.Split(query, "&"), func(piece string) bool {
		key, _, _ := strings.Cut(piece, "=")
		return key == name
	})
	r.Path = path
	if len(pieces) > 0 {
		r.Path += "?" + strings.Join(pieces, "&")
	}
}

func cutQuery(target string) (path, query string, has bool) { return strings.Cut(target, "?") }

// onlyToken drops what no method has: a request with it would be refused before it says anything about a route.
func onlyToken(text string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c) {
			return c
		}
		return -1
	}, text)
}
