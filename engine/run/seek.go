package run

import (
	"errors"
	"slices"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/model"
)

// tape is what is needed to have a run again, from any moment of it: what the reader's own requests did to the world, and
// copies of the world on the way. What was set, broken and mended is in the scenario.
type tape struct {
	inputs []input
	played int // how many of them the world has had
	before []model.Bearing
	looked int // how many of before are of visitors who are, or were, at work since the run last went on
	marks  []mark
}

// mark is the world as it was, and how many inputs it had had.
type mark struct {
	world  *model.World
	played int
}

// input is one thing that a visitor did, at a moment of the run and after so many of its events.
type input struct {
	at       time.Duration
	happened int64
	kind     inputKind

	operation, process int
	place              int32
	call               string
	try                live.Try
	n                  uint64
	until              time.Duration // the caller of what was sent waits
	attempt            int           // that was given up
	beaten             bool
	alarm              time.Duration
	bearing            model.Bearing
}

type inputKind uint8

const (
	entered inputKind = iota
	sent
	gaveUp
	alarmed
	decided // what the visitor's own policy did to what it shares with the crowd
	left
)

// write keeps an input that the world is about to have.
func (t *tape) write(w *model.World, in input) {
	in.at, in.happened = w.Now(), w.Happened()
	t.inputs = append(t.inputs, in)
	t.played = len(t.inputs)
}

// look remembers the bearing of a process whose visitor is about to go to work, if no other one is at work there.
func (t *tape) look(w *model.World, process int) {
	for i := range t.before[:t.looked] {
		if t.before[i].Process == process {
			return
		}
	}
	if t.looked == len(t.before) {
		t.before = append(t.before, model.Bearing{})
	}
	w.Bearing(process, &t.before[t.looked])
	t.looked++
}

// settle writes down what visitors who were at work have changed by what they decided, unless they still are. Who is at
// work when all have left is so for nobody, and decides nothing.
func (r *Run) settle() {
	t := &r.tape
	if t.looked == 0 || r.Held() && r.open > 0 {
		return
	}
	for i := range t.before[:t.looked] {
		var now model.Bearing
		r.world.Bearing(t.before[i].Process, &now)
		if !now.Equal(&t.before[i]) {
			t.write(r.world, input{kind: decided, bearing: now})
		}
	}
	t.looked = 0
}

// act says that somebody is about to change what comes: what visitors did later, before somebody went back, is no more.
func (r *Run) act() {
	t := &r.tape
	r.settle()
	for !r.Held() && r.next(r.world.Now()) { // what is left of this instant comes first, then and in every replay
	}
	r.world.SkipNoMore()
	t.inputs = t.inputs[:t.played]
	for len(t.marks) > 0 && t.marks[len(t.marks)-1].world.Now() > r.world.Now() {
		t.marks = t.marks[:len(t.marks)-1]
	}
}

// due is when the next thing happens in the run.
func (r *Run) due() time.Duration {
	if t := &r.tape; t.played < len(t.inputs) {
		return min(r.world.Due(), max(t.inputs[t.played].at, r.world.Now()))
	}
	return r.world.Due()
}

// next lets the next thing happen if it is due by to, as World.Next does, what visitors did before somebody went back
// included.
func (r *Run) next(to time.Duration) bool {
	t := &r.tape
	if t.played == len(t.inputs) {
		return r.world.Next(to)
	}
	in := &t.inputs[t.played]
	if in.happened != r.world.Happened() || in.at > to || r.world.Planned() <= in.at {
		return r.world.Next(to)
	}
	r.world.Pass(in.at)
	r.again(in)
	t.played++
	return true
}

// again does to the world what a visitor did once.
func (r *Run) again(in *input) {
	switch in.kind {
	case entered:
		r.world.Enter(in.operation)
	case sent:
		r.world.Send(in.call, in.process, in.try, in.n, in.until, nil)
	case gaveUp:
		r.world.GiveUp(in.attempt, in.beaten)
	case alarmed:
		r.world.At(in.alarm, nil)
	case decided:
		r.world.Bear(&in.bearing)
	case left:
		r.world.Leave(in.operation, in.process, in.place)
	}
}

const (
	markEvery = 10 * time.Second
	marksMost = 16
	markRows  = 100_000 // a world of more is not copied: 20 MB
)

