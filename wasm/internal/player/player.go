// Package player decides, frame by frame, how far a run goes on: play, pause, step and speed. It knows no page and asks
// no clock of its own, so that it is tested natively.
package player

import (
	"runtime"
	"time"
)

// World is what is played; a *session.Session.
type World interface {
	Now() time.Duration
	// Goal is where it is to be: if that is later than Now it goes there as fast as it can, playing or not.
	Goal() time.Duration
	// Advance goes on to the time to, at most about events events, and tells whether it got there.
	Advance(to time.Duration, events int) (there bool)
	Step()
	Held() bool
}

const (
	// Budget is how long one frame may compute, so that the page stays at hand.
	Budget = 8 * time.Millisecond
	// MaxFrame is the most real time that one frame makes up for. A frame that comes later than that (the tab was
	// hidden, the machine was busy) makes slow motion, never a burst.
	MaxFrame = 50 * time.Millisecond
	// hidden is a gap that no busy machine makes: the tab was in the background.
	hidden = time.Second
	// approach is how long before its goal it stops for a frame, so that who takes rates over a second has seen its
	// beginning.
	approach = time.Second
	// slice is how many events are run between two looks at the clock: about a millisecond in the browser.
	slice = 5000
	// turns is how often a frame lets goroutines run before it believes that a visitor waits for the browser.
	turns = 64
)

// MinSpeed and MaxSpeed bound the virtual seconds a second.
const (
	MinSpeed = 0.01
	MaxSpeed = 1000
)

// Player plays one world. Set Clock and World; the zero value is paused, and Speed 0 counts as 1.
type Player struct {
	World World
	// Clock is real time, from whenever.
	Clock func() time.Duration
	Speed float64

	playing bool
	// wanted and reached are the virtual time that the last frames should have and have covered, fading over a second.
	wanted, reached float64
}

// Frame is what one animation frame came to.
type Frame struct {
	Real  time.Duration // that the frame stands for, MaxFrame at most
	Moved time.Duration // of virtual time
	// Seeking tells that it has not reached its goal yet.
	Seeking bool
	// Held tells that a visitor was at work when the frame ended, and the world stood still for it.
	Held bool
}

// Playing tells whether it plays; Play and Pause change that.
func (p *Player) Playing() bool { return p.playing }
func (p *Player) Play()         { p.playing = true }
func (p *Player) Pause()        { p.playing = false }

// SetSpeed sets the speed, moved into its bounds.
func (p *Player) SetSpeed(x float64) { p.Speed = min(max(x, MinSpeed), MaxSpeed) }

// Load gives it another world, and forgets how the last one kept up.
func (p *Player) Load(w World) { p.World, p.wanted, p.reached = w, 0, 0 }

// Step pauses, and goes on to the next thing that happens. It does nothing while a visitor is at work.
func (p *Player) Step() {
	p.Pause()
	if p.settle() {
		p.World.Step()
	}
}

// Next plays one animation frame. since is the real time since the last one.
func (p *Player) Next(since time.Duration) Frame {
	f := Frame{Real: min(max(since, 0), MaxFrame)}
	start := p.World.Now()
	if goal := p.World.Goal(); goal > start {
		if before := goal - approach; before > start {
			p.advance(before)
		} else {
			p.advance(goal)
		}
		f.Moved = p.World.Now() - start
		f.Seeking = p.World.Now() < goal
	} else if p.playing && f.Real > 0 {
		p.advance(start + time.Duration(float64(f.Real)*p.speed()))
		f.Moved = p.World.Now() - start
		// Waiting for a visitor's storage is not falling behind, nor is having been hidden.
		if !p.World.Held() && since < hidden {
			fade := 1 - min(1, since.Seconds())
			p.wanted = p.wanted*fade + since.Seconds()*p.speed()
			p.reached = p.reached*fade + f.Moved.Seconds()
		}
	} else {
		p.settle() // a visitor at work may go on while the world is paused
	}
	f.Held = p.World.Held()
	return f
}

func (p *Player) speed() float64 {
	if p.Speed == 0 {
		return 1
	}
	return p.Speed
}

// advance goes as far as to, for as long as the budget allows.
func (p *Player) advance(to time.Duration) {
	end := p.Clock() + Budget
	for p.settle() {
		if p.World.Advance(to, slice) || p.Clock() >= end {
			return
		}
	}
}

// settle lets a visitor at work react, and tells whether the world may go on. One that waits for the browser, for its
// storage say, can't within this frame.
func (p *Player) settle() bool {
	for range turns {
		if !p.World.Held() {
			return true
		}
		runtime.Gosched()
	}
	return !p.World.Held()
}

// Pace is the speed that it really runs at, over the last second or so, as a share of what is wanted. 1 is all of it.
func (p *Player) Pace() float64 {
	if p.wanted == 0 {
		return 1
	}
	return p.reached / p.wanted
}
