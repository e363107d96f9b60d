package run_test

import (
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
)

// BenchmarkSecond is one simulated second in steady state. It reports what one event costs, and how many times faster
// than real time that is.
func BenchmarkSecond(b *testing.B) {
	for _, c := range []struct {
		name string
		id   string
		set  sets
	}{
		{"pastebin", "pastebin", nil},
		{"pastebin-storm", "pastebin", append(sets{"faults", fault("primary", "stall", "0s", "2s")}, retryEverything...)},
		{"pastebin-10x", "pastebin", sets{"operations.read.rate", 174_000, "operations.create.rate", 3_500,
			"processes.count", 230, "dependencies.primary.slots", 300, "dependencies.bucket.slots", 10_000,
			"dependencies.cache.slots", 640}},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, err := run.New(with(b, c.id, c.set...))
			if err != nil {
				b.Fatal(err)
			}
			r.Advance(4*time.Second, 1<<40) // until the pools have grown
			before, start := r.Report().Events, r.Now()
			b.ReportAllocs()
			for b.Loop() {
				if r.Now() > run.Limit-2*time.Second {
					b.Skip("the run has reached its limit; ask for less -benchtime")
				}
				r.Advance(r.Now()+time.Second, 1<<40)
			}
			events := float64(r.Report().Events - before)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/event")
			b.ReportMetric((r.Now()-start).Seconds()/b.Elapsed().Seconds(), "x-real-time")
		})
	}
}

// BenchmarkFrame is what the page does sixty times a second: a sixtieth of a second of the pastebin, and a look at it.
func BenchmarkFrame(b *testing.B) {
	r, err := run.New(with(b, "pastebin"))
	if err != nil {
		b.Fatal(err)
	}
	r.SampleEvery(40)
	var s model.Snapshot
	b.ReportAllocs()
	for b.Loop() {
		if r.Now() > run.Limit-time.Second {
			b.Fatal("the run has reached its limit; ask for less -benchtime")
		}
		r.Advance(r.Now()+time.Second/60, 1<<40)
		r.Snapshot(&s)
	}
}