// mark keeps a copy of the world now and then. It costs a millisecond or two, and going back is then a matter of moments.
func (r *Run) mark() {
	t := &r.tape
	last := time.Duration(0)
	if n := len(t.marks); n > 0 {
		last = t.marks[n-1].world.Now()
	}
	if r.world.Now() < last+markEvery || r.Held() || r.world.Rows() > markRows {
		return
	}
	if len(t.marks) == marksMost {
		t.thin(r.world.Now())
	}
	t.marks = append(t.marks, mark{r.world.Copy(), t.played})
}

// Keep keeps a copy of the world as it is, so that going back to just after it is a matter of moments. In a world too large
// to be copied it does nothing.
func (r *Run) Keep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle()
	t, now := &r.tape, r.world.Now()
	if r.Held() || r.open > 0 || r.world.Rows() > markRows || t.since(now) == 0 {
		return
	}
	if len(t.marks) == marksMost {
		t.thin(now)
	}
	t.marks = slices.Insert(t.marks, t.until(now), mark{r.world.Copy(), t.played})
}

// Kept is how long before t the last copy of the world was kept that going back to t begins at; t itself if it begins at the
// start.
func (r *Run) Kept(t time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tape.since(t)
}

func (t *tape) since(at time.Duration) time.Duration {
	if n := t.until(at); n > 0 {
		return at - t.marks[n-1].world.Now()
	}
	return at
}

// thin drops one mark: the one that leaves the least gap for how long ago it is, so that they lie close by and farther
// apart further back.
func (t *tape) thin(now time.Duration) {
	least, at := 0.0, 0
	for i := range t.marks[:len(t.marks)-1] {
		before := time.Duration(0)
		if i > 0 {
			before = t.marks[i-1].world.Now()
		}
		gap := float64(t.marks[i+1].world.Now()-before) / float64(now-t.marks[i].world.Now())
		if i == 0 || gap < least {
			least, at = gap, i
		}
	}
	t.marks = slices.Delete(t.marks, at, at+1)
}

// ErrVisited is what a run answers that can't go back since a request of the reader's own is in it.
var ErrVisited = errors.New("a request of yours is on its way; wait for its answer, or end it, before going back")

// Back goes back to the virtual time t: the world is as it was just after all that happened by then. What was set, broken
// and mended later, and what the reader's own requests did later, comes again as the run goes on, until something new is
// done. The error is ErrVisited. If t is not past, nothing happens.
func (r *Run) Back(t time.Duration) error { return r.goBack(t, r.back) }

// Rewind is the first half of Back, and takes no longer however far that is: it goes back to the last moment at or before t
// that was kept, or to the start. Advance(t) is the other half, in as many turns as one likes. What happens on the way to t
// is left out of Snapshot.Trace, as it is by Back: it has been seen before, and t is where the reader wants to be. If
// something new is done on the way, what follows has not been seen, and is traced.
func (r *Run) Rewind(t time.Duration) error { return r.goBack(t, r.rewind) }

// goBack goes back to t, in the way given, if it is past and may be gone back to.
func (r *Run) goBack(t time.Duration, back func(time.Duration)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open > 0 {
		return ErrVisited
	}
	if t < r.world.Now() {
		r.settle()
		back(max(t, 0))
	}
	return nil
}

// back replays the run from the last mark before t.
func (r *Run) back(t time.Duration) {
	r.rewind(t)
	for r.next(t) {
	}
}

// rewind puts the world back to the last mark before t.
func (r *Run) rewind(t time.Duration) {
	r.load(r.tape.until(t))
	r.world.Skip(t)
}

// until is how many marks were made by t.
func (t *tape) until(at time.Duration) int {
	n, _ := slices.BinarySearchFunc(t.marks, at, func(m mark, at time.Duration) int {
		if m.world.Now() <= at {
			return -1
		}
		return 1
	})
	return n
}

// load puts the world back to the last of so many marks, or to the start if there is none.
func (r *Run) load(marks int) {
	was := r.world
	if marks == 0 {
		r.world, r.tape.played = model.New(r.start.Clone()), 0
	} else {
		m := r.tape.marks[marks-1]
		r.world, r.tape.played = m.world.Copy(), m.played
	}
	r.world.Resume(was)
}
