package fake

import (
	"fmt"
	"net/http"
	"strconv"
)

// page is the part of a list that is asked for, with the Link header that leads to the next one.
func (c *call) page(all []any) (part []any, header map[string]string) {
	number, size := 1, 30
	query := c.request.URL.Query()
	if n, err := strconv.Atoi(query.Get("page")); err == nil {
		number = max(n, 1)
	}
	if n, err := strconv.Atoi(query.Get("per_page")); err == nil {
		size = max(min(n, 100), 1)
	}
	start := min((number-1)*size, len(all))
	end := min(start+size, len(all))
	if end < len(all) {
		query.Set("page", strconv.Itoa(number+1))
		header = map[string]string{"Link": fmt.Sprintf(`<%s%s?%s>; rel="next"`, c.root, c.request.URL.Path, query.Encode())}
	}
	return append([]any{}, all[start:end]...), header
}

func (c *call) list(all []any) answer {
	part, header := c.page(all)
	return answer{status: http.StatusOK, header: header, form: part}
}
