package metrics

import "strings"

// Unbroken is a sentence with each number on one line with its unit: 20 %, 40 ms, 3 s, 2 min, 1 h and 500 /s.
func Unbroken(sentence string) string {
	words := strings.Split(sentence, " ")
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case digitEnds(words[i-1]) && isUnit(word):
			b.WriteString("\u00a0")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

func digitEnds(word string) bool {
	return word != "" && word[len(word)-1] >= '0' && word[len(word)-1] <= '9'
}

// isUnit tells whether a word is one, whatever ends the sentence or a part of it behind it.
func isUnit(word string) bool {
	switch strings.TrimRight(word, ".,;:?!)") {
	case "%", "ms", "s", "min", "h", "/s":
		return true
	}
	return false
}
