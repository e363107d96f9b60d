package model_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

type twinDependency struct {
	name      string
	index     int
	queue     []*twinAttempt
	busy      int
	stopped   []*twinAttempt // whose service would be over if it didn't stall
	stalled   bool
	stalledAt time.Duration
	paused    time.Duration // all stalls that are over
	cache     twinCache
	twinCounts
}

// twinCounts is what a dependency counts.
type twinCounts struct {
	First, Retries, Hedges, Refused, Shed, Timeouts, TurnedAway int64
	Completed, Abandoned, Killed, Unserved, MaxQueue            int64
	Stored, Duplicates, Repeated, Orphans, Reaped, Hits         int64
}

func newTwinDependency(set scenario.Scenario, name string, index int) *twinDependency {
	d := &twinDependency{name: name, index: index}
	if keys := set.Dependencies[name].Keys; keys.Count > 0 {
		d.cache = twinCache{Keys: keys, zipf: rng.NewZipf(keys.Count, keys.Zipf), ends: map[uint32]time.Duration{}}
	}
	return d
}

func (w *twin) dependency(name string) *twinDependency {
	return w.dependencies[slices.IndexFunc(w.dependencies, func(d *twinDependency) bool { return d.name == name })]
}

func (w *twin) broken(d *twinDependency, kind string) bool { return len(w.faults(d.name, kind)) > 0 }

// chance is that of at least one of the faults of a kind.
func (w *twin) chance(d *twinDependency, kind string) rng.Chance {
	p := 0.0
	for _, f := range w.faults(d.name, kind) {
		p = 1 - float64((1-p)*(1-f.P))
	}
	return rng.ChanceOf(p)
}

// slots are those in working order.
func (w *twin) slots(d *twinDependency) int {
	share := 1.0
	for _, f := range w.faults(d.name, "capacity") {
		share *= f.Factor
	}
	return int(math.Round(float64(w.set.Dependencies[d.name].Slots) * share))
}

// setHealth lets a stall or a flush begin or end. All else that is wrong is looked up when it matters.
func (w *twin) setHealth(d *twinDependency) {
	for _, f := range w.faults(d.name, "flush") {
		if time.Duration(f.At) == w.now {
			d.cache.used = nil
			clear(d.cache.ends)
		}
	}
	stalled := w.broken(d, "stall")
	switch {
	case stalled && !d.stalled:
		d.stalledAt = w.now
	case !stalled && d.stalled:
		d.paused += w.now - d.stalledAt
		for _, a := range d.stopped {
			w.goOn(d, a)
		}
		d.stopped = nil
	}
	d.stalled = stalled
}

// twinTry says which attempt of which layer it is: of the call, and of the library under it; number is that of the two
// which sends it.
type twinTry struct {
	call, library, number int
	hedge                 bool
	until                 patience
}

// patience is until when somebody waits; policy.NoDeadline: for ever.
type patience time.Duration

// with is that of one who waits no longer than a timeout besides. 0: there is none.
func (p patience) with(now time.Duration, timeout scenario.Duration) patience {
	if timeout == 0 {
		return p
	}
	return min(p, patience(now+time.Duration(timeout)))
}

// time is as events have it.
func (p patience) time() time.Duration {
	if p == patience(policy.NoDeadline) {
		return 0
	}
	return time.Duration(p)
}

// twinAttempt is an attempt at its dependency.
type twinAttempt struct {
	of      *twinRequest
	intent  *twinIntent
	effect  bool   // the last step of its operation
	call    string // the request's, as is step, when this was sent
	step    int
	note    func(model.EventKind)
	answer  twinHears
	arrived time.Duration
	awaited bool
	inside  bool // the dependency has it
	served  bool // in a slot
	lost    bool
	known   bool // its key was known when its service began
	demand  time.Duration
	due     time.Duration // the end of its service
	paused  time.Duration // the dependency's stalls that due allows for
}

