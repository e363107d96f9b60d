package model_test

import (
	"cmp"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// The model does what its twin does, event for event.
func TestTwin(t *testing.T) {
	hundreds := 5
	if runtime.GOARCH == "wasm" {
		hundreds = 1
	}
	for range hundreds { // which is what one Check draws
		rapid.Check(t, func(t *rapid.T) {
			set := drawScenario(t)
			set.Changes = drawChanges(t, set)
			compareWithTwin(t, last(set))
		})
	}
}

// What draws seldom come to. Giving up one attempt frees its slot, and the next in line may be its own hedge, which has
// waited too long; and a cache may be asked for a key just as that ends.
func TestTwinWhereItIsRare(t *testing.T) {
	both := func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
		op.Deadline, call.HedgeAfter = 20*ms, ms
		call.Attempts, call.RetryOn = 3, []string{"refused", "timeout"}
		b.Service.Mean, b.QueueAge, b.Cancel = 50*ms, 5*ms, true
	}
	for name, change := range map[string]func(*scenario.Operation, *scenario.Call, *scenario.Dependency){
		"both at the deadline": both,
		"of a library": func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			both(op, call, b)
			call.Library.Attempts = 2
		},
		"one before the other": func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			both(op, call, b)
			op.Deadline, call.Timeout, call.Backoff = 0, 20*ms, scenario.Backoff{Kind: "constant", Base: 3 * ms}
		},
		"the end of an entry": func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
			op.Steps = []string{"b", "b"} // asked for after 5 ms of every 10, and put in at the end of 10 ms
			b.Slots, b.Keys = 4, scenario.Keys{Count: 1, TTL: 95 * ms}
		},
	} {
		t.Run(name, func(t *testing.T) { compareWithTwin(t, last(plain(change))) })
	}
}

func compareWithTwin(t fatal, set scenario.Scenario) {
	t.Helper()
	until := horizon(set)
	w, plain := build(t, set), newTwin(set, until)
	var all []model.Event
	for _, at := range []time.Duration{time.Duration(set.Duration) / 3, until} { // in the middle of it, too
		more, ok := watch(w, at)
		if !ok {
			return
		}
		all = append(all, more...)
		plain.run(at)
		compareSoFar(t, all, plain, w)
	}
}

func compareSoFar(t fatal, all []model.Event, plain *twin, w *model.World) {
	t.Helper()
	for i := range max(len(all), len(plain.trace)) {
		if i < min(len(all), len(plain.trace)) && all[i] == plain.trace[i] {
			continue
		}
		from := max(i-10, 0)
		t.Fatalf("event %d differs (-twin +model):\n%s", i,
			gocmp.Diff(plain.trace[from:min(i+1, len(plain.trace))], all[from:min(i+1, len(all))]))
	}
	if diff := gocmp.Diff(plain.counts(), countsOf(w)); diff != "" {
		t.Fatalf("counts differ (-twin +model):\n%s", diff)
	}
}

// watch is all that happens in a world until then; not ok if more happened at once than a snapshot holds.
func watch(w *model.World, until time.Duration) (all []model.Event, ok bool) {
	var snap model.Snapshot
	for w.Next(until) {
		w.Snapshot(&snap)
		if len(snap.Trace) == model.TraceLimit {
			return nil, false
		}
		all = append(all, snap.Trace...)
	}
	return all, true
}

// twinResult is what the two have counted in the end, and how their callers stand.
type twinResult struct {
	Operations   map[string]model.Requests
	Outcomes     map[string]int64
	Dependencies map[string]twinCounts
	Jobs         map[string]twinJobs
	InFlight     []int
	Caps         []model.CapNow
	Workers      model.WorkersNow
	Tokens       map[string][]int64 // by call, as are the next
	Breakers     map[string][]policy.BreakerState
	Opened       map[string][]int64
}

func newTwinResult() twinResult {
	return twinResult{
		Operations: map[string]model.Requests{}, Dependencies: map[string]twinCounts{}, Jobs: map[string]twinJobs{},
		Tokens: map[string][]int64{}, Breakers: map[string][]policy.BreakerState{}, Opened: map[string][]int64{},
	}
}

// add tells what bounds a call of the next process.
func (r *twinResult) add(call string, budget *policy.Budget, b *policy.Breaker, now time.Duration) {
	r.Tokens[call] = append(r.Tokens[call], budget.Tokens())
	if b != nil {
		r.Breakers[call] = append(r.Breakers[call], b.State(now))
		r.Opened[call] = append(r.Opened[call], b.Opened())
	}
}

