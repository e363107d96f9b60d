package model_test

import (
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

const (
	ms = scenario.Duration(time.Millisecond)
	s  = scenario.Duration(time.Second)
)

// plain is one operation, "call", that makes one call, "b", to a dependency of that name: 100/s, evenly spaced, one slot,
// 5 ms each, no timeout, one attempt, for 1 s.
func plain(change func(*scenario.Operation, *scenario.Call, *scenario.Dependency)) scenario.Scenario {
	set, err := scenario.Parse([]byte(`{"version": 1, "duration": "1s",
		"operations": {"call": {"rate": 100, "arrivals": "even", "steps": ["b"]}},
		"dependencies": {"b": {"service": {"mean": "5ms"}}}, "policy": {"calls": {"b": {}}}}`))
	if err != nil {
		panic(err)
	}
	op, call, b := set.Operations["call"], set.Policy.Calls["b"], set.Dependencies["b"]
	if change != nil {
		change(&op, &call, &b)
	}
	set.Operations["call"], set.Policy.Calls["b"], set.Dependencies["b"] = op, call, b
	return set
}

// fatal is a testing.T, or rapid's.
type fatal interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func build(t fatal, set scenario.Scenario) *model.World {
	t.Helper()
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	return model.New(set)
}

// look is after how many happenings play looks at a world: often enough that no event is left out of its trace.
const look = 10

// play runs a world on to a time, and gives all that happened until then. check sees every snapshot on the way.
func play(t fatal, w *model.World, until time.Duration, check func(*model.Snapshot)) (all []model.Event) {
	t.Helper()
	var snap model.Snapshot
	for more := true; more; {
		for i := 0; i < look && more; i++ {
			more = w.Next(until)
		}
		w.Snapshot(&snap)
		if len(snap.Trace) == model.TraceLimit {
			t.Fatalf("%d events by %v: the test may not see all of them", model.TraceLimit, snap.Now)
		}
		all = append(all, snap.Trace...)
		if check != nil {
			check(&snap)
		}
	}
	return all
}

// try names an attempt of a request at a dependency.
type try struct {
	dependency uint16
	request    uint64
	attempt    uint8
}

// life is what happened to an attempt, and when; none is never.
type life struct {
	sent, started, completed, refused, timedOut, killed time.Duration
	holder                                              model.Holder // when it was completed
}

const none = time.Duration(-1)

// lives sorts a trace by attempts. Operations number their requests each for itself, so it takes a scenario in which no two
// of them share a dependency.
func lives(all []model.Event) map[try]life {
	out := map[try]life{}
	for _, e := range all {
		switch e.Kind {
		case model.Arrived, model.Answered, model.Failure, model.ShedAtCap:
			continue
		}
		key := try{e.Place, e.Request, e.Attempt}
		l, ok := out[key]
		if !ok {
			l = life{none, none, none, none, none, none, model.Nobody}
		}
		switch e.Kind {
		case model.Sent:
			l.sent = e.At
		case model.Started:
			l.started = e.At
		case model.Completed:
			l.completed, l.holder = e.At, e.Holder
		case model.Refusal:
			l.refused = e.At
		case model.TimedOut:
			l.timedOut = e.At
		case model.Killed:
			l.killed = e.At
		}
		out[key] = l
	}
	return out
}

// snapshot is a world as it is.
func snapshot(w *model.World) (snap model.Snapshot) {
	w.Snapshot(&snap)
	return snap
}

func TestPlain(t *testing.T) {
	w := build(t, plain(nil))
	all := play(t, w, time.Duration(s)-1, nil)
	if n := len(lives(all)); n != 100 {
		t.Fatalf("%d attempts in a second at 100/s, want 100", n)
	}
	for key, l := range lives(all) {
		at := time.Duration(key.request) * 10 * time.Millisecond
		if l.sent != at || l.started != at || l.completed != at+5*time.Millisecond {
			t.Errorf("request %d is sent at %v, started at %v and completed at %v, want %v, %v and 5 ms later", key.request, l.sent, l.started, l.completed, at, at)
		}
	}
}
