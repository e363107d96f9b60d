package metrics

import "testing"

// A browser breaks a line at any other blank, and at none of these.
func TestUnbroken(t *testing.T) {
	for sentence, want := range map[string]string{
		"":                              "",
		"nothing of the kind":           "nothing of the kind",
		"20 % of 17,400 requests":       "20\u00a0% of 17,400 requests",
		"bad for 3.3 s, and again":      "bad for 3.3\u00a0s, and again",
		"It took 1 min 5 s.":            "It took 1\u00a0min 5\u00a0s.",
		"db +495 /s, 2.85×":             "db +495\u00a0/s, 2.85×",
		"(of 300 ms) 2 h":               "(of 300\u00a0ms) 2\u00a0h",
		"5 seconds, 3 slots, 2 minutes": "5 seconds, 3 slots, 2 minutes",
		"B s 1  s":                      "B s 1  s",
	} {
		if got := Unbroken(sentence); got != want {
			t.Errorf("Unbroken(%q) is %q, want %q", sentence, got, want)
		}
	}
}
