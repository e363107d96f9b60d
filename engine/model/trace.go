package model

import "time"

// tracer keeps a hash of everything that happens, and a sample for whoever looks on.
type tracer struct {
	hash   uint64
	events int64
	every  int
	from   time.Duration // what happened sooner is left out of the sample
	sample []Event
}

// add takes a happening into the hash. That is over what happened, in order, and not over how the queue holds it: rows,
// tickets and timers that came to nothing leave no trace, so that the machinery can change and the hash stays.
func (t *tracer) add(now time.Duration, what uint64) {
	t.events++
	h := (t.hash ^ uint64(now)) * 0x9fb21c651e98df25
	h ^= h >> 29
	h = (h ^ what) * 0xd6e8feb86659fd93
	t.hash = h ^ h>>32
}

// samples tells whether what happens to a request goes into the sample.
func (t *tracer) samples(now time.Duration, holder Holder, n uint64) bool {
	return len(t.sample) < TraceLimit && (holder >= Yours || n%uint64(t.every) == 0) && now >= t.from
}

// last is what was last put into the sample.
func (t *tracer) last() *Event { return &t.sample[len(t.sample)-1] }

// hashed is a holder as the hash knows it: to that a hedge is a retry.
func (h Holder) hashed() uint64 {
	if h >= Hedge {
		h--
	}
	return uint64(h)
}

// note writes down that something happened to a request or to one of its attempts. n is which arrival of its operation
// it is, or which of the reader's own.
func (w *World) note(kind EventKind, holder Holder, attempt, process, place int, n uint64) {
	t := &w.trace
	t.add(w.Now(), n<<24^uint64(place)<<16^uint64(attempt)<<8^holder.hashed()<<4^uint64(kind))
	if t.samples(w.Now(), holder, n) {
		t.sample = append(t.sample, Event{
			At: w.Now(), Kind: kind, Attempt: uint8(attempt), Holder: holder,
			Process: uint16(process), Place: uint16(place), Request: n,
		})
	}
}

// noteOf notes what happened to an attempt, and tells whether that is in the sample.
func (w *World) noteOf(a *attempt, kind EventKind) bool {
	t := &w.trace
	holder := a.holder()
	t.add(w.Now(), a.n<<24^uint64(a.place)<<16^uint64(a.number)<<8^holder.hashed()<<4^uint64(kind))
	if !t.samples(w.Now(), holder, a.n) {
		return false
	}
	t.sample = append(t.sample, Event{
		At: w.Now(), Kind: kind, Attempt: a.number, Holder: holder, Process: a.process, Place: a.place, Request: a.n,
	})
	return true
}

// noteBackoff puts into the sample that a request waits before it sends an attempt. Nothing has happened by that, so it is
// neither counted nor hashed.
func (w *World) noteBackoff(r *request, attempt int, until time.Duration) {
	if t := &w.trace; t.samples(w.Now(), Retry, r.n) {
		t.sample = append(t.sample, Event{
			At: w.Now(), Kind: BackingOff, Attempt: uint8(attempt), Holder: Retry, Process: r.process,
			Place: uint16(w.lines[r.line].dependency), Request: r.n, Until: until,
		})
	}
}

// Events is how many things were noted; see Happened.
func (w *World) Events() int64 { return w.trace.events }

// SampleEvery traces one request in n from now on, at least 1.
func (w *World) SampleEvery(n int) { w.trace.every = max(n, 1) }

// Skip leaves what happens until t out of the sample, and what it has so far.
func (w *World) Skip(t time.Duration) { w.trace.from, w.trace.sample = t+1, w.trace.sample[:0] }

// SkipNoMore has all that happens from now on in the sample.
func (w *World) SkipNoMore() { w.trace.from = min(w.trace.from, w.Now()) }
