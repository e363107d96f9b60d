package model_test

import (
	"fmt"
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

// drawScenario is any small system: 1 to 3 operations over 1 to 3 dependencies, under any policy, with any faults. Whatever
// it does, nothing more arrives after its duration.
func drawScenario(t *rapid.T) scenario.Scenario {
	length := func(name string, least, most int) scenario.Duration {
		return scenario.Duration(rapid.IntRange(least, most).Draw(t, name)) * ms
	}
	maybe := func(name string, least, most int) scenario.Duration {
		if rapid.Bool().Draw(t, name+"?") {
			return length(name, least, most)
		}
		return 0
	}
	set := scenario.Scenario{
		Version: scenario.Version, BadShare: 0.01,
		Seed:         rapid.Uint64Range(0, 1000).Draw(t, "seed"),
		Duration:     length("duration", 500, 2000),
		Operations:   map[string]scenario.Operation{},
		Processes:    scenario.Processes{Count: rapid.IntRange(1, 4).Draw(t, "processes"), Cap: map[string]int{}},
		Dependencies: map[string]scenario.Dependency{},
		Policy:       scenario.Policy{PropagateDeadline: rapid.Bool().Draw(t, "propagate"), Calls: map[string]scenario.Call{}},
	}
	var dependencies, calls []string
	for i := range rapid.IntRange(1, 3).Draw(t, "dependencies") {
		name := fmt.Sprintf("d%d", i)
		dependencies = append(dependencies, name)
		set.Dependencies[name] = scenario.Dependency{
			Slots: rapid.IntRange(1, 6).Draw(t, "slots"),
			Service: scenario.Service{
				Dist: rapid.SampledFrom([]string{"constant", "exponential"}).Draw(t, "dist"),
				Mean: length("mean", 1, 60), Base: maybe("base", 1, 10),
			},
			QueueLimit: rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "queue limit"), Discipline: "fifo",
			StatementTimeout: maybe("statement timeout", 5, 200),
			Cancel:           rapid.Bool().Draw(t, "cancel"),
			HitShare:         rapid.SampledFrom([]float64{0, 0, 0.5, 1}).Draw(t, "hit share"),
		}
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "calls") {
		name := fmt.Sprintf("c%d", i)
		calls = append(calls, name)
		set.Policy.Calls[name] = scenario.Call{
			On:       rapid.SampledFrom(dependencies).Draw(t, "on"),
			Timeout:  maybe("timeout", 5, 200),
			Attempts: rapid.IntRange(1, 4).Draw(t, "attempts"),
			RetryOn:  rapid.SliceOfDistinct(rapid.SampledFrom([]string{"timeout", "error", "refused", "lost"}), rapid.ID).Draw(t, "retry on"),
			Backoff: scenario.Backoff{
				Kind: rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, "backoff"),
				Base: length("backoff base", 0, 50), Max: maybe("backoff max", 1, 100),
			},
			Jitter:           rapid.SampledFrom([]string{"none", "full", "equal", "decorrelated"}).Draw(t, "jitter"),
			Optional:         rapid.Bool().Draw(t, "optional"),
			StatementTimeout: maybe("its own statement timeout", 5, 200),
		}
	}
	var operations []string
	for i := range rapid.IntRange(1, 3).Draw(t, "operations") {
		name := fmt.Sprintf("o%d", i)
		operations = append(operations, name)
		set.Operations[name] = scenario.Operation{
			Rate:     float64(rapid.IntRange(0, 150).Draw(t, "rate")),
			Arrivals: rapid.SampledFrom([]string{"even", "poisson"}).Draw(t, "arrivals"),
			Deadline: maybe("deadline", 10, 600), Idempotent: rapid.Bool().Draw(t, "idempotent"),
			Steps:  rapid.SliceOfN(rapid.SampledFrom(calls), 1, 3).Draw(t, "steps"),
			Client: scenario.Client{Attempts: 1},
		}
		set.Processes.Cap[name] = rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(t, "cap")
	}
	if rapid.Bool().Draw(t, "budget") {
		set.Policy.Budget = scenario.Budget{
			Percent:        rapid.SampledFrom([]float64{0, 10, 100}).Draw(t, "percent"),
			FloorPerSecond: rapid.SampledFrom([]float64{0, 3}).Draw(t, "floor"),
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "faults") {
		f := scenario.Fault{
			Target: rapid.SampledFrom(dependencies).Draw(t, "target"),
			Kind:   rapid.SampledFrom([]string{"slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge"}).Draw(t, "kind"),
			At:     length("at", 0, 1500), For: maybe("for", 1, 800),
			Factor: 1, P: rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "p"),
		}
		switch f.Kind {
		case "surge":
			f.Target = rapid.SampledFrom(operations).Draw(t, "surge of")
			f.Factor = rapid.SampledFrom([]float64{0.5, 3}).Draw(t, "by")
		case "slow":
			f.Factor = rapid.SampledFrom([]float64{0.5, 2, 10}).Draw(t, "times")
		case "capacity":
			f.Factor = rapid.SampledFrom([]float64{0, 0.5, 0.9}).Draw(t, "share")
		}
		set.Faults = append(set.Faults, f)
	}
	return set
}

