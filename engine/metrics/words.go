package metrics

import (
	"strconv"
	"strings"
	"time"
)

// Thousands is n with a comma after every three digits: 27,840.
func Thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

func times(f float64) string       { return strconv.FormatFloat(f, 'f', 2, 64) + "×" }
func seconds(s float64) string     { return short(s, 1) + " s" }
func percent(f float64) string     { return hundredths(f, 1) + " %" }
func since(d time.Duration) string { return "since " + seconds(d.Seconds()) }

// length is d in the unit that people say it in.
func length(d time.Duration) string {
	if d < time.Second {
		return short(float64(d)/float64(time.Millisecond), 1) + " ms"
	}
	return seconds(d.Seconds())
}

// Plural is n with the word for one, or for many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(int64(n)) + " " + many
}

// Title is a name as it stands in a sentence: one letter is a capital, "b" is B.
func Title(name string) string {
	if len(name) == 1 {
		return strings.ToUpper(name)
	}
	return name
}

// The is a dependency within a sentence: "b" is B, "primary" the primary.
func The(name string) string {
	if len(name) == 1 {
		return Title(name)
	}
	return "the " + name
}

// BesideRuns is a name within a sentence where run A and run B are spoken of, too: "b" is service B, which neither is taken for.
func BesideRuns(name string) string {
	if len(name) == 1 {
		return "service " + Title(name)
	}
	return The(name)
}

// often is how many times something is done, in a word.
func often(n int) string {
	if n == 2 {
		return "twice"
	}
	return Plural(n, "time", "times")
}

// hundredths is a share in per cent, with up to so many decimals. Less than all is never said to be 100.
func hundredths(f float64, decimals int) string {
	s := short(100*f, decimals)
	if s == "100" && f < 1 {
		return "more than 99." + strings.Repeat("9", decimals)
	}
	return s
}

// All is the words with commas, and an "and" before the last.
func All(words []string) string { return joined(words, " and ") }

// Either is the words with commas, and an "or" before the last.
func Either(words []string) string { return joined(words, " or ") }

func joined(words []string, last string) string {
	n := max(len(words)-1, 0)
	said := strings.Join(words[:n], ", ")
	if n > 0 {
		said += last
	}
	return said + strings.Join(words[n:], "")
}

// short is f with up to so many decimals, and no zeros at the end.
func short(f float64, decimals int) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
