package model

import "stormbin/engine/rng"

// picker is how the balancer chooses a process.
type picker struct {
	how  pick
	key  rng.Key
	n    uint64 // choices so far
	turn int    // whose it is: n, going round; a division for each request would cost more
}

type pick uint8

const (
	byTurn pick = iota
	atRandom
	leastBusy
	betterOfTwo
)

var picks = map[string]pick{"turn": byTurn, "random": atRandom, "least": leastBusy, "two": betterOfTwo}

func newPicker(seed uint64, how string) picker {
	return picker{how: picks[how], key: rng.Named(seed, "pick")}
}

// choose picks a process for a request.
func (w *World) choose() int {
	p := &w.pick
	app := w.processes[:w.outside()]
	n := p.n
	p.n++
	switch p.how {
	case atRandom:
		return p.key.At(n).Below(len(app))
	case leastBusy:
		least := 0
		for i := range app {
			if app[i].inFlight < app[least].inFlight {
				least = i
			}
		}
		return least
	case betterOfTwo:
		one, other := p.key.At(2*n).Below(len(app)), p.key.At(2*n+1).Below(len(app))
		if app[other].inFlight < app[one].inFlight {
			return other
		}
		return one
	}
	turn := p.turn
	if p.turn++; p.turn == len(app) {
		p.turn = 0
	}
	return turn
}