// send is an attempt that arrives. leave gives it up.
func (w *twin) send(r *twinRequest, try twinTry, answer twinHears) (leave twinLeave) {
	line := w.line(r)
	d := w.dependency(line.On)
	set := w.set.Dependencies[d.name]
	index := r.n<<7 | uint64(try.call)
	again := try.call > 1 || try.library > 1 || r.path%(1<<24) > 0
	a := &twinAttempt{of: r, effect: r.op != nil && r.call != "" && r.step+1 == len(w.set.Operations[r.op.name].Steps), intent: r.intent, call: r.call, step: r.step, answer: answer, arrived: w.now, awaited: true}
	a.note = func(kind model.EventKind) {
		holder := model.First
		switch {
		case !a.awaited && kind != model.TimedOut && kind != model.Beaten:
			holder = model.Abandoned
		case try.hedge:
			holder = model.Hedge
		case again:
			holder = model.Retry
		}
		w.note(kind, holder, try.number, r.process, d.index, r.n)
	}
	switch {
	case !again:
		d.First++
	case try.hedge:
		d.Hedges++
	default:
		d.Retries++
	}
	a.note(model.Sent)
	w.trace[len(w.trace)-1].Until = try.until.time()
	free := d.busy < w.slots(d) && len(d.queue) == 0 && !d.stalled
	switch {
	case w.broken(d, "blackhole"):
	case w.broken(d, "down"):
		d.Refused++
		a.note(model.Refusal)
		answer(policy.Refused, 0)
	case set.QueueLimit > 0 && len(d.queue) >= set.QueueLimit && !free:
		o, after := w.turnAway(d)
		a.note(model.Refusal)
		answer(o, after)
	case w.key("flaky", r, try.library-1).At(index).Happens(w.chance(d, "flaky")):
		a.note(model.Refusal)
		answer(policy.Error, 0)
	default:
		a.inside = true
		r.intent.hold()
		a.demand = w.demand(set.Service, w.key("service", r, try.library-1).At(index))
		a.lost = w.key("lose", r, try.library-1).At(index).Happens(w.chance(d, "lose"))
		if age := cmp.Or(line.StatementTimeout, set.StatementTimeout); age > 0 {
			w.schedule(w.now+time.Duration(age), func() {
				if a.inside {
					w.kill(d, a)
				}
			})
		}
		if free {
			w.serve(d, a)
		} else {
			d.queue = append(d.queue, a)
			d.MaxQueue = max(d.MaxQueue, int64(len(d.queue)))
		}
	}
	return func(kind model.EventKind) {
		if kind == model.TimedOut {
			d.Timeouts++
		}
		a.awaited = false
		a.note(kind)
		told := w.set.Dependencies[d.name].Cancel || kind == model.Beaten && w.set.Policy.Calls[a.call].HedgeCancel
		if told && a.inside {
			w.kill(d, a)
		}
	}
}

// turnAway is the answer to who finds no room or has waited too long.
func (w *twin) turnAway(d *twinDependency) (o policy.Outcome, after time.Duration) {
	if again := w.set.Dependencies[d.name].RetryAfter; again > 0 {
		d.Shed++
		return policy.Shed, time.Duration(again)
	}
	d.Refused++
	return policy.Refused, 0
}

// demand is how long service takes when all is well.
func (w *twin) demand(set scenario.Service, draw rng.Draw) time.Duration {
	units := rng.One
	switch set.Dist {
	case "table":
		return time.Duration(set.Base + set.Table[draw.Below(len(set.Table))])
	case "exponential":
		units = draw.Exponential()
	case "lognormal":
		if w.lognormals[set.Sigma] == nil {
			w.lognormals[set.Sigma] = rng.NewLognormal(set.Sigma)
		}
		units = w.lognormals[set.Sigma].Draw(draw)
	}
	return time.Duration(set.Base) + rng.FixedOf(time.Duration(set.Mean)).Times(units)
}

// serveNext fills the free slots. Who has waited too long is answered when his turn comes, before anybody else's does.
func (w *twin) serveNext(d *twinDependency) {
	for len(d.queue) > 0 && d.busy < w.slots(d) && !d.stalled {
		set := w.set.Dependencies[d.name]
		a := d.queue[0]
		if set.Discipline == "lifo" {
			a = d.queue[len(d.queue)-1]
		}
		d.remove(a)
		if set.QueueAge == 0 || w.now < a.arrived+time.Duration(set.QueueAge) {
			w.serve(d, a)
			continue
		}
		a.inside = false
		a.note(model.Refusal)
		o, after := w.turnAway(d)
		a.tell(o, after)
	}
}

func (d *twinDependency) remove(a *twinAttempt) {
	d.queue = slices.DeleteFunc(d.queue, func(b *twinAttempt) bool { return b == a })
}

