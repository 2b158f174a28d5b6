package envoytest

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// FuzzSettings are the seed of a random test and how long it may go on; no limit means the test's own length. ROUTEDELTA_FUZZTIME
// asks for a longer run, from a seed that is new each time; ROUTEDELTA_SEED repeats a run. Without either a test is the same
// in every run.
func FuzzSettings(t testing.TB) (seed uint64, limit time.Duration) {
	t.Helper()
	seed = 1
	var err error
	if text := os.Getenv("ROUTEDELTA_FUZZTIME"); text != "" {
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("ROUTEDELTA_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return seed, limit
}
