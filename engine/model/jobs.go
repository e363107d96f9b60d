package model

import (
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// jobKind is one kind of job.
type jobKind struct {
	name    string
	after   int // the operation that leaves it
	on      jobOn
	delay   time.Duration
	backoff policy.Backoff
	n       uint64
	counts  jobCounts
}

// jobOn is when an operation leaves a job.
type jobOn uint8

const (
	onEffect jobOn = iota // when its last step has taken effect, each time, whoever hears of it
	onOK                  // when its request ends well
	onFailed
)

var jobOns = map[string]jobOn{"effect": onEffect, "ok": onOK, "failed": onFailed}

type jobCounts struct{ Made, Runs, Done int64 }

// job is one piece of work off the request path. It is run until a run goes well, at least once.
type job struct {
	operation uint16 // its kind's
	counted   bool
	runs      uint32
	intent    int32 // of the request that left it; none if that stored nothing
	n         uint64
}

// workers run jobs, one each at a time.
type workers struct {
	free   int
	due    []int32 // jobs that wait for a worker, in the order in which they fell due
	first  int     // of due
	giving bool    // work is at it
}

func (w *World) workersNow() WorkersNow {
	count := w.settings.Workers.Count
	busy := count - w.workers.free
	return WorkersNow{Count: count, Busy: busy, Waiting: w.jobs.held() - busy}
}

func (w *World) newJobKind(name string, line int) {
	set := w.settings.Jobs[name]
	op := newOperation(w.settings.Seed, name, len(w.operations))
	op.next, op.idempotent = scenario.Forever, true
	op.steps = []step{newStep(w.settings.Seed, line, "job "+name+"/0/"+w.lines[line].name)}
	op.kind = &jobKind{name: name, on: jobOns[set.On], delay: time.Duration(set.Delay), backoff: set.Backoff.Policy()}
	for i := range w.operations[:w.users] {
		if w.operations[i].name == set.After {
			op.kind.after = i
			w.operations[i].leaves[op.kind.on] = true
		}
	}
	w.operations = append(w.operations, op)
}

// leaveJobs makes the jobs that an operation leaves behind when something comes true of one of its requests.
func (w *World) leaveJobs(operation int, on jobOn, counted bool, intent int32) {
	for k := w.users; k < len(w.operations); k++ {
		kind := w.operations[k].kind
		if kind.after != operation || kind.on != on || w.jobs.held() >= w.room {
			continue
		}
		i := w.jobs.take()
		w.jobs.rows[i] = job{operation: uint16(k), counted: counted, intent: intent, n: kind.n}
		kind.n++
		if counted {
			kind.counts.Made++
		}
		if intent != none {
			w.intents.rows[intent].jobs++
		}
		w.queue.Schedule(w.Now()+kind.delay, jobEvent|uint32(i))
	}
}

// jobDue is a job that may be run now, when a worker is free.
func (w *World) jobDue(i int32) {
	q := &w.workers
	if 2*q.first >= len(q.due) { // half of it is done with
		q.due, q.first = q.due[:copy(q.due, q.due[q.first:])], 0
	}
	q.due = append(q.due, i)
	w.work()
}

// work gives free workers what is due. A run that fails at once frees its worker for the next turn of this loop, not for
// a loop of its own: when many are due that would go deep.
func (w *World) work() {
	q := &w.workers
	if q.giving {
		return
	}
	q.giving = true
	for q.free > 0 && q.first < len(q.due) {
		i := q.due[q.first]
		q.first++
		q.free--
		w.runJob(i)
	}
	q.giving = false
}

// runJob is a worker making a job's call.
func (w *World) runJob(i int32) {
	j := &w.jobs.rows[i]
	j.runs++
	if j.counted {
		w.operations[j.operation].kind.counts.Runs++
	}
	o := origin{
		operation: j.operation, counted: j.counted, above: none, intent: none, n: j.n, path: min(j.runs-1, copyPath-1),
		arrived: w.Now(), deadline: policy.NoDeadline,
	}
	k := w.newRequest(&o, w.outside())
	w.requests.rows[k].job = i
	w.perform(k, w.start(&w.requests.rows[k]))
}

// jobRan is the end of a run, in request k. What went badly is run again, later.
func (w *World) jobRan(k int32, o policy.Outcome) {
	i := w.requests.rows[k].job
	w.requests.put(k)
	w.workers.free++
	j := &w.jobs.rows[i]
	op := &w.operations[j.operation]
	if o != policy.OK {
		w.queue.Schedule(w.Now()+min(op.kind.backoff.Wait(int(min(j.runs, 1000))), scenario.Forever-w.Now()), jobEvent|uint32(i))
		w.work()
		return
	}
	if j.counted {
		op.kind.counts.Done++
	}
	if j.intent != none {
		w.reap(j.intent, w.lines[op.steps[0].line].dependency)
		w.intents.rows[j.intent].jobs--
		w.freeIntent(j.intent)
	}
	w.jobs.put(i)
	w.work()
}
