package fake

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// commentLimit is GitHub's, in characters.
const commentLimit = 65_536

// comments lists those of a pull request, or adds one.
func (c *call) comments(parts []string) answer {
	on := number(parts[0])
	if c.world.state.pullRequest(on) == nil {
		return notFound()
	}
	if c.request.Method == http.MethodPost {
		body, refused := c.commentBody()
		if refused != nil {
			return *refused
		}
		comment := Comment{ID: c.world.state.nextID(), Number: on, Login: c.account.Login, Body: body}
		c.world.state.Comments = append(c.world.state.Comments, comment)
		return answer{status: http.StatusCreated, form: c.commentForm(comment)}
	}
	all := []any{}
	for _, comment := range c.world.state.Comments {
		if comment.Number == on {
			all = append(all, c.commentForm(comment))
		}
	}
	return c.list(all)
}

// comment reads, changes or removes one.
func (c *call) comment(parts []string) answer {
	all := c.world.state.Comments
	i := slices.IndexFunc(all, func(comment Comment) bool { return fmt.Sprint(comment.ID) == parts[0] })
	switch {
	case i < 0:
		return notFound()
	case c.request.Method == http.MethodDelete:
		c.world.state.Comments = slices.Delete(all, i, i+1)
		return answer{status: http.StatusNoContent}
	case c.request.Method == http.MethodPatch:
		body, refused := c.commentBody()
		if refused != nil {
			return *refused
		}
		all[i].Body = body
	}
	return answer{status: http.StatusOK, form: c.commentForm(all[i])}
}

func (c *call) commentBody() (string, *answer) {
	var sent struct{ Body string }
	c.decode(&sent)
	limit := commentLimit
	if c.world.state.CommentLimit > 0 {
		limit = c.world.state.CommentLimit
	}
	switch {
	case utf8.RuneCountInString(sent.Body) > limit:
		refused := invalid("IssueComment", "data", fmt.Sprintf("Body is too long (maximum is %d characters)", limit))
		return "", &refused
	case strings.TrimSpace(sent.Body) == "":
		refused := invalid("IssueComment", "body", "Body can't be blank")
		return "", &refused
	}
	return sent.Body, nil
}

func (c *call) commentForm(comment Comment) form {
	return form{
		"id": comment.ID, "node_id": nodeID(comment.ID), "body": comment.Body, "user": user(comment.Login),
		"html_url":           fmt.Sprintf("https://github.com/%s/pull/%d#issuecomment-%d", c.world.state.Repository, comment.Number, comment.ID),
		"author_association": "NONE",
	}
}

func nodeID(id int64) string { return fmt.Sprintf("IC_%d", id) }

func user(login string) form {
	if strings.HasSuffix(login, "[bot]") {
		return form{"login": login, "type": "Bot"}
	}
	return form{"login": login, "type": "User"}
}
