package class

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel does numbered pieces of work on all processors. Each goroutine has a worker of its own, and ends at its first error.
func inParallel[W any](pieces int, worker func() W, do func(w W, piece int) error) error {
	var workers sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, min(runtime.GOMAXPROCS(0), pieces))
	for i := range errs {
		workers.Go(func() {
			w := worker()
			for errs[i] == nil {
				piece := int(next.Add(1)) - 1
				if piece >= pieces {
					return
				}
				errs[i] = do(w, piece)
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
