package model_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// tally counts a trace the way a world counts.
type tally map[happening]int64

type happening struct {
	kind  model.EventKind
	place uint16
}

func (c tally) add(e model.Event) { c[happening{e.Kind, e.Place}]++ }

func (c tally) of(kind model.EventKind, place int) int64 { return c[happening{kind, uint16(place)}] }

func faulty(set scenario.Scenario, kind, target string) bool {
	for _, f := range set.Faults {
		if f.Kind == kind && (target == "" || f.Target == target) {
			return true
		}
	}
	return false
}

// quiet tells whether a scenario comes to rest once nothing more arrives: nobody is left who comes again by himself.
func quiet(set scenario.Scenario) bool {
	for _, op := range set.Operations {
		if op.Arrivals == "closed" {
			return false
		}
	}
	return len(set.Jobs) == 0
}

// What comes in is somewhere, or has gone out; and the counts, the slots, the queues and the trace tell the same.
func TestNothingIsLostCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := last(drawScenario(t))
		w := build(t, set)
		count := tally{}
		inside := int64(0) // requests in processes
		capped := 0
		for name := range set.Operations {
			if set.Processes.Cap[name] == 0 {
				capped = math.MaxInt
				break
			}
			capped += set.Processes.Cap[name]
		}
		check := func(snap *model.Snapshot) {
			now := snap.Now
			for _, e := range snap.Trace {
				count.add(e)
				switch {
				case e.Kind == model.Arrived:
					inside++
				case e.Kind == model.ShedAtCap, (e.Kind == model.Answered || e.Kind == model.Failure) && int(e.Process) < set.Processes.Count:
					inside--
				}
			}
			for _, op := range snap.Operations {
				if r := op.Requests; r.InFlight < 0 || r.Offered != r.OK+r.Failed+r.Shed+r.Late+r.InFlight {
					t.Fatalf("at %v the requests of %s don't add up: %+v", now, op.Name, r)
				}
			}
			held := int64(0)
			for i, p := range snap.Processes {
				held += int64(p.InFlight)
				if p.InFlight < 0 || p.InFlight > capped {
					t.Fatalf("at %v process %d holds %d requests; its caps allow %d", now, i, p.InFlight, capped)
				}
				if kind := set.Policy.Budget.Policy().Kind; kind == policy.RatioBudget && (p.Tokens < 0 || p.Tokens > policy.BudgetBurst) {
					t.Fatalf("at %v process %d has %d tokens", now, i, p.Tokens)
				}
			}
			if held != inside {
				t.Fatalf("at %v processes hold %d requests, and %d have come in and not gone out", now, held, inside)
			}
			for i := range snap.Dependencies {
				checkDependency(t, set, now, &snap.Dependencies[i], count, i)
			}
			checkBudget(t, set, snap)
		}
		if !quiet(set) {
			play(t, w, horizon(set), check)
			return
		}
		// Ten minutes are longer than any queue here, and than all layers' patience together.
		play(t, w, time.Duration(set.Duration)+10*time.Minute, check)

		snap := snapshot(w)
		for _, d := range snap.Dependencies {
			crowded := set.Dependencies[d.Name].Service.Load > 0 // so that service may take hours
			if h := d.Health; !h.Stalled && h.Capacity > 0 && !crowded && d.Busy+d.Queue > 0 {
				t.Errorf("long after the last arrival %d are in service at %s, and %d wait", d.Busy, d.Name, d.Queue)
			}
		}
		ends := true // every attempt, whatever the dependency does
		for _, call := range set.Policy.Calls {
			ends = ends && call.Timeout > 0
		}
		for _, op := range set.Operations {
			ends = ends && op.Edge == "" // which has no timeout
		}
		ill := faulty(set, "blackhole", "") || faulty(set, "lose", "") || faulty(set, "stall", "") || faulty(set, "capacity", "")
		for _, d := range set.Dependencies {
			ill = ill || d.Service.Load > 0
		}
		if n := snap.Requests.InFlight; n > 0 && (ends || !ill) {
			t.Errorf("long after the last arrival %d requests have no answer", n)
		}
	})
}

