package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/rng"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

// step is one event at a time, and what the call does about it.
type step struct {
	at   time.Duration
	do   event
	want Actions
}

type event func(c *Call, t *Terms, now time.Duration) Actions

func start(deadline time.Duration) event {
	return func(c *Call, t *Terms, now time.Duration) Actions { return c.Start(t, now, deadline) }
}

func result(attempt int, o Outcome) event {
	return func(c *Call, t *Terms, now time.Duration) Actions { return c.Result(t, now, attempt, o) }
}

func lost(attempt int) event {
	return func(c *Call, _ *Terms, _ time.Duration) Actions { c.Lost(attempt); return nothing }
}

func shed(attempt int, after time.Duration) event {
	return func(c *Call, t *Terms, now time.Duration) Actions { return c.Shed(t, now, attempt, after) }
}

var (
	timer  event = (*Call).Timer
	cancel event = (*Call).Cancel
)

func send(n int, timer time.Duration) Actions {
	return Actions{Sending: Sending{Send: uint16(n)}, Timer: timer}
}
func wait(until time.Duration) Actions { return Actions{Timer: until} }
func done(o Outcome) Actions           { return Actions{Ending: Ending{Done: true, Outcome: o}} }

// leave is an end that leaves an attempt behind.
func leave(n int, a Actions) Actions {
	a.Abandon = uint16(n)
	return a
}

var nothing Actions

// play takes a call through the steps.
func play(t *testing.T, terms *Terms, steps []step) {
	t.Helper()
	var c Call
	for i, step := range steps {
		if got := step.do(&c, terms, step.at); got != step.want {
			t.Fatalf("step %d, at %v: it does %+v, want %+v", i, step.at, got, step.want)
		}
	}
}

