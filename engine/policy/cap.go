package policy

// Cap bounds how many operations of one kind a process holds at once (a bulkhead). The zero value is unbounded.
type Cap struct {
	// Max is the bound. 0: none.
	Max  int
	held int
}

// Acquire takes a place if there is one. Whoever gets one gives it back with Release; whoever doesn't answers at once.
func (c *Cap) Acquire() bool {
	if c.Max > 0 && c.held >= c.Max {
		return false
	}
	c.held++
	return true
}

// Release gives a place back.
func (c *Cap) Release() { c.held-- }
