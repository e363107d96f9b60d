package main

import (
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

// Each family has its name above it, once; answers are for those who ask.
func TestListOfFamiliesAndAnswers(t *testing.T) {
	short, long := good(t, "", "list"), good(t, "", "list", "-long")
	for _, e := range scenario.List() {
		if n := strings.Count("\n"+short, "\n"+e.Family+"\n"); n != 1 {
			t.Errorf("%s stands above its scenarios %d times in\n%s", e.Family, n, short)
		}
		if strings.Contains(short, e.Answer) {
			t.Errorf("the answer of %s is given away in\n%s", e.ID, short)
		}
		if !strings.Contains(long, e.ID) || !strings.Contains(long, e.Question) || !strings.Contains(long, e.Answer) {
			t.Errorf("%s, its question and its answer are not all in\n%s", e.ID, long)
		}
	}
}