func TestCall(t *testing.T) {
	const never = NoDeadline
	objectGet := Rule{Timeout: 200 * ms, Attempts: 2, RetryOn: Set(Refused)}
	pointRead := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Refused)}
	again := Rule{Timeout: 20 * ms, Attempts: 3, RetryOn: Set(Timeout, Error, Refused)}
	backoff := again
	backoff.Backoff = Backoff{Kind: Constant, Base: 10 * ms}
	everything := Rule{Timeout: 20 * ms, Attempts: 3, RetryOn: Set(OK, Error, Refused, Timeout, Lost, Shed, Open, Deadline)}

	whatIsLost := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Lost, Error)}

	for _, test := range []struct {
		name  string
		rule  Rule
		steps []step
	}{
		{"a lost answer is a timeout when its time is up", again, []step{
			{0, start(never), send(1, 20*ms)},
			{5 * ms, lost(1), nothing},
			{20 * ms, timer, leave(1, send(2, 40*ms))},
		}},
		{"whoever tries again what is lost waits as long", whatIsLost, []step{
			{0, start(never), send(1, 20*ms)},
			{5 * ms, lost(1), nothing},
			{20 * ms, timer, leave(1, send(2, 40*ms))},
			{25 * ms, lost(2), nothing},
			{40 * ms, timer, leave(2, done(Timeout))},
		}},
		{"and tries no other timeout again", whatIsLost, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},
		{"an answer that is lost when nobody waits for it is none", whatIsLost, []step{
			{0, start(never), send(1, 20*ms)},
			{5 * ms, result(1, Error), send(2, 25*ms)},
			{6 * ms, lost(1), nothing},
			{25 * ms, timer, leave(2, done(Timeout))},
		}},
		{"an answer", pointRead, []step{
			{0, start(never), send(1, 20*ms)},
			{7 * ms, result(1, OK), done(OK)},
		}},
		{"80 ms of 300 lost leave an object GET all of its 200", objectGet, []step{
			{80 * ms, start(300 * ms), send(1, 280*ms)},
		}},
		{"200 ms of 300 lost leave it 100", objectGet, []step{
			{200 * ms, start(300 * ms), send(1, 300*ms)},
			{300 * ms, timer, leave(1, done(Timeout))},
		}},
		{"no deadline: its own timeout, however late it is", objectGet, []step{
			{5000 * ms, start(never), send(1, 5200*ms)},
		}},
		{"no timeout of its own: what is left of the request", Rule{Attempts: 1}, []step{
			{80 * ms, start(300 * ms), send(1, 300*ms)},
			{300 * ms, timer, leave(1, done(Timeout))},
		}},
		{"no timeout, no deadline: no timer at all", Rule{Attempts: 1}, []step{
			{0, start(never), send(1, 0)},
			{0, timer, nothing},
			{3600 * s, timer, nothing},
			{7200 * s, result(1, OK), done(OK)},
		}},
		{"no timeout: retried while any time is left", Rule{Attempts: 3, RetryOn: Set(Error)}, []step{
			{0, start(300 * ms), send(1, 300*ms)},
			{300*ms - 1, result(1, Error), send(2, 300*ms)},
			{300 * ms, result(2, Error), done(Error)},
		}},
		{"no time left at all: nothing is sent", again, []step{
			{300 * ms, start(300 * ms), done(Deadline)},
		}},
		{"no attempts counts as one", Rule{Timeout: 20 * ms, RetryOn: Set(Timeout)}, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},

		{"a timeout is not retried unless the rule says so", pointRead, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},
		{"nor is an error", pointRead, []step{
			{0, start(never), send(1, 20*ms)},
			{1 * ms, result(1, Error), done(Error)},
		}},
		{"nor being shed", pointRead, []step{
			{0, start(never), send(1, 20*ms)},
			{0, result(1, Shed), done(Shed)},
		}},
		{"what the rule names is, until attempts are used up", again, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, send(2, 40*ms))},
			{25 * ms, result(2, Error), send(3, 45*ms)},
			{26 * ms, result(3, Refused), done(Refused)},
		}},
		{"a good answer never is, whatever the rule says", everything, []step{
			{0, start(never), send(1, 20*ms)},
			{1 * ms, result(1, OK), done(OK)},
		}},
		{"nor is an open breaker", everything, []step{
			{0, start(never), send(1, 20*ms)},
			{0, result(1, Open), done(Open)},
		}},
		{"nor is having no time", everything, []step{
			{0, start(never), send(1, 20*ms)},
			{0, result(1, Deadline), done(Deadline)},
		}},
		{"being shed is, if the rule says so", everything, []step{
			{0, start(never), send(1, 20*ms)},
			{0, result(1, Shed), send(2, 20*ms)},
		}},

		{"a primary read at 225 of 300 ms fits once more", pointRead, []step{
			{205 * ms, start(300 * ms), send(1, 225*ms)},
			{225 * ms, result(1, Refused), send(2, 245*ms)},
		}},
		{"an object GET at 225 of 300 ms does not", objectGet, []step{
			{25 * ms, start(300 * ms), send(1, 225*ms)},
			{225 * ms, result(1, Refused), done(Refused)},
		}},
		{"the last moment at which a retry fits", pointRead, []step{
			{270 * ms, start(300 * ms), send(1, 290*ms)},
			{280 * ms, result(1, Refused), send(2, 300*ms)},
		}},
		{"a nanosecond later", pointRead, []step{
			{270 * ms, start(300 * ms), send(1, 290*ms)},
			{280*ms + 1, result(1, Refused), done(Refused)},
		}},
		{"backoff counts too: the last moment", backoff, []step{
			{255 * ms, start(300 * ms), send(1, 275*ms)},
			{270 * ms, result(1, Refused), wait(280 * ms)},
			{280 * ms, timer, send(2, 300*ms)},
		}},
		{"backoff counts too: a nanosecond later", backoff, []step{
			{255 * ms, start(300 * ms), send(1, 275*ms)},
			{270*ms + 1, result(1, Refused), done(Refused)},
		}},
		{"a driver that wakes it after the deadline sends nothing", backoff, []step{
			{0, start(50 * ms), send(1, 20*ms)},
			{20 * ms, timer, leave(1, wait(30*ms))},
			{50 * ms, timer, done(Deadline)},
		}},
		{"a driver that wakes it a little late still sends", backoff, []step{
			{0, start(50 * ms), send(1, 20*ms)},
			{20 * ms, timer, leave(1, wait(30*ms))},
			{40 * ms, timer, send(2, 50*ms)},
		}},

		{"a late answer is not the current attempt's", backoff, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, wait(30*ms))},
			{25 * ms, result(1, OK), nothing},
			{30 * ms, timer, send(2, 50*ms)},
			{35 * ms, result(1, OK), nothing},
			{36 * ms, result(1, Error), nothing},
			{40 * ms, result(2, OK), done(OK)},
			{41 * ms, result(2, OK), nothing},
		}},
		{"an answer to what was never sent", again, []step{
			{0, result(1, OK), nothing},
			{0, start(never), send(1, 20*ms)},
			{1 * ms, result(2, OK), nothing},
			{2 * ms, result(0, OK), nothing},
			{3 * ms, result(1, OK), done(OK)},
		}},
		{"a timer that comes early, or twice, or after the end", again, []step{
			{0, timer, nothing},
			{0, start(never), send(1, 20*ms)},
			{20*ms - 1, timer, nothing},
			{20 * ms, timer, leave(1, send(2, 40*ms))},
			{20 * ms, timer, nothing},
			{25 * ms, result(2, OK), done(OK)},
			{40 * ms, timer, nothing},
		}},
		{"a timer of the attempt before", backoff, []step{
			{0, start(never), send(1, 20*ms)},
			{15 * ms, result(1, Error), wait(25 * ms)},
			{20 * ms, timer, nothing},
			{25 * ms, timer, send(2, 45*ms)},
		}},

		{"cancelled while an answer is to come", again, []step{
			{0, start(never), send(1, 20*ms)},
			{5 * ms, cancel, leave(1, done(Timeout))},
			{6 * ms, result(1, OK), nothing},
			{20 * ms, timer, nothing},
			{21 * ms, cancel, nothing},
		}},
		{"cancelled in backoff: what the last attempt came to", backoff, []step{
			{0, start(never), send(1, 20*ms)},
			{5 * ms, result(1, Refused), wait(15 * ms)},
			{6 * ms, cancel, done(Refused)},
			{15 * ms, timer, nothing},
		}},
		{"cancelled before it began", again, []step{
			{0, cancel, nothing},
			{0, start(never), send(1, 20*ms)},
		}},
		{"started again", again, []step{
			{0, start(100 * ms), send(1, 20*ms)},
			{1 * ms, result(1, Error), send(2, 21*ms)},
			{2 * ms, result(2, OK), done(OK)},
			{200 * ms, start(never), send(1, 220*ms)},
			{220 * ms, timer, leave(1, send(2, 240*ms))},
			{240 * ms, timer, leave(2, send(3, 260*ms))},
			{260 * ms, timer, leave(3, done(Timeout))},
		}},
		{"backoffs grow", Rule{Timeout: 20 * ms, Attempts: 4, RetryOn: Set(Error), Backoff: Backoff{Kind: Exponential, Base: 10 * ms, Max: 35 * ms}}, []step{
			{0, start(never), send(1, 20*ms)},
			{0, result(1, Error), wait(10 * ms)},
			{10 * ms, timer, send(2, 30*ms)},
			{10 * ms, result(2, Error), wait(30 * ms)},
			{30 * ms, timer, send(3, 50*ms)},
			{30 * ms, result(3, Error), wait(65 * ms)},
		}},
		{"a backoff beyond all time is waited for, and not skipped", Rule{Attempts: 9, RetryOn: Set(Error), Backoff: Backoff{Kind: Constant, Base: math.MaxInt64}}, []step{
			{5 * ms, start(never), send(1, 0)},
			{6 * ms, result(1, Error), wait(math.MaxInt64)},
			{7 * ms, timer, nothing},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, &Terms{Rule: &test.rule}, test.steps)
		})
	}
}

