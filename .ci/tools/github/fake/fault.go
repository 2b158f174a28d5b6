package fake

// Fault is what happens to one request in place of, or beside, the usual.
type Fault struct {
	// Request that it is for: "METHOD /path", or "METHOD" for any path. Faults for the same request happen one after the other.
	Request string `json:"request"`
	// Status, Header and Body are answered in place of the usual answer, unless Status is 0.
	Status int               `json:"status"`
	Header map[string]string `json:"header"`
	Body   string            `json:"body"`
	// Done: the request is carried out all the same, as when a proxy loses the answer.
	Done bool `json:"done"`
	// Reset: the connection is reset in place of an answer. Truncate: it is closed in the middle of one.
	Reset    bool `json:"reset"`
	Truncate bool `json:"truncate"`
	// Delay in milliseconds, before anything is done.
	Delay int `json:"delay"`
	// Hold is a name: the request waits, before anything is done, until the control API releases what is held by it.
	Hold string `json:"hold"`
}

// hold is where a held request and the control API meet.
type hold struct{ held, release chan struct{} }

// hold finds or makes the place of a name.
func (w *world) hold(name string) hold {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.holds[name]; !there {
		w.holds[name] = hold{make(chan struct{}), make(chan struct{})}
	}
	return w.holds[name]
}

// fault takes the next one for a request.
func (w *world) fault(method, path string) (Fault, bool) {
	for _, key := range []string{method + " " + path, method} {
		if faults := w.faults[key]; len(faults) > 0 {
			w.faults[key] = faults[1:]
			return faults[0], true
		}
	}
	return Fault{}, false
}

// carriesOut tells whether the usual is done.
func (f Fault) carriesOut() bool {
	return f.Done || f.Status == 0 && !f.Reset
}