func checkDependency(t *rapid.T, set scenario.Scenario, now time.Duration, d *model.DependencyNow, count tally, i int) {
	numbers := set.Dependencies[d.Name]
	busy := 0
	for _, slot := range d.Slots {
		if slot.Holder != model.Nobody {
			busy++
			if slot.Since > now {
				t.Fatalf("at %v a slot of %s is held since %v", now, d.Name, slot.Since)
			}
		}
	}
	if busy != d.Busy || d.Busy > numbers.Slots || len(d.Slots) != numbers.Slots {
		t.Fatalf("at %v %s says %d busy; of %d slots shown %d are, and it has %d", now, d.Name, d.Busy, len(d.Slots), busy, numbers.Slots)
	}
	if d.Queue < 0 || d.Queue > d.MaxQueue || len(d.Waiting) != min(d.Queue, model.WaitingLimit) {
		t.Fatalf("at %v %d wait at %s, %d at the most so far, %d are shown", now, d.Queue, d.Name, d.MaxQueue, len(d.Waiting))
	}
	if numbers.QueueLimit > 0 && d.Queue > numbers.QueueLimit {
		t.Fatalf("at %v %d wait at %s, whose limit is %d", now, d.Queue, d.Name, numbers.QueueLimit)
	}
	working := int(math.Round(float64(numbers.Slots) * d.Health.Capacity))
	if d.Queue > 0 && d.Busy < working && !d.Health.Stalled {
		t.Fatalf("at %v %d wait at %s, and of %d working slots %d are busy", now, d.Queue, d.Name, working, d.Busy)
	}
	for _, c := range []struct {
		what     string
		got, say int64
	}{
		{"attempts", d.Attempts(), count.of(model.Sent, i)},
		{"completed", d.Completed, count.of(model.Completed, i)},
		{"killed", d.Killed, count.of(model.Killed, i)},
		{"given up", d.Timeouts, count.of(model.TimedOut, i)},
	} {
		if c.got != c.say {
			t.Fatalf("at %v %s counts %d %s, and the trace %d", now, d.Name, c.got, c.what, c.say)
		}
	}
	out := d.Completed + d.Killed + count.of(model.Refusal, i) + int64(d.Busy+d.Queue)
	if out > d.Attempts() || out < d.Attempts() && !faulty(set, "blackhole", d.Name) {
		t.Fatalf("at %v %d attempts came to %s, and %d are done, killed, refused or inside", now, d.Attempts(), d.Name, out)
	}
	if d.Abandoned > d.Completed || d.Abandoned > d.Timeouts+count.of(model.Beaten, i) || d.Refused+d.Shed > count.of(model.Refusal, i) {
		t.Fatalf("at %v %s counts more than there are: %+v", now, d.Name, *d)
	}
}

// checkBudget holds the retries that were sent against what the budgets allow, where nobody else sends any.
func checkBudget(t *rapid.T, set scenario.Scenario, snap *model.Snapshot) {
	b := set.Policy.Budget
	others := len(set.Jobs) > 0 || set.Policy.Balancer.Attempts > 1
	for _, op := range set.Operations {
		others = others || op.Client.Attempts > 1
	}
	for _, call := range set.Policy.Calls {
		others = others || call.Library.Attempts > 1
	}
	if others || b.Policy().Kind != policy.RatioBudget {
		return
	}
	n := float64(set.Processes.Count) // budgets before each dependency
	for i := range snap.Dependencies {
		d := &snap.Dependencies[i]
		again := d.Retries + d.Hedges
		if allowed := b.Percent/100*float64(d.First) + n*(b.FloorPerSecond*snap.Now.Seconds()+policy.BudgetBurst); float64(again) > allowed+1e-6 {
			t.Fatalf("at %v %d retries and hedges came to %s after %d first attempts; the budgets allow %.1f", snap.Now, again, d.Name, d.First, allowed)
		}
	}
}

func TestSameScenarioSameRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawScenario(t)
		once, err := run.Do(set)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := run.Do(set)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Errorf("run twice, it is two runs:\n%s", diff)
		}
		// How far it is run at a time must not matter, nor whether anybody looks.
		whole, steps := build(t, set), build(t, set)
		for whole.Next(time.Duration(set.Duration)) {
		}
		for at := time.Duration(0); at <= time.Duration(set.Duration); at += 7 * time.Millisecond {
			play(t, steps, at, nil)
		}
		play(t, steps, time.Duration(set.Duration), nil)
		if whole.Report().TraceHash != steps.Report().TraceHash {
			t.Error("run with looks at it on the way, it is another run")
		}
	})
}

func TestReportAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawScenario(t)
		rep, err := run.Do(set)
		if err != nil {
			t.Fatal(err)
		}
		q := rep.Requests
		if q.Offered != q.OK+q.Failed+q.Shed+q.Late+q.Unfinished {
			t.Errorf("requests don't add up: %+v", q)
		}
		outcomes := int64(0)
		for _, n := range q.Outcomes {
			outcomes += n
		}
		if outcomes != q.Offered-q.Unfinished || q.Outcomes["ok"] != q.OK {
			t.Errorf("outcomes don't add up: %+v", q)
		}
		for name, d := range rep.Dependencies {
			if d.Attempts != d.FirstAttempts+d.Retries+d.Hedges {
				t.Errorf("%s counts %d attempts: %d first ones, %d retries and %d hedges", name, d.Attempts, d.FirstAttempts, d.Retries, d.Hedges)
			}
			if d.Utilization < 0 || d.Utilization > 1+1e-9 {
				t.Errorf("%s is busy for %v of the time", name, d.Utilization)
			}
			if d.Duplicates > d.Stored || d.Reaped > d.Orphans || d.AbandonedCompleted > d.Completed {
				t.Errorf("%s counts more than there are: %+v", name, d)
			}
		}
		offered, ok := int64(0), int64(0)
		for i, row := range rep.Series {
			if row.TS != i || row.Offered != row.OK+row.Failed {
				t.Errorf("second %d doesn't add up: %+v", i, row)
			}
			offered += row.Offered
			ok += row.OK
			for name, d := range row.Dependencies {
				if slots := float64(set.Dependencies[name].Slots); d.BusyMean < 0 || d.BusyMean > slots+1e-9 {
					t.Errorf("in second %d %v slots of %s are busy, of %v", i, d.BusyMean, name, slots)
				}
			}
		}
		if offered > q.Offered || ok > q.OK {
			t.Errorf("the seconds have %d requests, %d of them ok; all in all there are %d and %d", offered, ok, q.Offered, q.OK)
		}
	})
}