func TestCallWithBudget(t *testing.T) {
	rule := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Error, Timeout), Backoff: Backoff{Kind: Constant, Base: 10 * ms}}
	for _, test := range []struct {
		name   string
		tokens int // whole ones, before
		steps  []step
		after  int64 // thousandths
	}{
		{"a retry costs one", 3, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{11 * ms, timer, send(2, 31*ms)},
			{31 * ms, timer, leave(2, done(Timeout))},
		}, 2000},
		{"as soon as it waits", 3, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
		}, 2000},
		{"with none left nothing is retried", 0, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}, 0},
		{"cancelled in backoff, it gives its token back", 3, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{2 * ms, cancel, done(Error)},
		}, 3000},
		{"cancelled in flight, what was sent was sent", 3, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{11 * ms, timer, send(2, 31*ms)},
			{12 * ms, cancel, leave(2, done(Timeout))},
		}, 2000},
		{"woken after its deadline, it gives its token back", 3, []step{
			{0, start(40 * ms), send(1, 20*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{40 * ms, timer, done(Deadline)},
		}, 3000},
		{"a retry that would not fit takes none", 3, []step{
			{0, start(30 * ms), send(1, 20*ms)},
			{1 * ms, result(1, Error), done(Error)},
		}, 3000},
		{"nor does one that the rule forbids", 3, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, result(1, Refused), done(Refused)},
		}, 3000},
		{"nor does a request that finds no time", 3, []step{
			{9 * ms, start(9 * ms), done(Deadline)},
		}, 3000},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := drained(0, 0)
			b.add(int64(test.tokens) * token)
			play(t, &Terms{Rule: &rule, Budget: b}, test.steps)
			if got := b.Tokens(); got != test.after {
				t.Errorf("it leaves %d thousandths of a token, want %d", got, test.after)
			}
		})
	}
}

