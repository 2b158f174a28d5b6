package class

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rangePattern writes "low high", a range test, as a regular expression: blanks, a sign, zeros, digits, blanks, as Envoy reads a
// number (absl::SimpleAtoi of 64 bits). Low belongs to the range, high does not.
func rangePattern(bounds string) (string, error) {
	lowText, highText, _ := strings.Cut(bounds, " ")
	low, err := strconv.ParseInt(lowText, 10, 64)
	if err != nil {
		return "", fmt.Errorf("reading the range %q: %w", bounds, err)
	}
	high, err := strconv.ParseInt(highText, 10, 64)
	if err != nil {
		return "", fmt.Errorf("reading the range %q: %w", bounds, err)
	}
	var numbers []string
	if high > max(low, 0) {
		numbers = append(numbers, `\+?0*(`+magnitudes(uint64(max(low, 0)), uint64(high-1))+`)`)
	}
	if low < min(high, 0) {
		// The last negative number is the one nearest to zero. The magnitude of the least has no int64.
		numbers = append(numbers, `-0*(`+magnitudes(uint64(-min(high-1, -1)), -uint64(low))+`)`)
	}
	if low <= 0 && high > 0 {
		numbers = append(numbers, `-0+`)
	}
	if len(numbers) == 0 {
		return `[^\x00-\xff]`, nil // a range without a number, which matches nothing
	}
	return `[\t ]*(` + strings.Join(numbers, "|") + `)[\t ]*`, nil
}

// magnitudes are the decimal numbers from low to high, without leading zeros but for zero itself.
func magnitudes(low, high uint64) string {
	var parts []string
	for digits := len(strconv.FormatUint(low, 10)); digits <= len(strconv.FormatUint(high, 10)); digits++ {
		first, last := low, high
		if digits > len(strconv.FormatUint(low, 10)) {
			first = power(digits - 1)
		}
		if digits < len(strconv.FormatUint(high, 10)) {
			last = power(digits) - 1
		}
		parts = append(parts, between(strconv.FormatUint(first, 10), strconv.FormatUint(last, 10)))
	}
	return strings.Join(parts, "|")
}

func power(digits int) uint64 { return uint64(math.Pow10(digits)) }

// between are the numbers of as many digits as both have, from low to high.
func between(low, high string) string {
	same := 0
	for same < len(low) && low[same] == high[same] {
		same++
	}
	if same == len(low) {
		return low
	}
	common, low, high := low[:same], low[same:], high[same:]
	rest := len(low) - 1
	if strings.Trim(low[1:], "0") == "" && strings.Trim(high[1:], "9") == "" {
		return common + digit(low[0], high[0]) + repeated(rest)
	}
	parts := []string{low[:1] + between(low[1:], strings.Repeat("9", rest))}
	if low[0]+1 <= high[0]-1 {
		parts = append(parts, digit(low[0]+1, high[0]-1)+repeated(rest))
	}
	parts = append(parts, high[:1]+between(strings.Repeat("0", rest), high[1:]))
	return common + "(" + strings.Join(parts, "|") + ")"
}

func digit(low, high byte) string {
	if low == high {
		return string(rune(low))
	}
	return "[" + string(rune(low)) + "-" + string(rune(high)) + "]"
}

func repeated(digits int) string { return strings.Repeat("[0-9]", digits) }
