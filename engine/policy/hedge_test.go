package policy

import (
	"testing"

	"stormbin/engine/rng"
)

// hedge is a second attempt beside the first.
func hedge(a Actions) Actions {
	a.Hedge = true
	return a
}

// beat is an end that has one attempt win over n.
func beat(n int, a Actions) Actions {
	a.Beaten = uint16(n)
	return a
}

// leaveBoth leaves two attempts behind at one instant.
func leaveBoth(n, m int, a Actions) Actions {
	a.Abandon, a.AbandonToo = uint16(n), uint16(m)
	return a
}

func TestHedge(t *testing.T) {
	const never = NoDeadline
	rule := Rule{Timeout: 20 * ms, Attempts: 1, HedgeAfter: 5 * ms}
	again := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Error, Timeout), HedgeAfter: 5 * ms}
	backoff := again
	backoff.Backoff = Backoff{Kind: Constant, Base: 10 * ms}
	growing := again
	growing.Attempts, growing.Backoff = 3, Backoff{Kind: Exponential, Base: 10 * ms}

	for _, test := range []struct {
		name  string
		rule  Rule
		steps []step
	}{
		{"an answer in time: no hedge", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{4 * ms, result(1, OK), done(OK)},
			{5 * ms, timer, nothing},
		}},
		{"the first answers first", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(1, OK), beat(2, done(OK))},
			{8 * ms, result(2, OK), nothing},
			{20 * ms, timer, nothing},
		}},
		{"the hedge answers first", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(2, OK), beat(1, done(OK))},
		}},
		{"each has a timeout of its own", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{20 * ms, timer, leave(1, wait(25*ms))},
			{21 * ms, result(1, OK), nothing},
			{24 * ms, result(2, OK), done(OK)},
		}},
		{"both time out", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{20 * ms, timer, leave(1, wait(25*ms))},
			{25 * ms, timer, leave(2, done(Timeout))},
		}},
		{"both at one instant, since both are bound by the deadline", rule, []step{
			{0, start(12 * ms), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 12*ms))},
			{12 * ms, timer, leaveBoth(1, 2, done(Timeout))},
		}},
		{"both at one instant, since the driver woke it late", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{30 * ms, timer, leaveBoth(1, 2, send(3, 35*ms))},
		}},
		{"a bad answer of the first, while the hedge is waited for", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(1, Refused), wait(25 * ms)},
			{7 * ms, result(1, OK), nothing},
			{9 * ms, result(2, OK), done(OK)},
		}},
		{"a bad answer of the hedge, while the first is waited for", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(2, Refused), wait(20 * ms)},
			{9 * ms, result(1, OK), done(OK)},
		}},
		{"both fail: the last one says whether there is another try, and that may be hedged too", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(2, Refused), wait(20 * ms)},
			{8 * ms, result(1, Error), send(3, 13*ms)},
			{13 * ms, timer, hedge(send(4, 28*ms))},
			{14 * ms, result(3, Error), wait(33 * ms)},
			{15 * ms, result(4, Error), done(Error)},
		}},
		{"both fail, and the last one's outcome is not retried", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{7 * ms, result(1, Error), wait(25 * ms)},
			{8 * ms, result(2, Refused), done(Refused)},
		}},
		{"the first fails at once: it is retried, not hedged", backoff, []step{
			{0, start(never), send(1, 5*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{5 * ms, timer, nothing},
			{11 * ms, timer, send(2, 16*ms)},
			{16 * ms, timer, hedge(send(3, 31*ms))},
			{17 * ms, result(3, OK), beat(2, done(OK))},
		}},
		{"a hedge is not a try: both of two are left", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{20 * ms, timer, leave(1, wait(25*ms))},
			{25 * ms, timer, leave(2, send(3, 30*ms))},
			{26 * ms, result(3, Error), done(Error)},
		}},
		{"nor a retry: the backoff after it is the first", growing, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{6 * ms, result(1, Error), wait(25 * ms)},
			{6 * ms, result(2, Error), wait(16 * ms)},
			{16 * ms, timer, send(3, 21*ms)},
			{16 * ms, result(3, Error), wait(36 * ms)},
		}},
		{"later than the timeout is never", Rule{Timeout: 20 * ms, HedgeAfter: 30 * ms}, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},
		{"with the timeout is too late", Rule{Timeout: 20 * ms, HedgeAfter: 20 * ms}, []step{
			{0, start(never), send(1, 20*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},
		{"a driver that wakes it when the first has timed out sends no hedge", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{20 * ms, timer, leave(1, done(Timeout))},
		}},
		{"the deadline comes before the hedge", rule, []step{
			{0, start(5 * ms), send(1, 5*ms)},
			{5 * ms, timer, leave(1, done(Timeout))},
		}},
		{"no timeout, no deadline: the hedge is all there is to wake up for", Rule{HedgeAfter: 5 * ms}, []step{
			{0, start(never), send(1, 5*ms)},
			{5*ms - 1, timer, nothing},
			{5 * ms, timer, hedge(send(2, 0))},
			{3600 * s, timer, nothing},
			{3600 * s, result(2, OK), beat(1, done(OK))},
		}},
		{"as good as at once", Rule{HedgeAfter: 1}, []step{
			{0, start(never), send(1, 1)},
			{1, timer, hedge(send(2, 0))},
		}},
		{"cancelled with both in flight", rule, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{6 * ms, cancel, leaveBoth(1, 2, done(Timeout))},
			{7 * ms, result(1, OK), nothing},
			{7 * ms, result(2, OK), nothing},
			{20 * ms, timer, nothing},
		}},
		{"cancelled with the hedge alone in flight", again, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{6 * ms, result(1, Error), wait(25 * ms)},
			{7 * ms, cancel, leave(2, done(Timeout))},
		}},
		{"a bad answer, and never a timer", Rule{HedgeAfter: 5 * ms}, []step{
			{0, start(never), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 0))},
			{6 * ms, result(1, Error), nothing},
			{7 * ms, result(2, OK), done(OK)},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, &Terms{Rule: &test.rule}, test.steps)
		})
	}
}