func (w *twin) counts() twinResult {
	r := newTwinResult()
	r.Outcomes = w.outcomes
	for _, op := range w.operations {
		r.Operations[op.name] = op.Requests
	}
	for _, d := range w.dependencies {
		r.Dependencies[d.name] = d.twinCounts
	}
	r.Workers = model.WorkersNow{Count: w.set.Workers.Count, Busy: w.set.Workers.Count - w.idle}
	r.Workers.Waiting = -r.Workers.Busy
	for _, k := range w.kinds {
		r.Jobs[k.name] = k.twinJobs
		r.Workers.Waiting += int(k.Made - k.Done)
	}
	for _, op := range w.operations {
		if most := w.set.Processes.Cap[op.name]; most > 0 {
			r.Caps = append(r.Caps, model.CapNow{
				Operation: op.name, Slots: most * w.set.Processes.Count, Busy: len(op.held), Ended: op.over,
			})
			for _, since := range op.held {
				r.Caps[len(r.Caps)-1].Held = append(r.Caps[len(r.Caps)-1].Held, *since)
			}
		}
	}
	for _, p := range w.processes[:len(w.processes)-1] {
		r.InFlight = append(r.InFlight, p.inFlight)
		for name, call := range w.set.Policy.Calls {
			on := call.Target(name)
			r.add(name, p.budgets[on], p.breakers[on], w.now)
		}
	}
	return r
}

func countsOf(w *model.World) twinResult {
	r := newTwinResult()
	snap, rep, set := snapshot(w), w.Report(), w.Settings()
	r.Outcomes = rep.Requests.Outcomes
	r.Caps, r.Workers = snap.Caps, snap.Workers
	for _, op := range snap.Operations {
		r.Operations[op.Name] = op.Requests
	}
	for name, d := range rep.Dependencies {
		r.Dependencies[name] = twinCounts{
			First: d.FirstAttempts, Retries: d.Retries, Hedges: d.Hedges, Refused: d.Refused, Shed: d.Shed, Timeouts: d.Timeouts,
			TurnedAway: d.TurnedAway, Completed: d.Completed, Abandoned: d.AbandonedCompleted, Killed: d.Killed, MaxQueue: d.MaxQueue,
			Stored: d.Stored, Duplicates: d.Duplicates, Repeated: d.Repeated, Orphans: d.Orphans, Reaped: d.Reaped, Hits: d.Hits,
		}
	}
	for _, d := range snap.Dependencies {
		c := r.Dependencies[d.Name]
		c.Unserved = d.Unserved
		r.Dependencies[d.Name] = c
	}
	for name, j := range rep.Jobs {
		r.Jobs[name] = twinJobs{j.Made, j.Runs, j.Done}
	}
	for i, p := range snap.Processes {
		r.InFlight = append(r.InFlight, p.InFlight)
		for name := range set.Policy.Calls {
			r.add(name, w.Budget(i, name), w.Breaker(i, name), w.Now())
		}
	}
	return r
}

// twin is the world of package model once more, said as plainly as can be: one sorted list of what is to happen, closures
// in place of rows, nothing ever reused or taken back. What nobody wants any more stays in the list, and does nothing.
// Only the decisions (policy) and the draws (rng) are the model's own.
//
// This file has the clock and when clicks come, twin_request_test.go what comes of a click, down to its attempts, and
// twin_dependency_test.go who serves those, what they leave behind, and the workers.
type twin struct {
	set       scenario.Scenario // as it is now
	changes   []scenario.Change // still to be made
	now       time.Duration
	events    []twinEvent
	scheduled int

	operations   []*twinOperation  // by name, as are the next
	dependencies []*twinDependency // and in this order they are served when several may
	kinds        []*twinKind
	processes    []*twinProcess // the last is outside of the app: the edge's and the workers'
	jitter       rng.Stream     // the balancer's
	entered      uint64
	due          []*twinJob
	idle         int // workers
	lognormals   map[float64]*rng.Lognormal

	trace    []model.Event
	outcomes map[string]int64
}

type twinEvent struct {
	at          time.Duration
	rank, order int
	do          func()
}

// Of what happens at one instant, what was planned comes first, then arrivals, by operation, then the rest as scheduled.
const (
	rankPlan = iota
	rankArrival
	rankRest
)

func (w *twin) insert(at time.Duration, rank, order int, do func()) {
	e := twinEvent{max(at, w.now), rank, order, do}
	i, _ := slices.BinarySearchFunc(w.events, e, func(a, b twinEvent) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order))
	})
	w.events = slices.Insert(w.events, i, e)
}

