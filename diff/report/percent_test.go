package report

import (
	"math/big"
	"testing"
)

func TestPercent(t *testing.T) {
	for share, want := range map[[2]int64]string{
		{9, 14}: "64.29", {5, 14}: "35.71", {1, 4}: "25", {0, 1}: "0", {1, 1}: "100",
		{1, 100000}: "<0.01", {99999, 100000}: ">99.99", {32967, 100000}: "32.97", {1, 8}: "12.5",
	} {
		if got := Percent(big.NewRat(share[0], share[1])); got != want {
			t.Errorf("%d/%d is %s %%, want %s", share[0], share[1], got, want)
		}
	}
}
