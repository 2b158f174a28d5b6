package githubtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The JSON forms that GitHub answers with, with every member that its description requires.

type form = map[string]any

func encoded(status int, value any) Answer {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a form of this file
	}
	return Answer{Status: status, Body: string(text)}
}

func refusal(status int, message string) Answer {
	return encoded(status, form{"message": message, "documentation_url": "https://docs.github.com/rest"})
}

func commentForm(c Comment) form {
	return form{
		"id": c.ID, "node_id": fmt.Sprintf("IC_%d", c.ID), "body": c.Body, "user": user(c.Login),
		"url":        fmt.Sprintf("https://api.github.com/repos/%s/issues/comments/%d", Repository, c.ID),
		"html_url":   fmt.Sprintf("https://github.com/%s/pull/%d#issuecomment-%d", Repository, Number, c.ID),
		"issue_url":  fmt.Sprintf("https://api.github.com/repos/%s/issues/%d", Repository, Number),
		"created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z", "author_association": "NONE",
	}
}

// user is the short form of an account.
func user(login string) form {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	u := form{"login": login, "id": 1, "node_id": "U_1", "gravatar_id": "", "type": kind, "site_admin": false}
	for _, name := range []string{"avatar_url", "url", "html_url", "followers_url", "following_url", "gists_url", "starred_url",
		"subscriptions_url", "organizations_url", "repos_url", "events_url", "received_events_url"} {
		u[name] = "https://api.github.com/" + name
	}
	return u
}

// person is the long form, as GET /user has it.
func person(login string) form {
	u := user(login)
	u["user_view_type"] = "public"
	for _, name := range []string{"name", "company", "blog", "location", "email", "hireable", "bio"} {
		u[name] = nil
	}
	u["blog"] = ""
	for _, name := range []string{"public_repos", "public_gists", "followers", "following"} {
		u[name] = 0
	}
	u["created_at"], u["updated_at"] = "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"
	return u
}
