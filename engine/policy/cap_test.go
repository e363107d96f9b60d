package policy

import "testing"

func TestCap(t *testing.T) {
	for _, test := range []struct {
		name  string
		max   int
		steps string // a: acquired, x: turned away, r: released
		held  int
	}{
		{"two places", 2, "aaxx", 2},
		{"a place given back is a place", 2, "aaxraxrra", 1},
		{"none", 1, "arararax", 1},
		{"no bound", 0, "aaaaaaaaaa", 10},
		{"unbounded, and given back", 0, "aarr", 0},
	} {
		c := Cap{Max: test.max}
		for i, step := range test.steps {
			if step == 'r' {
				c.Release()
			} else if got := c.Acquire(); got != (step == 'a') {
				t.Errorf("%s: step %d of %s: acquired is %v", test.name, i, test.steps, got)
			}
		}
		if c.held != test.held {
			t.Errorf("%s: %d are held, want %d", test.name, c.held, test.held)
		}
	}
}

// A bound that is lowered below what is held lets nobody in until enough have left.
func TestCapLowered(t *testing.T) {
	c := Cap{Max: 3}
	for range 3 {
		c.Acquire()
	}
	c.Max = 1
	c.Release()
	c.Release()
	if c.Acquire() {
		t.Error("a second one got in under a bound of 1")
	}
	c.Release()
	if !c.Acquire() {
		t.Error("an empty cap of 1 turned one away")
	}
}
