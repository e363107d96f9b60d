package pastebin

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strings"
)

// letters are the letters and digits without those that pass for another: 0 and O, 1 and I and l. No punctuation, so
// that a link at the end of a sentence keeps its id.
const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// idLength is the fewest letters that hold 128 bits (57²² > 2¹²⁸). Whoever knows an id can read the paste, so it is
// made too long to guess.
const idLength = 22

// NewID makes an id from 16 bytes of rand, which must not be predictable. The error is rand's.
func NewID(rand io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return "", fmt.Errorf("16 random bytes for an id: %w", err)
	}
	// One 128-bit number, written in base 57: every id is as likely as every other.
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	var id [idLength]byte
	for i := range id {
		var digit uint64
		hi, digit = bits.Div64(0, hi, uint64(len(letters)))
		lo, digit = bits.Div64(digit, lo, uint64(len(letters)))
		id[i] = letters[digit]
	}
	return string(id[:]), nil
}

// isID says whether s could be an id.
func isID(s string) bool {
	return len(s) == idLength && strings.Trim(s, letters) == ""
}
