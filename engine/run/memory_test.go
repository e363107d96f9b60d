package run_test

import (
	"runtime"
	"testing"
	"time"
)

// An hour of the pastebin, a tenth of it in load, takes no more memory than its first ten minutes do, but for its history: a
// row a second, and the tenths of seconds that outages are judged in, which the marks to go back to have their share of.
func TestAnHourTakesNoMoreMemory(t *testing.T) {
	r := start(t, "pastebin", quick...)
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	to := func(at time.Duration) {
		for !r.Advance(at, 1<<20) {
		}
	}
	end := time.Hour
	if runtime.GOARCH == "wasm" { // the same code, some times slower
		end = 20 * time.Minute
	}
	to(10 * time.Minute)
	before := heap()
	to(end)
	const perSecond = 5*84 + 3*12 + 16 + 10*12
	const times = 8 // slices that may be half empty, and the marks
	if grown, most := heap()-before, int64((end-10*time.Minute).Seconds()*perSecond*times); grown > most {
		t.Errorf("from ten minutes to %v it grows by %d kB, want %d kB at the most", end, grown/1000, most/1000)
	} else {
		t.Logf("%d kB after ten minutes, %d kB more after %v", before/1000, grown/1000, end)
	}
	runtime.KeepAlive(r)
}

// Once a run is under way an event takes no memory of its own: what there is, rows of attempts and events, is used again,
// and only the history grows, by the second.
func TestEventsTakeNoMemory(t *testing.T) {
	for _, c := range []struct {
		name string
		set  sets
	}{
		{"calm", nil},
		{"in a storm", sets{"policy.calls.primary_read.attempts", 4, "policy.calls.primary_read.retry_on", []string{"timeout", "error", "refused"},
			"faults", fault("primary", "stall", "1s", "1s")}},
	} {
		r := start(t, "pastebin", all(quick, c.set)...)
		counted := func(to time.Duration) (events int64, mallocs uint64) {
			for !r.Advance(to, 1<<20) {
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return r.Report().Events, m.Mallocs
		}
		counted(20 * time.Second) // until all is as large as it gets
		events, mallocs := counted(40 * time.Second)
		more, made := counted(60 * time.Second)
		if share := float64(made-mallocs) / float64(more-events); share > 0.005 {
			t.Errorf("%s: %d events make %d things in memory, want one in two hundred events at the most", c.name, more-events, made-mallocs)
		} else {
			t.Logf("%s: %d events, %d things in memory", c.name, more-events, made-mallocs)
		}
	}
}
