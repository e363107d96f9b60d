package model

import (
	"time"

	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// cache is what a cache of keys holds: for each key when its entry ends, and a ring of all that are there, from the one
// used last to the one unused longest.
type cache struct {
	zipf     *rng.Zipf
	ttl      time.Duration // 0: an entry is good for ever
	capacity int
	held     int
	entries  []entry // by key; the last is the ring's head
}

type entry struct {
	ends         time.Duration // 0: the key is not there
	newer, older int32
}

func newCache(set scenario.Keys) *cache {
	c := &cache{
		zipf: rng.NewZipf(set.Count, set.Zipf), ttl: time.Duration(set.TTL), capacity: set.Capacity,
		entries: make([]entry, set.Count+1),
	}
	if c.capacity == 0 {
		c.capacity = set.Count
	}
	c.flush()
	return c
}

func (c *cache) ring() int32 { return int32(len(c.entries) - 1) }

func (c *cache) flush() {
	clear(c.entries)
	c.held = 0
	c.entries[c.ring()] = entry{newer: c.ring(), older: c.ring()}
}

// get tells whether a key is there, and makes it the one used last.
func (c *cache) get(key int32, now time.Duration) bool {
	e := &c.entries[key]
	if e.ends <= now {
		return false
	}
	c.unlink(key)
	c.link(key)
	return true
}

// put keeps a key from now on, in place of the one unused longest if there is no room.
func (c *cache) put(key int32, now time.Duration) {
	switch {
	case c.entries[key].ends > 0:
		c.unlink(key)
	case c.held == c.capacity:
		last := c.entries[c.ring()].newer
		c.unlink(last)
		c.entries[last] = entry{}
	default:
		c.held++
	}
	c.link(key)
	c.entries[key].ends = scenario.Forever
	if c.ttl > 0 {
		c.entries[key].ends = now + c.ttl
	}
}

func (c *cache) unlink(key int32) {
	e := c.entries[key]
	c.entries[e.newer].older = e.older
	c.entries[e.older].newer = e.newer
}

// link makes a key the one used last. The ring's head is newer than the newest, and its own newer is the oldest.
func (c *cache) link(key int32) {
	ring := c.ring()
	newest := c.entries[ring].older
	c.entries[key].newer, c.entries[key].older = ring, newest
	c.entries[newest].newer = key
	c.entries[ring].older = key
}

// hit tells whether the good answer to a call is all that its request needs.
func (w *World) hit(d *dependency, at *step, r *request) bool {
	hit := false
	if d.cache != nil {
		hit = d.cache.get(d.cache.keyOf(at, r), w.Now())
	} else {
		hit = onPath(at.hit, uint64(r.path)).At(r.n).Happens(d.hit)
	}
	if hit {
		d.counting(r.counted).Hits++
	}
	return hit
}

// keyOf is the key that a request asks for.
func (c *cache) keyOf(at *step, r *request) int32 { return int32(c.zipf.Draw(at.keys.At(r.n))) }

// remember puts what a request was answered into the caches that did not have it.
func (w *World) remember(r *request) {
	op := &w.operations[r.operation]
	for k := range op.steps[:r.step] {
		at := &op.steps[k]
		if c := w.dependencies[w.lines[at.line].dependency].cache; c != nil {
			c.put(c.keyOf(at, r), w.Now())
		}
	}
}