// tell answers whoever waits; of what is lost only the machine is told.
func (a *twinAttempt) tell(o policy.Outcome, after time.Duration) {
	if a.awaited {
		a.answer(o, after)
	}
	a.intent.release()
}

// serve puts an attempt into a slot.
func (w *twin) serve(d *twinDependency, a *twinAttempt) {
	set := w.set.Dependencies[d.name]
	d.busy++
	a.served = true
	slow := 1.0
	for _, f := range w.faults(d.name, "slow") {
		slow *= f.Factor
	}
	took := rng.UnitsOf(min(slow, 1e6)).Of(a.demand)
	crowd := rng.UnitsOf(set.Service.Load) * rng.Units(len(d.queue)+d.busy) / rng.Units(set.Slots)
	took = (rng.One + crowd).Of(took)
	a.due = w.now + took
	a.paused = d.paused
	w.schedule(a.due, func() { w.end(d, a) })
	a.known = !set.Unique && w.keyed(a) && a.intent.has(a.step)
	a.note(model.Started)
}

// end is the end of a service, unless it was stalled for a while.
func (w *twin) end(d *twinDependency, a *twinAttempt) {
	switch {
	case !a.inside:
	case d.stalled:
		d.stopped = append(d.stopped, a)
	case a.paused != d.paused:
		w.goOn(d, a)
	default:
		d.Completed++
		if !a.awaited {
			d.Abandoned++
		}
		w.store(d, a)
		a.note(model.Completed)
		if a.effect {
			w.leaveJobs(a.of, "effect")
		}
		o := policy.OK
		if a.lost {
			o = policy.Lost
		}
		w.out(d, a, o)
	}
}

// goOn has a service run on for as long as it was stalled.
func (w *twin) goOn(d *twinDependency, a *twinAttempt) {
	a.due += d.paused - a.paused
	a.paused = d.paused
	w.schedule(a.due, func() { w.end(d, a) })
}

func (w *twin) kill(d *twinDependency, a *twinAttempt) {
	d.Killed++
	if !a.served {
		d.Unserved++
	}
	a.note(model.Killed)
	w.out(d, a, policy.Error)
}

// out is an attempt that leaves. The next is served, and then its caller has the answer.
func (w *twin) out(d *twinDependency, a *twinAttempt, o policy.Outcome) {
	a.inside = false
	if a.served {
		d.busy--
	} else {
		d.remove(a)
	}
	w.serveNext(d)
	a.tell(o, 0)
}

// twinCache is what a cache of keys holds.
type twinCache struct {
	scenario.Keys
	zipf *rng.Zipf
	used []uint32 // what it holds, the longest unused first
	ends map[uint32]time.Duration
}

func (c *twinCache) key(w *twin, place string, n uint64) uint32 {
	return c.zipf.Draw(rng.Named(w.set.Seed, "keys/"+place).At(n))
}

func (c *twinCache) forget(key uint32) {
	c.used = slices.DeleteFunc(c.used, func(k uint32) bool { return k == key })
}

// hits tells whether a good answer is all that a request needs.
func (w *twin) hits(d *twinDependency, r *twinRequest) bool {
	c := &d.cache
	if c.Count == 0 {
		return w.hitsShare(d, r)
	}
	key := c.key(w, r.place, r.n)
	if !slices.Contains(c.used, key) || w.now >= c.ends[key] {
		return false
	}
	c.forget(key)
	c.used = append(c.used, key)
	return true
}

func (w *twin) hitsShare(d *twinDependency, r *twinRequest) bool {
	share := rng.ChanceOf(w.set.Dependencies[d.name].HitShare)
	return !w.broken(d, "flush") && w.key("hit", r, 0).At(r.n).Happens(share)
}

// remember puts what a request was answered into the caches it has asked in vain.
func (w *twin) remember(r *twinRequest) {
	for k, name := range w.set.Operations[r.op.name].Steps[:r.step] {
		c := &w.dependency(w.set.Policy.Calls[name].Target(name)).cache
		if c.Count == 0 {
			continue
		}
		key := c.key(w, stepPlace(r.op.name, k, name), r.n)
		c.forget(key)
		if len(c.used) == cmp.Or(c.Capacity, c.Count) {
			c.used = c.used[1:]
		}
		c.used = append(c.used, key)
		c.ends[key] = scenario.Forever
		if c.TTL > 0 {
			c.ends[key] = w.now + time.Duration(c.TTL)
		}
	}
}

