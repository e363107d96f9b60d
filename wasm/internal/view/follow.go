package view

import (
	"strconv"
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// follow is one request whose time is shown against its limit: the reader's own if there is one, else one of the crowd's
// now and then. The zero value follows none.
type follow struct {
	going     bool // there is one to show; it may have ended
	yours     bool
	request   uint64
	operation int // −1: not known
	began     time.Duration
	ended     time.Duration // −1: it is under way
	ok        bool
	parts     [partLimit]part
	n         int
	shown     time.Duration // real time for which its end has been on show
}

// part is one attempt of it.
type part struct {
	place    uint16
	attempt  uint8
	holder   model.Holder
	from, to time.Duration // to is −1 while it is waited for
	ok       bool
}

// partLimit is how many attempts have a part of their own; those after them share the last one.
const partLimit = 8

// lingers is how long in real time the end of one is on show before the next is followed.
const lingers = 2500 * time.Millisecond

// watch takes in an event.
func (s *Scene) watch(e *model.Event) {
	f, next := &s.follow, &s.next
	switch {
	case e.Holder == model.Yours && e.Kind == model.Sent && (!f.yours || f.request != e.Request):
		*f = follow{going: true, yours: true, request: e.Request, operation: s.terms.begins(int(e.Place)), began: e.At, ended: -1}
	case e.Kind == model.Arrived && int(e.Process) < len(s.layout.Processes) && int(e.Place) == s.order.operations[0] && s.picks(e):
		*next = follow{going: true, request: e.Request, operation: int(e.Place), began: e.At, ended: -1}
		return
	}
	f.hear(e)
	if !next.going {
		return
	}
	// What a cache has answered tells little of a request's time: one that goes on is waited for.
	next.hear(e)
	if s.Beside != nil {
		return // which one is on show there decides
	}
	if next.n >= min(2, s.terms.operations[next.operation].steps) || next.ended >= 0 && !next.ok {
		*f, *next = *next, follow{}
	} else if next.ended >= 0 {
		*next = follow{}
	}
}

// alike has it follow what is followed in the picture beside it, or nothing of the crowd.
func (s *Scene) alike() {
	o := s.Beside
	if o == nil || s.follow.yours || s.follow.same(&o.follow) {
		return
	}
	s.follow = follow{}
	if s.next.same(&o.follow) {
		s.follow, s.next = s.next, follow{}
	}
}

// Follows is when the request came in whose time the bar shows; now, if there is none.
func (s *Scene) Follows() time.Duration {
	if s.follow.going || s.snapshot == nil {
		return s.follow.began
	}
	return s.snapshot.Now
}

// picks tells whether to follow a request of the crowd that arrives: the next one of the operation that most users ask for,
// once the last has been seen; or, beside another picture, the very one that is followed there. Users and balancers who try
// again bring the same one again, which is followed from the first time on.
func (s *Scene) picks(e *model.Event) bool {
	one := follow{going: true, request: e.Request}
	if o := s.Beside; o != nil {
		return !one.same(&s.follow) && !one.same(&s.next) && (one.same(&o.follow) || one.same(&o.next))
	}
	anew := e.Request >= s.unseen
	s.unseen = max(s.unseen, e.Request+1)
	return anew && !s.next.going && (!s.follow.going || s.follow.ended >= 0 && s.follow.shown >= lingers)
}

// same tells whether both follow the same request of the crowd.
func (f *follow) same(o *follow) bool {
	return f.going && o.going && !f.yours && !o.yours && f.request == o.request
}

// hear takes in what happens to the request.
func (f *follow) hear(e *model.Event) {
	if !f.going || f.request != e.Request || f.yours != (e.Holder == model.Yours) || f.ended >= 0 && !f.yours {
		return
	}
	switch e.Kind {
	case model.Sent:
		f.ended = -1
		if f.n < partLimit {
			f.n++
		}
		f.parts[f.n-1] = part{place: e.Place, attempt: e.Attempt, holder: e.Holder, from: e.At, to: -1}
	case model.Completed, model.Refusal, model.TimedOut, model.Beaten, model.Killed:
		for i := range f.parts[:f.n] {
			p := &f.parts[i]
			if p.to >= 0 || p.place != e.Place || p.attempt != e.Attempt || e.Holder == model.Abandoned {
				continue
			}
			p.to, p.ok = e.At, e.Kind == model.Completed
			if f.yours && i == f.n-1 { // nobody says when it has ended: it has, unless it sends something more
				f.ended, f.ok = e.At, p.ok
			}
		}
	case model.Answered, model.Failure:
		f.ended, f.ok = e.At, e.Kind == model.Answered
		for i := range f.parts[:f.n] {
			if p := &f.parts[i]; p.to < 0 {
				p.to = e.At
			}
		}
	}
}

// begins is the operation whose first call is of a dependency, −1 if there is none.
func (t *terms) begins(place int) int {
	for i := range t.operations {
		if t.operations[i].first == place {
			return i
		}
	}
	return -1
}

// pass lets real time go by. every is of how many requests one is traced.
func (f *follow) pass(now, real time.Duration, every int) {
	if f.going && f.ended < 0 && (now-f.began > lost || !f.yours && !traced(f.request, every)) {
		*f = follow{} // nothing more is heard of it
	}
	if f.ended >= 0 {
		f.shown += real
	}
}

// traced tells whether a request of the crowd is in a sample of one in every.
func traced(request uint64, every int) bool { return request%uint64(max(every, 1)) == 0 }

// lost is after how long the end of a request must have been left out of the trace.
const lost = time.Minute

// limit is what the whole bar stands for.
func (s *Scene) limit() (limit time.Duration, deadline bool) {
	f := &s.follow
	if f.operation >= 0 {
		o := &s.terms.operations[f.operation]
		limit, deadline = o.limit, o.deadline
	}
	if limit == 0 { // nothing bounds it: as long as it gets
		limit = time.Second
		for end := s.took(); limit < end; {
			limit *= 2
		}
	}
	return limit, deadline
}

// took is how long the request has taken.
func (s *Scene) took() time.Duration {
	f := &s.follow
	if f.ended >= 0 {
		return f.ended - f.began
	}
	return s.snapshot.Now - f.began
}

// drawBar draws the request's time: all of it, and the part that each attempt has taken.
func (s *Scene) drawBar() {
	b, f := &s.layout.Bar, &s.follow
	if b.W <= 0 || !f.going {
		return
	}
	limit, _ := s.limit()
	x := func(t time.Duration) float32 {
		return b.X + b.W*min(1, float32(t-f.began)/float32(limit))
	}
	s.add(frame.Rect, frame.Border, 40, b.middle(), b.W, b.H)
	y := b.Y + b.H/2
	end := b.X
	for i := range f.parts[:f.n] {
		p := &f.parts[i]
		to := p.to
		if to < 0 {
			to = s.snapshot.Now
		}
		from := max(x(p.from), end)
		end = min(max(x(to), from+2), b.X+b.W)
		_, color := mark(p.holder)
		alpha := uint8(255)
		if p.to >= 0 && !p.ok {
			alpha = 120 // for nothing
		}
		s.add(frame.Rect, color, alpha, Point{(from + end) / 2, y}, end-from-1, b.H)
	}
	s.add(frame.Frame, frame.Border, 255, b.middle(), b.W, b.H)
	if f.ended >= 0 {
		shape, color := frame.Tick, frame.OK
		if !f.ok {
			shape, color = frame.Cross, frame.Failed
		}
		scale := Note.width(Span(limit), s.layout.Narrow()) // what stands before it
		s.add(shape, color, 255, Point{b.X + b.W + scale + 18, y}, 13, 13)
	}
}

// budget says the same in words, the long way first: in whole milliseconds, where that has too little room, as one time, and
// without how it ended, which stands at the bar's end.
func (s *Scene) budget() [4]string {
	f := &s.follow
	limit, deadline := s.limit()
	of := " of " + ms(limit) + " ms"
	if !deadline {
		of = " ms, no deadline"
	}
	who, end := "", ""
	switch {
	case f.yours:
		who = "You: "
	case f.operation >= 0:
		who = "One " + s.terms.operations[f.operation].name + ": "
	}
	switch {
	case f.ended < 0:
	case f.ok:
		end = ", answered"
	default:
		end = ", failed"
	}
	whole := func(d time.Duration) string { return ms(d.Round(time.Millisecond)) }
	took := who + ms(s.took()) + of
	return [4]string{who + s.sum(ms) + of + end, who + s.sum(whole) + of + end, took + end, took}
}

// sum is what the followed request's time went into, without what comes to nothing as it is written.
func (s *Scene) sum(write func(time.Duration) string) (sum string) {
	f, told := &s.follow, time.Duration(0) // until when
	for i := range f.parts[:f.n] {
		p := &f.parts[i]
		to := p.to
		if to < 0 {
			to = s.snapshot.Now
		}
		from := max(p.from, told)
		if i > 0 && to <= from {
			continue // beside another, as hedges are
		}
		told = to
		if took := write(to - from); took != "0" {
			if sum != "" {
				sum += " + "
			}
			sum += took
		}
	}
	if sum == "" {
		return "0"
	}
	return sum
}

// ms writes milliseconds: with decimals below ten, two of them where one would be none.
func ms(d time.Duration) string {
	x, places := float64(d)/float64(time.Millisecond), 10.
	if x >= 9.95 {
		return Count(int64(x + .5))
	}
	if x < .095 {
		places = 100
	}
	return strconv.FormatFloat(float64(int64(x*places+.5))/places, 'f', -1, 64)
}
