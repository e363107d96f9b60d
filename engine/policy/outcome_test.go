package policy

import "testing"

func TestOutcomes(t *testing.T) {
	set := Set(Timeout, Error, Timeout)
	for o := OK; o < outcomes; o++ {
		if want := o == Timeout || o == Error; set.Has(o) != want {
			t.Errorf("a set of timeout and error has %s: %v", o, !want)
		}
	}
	if got := Outcome(99).String(); got != "unknown" {
		t.Errorf("no outcome is written %q", got)
	}
}
