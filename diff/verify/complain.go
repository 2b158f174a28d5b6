package verify

import (
	"slices"
	"strings"

	"github.com/routedelta/routedelta/diff/table"
)

// complain notes that a claim is not true of the requests of a course. If such a request can be written down and both
// tables' evaluators give it the outcomes of the course, the claim is wrong. Else it is left open: the check takes some
// courses for possible that are not.
func (s *situation) complain(what string, k knowledge, was, is *outcome) {
	request, complete := s.request(k)
	f := Finding{Place: s.label, What: "a request " + what, Request: &request}
	before, after := s.evaluators[0].Evaluate(request), s.evaluators[1].Evaluate(request)
	confirmed := complete && before.Reached && before.Undecided == "" && after.Undecided == "" &&
		before.Outcome.Key() == was.key && after.Outcome.Key() == is.key
	if confirmed {
		s.note(&s.result.Wrong, f)
	} else {
		f.What = "it could not be shown that no request " + strings.TrimPrefix(what, "a request ")
		s.note(&s.result.Open, f)
	}
}

// request writes down a request of a course. It is not complete where a condition is not understood.
func (s *situation) request(k knowledge) (r table.Request, complete bool) {
	r = table.Request{Method: "GET", Scheme: "https", Host: s.host, Path: s.path, HTTP2: true}
	var query, cookies []string
	complete = true
	for i := range k {
		v, f := s.variables.list[i], &k[i]
		if v.unknown && f.present == yes {
			complete = false
		}
		if f.present != yes || v.unknown {
			continue
		}
		switch v.source {
		case table.Free:
			r.Holds = append(r.Holds, v.name)
		case table.Method:
			r.Method = v.values(f)[0]
		case table.Query:
			query = append(query, v.name+"="+v.values(f)[0])
		case table.Cookie:
			cookies = append(cookies, v.name+"="+v.values(f)[0])
		default:
			for _, value := range v.values(f) {
				r.Headers = append(r.Headers, table.Field{Name: v.name, Value: value})
			}
		}
	}
	if len(query) > 0 {
		r.Path += "?" + strings.Join(query, "&")
	}
	if len(cookies) > 0 {
		r.Headers = append(r.Headers, table.Field{Name: "cookie", Value: strings.Join(cookies, "; ")})
	}
	slices.Sort(r.Holds)
	return r, complete
}
