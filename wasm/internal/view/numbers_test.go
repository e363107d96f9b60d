package view

import (
	"math/rand/v2"
	"testing"
	"time"

	"stormbin/engine/model"
)

// What is the same in two runs reads the same of both, though one was looked at while it was played and the other is on its
// way there, and whatever frames it makes on the way.
func TestAMeterBesideAnotherReadsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	came := make([]int64, 4000) // requests by the millisecond, by chance
	for i := 1; i < len(came); i++ {
		came[i] = came[i-1] + int64(r.IntN(40))
	}
	at := func(ms int) *model.Snapshot {
		s := &model.Snapshot{Now: time.Duration(ms) * time.Millisecond}
		s.Requests.Offered = came[ms]
		return s
	}
	for range 50 {
		var a, b Meter
		b.Beside(&a)
		goal := 2000 + r.IntN(100)
		for ms := 0; ms < goal; ms = min(ms+1+r.IntN(40), goal) {
			a.Read(at(ms))
		}
		a.Read(at(goal))
		same := func(ms int) {
			t.Helper()
			if a, b := a.Read(at(ms)).Offered, b.Read(at(ms)).Offered; a != b {
				t.Fatalf("at %d ms: %v a second in A, %v in B", ms, a, b)
			}
		}
		for ms := 0; ms < goal; {
			s := at(ms)
			b.Read(s)
			b.Keep(s, time.Duration(goal)*time.Millisecond)
			ms = min(ms+1+r.IntN(300), goal, int(a.After(s.Now)/time.Millisecond))
		}
		for ms := goal; ms < goal+1500; ms += 1 + r.IntN(30) {
			same(ms)
		}
	}
}