func TestDecorrelatedWaitsGrowOnTheLast(t *testing.T) {
	rule := Rule{Attempts: 3, RetryOn: Set(Error), Backoff: Backoff{Kind: Constant, Base: 100 * ms}, Jitter: Decorrelated}
	stream := rng.Named(1, "jitter").Stream()
	terms := &Terms{Rule: &rule, Jitter: &stream}
	var c Call
	for range 1000 {
		c.Start(terms, 0, NoDeadline)
		first := c.Result(terms, 0, 1, Error).Timer
		c.Timer(terms, first)
		second := c.Result(terms, 0, 2, Error).Timer
		if second > 3*first {
			t.Fatalf("a wait of %v after one of %v, want up to three times that", second, first)
		}
		if second > 600*ms {
			return // beyond what the base alone would give
		}
		c.Cancel(terms, 0)
	}
	t.Error("no second wait was longer than 600 ms, where up to 900 ms are right")
}

func TestAttempt(t *testing.T) {
	rule := Rule{Attempts: 2, RetryOn: Set(Error), Backoff: Backoff{Kind: Constant, Base: ms}}
	terms := &Terms{Rule: &rule}
	var c Call
	for i, want := range []int{0, 1, 1, 2} {
		if got := c.Attempt(); got != want {
			t.Errorf("after %d events %d attempts were sent, want %d", i, got, want)
		}
		switch i {
		case 0:
			c.Start(terms, 0, NoDeadline)
		case 1:
			c.Result(terms, 0, 1, Error)
		case 2:
			c.Timer(terms, ms)
		}
	}
}

// answer is what a far side does with an attempt: it answers after a while.
type answer struct {
	after time.Duration
	o     Outcome
}

// told is one thing that a call did.
type told struct {
	at time.Duration
	Actions
}

// stage plays calls against given answers, in the order of time. Answers come even to attempts that were given up.
type stage struct {
	now    time.Duration
	events []planned
}

type planned struct {
	at time.Duration
	do func(now time.Duration)
}

func (st *stage) plan(at time.Duration, do func(now time.Duration)) {
	st.events = append(st.events, planned{at, do})
}

func (st *stage) play() {
	for len(st.events) > 0 {
		first := 0
		for i, e := range st.events {
			if e.at < st.events[first].at {
				first = i
			}
		}
		e := st.events[first]
		st.events = slices.Delete(st.events, first, first+1)
		st.now = max(st.now, e.at)
		e.do(st.now)
	}
}

