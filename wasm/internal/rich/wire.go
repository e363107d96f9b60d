package rich

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Append appends tokens to b as the worker sends them: for each the index of its kind, a byte, and its length, a uvarint.
func Append(b []byte, tokens []Token) []byte {
	for _, t := range tokens {
		b = append(b, byte(slices.Index(Kinds[:], t.Kind)))
		b = binary.AppendUvarint(b, uint64(t.Length))
	}
	return b
}

// Decode is the tokens in b, of a text of size bytes. The error says why b isn't that.
func Decode(b []byte, size int) ([]Token, error) {
	var tokens []Token
	left := size
	for len(b) > 0 {
		kind := int(b[0])
		length, n := binary.Uvarint(b[1:])
		switch {
		case kind >= len(Kinds):
			return nil, fmt.Errorf("token %d is of kind %d, want one below %d", len(tokens), kind, len(Kinds))
		case n <= 0 || length == 0 || length > uint64(left):
			return nil, fmt.Errorf("token %d has no length that fits into the %d bytes left", len(tokens), left)
		}
		tokens = append(tokens, Token{Kinds[kind], int(length)})
		left -= int(length)
		b = b[1+n:]
	}
	if left > 0 {
		return nil, fmt.Errorf("the tokens end %d bytes before the text of %d bytes does", left, size)
	}
	return tokens, nil
}
