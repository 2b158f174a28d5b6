package report

import (
	"math/big"
	"strconv"
)

// Percent is a share of the requests in percent, rounded to two digits behind the point, and never 0 or 100 for what is neither.
func Percent(share *big.Rat) string {
	hundredths := new(big.Int).Mul(share.Num(), big.NewInt(20000))
	hundredths.Add(hundredths, share.Denom())
	hundredths.Quo(hundredths, new(big.Int).Lsh(share.Denom(), 1))
	switch n := hundredths.Uint64(); {
	case share.Sign() > 0 && n == 0:
		return "<0.01"
	case n == 10000 && share.Cmp(big.NewRat(1, 1)) < 0:
		return ">99.99"
	default:
		return strconv.FormatFloat(float64(n)/100, 'f', -1, 64)
	}
}