// enact has a call's actions performed, and watched.
func (st *stage) enact(c *Call, t *Terms, a Actions, answers func(attempt int) answer, watch func(told)) {
	if a == (Actions{}) {
		return
	}
	watch(told{st.now, a})
	if a.Timer > 0 {
		st.plan(a.Timer, func(now time.Duration) { st.enact(c, t, c.Timer(t, now), answers, watch) })
	}
	if a.Send > 0 {
		ans := answers(int(a.Send))
		st.plan(st.now+ans.after, func(now time.Duration) { st.enact(c, t, c.Result(t, now, int(a.Send), ans.o), answers, watch) })
	}
}

func drawRule(t *rapid.T) Rule {
	return Rule{
		Timeout:  time.Duration(rapid.IntRange(0, 50).Draw(t, "timeout")) * ms,
		Attempts: rapid.IntRange(0, 6).Draw(t, "attempts"),
		RetryOn:  Outcomes(rapid.Uint16Range(0, 1<<outcomes-1).Draw(t, "retry on")),
		Backoff: Backoff{
			Kind: BackoffKind(rapid.IntRange(0, 3).Draw(t, "backoff")),
			Base: time.Duration(rapid.IntRange(0, 40).Draw(t, "base")) * ms,
			Max:  time.Duration(rapid.IntRange(0, 60).Draw(t, "max")) * ms,
		},
	}
}

func drawDeadline(t *rapid.T) time.Duration {
	if rapid.Bool().Draw(t, "bound") {
		return time.Duration(rapid.IntRange(0, 300).Draw(t, "deadline")) * ms
	}
	return NoDeadline
}

// Answers fall between the milliseconds, so that no answer comes at the very instant of a timer.
func drawAnswers(t *rapid.T) []answer {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) answer {
		return answer{
			after: time.Duration(rapid.IntRange(0, 60).Draw(t, "after"))*ms + 1,
			o:     Outcome(rapid.IntRange(0, int(outcomes)-1).Draw(t, "outcome")),
		}
	}), 6, 6).Draw(t, "answers")
}

// twin tells the same as a Call does, as one loop that looks into the future.
func twin(r Rule, now, deadline time.Duration, answers []answer) (tale []told) {
	if now >= deadline {
		return []told{{now, done(Deadline)}}
	}
	tale = []told{{now, send(1, 0)}}
	base := r.Backoff.Base
	for n := 1; ; n++ {
		patience := deadline - now
		if r.Timeout > 0 {
			patience = min(patience, r.Timeout)
		}
		last := &tale[len(tale)-1]
		if patience < NoDeadline-now {
			last.Timer = now + patience
		}
		ans, left := answers[n-1], 0
		if patience < ans.after {
			ans, left = answer{patience, Timeout}, n
		}
		now += ans.after
		var wait time.Duration
		switch r.Backoff.Kind {
		case Constant:
			wait = base
		case Linear:
			wait += base * time.Duration(n)
		case Exponential:
			wait = []time.Duration{base, 2 * base, 4 * base, 8 * base, 16 * base}[min(n, 5)-1]
		}
		if r.Backoff.Max > 0 && wait > r.Backoff.Max {
			wait = r.Backoff.Max
		}
		needs := wait + r.Timeout
		if r.Timeout == 0 {
			needs = wait + 1
		}
		again := ans.o != OK && ans.o != Open && ans.o != Deadline && r.RetryOn.Has(ans.o) && n < r.Attempts &&
			(deadline == NoDeadline || now+needs <= deadline)
		switch {
		case !again:
			return append(tale, told{now, Actions{GivenUp: GivenUp{Abandon: uint16(left)}, Ending: Ending{Done: true, Outcome: ans.o}}})
		case wait == 0:
			tale = append(tale, told{now, Actions{GivenUp: GivenUp{Abandon: uint16(left)}, Sending: Sending{Send: uint16(n + 1)}}})
		default:
			tale = append(tale, told{now, Actions{GivenUp: GivenUp{Abandon: uint16(left)}, Timer: now + wait}}, told{now + wait, send(n+1, 0)})
			now += wait
		}
	}
}

func TestCallAgreesWithAPlainLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, deadline, answers := drawRule(t), drawDeadline(t), drawAnswers(t)
		from := time.Duration(rapid.IntRange(0, 320).Draw(t, "start")) * ms
		var tale []told
		terms := &Terms{Rule: &r}
		var c Call
		st := stage{now: from}
		st.enact(&c, terms, c.Start(terms, from, deadline), func(n int) answer { return answers[n-1] }, func(what told) { tale = append(tale, what) })
		st.play()
		if want := twin(r, from, deadline, answers); !slices.Equal(tale, want) {
			t.Fatalf("%+v started at %v, deadline %v, answers %v:\nit did %+v\nwant   %+v", r, from, deadline, answers, tale, want)
		}
	})
}

// Whatever the rule, the far side, jitter and cancels do.
func TestCallKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, deadline, answers := drawRule(t), drawDeadline(t), drawAnswers(t)
		r.Jitter = Jitter(rapid.IntRange(0, 3).Draw(t, "jitter"))
		stream := rng.Named(rapid.Uint64().Draw(t, "seed"), "jitter").Stream()
		terms := &Terms{Rule: &r, Jitter: &stream}
		var c Call
		var st stage
		var sent, ends int
		watch := func(what told) {
			if ends > 0 {
				t.Fatalf("at %v, after its end: %+v", what.at, what.Actions)
			}
			if what.Timer != 0 && what.Timer <= what.at {
				t.Fatalf("at %v it wants to be woken at %v, which is no later", what.at, what.Timer)
			}
			if what.Timer > deadline {
				t.Fatalf("it wants to be woken at %v, and its deadline is %v", what.Timer, deadline)
			}
			if what.Send > 0 {
				sent++
				if int(what.Send) != sent {
					t.Fatalf("attempt %d comes as number %d", sent, what.Send)
				}
				if what.at >= deadline {
					t.Fatalf("sent at %v, and its deadline is %v", what.at, deadline)
				}
				if sent > 1 && deadline-what.at < r.Timeout {
					t.Fatalf("a retry is sent at %v with a timeout of %v; its deadline is %v", what.at, r.Timeout, deadline)
				}
			}
			if what.Done {
				ends++
			}
		}
		if rapid.Bool().Draw(t, "cancel") {
			st.plan(time.Duration(rapid.IntRange(0, 300).Draw(t, "cancel at"))*ms, func(now time.Duration) {
				st.enact(&c, terms, c.Cancel(terms, now), nil, watch)
			})
		}
		st.enact(&c, terms, c.Start(terms, 0, deadline), func(n int) answer { return answers[n-1] }, watch)
		st.play()
		if ends != 1 {
			t.Errorf("it ended %d times", ends)
		}
		if most := max(r.Attempts, 1); sent > most {
			t.Errorf("%d attempts were sent, and the rule allows %d", sent, most)
		}
	})
}

func TestCallAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, oneCall()); n != 0 {
		t.Errorf("a call with a retry allocates %v times, want 0", n)
	}
}

func BenchmarkCall(b *testing.B) {
	call := oneCall()
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
}

// oneCall is a call that times out once, backs off, and is answered.
func oneCall() func() {
	rule := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Timeout), Backoff: Backoff{Kind: Exponential, Base: 10 * ms}, Jitter: FullJitter}
	stream := rng.Named(1, "jitter").Stream()
	budget := NewBudget(ratio(100, 10))
	terms := &Terms{Rule: &rule, Budget: &budget, Jitter: &stream}
	var c Call
	now := time.Duration(0)
	return func() {
		a := c.Start(terms, now, now+s)
		for !a.Done {
			if a.Send == 2 {
				a = c.Result(terms, now, 2, OK)
			} else {
				now = a.Timer
				a = c.Timer(terms, now)
			}
		}
	}
}

// BenchmarkPlainCall is a call whose first attempt is answered, under a budget of the ratio kind.
func BenchmarkPlainCall(b *testing.B) {
	rule := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Refused)}
	budget := NewBudget(ratio(10, 0))
	terms := &Terms{Rule: &rule, Budget: &budget}
	var c Call
	now := time.Duration(0)
	b.ReportAllocs()
	for b.Loop() {
		now += ms
		c.Start(terms, now, now+300*ms)
		c.Result(terms, now+ms, 1, OK)
	}
}
