package model

import "stormbin/engine/rng"

// picker is how the balancer chooses a process.
type picker struct {
	how string
	key rng.Key
}

func newPicker(seed uint64, how string) picker { return picker{how, rng.Named(seed, "pick")} }

// choose picks a process for a request.
func (w *World) choose() int {
	n := w.entered
	w.entered++
	app := w.processes[:w.outside()]
	switch w.pick.how {
	case "random":
		return w.pick.key.At(n).Below(len(app))
	case "least":
		least := 0
		for i := range app {
			if app[i].inFlight < app[least].inFlight {
				least = i
			}
		}
		return least
	case "two":
		one, other := w.pick.key.At(2*n).Below(len(app)), w.pick.key.At(2*n+1).Below(len(app))
		if app[other].inFlight < app[one].inFlight {
			return other
		}
		return one
	}
	return int(n % uint64(len(app)))
}
