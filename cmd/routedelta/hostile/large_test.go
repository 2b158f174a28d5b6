//go:build large

package hostile

import (
	"path/filepath"
	"testing"
)

// TestLarge runs the inputs that take minutes: make hostile-large.
func TestLarge(t *testing.T) { runScripts(t, filepath.Join(corpus, large)) }