// schedule has do called at a time, after all that was scheduled for that time before.
func (w *twin) schedule(at time.Duration, do func()) {
	w.scheduled++
	w.insert(at, rankRest, w.scheduled, do)
}

func (w *twin) run(until time.Duration) {
	for len(w.events) > 0 && w.events[0].at <= until {
		e := w.events[0]
		w.events = w.events[1:]
		w.now = e.at
		e.do()
	}
	w.now = until
}

func (w *twin) note(kind model.EventKind, holder model.Holder, attempt, process, place int, n uint64) {
	w.trace = append(w.trace, model.Event{
		At: w.now, Kind: kind, Attempt: uint8(attempt), Holder: holder, Process: uint16(process), Place: uint16(place), Request: n,
	})
}

type twinOperation struct {
	name     string
	index    int
	arrivals rng.Key
	jitter   rng.Stream // the clients'
	rate     float64
	n        uint64           // how many came
	next     time.Duration    // arrival
	left     rng.Units        // while none come: of the gap
	rest     rng.Fixed        // of an even gap: less than a nanosecond
	moved    int              // how often next was
	held     []*time.Duration // since when its requests are in processes
	over     int64            // and how many have been
	model.Requests
}

type twinProcess struct {
	jitter   rng.Stream
	caps     map[string]*policy.Cap    // by operation
	budgets  map[string]*policy.Budget // by dependency, as is the next
	breakers map[string]*policy.Breaker
	inFlight int
}

func newTwin(set scenario.Scenario, until time.Duration) *twin {
	w := &twin{set: set, outcomes: map[string]int64{}, lognormals: map[float64]*rng.Lognormal{}, jitter: rng.Named(set.Seed, "balancer").Stream(), idle: set.Workers.Count}
	for i, name := range slices.Sorted(maps.Keys(set.Dependencies)) {
		w.dependencies = append(w.dependencies, newTwinDependency(set, name, i))
	}
	for i := range set.Processes.Count + 1 {
		p := &twinProcess{
			jitter: rng.Named(set.Seed, "jitter").Sub(uint64(i)).Stream(),
			caps:   map[string]*policy.Cap{}, budgets: map[string]*policy.Budget{}, breakers: map[string]*policy.Breaker{},
		}
		for name := range set.Dependencies {
			b := policy.NewBudget(set.Policy.Budget.Policy())
			p.budgets[name] = &b
		}
		for name := range set.Operations {
			p.caps[name] = &policy.Cap{Max: set.Processes.Cap[name]}
		}
		w.processes = append(w.processes, p)
	}
	for _, name := range slices.Sorted(maps.Keys(set.Jobs)) {
		w.kinds = append(w.kinds, &twinKind{name: name})
	}
	w.tune()
	for i, name := range slices.Sorted(maps.Keys(set.Operations)) {
		op := &twinOperation{
			name: name, index: i, arrivals: rng.Named(set.Seed, "arrivals/"+name), jitter: rng.Named(set.Seed, "client/"+name).Stream(),
		}
		w.operations = append(w.operations, op)
		switch set.Operations[name].Arrivals {
		case "closed":
			for user := range set.Operations[name].Clients {
				w.think(op, user, 0)
			}
			continue
		case "poisson":
			op.left = op.arrivals.At(0).Exponential()
		}
		w.setRate(op, set.Operations[name].Rate)
	}
	w.changes = set.Changes // those at 0 hold from the start, and stretch no gap twice
	w.plan()
	for _, f := range set.Faults {
		w.insert(time.Duration(f.At), rankPlan, 0, w.plan)
		w.insert(f.End(), rankPlan, 0, w.plan)
	}
	for _, c := range set.Changes {
		w.insert(time.Duration(c.At), rankPlan, 0, w.plan)
	}
	for _, op := range set.Operations {
		for _, at := range shapeTimes(op, until) {
			w.insert(at, rankPlan, 0, w.plan)
		}
	}
	return w
}

// plan does what the scenario has planned for now.
func (w *twin) plan() {
	for len(w.changes) > 0 && time.Duration(w.changes[0].At) <= w.now {
		if err := scenario.Set(&w.set, w.changes[0].Path, w.changes[0].Value); err != nil {
			panic(err)
		}
		w.changes = w.changes[1:]
		w.tune()
	}
	for _, d := range w.dependencies {
		w.setHealth(d)
	}
	for _, d := range w.dependencies {
		w.serveNext(d)
	}
	for _, op := range w.operations {
		if set := w.set.Operations[op.name]; set.Arrivals != "closed" {
			w.setRate(op, min(set.Rate*w.factor(op), 1e9))
		}
	}
}