func TestHedgeIsPaidFor(t *testing.T) {
	rule := Rule{Timeout: 20 * ms, Attempts: 1, HedgeAfter: 5 * ms}
	for _, test := range []struct {
		name   string
		tokens int
		steps  []step
		after  int64 // thousandths
	}{
		{"like a retry", 3, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
		}, 2000},
		{"even if it loses", 3, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{6 * ms, result(1, OK), beat(2, done(OK))},
		}, 2000},
		{"with no token the try goes on without it", 0, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{5 * ms, timer, wait(20 * ms)},
			{6 * ms, timer, nothing},
			{20 * ms, timer, leave(1, done(Timeout))},
		}, 0},
		{"not sent, not paid", 3, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{4 * ms, result(1, OK), done(OK)},
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

func TestRetryAfter(t *testing.T) {
	backoff := Rule{Timeout: 20 * ms, Attempts: 3, RetryOn: Set(Shed), Backoff: Backoff{Kind: Constant, Base: 10 * ms}}
	atOnce := Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Shed)}
	hedged := atOnce
	hedged.HedgeAfter = 5 * ms
	for _, test := range []struct {
		name  string
		rule  Rule
		steps []step
	}{
		{"comes before the backoff", backoff, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, shed(1, 50*ms), wait(61 * ms)},
			{61 * ms, timer, send(2, 81*ms)},
			{62 * ms, shed(2, 0), wait(72 * ms)},
		}},
		{"is waited for without a backoff too", atOnce, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, shed(1, 50*ms), wait(51 * ms)},
			{51 * ms, timer, send(2, 71*ms)},
			{52 * ms, shed(2, 50*ms), done(Shed)},
		}},
		{"of nothing is at once", atOnce, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, shed(1, 0), send(2, 21*ms)},
		}},
		{"the last moment at which it fits", backoff, []step{
			{0, start(80 * ms), send(1, 20*ms)},
			{5 * ms, shed(1, 45*ms), wait(60 * ms)},
			{60 * ms, timer, send(2, 80*ms)},
		}},
		{"a nanosecond longer", backoff, []step{
			{0, start(80 * ms), send(1, 20*ms)},
			{5 * ms, shed(1, 45*ms+1), done(Shed)},
		}},
		{"beyond all time", backoff, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{5 * ms, shed(1, NoDeadline), wait(NoDeadline)},
			{6 * ms, cancel, done(Shed)},
		}},
		{"is heard only by a rule that retries what is shed", Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: Set(Error)}, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, shed(1, 50*ms), done(Shed)},
		}},
		{"of an attempt that was given up", atOnce, []step{
			{0, start(NoDeadline), send(1, 20*ms)},
			{1 * ms, shed(2, 50*ms), nothing},
			{20 * ms, timer, leave(1, done(Timeout))},
			{21 * ms, shed(1, 50*ms), nothing},
		}},
		{"while the twin is waited for", hedged, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{5 * ms, timer, hedge(send(2, 20*ms))},
			{6 * ms, shed(1, 50*ms), wait(25 * ms)},
			{7 * ms, shed(2, 30*ms), wait(37 * ms)},
			{37 * ms, timer, send(3, 42*ms)},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			play(t, &Terms{Rule: &test.rule}, test.steps)
		})
	}
}

// What a server asks for is not what the next backoff grows on.
func TestRetryAfterLeavesTheBackoffAlone(t *testing.T) {
	rule := Rule{Attempts: 3, RetryOn: Set(Shed), Backoff: Backoff{Kind: Constant, Base: 100 * ms}, Jitter: Decorrelated}
	stream := rng.Named(1, "jitter").Stream()
	terms := &Terms{Rule: &rule, Jitter: &stream}
	for range 1000 {
		var c Call
		c.Start(terms, 0, NoDeadline)
		first := c.Shed(terms, 0, 1, 3600*s).Timer - 3600*s
		c.Timer(terms, 3600*s+first)
		if second := c.Shed(terms, 0, 2, 0).Timer; first < 100*ms || second > 3*first {
			t.Fatalf("waits of an hour and %v, then %v, want up to three times that", first, second)
		}
	}
}
