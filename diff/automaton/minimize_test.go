package automaton

import (
	"testing"
	"time"
)

// A language over all bytes has a dead state beside those of the textbooks.
func TestMinimalSizes(t *testing.T) {
	for pattern, want := range map[string]int{
		`(a|b)*abb`:    5,
		`a|b|c`:        3,
		`(a|b)(a|b)`:   4,
		`[^\x00-\xff]`: 1,
		`.{300}`:       302,
	} {
		d, err := Compile(pattern, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d.States() != want {
			t.Errorf("%q has %d states, want %d", pattern, d.States(), want)
		}
	}
}

func TestLongChainInBoundedTime(t *testing.T) {
	start := time.Now()
	d, err := Compile(`.{1000}.{1000}.{1000}.{1000}.{1000}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d.States() != 5002 {
		t.Errorf("%d states, want 5002", d.States())
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
