package des

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The dumb twin: a list that is sorted, stably, whenever one is taken.
type list struct {
	now    time.Duration
	events []Event
}

func (l *list) schedule(at time.Duration, e Event) {
	e.At = max(at, l.now)
	l.events = append(l.events, e)
}

func (l *list) pop() (Event, bool) {
	if len(l.events) == 0 {
		return Event{}, false
	}
	slices.SortStableFunc(l.events, func(a, b Event) int { return int(a.At - b.At) })
	e := l.events[0]
	l.events = l.events[1:]
	l.now = e.At
	return e, true
}

func TestQueueAgreesWithASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := Queue{last: Ticket(rapid.SampledFrom([]uint32{0, 1<<32 - 20}).Draw(t, "last"))}
		var twin list
		lanes := []Lane{q.NewLane(), q.NewLane(), q.NewLane()}
		what := uint32(0)
		// From many at one instant to several turns of the wheel apart.
		scale := rapid.SampledFrom([]time.Duration{1, 1 << (spanBits - 2), slots << (spanBits - 2), slots << spanBits}).Draw(t, "scale")
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			at := q.Now() + time.Duration(rapid.IntRange(-2, 6).Draw(t, "in"))*scale
			what++
			switch op := rapid.IntRange(0, 6).Draw(t, "op"); op {
			case 0, 1:
				twin.schedule(at, Event{Ticket: q.Schedule(at, what), What: what})
			case 2, 3, 4:
				twin.schedule(at, Event{Ticket: q.ScheduleOn(lanes[op-2], at, what), What: what})
			default:
				got, ok := q.Pop()
				want, wantOK := twin.pop()
				if got != want || ok != wantOK {
					t.Fatalf("popped %v %v, the list says %v %v", got, ok, want, wantOK)
				}
			}
			if q.Len() != len(twin.events) || q.Now() != twin.now {
				t.Fatalf("holds %d at %v, the list %d at %v", q.Len(), q.Now(), len(twin.events), twin.now)
			}
		}
		for len(twin.events) > 0 {
			got, _ := q.Pop()
			if want, _ := twin.pop(); got != want {
				t.Fatalf("popped %v, the list says %v", got, want)
			}
		}
	})
}

func TestPopByAndPass(t *testing.T) {
	var q Queue
	q.Schedule(5, 1)
	if _, ok := q.PopBy(4); ok || q.Now() != 0 {
		t.Errorf("an event at 5 came by 4, at %v", q.Now())
	}
	q.Pass(4)
	if q.Now() != 4 {
		t.Errorf("the clock is at %v, want 4", q.Now())
	}
	q.Pass(9)
	if q.Now() != 5 {
		t.Errorf("the clock is at %v, want 5: it can't pass an event", q.Now())
	}
	if e, ok := q.PopBy(5); !ok || e.What != 1 || q.Now() != 5 {
		t.Errorf("got %v %v at %v", e, ok, q.Now())
	}
	q.Pass(9)
	q.Pass(7)
	if q.Now() != 9 {
		t.Errorf("clock at %v, want 9: it never goes back", q.Now())
	}
	if q.Schedule(3, 2); q.Len() != 1 {
		t.Error("an event in the past was lost")
	}
	if e, _ := q.Pop(); e.At != 9 {
		t.Errorf("an event in the past came at %v, want now: 9", e.At)
	}
}

func TestTheDeadAreDroppedAtTheHeadOfTheirLane(t *testing.T) {
	dead := map[uint32]bool{}
	q := Queue{Dead: func(e Event) bool { return dead[e.What] }}
	l := q.NewLane()
	for what := range uint32(6) {
		q.ScheduleOn(l, time.Duration(what), what)
	}
	dead[1], dead[2], dead[4] = true, true, true
	var got []uint32
	for e, ok := q.Pop(); ok; e, ok = q.Pop() {
		got = append(got, e.What)
	}
	if !slices.Equal(got, []uint32{0, 3, 5}) {
		t.Errorf("popped %v, want the living: 0, 3, 5", got)
	}
}

// Timeouts so long that none falls due: almost all are dead when the next one comes, and take no room for it.
func TestTheDeadTakeNoRoom(t *testing.T) {
	living := uint32(0)
	q := Queue{Dead: func(e Event) bool { return e.What+10 < living && e.What%1000 != 0 }}
	l := q.NewLane()
	for living = range uint32(100_000) {
		q.ScheduleOn(l, time.Hour+time.Duration(living), living)
	}
	if n := q.Len(); n > 1000 {
		t.Errorf("%d events wait, want about a hundred that live", n)
	}
	var got []uint32
	for e, ok := q.Pop(); ok; e, ok = q.Pop() {
		if e.What%1000 == 0 {
			got = append(got, e.What)
		}
	}
	if len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("of a hundred that live, these came: %v", got)
	}
}

// The event mix of one simulated read: three timeouts of fixed length that never fire, and services of random length.
func BenchmarkReadPath(b *testing.B) {
	q := Queue{Dead: func(e Event) bool { return e.What < 3 }}
	timeouts := [...]time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 200 * time.Millisecond}
	var lanes [len(timeouts)]Lane
	for i := range lanes {
		lanes[i] = q.NewLane()
	}
	rand := uint64(1)
	for range 200 {
		q.Schedule(0, 3)
	}
	b.ReportAllocs()
	for b.Loop() {
		e, _ := q.Pop()
		if e.What < 3 {
			continue // a timeout of something long done
		}
		rand = rand*6364136223846793005 + 1442695040888963407
		q.ScheduleOn(lanes[rand>>32%3], e.At+timeouts[rand>>32%3], uint32(rand>>32%3))
		q.Schedule(e.At+time.Duration(rand>>40), 3)
	}
}
