package automaton

// alphabet divides the 256 bytes into classes that an automaton does not tell apart, numbered by their lowest byte.
type alphabet struct {
	class [256]uint8
	size  int
}

// representatives returns one byte, the lowest, of each class in the order of the classes.
func (a *alphabet) representatives() []byte {
	out := make([]byte, 0, a.size)
	for b := range 256 {
		if int(a.class[b]) == len(out) {
			out = append(out, byte(b))
		}
	}
	return out
}

// cuts collects the bytes at which a new class begins.
type cuts [257]bool

func (c *cuts) add(lo, hi byte) {
	c[lo] = true
	c[int(hi)+1] = true
}

// alphabet numbers the intervals between cuts. Intervals that no automaton tells apart may still be apart; minimisation
// does not depend on it.
func (c *cuts) alphabet() alphabet {
	var a alphabet
	class := 0
	for b := range 256 {
		if b > 0 && c[b] {
			class++
		}
		a.class[b] = uint8(class)
	}
	a.size = class + 1
	return a
}

// join is the coarsest alphabet that is finer than both.
func join(a, b *alphabet) alphabet {
	var out alphabet
	numbers := make([]uint16, a.size*b.size) // of the pairs of classes, from 1
	for i := range 256 {
		number := &numbers[int(a.class[i])*b.size+int(b.class[i])]
		if *number == 0 {
			out.size++
			*number = uint16(out.size)
		}
		out.class[i] = uint8(*number - 1)
	}
	return out
}

// preference lists the printable bytes, those first that a reader would choose for an example.
const preference = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ./" +
	" !$'()*+,:=@~%&;<>?[\\]^`{|}\"#"

// readable lists all bytes, the most readable first.
var readable = func() (out [256]byte) {
	var seen [256]bool
	n := copy(out[:], preference)
	for _, b := range out[:n] {
		seen[b] = true
	}
	for b := range 256 {
		if !seen[b] {
			out[n] = byte(b)
			n++
		}
	}
	return out
}()