// tune brings budgets and breakers up to the settings.
func (w *twin) tune() {
	set := w.set.Policy.Breaker
	for i, p := range w.processes {
		for _, d := range w.dependencies {
			p.budgets[d.name].Tune(w.set.Policy.Budget.Policy())
			first := w.processes[0].breakers[d.name]
			switch b := p.breakers[d.name]; {
			case !set.Enabled || len(set.Targets) > 0 && !slices.Contains(set.Targets, d.name):
				delete(p.breakers, d.name)
			case i > 0 && set.Per == "target":
				p.breakers[d.name] = first
			case b == nil || i > 0 && b == first:
				b := policy.NewBreaker(set.Policy())
				p.breakers[d.name] = &b
			default:
				b.Tune(set.Policy())
			}
		}
	}
}

// faults are those of a kind that are on now.
func (w *twin) faults(target, kind string) (on []scenario.Fault) {
	for _, f := range w.set.Faults {
		if f.Target == target && f.Kind == kind && f.On(w.now) {
			on = append(on, f)
		}
	}
	return on
}

// factor is what an operation's load is multiplied by.
func (w *twin) factor(op *twinOperation) float64 {
	factor := shapeAt(w.set.Operations[op.name], w.now)
	for _, f := range w.faults(op.name, "surge") {
		factor *= f.Factor
	}
	return factor
}

const tenth = 100 * time.Millisecond

// shapeTimes are all times at which the factor may change.
func shapeTimes(op scenario.Operation, until time.Duration) (times []time.Duration) {
	for begin := time.Duration(0); begin <= until; begin += time.Duration(op.Repeat) {
		times = append(times, begin)
		from := begin
		for _, p := range op.Shape {
			at := begin + time.Duration(p.At)
			for t := from + tenth; p.Ramp && t < at; t += tenth {
				times = append(times, t)
			}
			times = append(times, at)
			from = at
		}
		if op.Repeat == 0 {
			break
		}
	}
	return times
}

// shapeAt is the factor: of a ramp, that in the middle of the present step.
func shapeAt(op scenario.Operation, t time.Duration) float64 {
	if op.Repeat > 0 {
		t %= time.Duration(op.Repeat)
	}
	factor, from := 1.0, time.Duration(0)
	for _, p := range op.Shape {
		to := time.Duration(p.At)
		if t >= to {
			factor, from = p.Factor, to
			continue
		}
		if p.Ramp {
			begin := from + (t-from)/tenth*tenth
			middle := float64(begin+min(begin+tenth, to)) / 2
			factor += float64((middle - float64(from)) / float64(to-from) * (p.Factor - factor))
		}
		break
	}
	return factor
}

// setRate changes how often requests come. What is left until the next one is stretched.
func (w *twin) setRate(op *twinOperation, rate float64) {
	if rate == op.rate {
		return
	}
	if op.rate > 0 {
		op.left = gap(op.rate).Units(op.next - w.now)
	}
	op.rate = rate
	op.moved++
	if rate > 0 {
		w.arriveAt(op, w.now+gap(rate).Times(op.left))
	}
}

// gap is the mean time between arrivals.
func gap(rate float64) rng.Fixed { return rng.Fixed(min(math.Round(1e9*65536/rate), 1<<62)) }

func (w *twin) arriveAt(op *twinOperation, at time.Duration) {
	op.next = at
	moved := op.moved
	w.insert(at, rankArrival, op.index, func() {
		if op.moved == moved {
			w.arrival(op)
		}
	})
}

// arrival is a click from outside.
func (w *twin) arrival(op *twinOperation) {
	n := op.n
	op.n++
	mean := gap(op.rate)
	if w.set.Operations[op.name].Arrivals == "even" {
		owed := mean + op.rest
		op.rest = owed % 65536
		w.arriveAt(op, w.now+time.Duration(owed/65536))
	} else {
		w.arriveAt(op, w.now+mean.Times(op.arrivals.At(op.n).Exponential()))
	}
	w.click(op, n, func() {})
}

// think is a closed user before his k-th click.
func (w *twin) think(op *twinOperation, user, k int) {
	set := w.set.Operations[op.name]
	long := rng.FixedOf(time.Duration(set.Think)).Times(rng.Named(w.set.Seed, "think/"+op.name).Sub(uint64(user)).At(uint64(k)).Exponential())
	if f := max(w.factor(op), 0.001); f != 1 {
		long = time.Duration(float64(long) / f)
	}
	w.schedule(w.now+long, func() {
		w.click(op, uint64(k*set.Clients+user), func() { w.think(op, user, k+1) })
	})
}
