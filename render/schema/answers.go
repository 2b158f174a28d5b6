package schema

import "sync"

// answers remembers for which values an expression is true. It is bounded: a hostile input has any number of values.
type answers struct {
	mutex sync.RWMutex
	yes   map[string]bool
}

const (
	mostAnswers = 4096
	longestKey  = 512
)

func (a *answers) know(key []byte) bool {
	a.mutex.RLock()
	defer a.mutex.RUnlock()
	return a.yes[string(key)]
}

func (a *answers) add(key []byte) {
	if len(key) > longestKey {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.yes == nil || len(a.yes) >= mostAnswers {
		a.yes = map[string]bool{}
	}
	a.yes[string(key)] = true
}
