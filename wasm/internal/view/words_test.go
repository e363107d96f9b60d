package view

import (
	"math"
	"testing"
	"time"

	"stormbin/engine/model"
)

func TestFormat(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(999), "999"}, {Count(17_400), "17,400"}, {Count(1_234_567), "1,234,567"}, {Count(-1000), "−1,000"},
		{PerSecond(17_400), "17,400 /s"}, {PerSecond(.28), "0.3 /s"}, {PerSecond(20), "20 /s"}, {PerSecond(19.6), "20 /s"}, {PerSecond(0), "0 /s"},
		{Percent(1), "100 %"}, {Percent(0), "0 %"}, {Percent(.999), "99.9 %"}, {Percent(.9999), "> 99.9 %"}, {Percent(.0001), "< 0.1 %"},
		{Percent(.58), "58 %"}, {Percent(.034), "3.4 %"}, {Percent(.995), "99.5 %"}, {Percent(math.NaN()), "–"},
		{Times(4), "4.00×"}, {Times(1.1), "1.10×"},
		{Span(20 * time.Millisecond), "20 ms"}, {Span(4200 * time.Millisecond), "4.2 s"}, {Span(72 * time.Second), "1 min 12 s"},
		{Span(500 * time.Microsecond), "500 µs"}, {Span(0), "0 s"}, {Span(2500 * time.Microsecond), "2.5 ms"}, {Span(-time.Second), "−1 s"},
		{Clock(12_449 * time.Millisecond), "12.4 s"}, {Clock(61 * time.Second), "1 min 1 s"},
		{Bytes(1), "1 byte"}, {Bytes(3412), "3,412 bytes"},
		{Title("b"), "B"}, {Title("primary"), "primary"}, {TitleStart("primary"), "The primary"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

var well = model.Health{Slow: 1, Capacity: 1}

// second is two snapshots of B, a second apart.
func second(health model.Health, offered, ok, failed, first, retries int64, queue, busy int) *model.Snapshot {
	return &model.Snapshot{
		Now:      11 * time.Second,
		Requests: model.Requests{Offered: offered, OK: ok, Failed: failed, InFlight: offered - ok - failed},
		Dependencies: []model.DependencyNow{{
			Name: "b", Slots: make([]model.SlotNow, 8), Queue: queue, Busy: busy, Health: health, First: first, Retries: retries,
		}},
	}
}

func TestSentence(t *testing.T) {
	slow := model.Health{Slow: 8, Capacity: 1}
	open := func(s *model.Snapshot, breakers int) *model.Snapshot { s.Dependencies[0].Open = breakers; return s }
	hedged := func(s *model.Snapshot, hedges int64) *model.Snapshot { s.Dependencies[0].Hedges = hedges; return s }
	for _, test := range []struct {
		name string
		was  model.Health // a second ago
		now  *model.Snapshot
		want string
	}{
		{"calm", well, second(well, 20, 20, 0, 20, 0, 0, 2), "Calm: 20 requests a second, all answered in time."},
		{"nothing comes", well, second(well, 0, 0, 0, 0, 0, 0, 0), "Nothing has come in yet."},
		{"slow, not failing", well, second(slow, 20, 10, 0, 20, 0, 10, 8), "B is 8× slower. So far all requests that ended were answered in time; 10 attempts wait for a slot."},
		{"slow, one waits", well, second(slow, 20, 10, 0, 20, 0, 1, 8), "B is 8× slower. So far all requests that ended were answered in time; one attempt waits for a slot."},
		{"slow and failing", slow, second(slow, 20, 1, 19, 20, 60, 130, 8),
			"B is 8× slower, and 95 % of requests fail; 130 attempts wait for a slot; 75 % of attempts are retries."},
		{"slow, with a breaker", slow, open(second(slow, 20, 10, 10, 10, 0, 0, 4), 1), "B is 8× slower, a breaker before it is open, and 50 % of requests fail."},
		{"the storm", slow, second(well, 20, 0, 20, 20, 60, 130, 8),
			"B has been healthy for 1\u00a0s and 100 % of requests still fail: of 80 attempts a second, 60 are our own retries."},
		{"the backlog", slow, second(well, 20, 10, 10, 20, 0, 30, 8),
			"B has been healthy for 1\u00a0s, but 30 attempts are still in its queue: 50 % of requests fail."},
		{"just mended", slow, second(well, 20, 10, 10, 20, 0, 0, 2), "B is healthy again; of the requests that ended in the last second 50 % failed."},
		{"a breaker", slow, open(second(well, 20, 0, 20, 0, 0, 0, 0), 1), "B is healthy, but a breaker before it is open: 100 % of requests fail."},
		{"breakers", slow, open(second(well, 20, 10, 10, 10, 0, 0, 0), 12), "B is healthy, but 12 breakers before it are open: 50 % of requests fail."},
		{"hedges", slow, hedged(second(slow, 20, 1, 19, 20, 0, 130, 8), 20),
			"B is 8× slower, and 95 % of requests fail; 130 attempts wait for a slot; 50 % of attempts are hedges."},
		{"over", slow, second(well, 20, 20, 0, 20, 0, 0, 2), "It is over: all answered in time. B was mended 1\u00a0s ago."},
		{"retries alone", well, second(well, 70, 0, 70, 70, 200, 130, 8),
			"Nothing is broken, and 100 % of requests fail: of 270 attempts a second at B, 200 are our own retries."},
		{"overload", well, second(well, 100, 80, 20, 100, 0, 60, 8),
			"More comes in than B can do: 20 % of requests fail; 60 attempts wait for a slot."},
		{"strain", well, second(well, 79, 79, 0, 79, 0, 12, 8), "Under strain: all requests that ended were answered in time, but 12 attempts wait for B."},
		{"down", well, second(model.Health{Slow: 1, Capacity: 1, Down: true}, 20, 0, 20, 20, 60, 0, 0),
			"B is down, and 100 % of requests fail; 75 % of attempts are retries."},
		{"nobody is answered any more", slow, second(well, 20, 0, 0, 20, 0, 12, 8),
			"B has been healthy for 1\u00a0s and answers nobody: 20 requests have no answer yet."},
		{"nobody is answered", well, second(model.Health{Slow: 1, Capacity: 1, Stalled: true}, 20, 0, 0, 20, 0, 12, 8),
			"B is stalled: 20 requests have no answer yet, and none ended in the last second."},
	} {
		t.Run(test.name, func(t *testing.T) {
			var m Meter
			before := second(test.was, 0, 0, 0, 0, 0, 0, 0)
			before.Now = 10 * time.Second
			m.Read(before)
			if got := Sentence(m.Read(test.now)); got != test.want {
				t.Errorf("\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// What ends after the last one has come is not called so many requests a second.
func TestSentenceAfterTheLast(t *testing.T) {
	var m Meter
	before := second(well, 20, 0, 0, 20, 0, 0, 8)
	before.Now = 10 * time.Second
	m.Read(before)
	want := "Quiet: nothing came in during the last second; what ended in it: all answered in time."
	if got := Sentence(m.Read(second(well, 20, 20, 0, 20, 0, 0, 0))); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func TestSickness(t *testing.T) {
	for want, h := range map[string]model.Health{
		"healthy": well, "8× slower": {Slow: 8, Capacity: 1}, "down": {Slow: 1, Capacity: 1, Down: true},
		"flushed":                     {Slow: 1, Capacity: 1, Flushed: true},
		"10× slower and failing 20 %": {Slow: 10, Capacity: 1, Flaky: .2},
		"stalled, losing 10 % of its answers and at 50 % of its slots": {Slow: 1, Capacity: .5, Lose: .1, Stalled: true},
	} {
		if got := Sickness(h); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTheTableOfRequestsAddsUp(t *testing.T) {
	n := Numbers{Totals: model.Requests{Offered: 100, OK: 60, Failed: 20, Shed: 10, Late: 5, InFlight: 5}}
	c := n.RequestCells()
	if got, want := [...]string{c[1][1], c[2][1], c[3][1], c[4][1], c[5][1]}, [...]string{"60", "35", "10", "5", "5"}; got != want {
		t.Errorf("in time, failed, of them turned away, of them late, under way: %v, want %v", got, want)
	}
}

// A hedge is an attempt that would not have been sent without a second try.
func TestHedgesAmplify(t *testing.T) {
	var m Meter
	s := second(well, 0, 0, 0, 0, 0, 0, 0)
	s.Now = 10 * time.Second
	m.Read(s)
	s = second(well, 20, 20, 0, 20, 10, 0, 8)
	s.Dependencies[0].Hedges = 10
	p := &m.Read(s).Places[0]
	if p.Attempts() != 40 || p.Amplification() != 2 || p.Retries != 10 {
		t.Errorf("%v attempts a second, %v×, %v retries; want 40, 2× and 10", p.Attempts(), p.Amplification(), p.Retries)
	}
	if all := p.Cells()[11]; all != "40" {
		t.Errorf("%s attempts in all, want 40", all)
	}
}

func TestMeterTakesTheLastSecondOnly(t *testing.T) {
	var m Meter
	var n *Numbers
	// Ten seconds at 20 a second that all end well, then a second of 100 that all fail.
	s := second(well, 0, 0, 0, 0, 0, 0, 0)
	for f := range 11 * 60 {
		s.Now = time.Duration(f) * time.Second / 60
		if f < 600 {
			if f%3 == 0 {
				s.Requests.Offered++
				s.Requests.OK++
			}
		} else if f%3 != 0 {
			s.Requests.Offered += 2
			s.Requests.Failed += 2
			s.Dependencies[0].First += 2
			s.Dependencies[0].Retries += 6
		}
		n = m.Read(s)
		if f == 599 && (math.Abs(n.Offered-20) > 1 || n.InTime != 1) {
			t.Errorf("in the calm: %v a second, %v in time", n.Offered, n.InTime)
		}
	}
	if math.Abs(n.Offered-80) > 4 || n.InTime > .03 {
		t.Errorf("in the storm: %v a second, %v in time", n.Offered, n.InTime)
	}
	if a := n.Places[0].Amplification(); a != 4 {
		t.Errorf("amplification %v, want 4", a)
	}
	if n.Totals.OK != 200 {
		t.Errorf("%d ok in all, want 200", n.Totals.OK)
	}
	s = second(well, 1, 1, 0, 1, 0, 0, 0)
	s.Now = 0
	if n = m.Read(s); n.Over != 0 || n.Offered != 0 {
		t.Errorf("after a restart the old run still counts: %+v", n)
	}
}

func TestFocusIsTheDependencyUnderPressure(t *testing.T) {
	s := still(find(t, "pastebin"))
	var m Meter
	cache, _ := dependency(t, s, "cache")
	cache.Busy = 20
	if n := m.Read(s); n.Places[n.Focus].Name != "cache" {
		t.Errorf("focus on %s, want cache", n.Places[n.Focus].Name)
	}
	s.Now = time.Second
	primary, _ := dependency(t, s, "primary")
	primary.Busy, primary.Queue = 30, 500
	if n := m.Read(s); n.Places[n.Focus].Name != "primary" {
		t.Errorf("focus on %s, want primary", n.Places[n.Focus].Name)
	}
	s.Now = 2 * time.Second
	bucket, _ := dependency(t, s, "bucket")
	bucket.Health.Slow = 10
	if n := m.Read(s); n.Places[n.Focus].Name != "bucket" {
		t.Errorf("focus on %s, want bucket, which is sick", n.Places[n.Focus].Name)
	}
}

// One moment of a run is told alike, whatever was looked at on the way there.
func TestFocusIsOnWhatWasMendedLately(t *testing.T) {
	s := find(t, "put-timeout")
	at := func(looks ...time.Duration) string {
		var m Meter
		m.Learn(s.Faults)
		r := begin(t, *s)
		var now model.Snapshot
		for _, look := range append(looks, 5*time.Second) {
			r.Advance(look, math.MaxInt)
			r.Glance(&now)
			m.Read(&now)
		}
		return Sentence(&m.now)
	}
	var often []time.Duration
	for look := time.Second / 60; look < 5*time.Second; look += time.Second / 60 {
		often = append(often, look)
	}
	watched := at(often...)
	for _, look := range often[len(often)-60 : len(often)-30] {
		if jumped := at(look); jumped != watched {
			t.Errorf("%q where one has jumped there and looked at %v, and %q where one has watched", jumped, look, watched)
		}
	}
}

// Twenty a second, evenly spaced, read as twenty at every frame, whatever instant it falls on.
func TestAnEvenRateReadsEven(t *testing.T) {
	var m Meter
	snap := still(find(t, "two-service"))
	for frame := range 600 {
		snap.Now = time.Duration(frame) * time.Second / 60
		snap.Requests.Offered = int64(snap.Now/(50*time.Millisecond)) + 1
		snap.Requests.OK = snap.Requests.Offered
		n := m.Read(snap)
		if snap.Now > window && (n.Offered < 19.4 || n.Offered > 20.6) {
			t.Fatalf("at %v it reads %.2f a second, want 20", snap.Now, n.Offered)
		}
	}
	if n := testing.AllocsPerRun(100, func() { snap.Now += time.Second / 60; m.Read(snap) }); n > 0 {
		t.Errorf("a read allocates %v times", n)
	}
}
