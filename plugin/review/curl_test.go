package review

import (
	"testing"

	"github.com/routedelta/routedelta/plugin/config"
)

// TestExampleByCurl holds the commands of the README's example as those of the small changes are held.
func TestExampleByCurl(t *testing.T) {
	t.Parallel()
	c := compareSides(t, "../../testdata/example", new(config.Config))
	c.start(t).Hold(t, c.found)
}