// twinIntent is what one click wants written.
type twinIntent struct {
	twin    *twin
	steps   []string
	stored  map[int]bool // steps that have taken effect
	holders int          // all that may still have an effect
	over    bool
}

// newIntent is held by the one who asks for it. nil, which all that follows allows for, if the operation writes nothing.
func (w *twin) newIntent(op *twinOperation) *twinIntent {
	set := w.set.Operations[op.name]
	if set.Idempotent {
		return nil
	}
	return &twinIntent{twin: w, steps: set.Steps, stored: map[int]bool{}, holders: 1}
}

func (it *twinIntent) has(step int) bool { return it != nil && it.stored[step] }

func (it *twinIntent) hold() {
	if it != nil {
		it.holders++
	}
}

func (it *twinIntent) release() {
	if it == nil {
		return
	}
	it.holders--
	if it.holders == 0 {
		it.over = true
		for _, step := range it.orphans() {
			it.at(step).Orphans++
		}
	}
}

// at is where a step stores.
func (it *twinIntent) at(step int) *twinDependency {
	name := it.steps[step]
	return it.twin.dependency(it.twin.set.Policy.Calls[name].Target(name))
}

// orphans are the steps that were stored while the last, which would refer to them, was not.
func (it *twinIntent) orphans() []int {
	if it.stored[len(it.steps)-1] {
		return nil
	}
	return slices.Sorted(maps.Keys(it.stored))
}

// keyed tells whether an attempt has a key that tells it from another write.
func (w *twin) keyed(a *twinAttempt) bool { return w.set.Policy.Calls[a.call].IdempotencyKey }

// store is a write that takes effect, unless its key is known.
func (w *twin) store(d *twinDependency, a *twinAttempt) {
	it := a.intent
	if it == nil {
		return
	}
	if w.keyed(a) && (a.known || w.set.Dependencies[d.name].Unique && it.has(a.step)) {
		d.Repeated++
		return
	}
	d.Stored++
	if it.has(a.step) {
		d.Duplicates++
	}
	it.stored[a.step] = true
}

// twinKind is a kind of job.
type twinKind struct {
	name string
	twinJobs
}

type twinJobs struct{ Made, Runs, Done int64 }

type twinJob struct {
	kind *twinKind
	n    uint64
	runs int
	of   *twinIntent // what the request that left it has written
}

// leaveJobs makes what a request leaves to do.
func (w *twin) leaveJobs(r *twinRequest, on string) {
	for _, k := range w.kinds {
		set := w.set.Jobs[k.name]
		if set.After != r.op.name || set.On != on {
			continue
		}
		w.jobDue(&twinJob{kind: k, n: uint64(k.Made), of: r.intent}, time.Duration(set.Delay))
		k.Made++
	}
}

func (w *twin) jobDue(j *twinJob, wait time.Duration) {
	w.schedule(w.now+wait, func() {
		w.due = append(w.due, j)
		w.work()
	})
}

// work gives idle workers what is due.
func (w *twin) work() {
	for w.idle > 0 && len(w.due) > 0 {
		j := w.due[0]
		w.due = w.due[1:]
		w.idle--
		w.runJob(j)
	}
}

func (w *twin) runJob(j *twinJob) {
	j.runs++
	j.kind.Runs++
	set := w.set.Jobs[j.kind.name]
	r := &twinRequest{
		call: set.Call, n: j.n, path: uint64(j.runs - 1), deadline: policy.NoDeadline, process: len(w.processes) - 1,
		place: stepPlace("job "+j.kind.name, 0, set.Call),
	}
	w.callAndAsk(r, func(o policy.Outcome, _ bool, _ int) {
		w.idle++
		if o == policy.OK {
			j.kind.Done++
			j.of.reap(w.dependency(w.set.Policy.Calls[set.Call].Target(set.Call)))
		} else {
			w.jobDue(j, set.Backoff.Policy().Wait(j.runs))
		}
		w.work()
	})
}

// reap removes what was stored at a dependency and nothing refers to.
func (it *twinIntent) reap(d *twinDependency) {
	if it == nil {
		return
	}
	for _, step := range it.orphans() {
		if it.at(step) != d {
			continue
		}
		if !it.over {
			d.Orphans++
		}
		d.Reaped++
		delete(it.stored, step)
	}
}
