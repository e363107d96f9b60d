package view

import (
	"strings"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/wasm/internal/frame"
)

// bar is the label over the followed request's bar, "" if there is none.
func (s *Scene) barLabel() string {
	for _, l := range s.Labels() {
		if strings.Contains(l.Text, " ms") {
			return l.Text
		}
	}
	return ""
}

// filled is the share of the bar that each of its parts takes, from left to right.
func (s *Scene) filled() (parts []float32) {
	b := s.layout.Bar
	for _, m := range s.Marks() {
		if m.Shape == frame.Rect && m.Color != frame.Border && m.Y > b.Y && m.Y < b.Y+b.H && m.X > b.X && m.X < b.X+b.W {
			parts = append(parts, m.W/b.W)
		}
	}
	return parts
}

func TestTheBarOfAReadFillsAsItsCallsTakeTheirPart(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	_, cache := dependency(t, snap, "cache")
	_, primary := dependency(t, snap, "primary")
	_, bucket := dependency(t, snap, "bucket")
	const read = 2 // create, delete, read
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	request := uint64(4000)
	to := func(at time.Duration, events ...model.Event) {
		snap.Now = time.Second + at
		for i := range events {
			events[i].At, events[i].Holder, events[i].Request = snap.Now, model.First, request
		}
		snap.Trace = events
		scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
		scene.Marks()
	}
	say := func(want string) {
		t.Helper()
		if got := scene.barLabel(); got != want {
			t.Errorf("the bar says %q, want %q", got, want)
		}
	}
	call := func(kind model.EventKind, place int) model.Event {
		return model.Event{Kind: kind, Attempt: 1, Place: uint16(place)}
	}
	arrives := func() model.Event {
		request++
		return model.Event{Kind: model.Arrived, Place: read}
	}
	to(0, arrives(), call(model.Sent, cache))
	say("") // what the cache answers is no story
	to(ms(5), call(model.TimedOut, cache), call(model.Sent, primary))
	to(ms(15))
	say("One read: 5 + 10 of 300 ms")
	to(ms(25), call(model.Completed, primary), call(model.Sent, bucket))
	to(ms(125))
	say("One read: 5 + 20 + 100 of 300 ms")
	to(ms(225), call(model.Completed, bucket), model.Event{Kind: model.Answered, Place: read})
	to(ms(400))
	say("One read: 5 + 20 + 200 of 300 ms, answered")
	parts := scene.filled()
	if len(parts) != 3 {
		t.Fatalf("%d parts, want 3", len(parts))
	}
	for i, want := range []float32{5. / 300, 20. / 300, 200. / 300} {
		if d := parts[i] - want; d > .005 || d < -.005 {
			t.Errorf("part %d takes %.3f of the bar, want %.3f", i, parts[i], want)
		}
	}
	// It stays for long enough to be read, and then another is followed.
	to(ms(401), arrives(), call(model.Sent, primary), call(model.Completed, primary), call(model.Sent, bucket))
	say("One read: 5 + 20 + 200 of 300 ms, answered")
	for range 200 {
		to(ms(402))
	}
	to(ms(403), arrives(), call(model.Sent, primary))
	to(ms(404), call(model.Completed, primary), call(model.Sent, bucket))
	to(ms(405))
	say("One read: 1 + 1 of 300 ms")
}

func TestTheReadersOwnIsFollowedFirst(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	_, bucket := dependency(t, snap, "bucket")
	_, primary := dependency(t, snap, "primary")
	at := func(now time.Duration, events ...model.Event) {
		snap.Now = now
		for i := range events {
			events[i].At, events[i].Attempt = now, 1
		}
		snap.Trace = events
		scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
		scene.Marks()
	}
	at(time.Second, model.Event{Kind: model.Arrived, Holder: model.First, Place: 2, Request: 3}, model.Event{Kind: model.Failure, Holder: model.First, Place: 2, Request: 3})
	if got := scene.barLabel(); got != "One read: 0 of 300 ms, failed" {
		t.Errorf("one of the crowd that failed is told as %q", got)
	}
	at(2*time.Second, model.Event{Kind: model.Sent, Holder: model.Yours, Place: uint16(bucket), Request: 0})
	at(2100 * time.Millisecond)
	if got := scene.barLabel(); got != "You: 100 of 2,000 ms" {
		t.Errorf("the reader's own create is told as %q", got)
	}
	at(2120*time.Millisecond, model.Event{Kind: model.Completed, Holder: model.Yours, Place: uint16(bucket), Request: 0},
		model.Event{Kind: model.Sent, Holder: model.Yours, Place: uint16(primary), Request: 0})
	at(2170*time.Millisecond, model.Event{Kind: model.TimedOut, Holder: model.Yours, Place: uint16(primary), Request: 0})
	if got := scene.barLabel(); got != "You: 120 + 50 of 2,000 ms, failed" {
		t.Errorf("after its insert timed out it is told as %q", got)
	}
}

// Attempts side by side are not added up: their time is the same time.
func TestHedgesTakeNoTimeOfTheirOwn(t *testing.T) {
	f := newFilm(t, false)
	f.to(0, model.Event{Kind: model.Arrived, Request: 7}, model.Event{Kind: model.Sent, Attempt: 1, Request: 7})
	f.to(200*time.Millisecond, model.Event{Kind: model.Sent, Attempt: 2, Holder: model.Hedge, Request: 7})
	f.to(300*time.Millisecond, model.Event{Kind: model.Completed, Attempt: 1, Request: 7},
		model.Event{Kind: model.Beaten, Attempt: 2, Request: 7}, model.Event{Kind: model.Answered, Request: 7})
	if got := f.barLabel(); got != "One call: 500 ms, no deadline, answered" {
		t.Errorf("it is told as %q", got)
	}
}

