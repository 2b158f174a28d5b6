package verify

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// rangePattern writes the decimal numbers from the first to before the second of two numbers as a regular expression: outer
// white space, one sign, leading zeros, 64 bits, as Envoy reads a number.
func rangePattern(value string) (string, error) {
	first, second, ok := strings.Cut(value, " ")
	low, err := strconv.ParseInt(first, 10, 64)
	high, err2 := strconv.ParseInt(second, 10, 64)
	if !ok || err != nil || err2 != nil {
		return "", fmt.Errorf("range %q is not two numbers", value)
	}
	const none = `[^\x00-\xff]`
	var parts []string
	// Below zero the magnitudes run from 1-high to -low, above it from low to high-1. Zero has either sign.
	if low < 0 && low < high {
		from, to := big.NewInt(1), new(big.Int).Neg(big.NewInt(low))
		if high < 0 {
			from = new(big.Int).Sub(big.NewInt(1), big.NewInt(high))
		}
		parts = append(parts, "-0*(?:"+between(from.String(), to.String())+")")
	}
	if high > 0 && low < high {
		parts = append(parts, `\+?0*(?:`+between(strconv.FormatInt(max(low, 0), 10), strconv.FormatInt(high-1, 10))+")")
	}
	if low <= 0 && high > 0 {
		parts = append(parts, `-0+`)
	}
	if len(parts) == 0 {
		return none, nil
	}
	const blanks = `[\t-\r ]*`
	return blanks + "(?:" + strings.Join(parts, "|") + ")" + blanks, nil
}

// between are the decimal numbers from low to high, both in it, without leading zeros (but "0", of which the zeros in front
// are the leading ones).
func between(low, high string) string {
	if len(low) < len(high) {
		var parts []string
		parts = append(parts, between(low, strings.Repeat("9", len(low))))
		for n := len(low) + 1; n < len(high); n++ {
			parts = append(parts, fmt.Sprintf("[1-9][0-9]{%d}", n-1))
		}
		parts = append(parts, between("1"+strings.Repeat("0", len(high)-1), high))
		return strings.Join(parts, "|")
	}
	return sameLength(low, high)
}

// sameLength are the texts of digits from low to high, of the length that both have.
func sameLength(low, high string) string {
	zeros, nines := strings.Repeat("0", len(low)), strings.Repeat("9", len(low))
	switch {
	case low == "":
		return ""
	case low == zeros && high == nines:
		return fmt.Sprintf("[0-9]{%d}", len(low))
	case low[0] == high[0]:
		return low[:1] + sameLength(low[1:], high[1:])
	}
	parts := []string{low[:1] + sameLength(low[1:], nines[1:]), high[:1] + sameLength(zeros[1:], high[1:])}
	if low[0]+1 < high[0] {
		parts = append(parts, fmt.Sprintf("[%c-%c][0-9]{%d}", low[0]+1, high[0]-1, len(low)-1))
	}
	return "(?:" + strings.Join(parts, "|") + ")"
}