// last is the set with nothing arriving after its duration.
func last(set scenario.Scenario) scenario.Scenario {
	set = set.Clone()
	for name := range set.Operations {
		set.Changes = append(set.Changes, scenario.Change{At: set.Duration, Path: "operations." + name + ".rate", Value: 0})
	}
	return set
}

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

// What comes in is somewhere, or has gone out; and the counts, the slots, the queues and the trace tell the same.
func TestNothingIsLostCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := last(drawScenario(t))
		w := build(t, set)
		count := tally{}
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
			}
			var sum model.Requests
			for i, op := range snap.Operations {
				r := op.Requests
				if r.InFlight < 0 || r.Offered != r.OK+r.Failed+r.Shed+r.Late+r.InFlight {
					t.Fatalf("at %v the requests of %s don't add up: %+v", now, op.Name, r)
				}
				for _, c := range []struct {
					what     string
					got, say int64
				}{
					{"offered", r.Offered, count.of(model.Arrived, i)},
					{"ok", r.OK, count.of(model.Answered, i)},
					{"failed and late", r.Failed + r.Late, count.of(model.Failure, i)},
					{"shed", r.Shed, count.of(model.ShedAtCap, i)},
				} {
					if c.got != c.say {
						t.Fatalf("at %v %s counts %d %s, and %d are in the trace", now, op.Name, c.got, c.what, c.say)
					}
				}
				sum.Offered += r.Offered
				sum.OK += r.OK
				sum.Failed += r.Failed
				sum.Shed += r.Shed
				sum.Late += r.Late
				sum.InFlight += r.InFlight
			}
			if sum != snap.Requests {
				t.Fatalf("at %v all requests are %+v, and those of the operations %+v", now, snap.Requests, sum)
			}
			held := int64(0)
			for i, p := range snap.Processes {
				held += int64(p.InFlight)
				if p.InFlight < 0 || p.InFlight > capped {
					t.Fatalf("at %v process %d holds %d requests; its caps allow %d", now, i, p.InFlight, capped)
				}
				if p.Tokens > policy.BudgetBurst || p.Tokens < -1 {
					t.Fatalf("at %v process %d has %d tokens", now, i, p.Tokens)
				}
			}
			if held != snap.Requests.InFlight {
				t.Fatalf("at %v processes hold %d requests, and %d are in flight", now, held, snap.Requests.InFlight)
			}
			for i := range snap.Dependencies {
				checkDependency(t, set, now, &snap.Dependencies[i], count, i)
			}
			checkBudget(t, set, snap)
		}
		// A minute is longer than any queue here.
		play(t, w, time.Duration(set.Duration)+time.Minute, check)

		snap := snapshot(w)
		for _, d := range snap.Dependencies {
			if h := d.Health; !h.Stalled && h.Capacity > 0 && d.Busy+d.Queue > 0 {
				t.Errorf("a minute after the last arrival %d are in service at %s, and %d wait", d.Busy, d.Name, d.Queue)
			}
		}
		ends := true // every attempt, whatever the dependency does
		for _, call := range set.Policy.Calls {
			ends = ends && call.Timeout > 0
		}
		ill := faulty(set, "blackhole", "") || faulty(set, "lose", "") || faulty(set, "stall", "") || faulty(set, "capacity", "")
		if n := snap.Requests.InFlight; n > 0 && (ends || !ill) {
			t.Errorf("a minute after the last arrival %d requests have no answer", n)
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
	if d.Abandoned > d.Completed || d.Abandoned > d.Timeouts || d.Refused > count.of(model.Refusal, i) {
		t.Fatalf("at %v %s counts more than there are: %+v", now, d.Name, *d)
	}
}

func checkBudget(t *rapid.T, set scenario.Scenario, snap *model.Snapshot) {
	b := set.Policy.Budget
	if b.Percent == 0 && b.FloorPerSecond == 0 {
		return
	}
	first, retries := int64(0), int64(0)
	for i := range snap.Dependencies {
		first += snap.Dependencies[i].First
		retries += snap.Dependencies[i].Retries
	}
	n := float64(set.Processes.Count)
	if allowed := b.Percent/100*float64(first) + n*(b.FloorPerSecond*snap.Now.Seconds()+policy.BudgetBurst); float64(retries) > allowed+1e-6 {
		t.Fatalf("at %v %d retries were sent after %d first attempts; the budget allows %.1f", snap.Now, retries, first, allowed)
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
			if d.Attempts != d.FirstAttempts+d.Retries {
				t.Errorf("%s counts %d attempts, %d first ones and %d retries", name, d.Attempts, d.FirstAttempts, d.Retries)
			}
			if d.Utilization < 0 || d.Utilization > 1+1e-9 {
				t.Errorf("%s is busy for %v of the time", name, d.Utilization)
			}
			if d.Duplicates > d.Stored || d.AbandonedCompleted > d.Completed {
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
		}
		if offered > q.Offered || ok > q.OK {
			t.Errorf("the seconds have %d requests, %d of them ok; all in all there are %d and %d", offered, ok, q.Offered, q.OK)
		}
	})
}
