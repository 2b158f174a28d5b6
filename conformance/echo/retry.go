package echo

import (
	"net/http"
	"strconv"
	"sync"
)

// retries counts how often each request has come.
type retries struct {
	mutex    sync.Mutex
	attempts map[string]int
}

// failing counts an attempt and tells whether it shall fail.
func (r *retries) failing(id string, succeedAfter int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.attempts[id] >= succeedAfter {
		return false
	}
	r.attempts[id]++
	return true
}

// retry fails as often as the request says, with a reset or with the status that it names, and echoes it then.
func (h *httpServer) retry(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	succeedAfter, err := strconv.Atoi(query.Get("succeedAfter"))
	if query.Get("uuid") == "" || err != nil {
		http.Error(w, "uuid and succeedAfter are required", http.StatusBadRequest)
		return
	}
	if !h.retries.failing(query.Get("uuid"), succeedAfter) {
		h.echo(w, r)
		return
	}
	if err := sleep(query.Get("delayRetry")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if code, err := strconv.Atoi(query.Get("responseCode")); err == nil {
		w.WriteHeader(code)
		return
	}
	if err := abort(w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
