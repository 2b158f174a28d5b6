package fake

import (
	"fmt"
	"net/http"
	"strings"
)

// pullRequest reads one.
func (c *call) pullRequest(parts []string) answer {
	pull := c.world.state.pullRequest(number(parts[0]))
	if pull == nil {
		return notFound()
	}
	return answer{status: http.StatusOK, form: c.pullRequestForm(*pull)}
}

// pullRequests lists those that the parameters state and head (OWNER:BRANCH) choose.
func (c *call) pullRequests([]string) answer {
	query := c.request.URL.Query()
	all := []any{}
	for _, pull := range c.world.state.PullRequests {
		owner, _, _ := strings.Cut(c.world.state.headRepository(pull), "/")
		state := query.Get("state")
		if state == "" {
			state = "open"
		}
		if state != "all" && state != stateOf(pull) {
			continue
		}
		// GitHub ignores a head without an owner.
		if head := query.Get("head"); strings.Contains(head, ":") && head != owner+":"+pull.HeadRef {
			continue
		}
		all = append(all, c.pullRequestForm(pull))
	}
	return c.list(all)
}

func stateOf(pull PullRequest) string {
	if pull.Closed {
		return "closed"
	}
	return "open"
}

func (c *call) pullRequestForm(pull PullRequest) form {
	var merge any
	if pull.Merge != "" {
		merge = pull.Merge
	}
	return form{
		"id": pull.Number, "number": pull.Number, "state": stateOf(pull), "title": "A change", "user": user("mona"),
		"html_url":         fmt.Sprintf("https://github.com/%s/pull/%d", c.world.state.Repository, pull.Number),
		"merge_commit_sha": merge,
		"head":             end(c.world.state.headRepository(pull), pull.HeadRef, pull.Head),
		"base":             end(c.world.state.Repository, pull.BaseRef, pull.Base),
	}
}

// end is head or base of a pull request.
func end(repository, ref, sha string) form {
	owner, name, _ := strings.Cut(repository, "/")
	return form{"label": owner + ":" + ref, "ref": ref, "sha": sha, "user": user(owner),
		"repo": form{"name": name, "full_name": repository, "owner": user(owner), "private": false}}
}
