package session

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"stormbin/engine/model"
)

// Whoever drags the time back and forth asks for many moments, most of which the run is still on its way to when the next
// is asked for. Where the drag ends, everything is as it was when the run first came there.
func TestScrubbingComesToTheSameMoments(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		s := storm(t)
		if pinned {
			s.Pin()
			do(t, s.Set("policy.calls.b.attempts", 2))
		}
		moment := func() string {
			var a, b model.Snapshot
			s.Run().Snapshot(&b)
			if s.Pinned() != nil {
				s.Pinned().Snapshot(&a)
			}
			a.Trace, b.Trace = nil, nil // it is what happened since the last look
			return fmt.Sprintf("%+v %+v %s", a, b, s.Run().Report().TraceHash)
		}
		was := map[time.Duration]string{}
		for at := time.Duration(0); at <= 20*time.Second; at += 4 * time.Second {
			do(t, s.Seek(at))
			play(s, 0)
			was[at] = moment()
		}
		r := rand.New(rand.NewPCG(4, 2))
		for range 40 {
			for range r.IntN(6) {
				do(t, s.Seek(time.Duration(r.Int64N(int64(20*time.Second)))))
				for range r.IntN(20) {
					s.Advance(s.Goal(), 50)
				}
			}
			at := time.Duration(r.IntN(6)) * 4 * time.Second
			do(t, s.Seek(at))
			play(s, 0)
			if s.Now() != at {
				t.Fatalf("pinned %v: dragged to %v, came to %v", pinned, at, s.Now())
			}
			if got := moment(); got != was[at] {
				t.Fatalf("pinned %v: at %v it is\n%s\nand it was\n%s", pinned, at, got, was[at])
			}
		}
	}
}
