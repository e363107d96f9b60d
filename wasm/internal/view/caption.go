package view

import (
	"time"

	"stormbin/engine/model"
)

// Narrator tells what just happened, in captions. The zero value is ready for a run that starts.
type Narrator struct {
	health  []model.Health
	retries []bool // has told of retries since it was last calm
	full    []bool // all slots busy and somebody waiting
	nobody  []bool // a good part of the work is for nobody
	failing bool
	since   time.Duration // when failing began or ended
}

// Tell returns a caption for what changed since it was last asked; "" if nothing worth telling did.
func (t *Narrator) Tell(n *Numbers) string {
	if len(t.health) != len(n.Places) || n.Now < t.since {
		*t = Narrator{
			health:  make([]model.Health, len(n.Places)),
			retries: make([]bool, len(n.Places)), full: make([]bool, len(n.Places)), nobody: make([]bool, len(n.Places)),
		}
		for i := range n.Places {
			t.health[i] = n.Places[i].Health
		}
		return ""
	}
	for i := range n.Places {
		p := &n.Places[i]
		if was := t.health[i]; was != p.Health {
			t.health[i] = p.Health
			if p.Health.Well() {
				if p.Queue > p.Slots {
					return TitleStart(p.Name) + " is healthy again, and " + queue(p) + "."
				}
				return TitleStart(p.Name) + " is healthy again."
			}
			return TitleStart(p.Name) + " is " + Sickness(p.Health) + "."
		}
	}
	for i := range n.Places {
		p := &n.Places[i]
		name := TitleStart(p.Name)
		switch busy := p.Queue > 0 && p.BusyShare() >= .99; {
		case busy && p.Queue > p.Slots && !t.full[i]:
			t.full[i] = true
			return "All " + Count(int64(p.Slots)) + " slots of " + inside(p.Name) + " are busy. Whoever comes now waits."
		case t.full[i] && p.Queue == 0:
			t.full[i] = false
			return "Nobody waits for " + inside(p.Name) + " any more."
		}
		switch a := p.Amplification(); {
		case a > 1.2 && p.Retries >= 1 && !t.retries[i]:
			t.retries[i] = true
			return "The first callers try again: retries add to the load of " + inside(p.Name) + "."
		case a < 1.02:
			t.retries[i] = false
		}
		switch share := p.ForNobody / max(p.Done, 1); {
		case share > .5 && p.Done >= 1 && !t.nobody[i]:
			t.nobody[i] = true
			return name + " works for nobody: most of what it finishes, its caller no longer waits for."
		case share < .1:
			t.nobody[i] = false
		}
	}
	switch failing := 1 - n.InTime; {
	case failing >= .05 && !t.failing:
		t.failing, t.since = true, n.Now
		return "Requests begin to fail."
	case failing < .005 && t.failing && n.Now-t.since > time.Second:
		took := n.Now - t.since
		t.failing, t.since = false, n.Now
		return "Requests are answered in time again, after " + Span(took.Truncate(100*time.Millisecond)) + "."
	}
	return ""
}
