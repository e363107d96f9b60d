package model

import (
	"time"

	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// closed is a fixed number of users, each of whom waits for the answer to one request, thinks, and sends the next. A slow
// system slows them down, where open arrivals go on coming.
type closed struct {
	users  int
	first  int // the index of the first among the users of all operations
	think  rng.Fixed
	key    rng.Key
	clicks []uint64 // of each user
	factor float64  // how much faster they think
}

func (w *World) firstThoughts(op *operation, set scenario.Operation) {
	c := &op.closed
	for i := range w.operations[:w.users] {
		c.first += w.operations[i].closed.users
	}
	c.users = set.Clients
	c.think = rng.FixedOf(time.Duration(set.Think))
	c.key = rng.Named(w.settings.Seed, "think/"+op.name)
	c.clicks = make([]uint64, set.Clients)
	c.factor = w.factor(op)
	for user := range c.users {
		w.think(op, user)
	}
}

// think lets a user think before the next request.
func (w *World) think(op *operation, user int) {
	c := &op.closed
	long := c.think.Times(c.key.Sub(uint64(user)).At(c.clicks[user]).Exponential())
	if f := max(c.factor, 0.001); f != 1 {
		long = time.Duration(float64(long) / f)
	}
	w.queue.Schedule(w.Now()+long, thinkEvent|uint32(c.first+user))
}

// thought is the end of a user's thinking.
func (w *World) thought(user int32) {
	for i := range w.operations[:w.users] {
		op := &w.operations[i]
		c := &op.closed
		if k := int(user) - c.first; 0 <= k && k < c.users {
			n := c.clicks[k]*uint64(c.users) + uint64(k)
			c.clicks[k]++
			w.click(op, n, int32(k))
			return
		}
	}
}
