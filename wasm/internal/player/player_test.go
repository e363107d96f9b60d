package player

import (
	"math"
	"testing"
	"time"
)

// world is a run whose events are evenly spaced in virtual time, and cost real time.
type world struct {
	now, every, cost time.Duration
	clock            time.Duration // real
	steps            int
	goal             time.Duration
	held             func(w *world) bool
	heldAt           time.Duration // Advance stops there, once, and is held
}

func (w *world) Now() time.Duration  { return w.now }
func (w *world) Goal() time.Duration { return w.goal }
func (w *world) Step()               { w.steps++ }
func (w *world) Held() bool          { return w.held != nil && w.held(w) }

func (w *world) Advance(to time.Duration, events int) bool {
	for range events {
		if w.Held() {
			return false
		}
		if w.now+w.every > to {
			w.now = to
			return true
		}
		w.now += w.every
		w.clock += w.cost
		if w.heldAt > 0 && w.now >= w.heldAt {
			w.heldAt = 0
			asked := 0
			w.held = func(*world) bool { asked++; return asked < 10 }
			return false
		}
	}
	return w.now >= to
}

func play(w *world) *Player {
	p := &Player{World: w, Clock: func() time.Duration { return w.clock }}
	p.Play()
	return p
}

const frame = 16 * time.Millisecond

func TestVirtualTimeFollowsRealTimeAtTheSpeed(t *testing.T) {
	for _, speed := range []float64{.01, .5, 1, 2, 100} {
		w := &world{every: time.Millisecond}
		p := play(w)
		p.SetSpeed(speed)
		for range 100 {
			p.Next(frame)
		}
		if want := time.Duration(float64(100*frame) * speed); w.now != want {
			t.Errorf("at %v×: %v, want %v", speed, w.now, want)
		}
	}
}

func TestSpeedHasBounds(t *testing.T) {
	for set, want := range map[float64]float64{.001: .01, 1: 1, 1e6: 1000} {
		p := Player{}
		if p.SetSpeed(set); p.Speed != want {
			t.Errorf("speed %v became %v, want %v", set, p.Speed, want)
		}
	}
}

func TestALateFrameIsSlowMotion(t *testing.T) {
	w := &world{every: time.Millisecond}
	p := play(w)
	f := p.Next(30 * time.Second)
	if w.now != MaxFrame || f.Moved != MaxFrame || f.Real != MaxFrame {
		t.Errorf("after a frame of 30 s: at %v, want %v", w.now, MaxFrame)
	}
	p.Next(frame)
	if want := MaxFrame + frame; w.now != want {
		t.Errorf("the next frame went to %v, want %v: nothing is made up for", w.now, want)
	}
}

func TestAFrameKeepsToItsBudget(t *testing.T) {
	// A hundred times more work than there is time for: 10 µs an event, 100 events a frame's millisecond.
	w := &world{every: 10 * time.Microsecond, cost: 10 * time.Microsecond}
	p := play(w)
	p.SetSpeed(10)
	for range 200 {
		before := w.clock
		p.Next(frame)
		if took := w.clock - before; took > Budget+slice*w.cost {
			t.Fatalf("a frame computed for %v, the budget is %v", took, Budget)
		}
	}
	if p.Pace() > .9 {
		t.Errorf("it runs at %v of the speed asked for and doesn't know", p.Pace())
	}
}

func TestPaceIsAllOfItWhenItKeepsUp(t *testing.T) {
	w := &world{every: time.Millisecond}
	p := play(w)
	if p.Pace() != 1 {
		t.Errorf("before it began: %v", p.Pace())
	}
	for range 100 {
		p.Next(frame)
	}
	if math.Abs(p.Pace()-1) > 1e-9 {
		t.Errorf("pace %v, want 1", p.Pace())
	}
}

func TestPaceKnowsOfLateFrames(t *testing.T) {
	w := &world{every: time.Millisecond}
	p := play(w)
	for range 50 {
		p.Next(2 * MaxFrame)
	}
	if math.Abs(p.Pace()-.5) > .01 {
		t.Errorf("every frame takes twice what it may make up for, and the pace is %v, want 0.5", p.Pace())
	}
}

func TestPauseAndStep(t *testing.T) {
	w := &world{every: time.Millisecond}
	p := play(w)
	p.Pause()
	if f := p.Next(frame); f.Moved != 0 || w.now != 0 {
		t.Errorf("it moved by %v though it is paused", f.Moved)
	}
	p.Play()
	p.Step()
	if w.steps != 1 || p.Playing() {
		t.Errorf("after Step: %d steps, playing %v; want 1 and paused", w.steps, p.Playing())
	}
	w.held = func(*world) bool { return true }
	if p.Step(); w.steps != 1 {
		t.Error("it stepped while a visitor was at work")
	}
}

func TestAVisitorAtWorkStopsTheWorld(t *testing.T) {
	w := &world{every: time.Millisecond, held: func(*world) bool { return true }}
	p := play(w)
	if f := p.Next(frame); f.Moved != 0 || !f.Held {
		t.Errorf("moved by %v, held %v; want to stand still, held", f.Moved, f.Held)
	}
	if p.Pace() != 1 {
		t.Errorf("standing still for a visitor counts as falling behind: %v", p.Pace())
	}
	w.held = nil
	if f := p.Next(frame); f.Moved != frame || f.Held {
		t.Errorf("released, it moved by %v, want %v", f.Moved, frame)
	}
}

func TestItGoesOnInTheSameFrameOnceReleased(t *testing.T) {
	w := &world{every: time.Millisecond, heldAt: 5 * time.Millisecond}
	p := play(w)
	if f := p.Next(frame); f.Moved != frame {
		t.Errorf("a visitor who reacted at once cost the frame: it moved by %v, want %v", f.Moved, frame)
	}
}

func TestAGoalIsReachedAsFastAsItCanBe(t *testing.T) {
	w := &world{every: 100 * time.Microsecond, cost: 10 * time.Microsecond, goal: 3 * time.Second}
	p := &Player{World: w, Clock: func() time.Duration { return w.clock }}
	frames, seen := 0, false
	for seeking := true; seeking; frames++ {
		before := w.clock
		seeking = p.Next(frame).Seeking
		seen = seen || w.now == w.goal-time.Second
		if took := w.clock - before; took > Budget+slice*w.cost {
			t.Fatalf("a frame computed for %v, the budget is %v", took, Budget)
		}
	}
	if !seen {
		t.Error("no frame ended a second before the goal, which is what rates are taken over")
	}
	if w.now != w.goal || frames < 2 {
		t.Errorf("at %v after %d frames, want %v after a few", w.now, frames, w.goal)
	}
	if p.Next(frame); w.now != w.goal {
		t.Errorf("paused at its goal it went on to %v", w.now)
	}
	p.Play()
	if p.Next(frame); w.now != w.goal+frame {
		t.Errorf("playing it went on to %v, want %v", w.now, w.goal+frame)
	}
}