// Two pictures of one traffic follow the same request, so that one sees what the rule does to it.
func TestTwoPicturesFollowTheSameRequest(t *testing.T) {
	a, b := newFilm(t, false), newFilm(t, false)
	b.Beside = a.Scene
	both := func(dt time.Duration, ofA, ofB []model.Event) {
		a.to(dt, ofA...)
		b.to(dt, ofB...)
	}
	arrives := func(n uint64) []model.Event {
		return []model.Event{{Kind: model.Arrived, Request: n}, {Kind: model.Sent, Attempt: 1, Request: n}}
	}
	b.to(0, arrives(1)...)
	if got := b.barLabel(); got != "" {
		t.Errorf("it follows by itself: %q", got)
	}
	both(0, arrives(7), arrives(7))
	both(100*time.Millisecond, []model.Event{{Kind: model.Completed, Attempt: 1, Request: 7}, {Kind: model.Answered, Request: 7}}, nil)
	both(100*time.Millisecond, nil, nil)
	if got := a.barLabel() + " / " + b.barLabel(); got != "One call: 100 ms, no deadline, answered / One call: 200 ms, no deadline" {
		t.Errorf("they say %q", got)
	}
	for range 4 { // it has been on show for long enough
		both(time.Second, nil, nil)
	}
	both(0, arrives(9), arrives(9))
	both(50*time.Millisecond, nil, nil)
	if got := a.barLabel() + " / " + b.barLabel(); got != "One call: 50 ms, no deadline / One call: 50 ms, no deadline" {
		t.Errorf("they say %q", got)
	}
}

// Users and balancers who try again bring the same request again: of two pictures of one run that were looked at at other
// times, both tell of the same try, and the bar of one that has ended stays as it was.
func TestWhoTriesAgainIsFollowedOnce(t *testing.T) {
	s := find(t, "layers")
	var scenes [2]*Scene
	var runs [2]*run.Run
	var snaps [2]model.Snapshot
	for i := range scenes {
		r, err := run.New(*s)
		if err != nil {
			t.Fatal(err)
		}
		scenes[i], runs[i] = NewScene(s), r
		scenes[i].Resize(900, 460)
	}
	scenes[1].Beside = scenes[0]
	told := 0
	for f := range 200 {
		for i, scene := range scenes {
			now := time.Duration(f) * time.Second / 50
			if i == 1 && f%20 > 0 {
				continue // seldom
			}
			for !runs[i].Advance(now, 1_000_000) {
			}
			runs[i].Snapshot(&snaps[i])
			scene.Update(&snaps[i], Frame{Real: time.Second / 50, Speed: 1, Moving: true})
			scene.Marks()
		}
		if f%20 > 0 || !scenes[0].follow.going || scenes[0].follow.ended < 0 {
			continue
		}
		if a, b := scenes[0].barLabel(), scenes[1].barLabel(); a != b {
			t.Errorf("at %v they say %q and %q", snaps[0].Now, a, b)
		}
		told++
	}
	if told == 0 {
		t.Error("none is followed to its end")
	}
}

// When fewer are traced, nothing more is heard of most. They are let go, and not taken to wait for ever.
func TestWhoIsNoLongerTracedIsNotFollowed(t *testing.T) {
	f := newFilm(t, true)
	f.to(0, model.Event{Kind: model.Arrived, Request: 7}, model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + time.Minute},
		model.Event{Kind: model.BackingOff, Attempt: 1, Request: 7, Until: f.snap.Now + time.Minute})
	marks := f.to(100 * time.Millisecond)
	if f.barLabel() == "" || count(marks, frame.Arc, frame.First) != 1 || count(marks, frame.Arc, frame.Retry) != 1 {
		t.Fatal("it is not followed while it is traced")
	}
	f.snap.SampleEvery = 100
	marks = f.to(100 * time.Millisecond)
	if got := f.barLabel(); got != "" || count(marks, frame.Arc, frame.First)+count(marks, frame.Arc, frame.Retry) > 0 {
		t.Errorf("1 in 100 is traced, and 7 is still seen to wait: %q", got)
	}
}

// Whatever the room, the words over the bar say how it ended, and what the time went into as often as there is room for that in
// whole milliseconds; nothing that took no time is a part of it.
func TestTheBarsWordsKeepTheirSum(t *testing.T) {
	for _, id := range []string{"hedging", "hedging-late", "blip"} {
		for _, width := range []float32{900, 820, 640, 300} { // at 640 the bar stands in the least room
			s := find(t, id)
			r, err := run.New(*s)
			if err != nil {
				t.Fatal(err)
			}
			scene := NewScene(s)
			scene.Resize(width, 460)
			var snap model.Snapshot
			ended, sums := 0, 0
			for at := time.Duration(0); at < 2*time.Second; at += 5 * time.Millisecond {
				r.Advance(at, 1<<30)
				r.Snapshot(&snap)
				scene.Update(&snap, Frame{Real: time.Second / 5, Speed: .05, Moving: true})
				scene.Marks()
				said := scene.barLabel()
				if strings.Contains(said, " 0 of") || strings.Contains(said, " 0 +") || strings.HasPrefix(said, "0 +") {
					t.Errorf("%s, %v px: %q", id, width, said)
				}
				if scene.follow.ended < 0 || said == "" {
					continue
				}
				ended++
				if !strings.HasSuffix(said, ", answered") && !strings.HasSuffix(said, ", failed") {
					t.Errorf("%s, %v px: %q, and it has ended", id, width, said)
				}
				if strings.Contains(said, " + ") {
					sums++
				}
			}
			if ended == 0 || 2*sums < ended && width != 640 {
				t.Errorf("%s, %v px: %d of %d times what the time went into is said", id, width, sums, ended)
			}
		}
	}
}
