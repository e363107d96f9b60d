package policy

// Outcome is what one attempt, or one whole call, came to as its caller sees it.
// The zero value is OK.
type Outcome uint8

const (
	OK       Outcome = iota
	Error            // an answer, and it says no: a fast failure
	Refused          // the connection failed before the request was sent: no load on the far side
	Timeout          // we stopped waiting; what became of the work is unknown
	Lost             // the work was done and the answer went missing; who waits for it sees a timeout
	Shed             // turned away over a cap, before anything was sent
	Open             // turned away by an open breaker
	Deadline         // no time left in the request, so nothing was sent
	outcomes         // how many there are
)

var outcomeNames = [outcomes]string{"ok", "error", "refused", "timeout", "lost", "shed", "open", "deadline"}

// String is the word that scenarios and reports use.
func (o Outcome) String() string {
	if o < outcomes {
		return outcomeNames[o]
	}
	return "unknown"
}

// Outcomes is a set of outcomes. The zero value is empty.
type Outcomes uint16

// Set collects outcomes.
func Set(os ...Outcome) Outcomes {
	var s Outcomes
	for _, o := range os {
		s |= 1 << o
	}
	return s
}

// Has tells whether o is in the set.
func (s Outcomes) Has(o Outcome) bool { return s>>o&1 == 1 }
