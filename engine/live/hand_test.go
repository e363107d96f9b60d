package live_test

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// handClock is a clock that somebody moves, like the simulation's: it stands still while anybody holds it.
type handClock struct {
	t    *testing.T
	mu   sync.Mutex
	rest *sync.Cond // nobody holds it
	now  time.Duration
	held int
	due  []*alarm
}

type alarm struct {
	at time.Duration
	f  func()
}

func newHandClock(t *testing.T) *handClock {
	c := &handClock{t: t}
	c.rest = sync.NewCond(&c.mu)
	return c
}

func (c *handClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) At(t time.Duration, f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{t, f}
	c.due = append(c.due, a)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.due = slices.DeleteFunc(c.due, func(b *alarm) bool { return b == a })
	}
}

func (c *handClock) Hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held++
}

func (c *handClock) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held--
	if c.held < 0 {
		c.t.Error("the clock is released by somebody who doesn't hold it")
	}
	c.rest.Broadcast()
}

// play has do done, and moves the clock until nothing is left to happen.
func (c *handClock) play(do func()) {
	c.Hold()
	over := make(chan struct{})
	go func() {
		defer close(over)
		do()
		c.Release()
	}()
	for c.move() {
	}
	<-over
}

// move goes on to the next alarm; false if there is none.
func (c *handClock) move() bool {
	c.mu.Lock()
	for c.held > 0 {
		c.rest.Wait()
	}
	if len(c.due) == 0 {
		c.mu.Unlock()
		return false
	}
	next := slices.MinFunc(c.due, func(a, b *alarm) int { return int(a.at - b.at) })
	c.due = slices.DeleteFunc(c.due, func(a *alarm) bool { return a == next })
	c.now = max(c.now, next.at)
	c.held++
	c.mu.Unlock()
	next.f()
	return true
}
