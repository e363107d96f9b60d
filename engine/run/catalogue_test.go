//go:build !js

package run_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// The catalogue: what its answers say is what its runs come to, number by number.

// figures is what the numbers of each answer are, in the order in which they stand there. Where it is not the number to
// the digit, chance is in it: of exponential services, of Poisson arrivals, of jitter.
var figures = map[string][]figure{
	"two-service": {badSeconds, rate, triesOfB, rate.times(triesOfB)},
	"slow": {perS(10, 30, served("b")), queue("b", 29).less(queue("b", 9)).per(just(20)),
		perS(10, 30, answered), perS(10, 30, arrived)},
	"slow-retries": {perS(10, 30, sent("b")).per(perS(10, 30, arrived)), median, median.in("slow"), ok.less(ok.in("slow"))},
	"slow-backoff": {perS(10, 30, sent("b")).per(perS(10, 30, arrived)).about(0.1), ok.less(ok.in("slow")), median.about(0.1)},
	"slow-budget":  {load("b"), queue("b", 29), queue("b", 29).in("slow-retries")},

	"recovery-no-retries": {badSeconds},
	"recovery":            {badSeconds, badSeconds.in("recovery-no-retries")},
	"recovery-budget":     {badSeconds, load("b").about(0.01)},
	"recovery-100ms": {badSeconds.in("recovery"), rate, triesOfB, rate.times(triesOfB),
		set("dependencies.b.service.mean").thousand(), can("b"), duration.less(mended)},
	"breaker": {openFor, badSeconds, badSeconds.in("recovery-no-retries"),
		report(func(r metrics.Report) float64 { return r.Series[7].P99S }), set("policy.calls.b.timeout")},

	"herd":        {ok.per(just(2)), requests.per(just(2)), slotsOfB.plus(set("dependencies.b.queue_limit")), load("b")},
	"herd-jitter": {ok.per(just(2)), requests.per(just(2)), load("b").about(0.1)},

	"flaky-no-retries": {ok.per(requests).percent().about(3)},
	"flaky":            {ok.per(requests).percent().about(0.3), load("b").about(0.04)},

	"lost-order":          {total("b", stored), requests},
	"idempotency-key":     {total("b", stored), total("b", attempts)},
	"double-click":        {total("b", stored), requests},
	"double-click-lookup": {total("b", stored), requests},
	"hidden-retries":      {longest, total("cache", attempts), set("policy.calls.cache_get.library.timeout")},
	"hidden-retries-nested": {longest.about(2), set("policy.calls.cache_get.attempts"),
		set("policy.calls.cache_get.library.attempts"), total("cache", attempts)},

	"pastebin": {set("operations.read.rate"), busy("primary").about(1)},
	"healthy": {set("operations.read.rate"), set("operations.create.rate"),
		slowest.thousand().about(2), busy("primary").about(1)},
	"blip":         {badSeconds, load("primary")},
	"blip-retries": {duration.less(mended), perS(30, 34, sent("primary")).per(perS(30, 34, sentFirst("primary"))), readsFail(30, 34).about(1)},
	"blip-backoff": {duration.less(mended), perS(30, 34, sent("primary")).per(perS(30, 34, sentFirst("primary")))},

	"slow-primary":          {badSeconds, total("primary", mostWait).about(40)},
	"slow-primary-no-limit": {outlasts.about(0.6), total("primary", mostWait).about(2000), badSeconds.about(1)},
	"slow-bucket":           {longestOf("read"), longestOf("create"), outlasts.about(0.1)},
	"cold-edge":             {perS(3, 5, sent("primary")).per(can("primary")).percent().about(2), readsFail(3, 5).about(1), outlasts.about(0.1)},

	"slow-cache":           {perS(2, 3, sent("primary")).about(250), perS(0, 1, sent("primary")).about(250), badSeconds},
	"cache-breaker":        {perS(2, 3, sent("primary")).about(400), can("primary"), readsFail(2, 3).about(7)},
	"primary-down":         {perS(1, 12, sent("primary")).about(150), set("policy.calls.primary_read.attempts")},
	"primary-down-breaker": {perS(1, 6, sent("primary")).times(openFor).per(processes), openFor, processes},

	"put-timeout": {failed.about(10), longest, shed.about(10), total("bucket", orphans).about(10), total("bucket", reaped).about(10)},

	"hedging":      {load("primary"), readsFail(0, 4)},
	"hedging-late": {load("primary").about(0.01)},

	"layers":     {total("primary", attempts), set("policy.balancer.attempts"), set("policy.calls.primary_read.attempts"), set("operations.read.client.attempts")},
	"layers-one": {total("primary", attempts)},

	"deadline":      {late, requests},
	"deadline-lost": {late, requests, load("bucket")},

	"ten-times":         {perS(2, 3, sent("primary")).about(1000)},
	"ten-times-retries": {duration.less(mended), perS(2, 3, sent("primary")).about(5000), can("primary")},

	"goodput-collapse":  {perS(10, 30, answered), perS(10, 30, arrived), busy("b")},
	"goodput-lifo":      {perS(10, 30, answered), perS(10, 30, arrived), median},
	"goodput-queue-age": {perS(10, 30, answered), perS(10, 30, arrived), median},

	"pool-exhaustion":    {readsFail(3, 7).about(1), set("processes.cap.read").times(processes), set("policy.calls.object_get.timeout")},
	"pool-short-timeout": {set("policy.calls.object_get.timeout").thousand()},

	"cache-stampede": {total("b", attempts).per(badSeconds), slotsOfB, total("b", timedOut).per(badSeconds), total("b", attempts).per(badSeconds)},

	"gc-spiral": {duration.less(mended), can("b").per(just(1).plus(set("dependencies.b.service.load"))), slotsOfB,
		perS(25, 30, served("b")), perS(25, 30, arrived)},
	"gc-spiral-bounded": {outlasts, slotsOfB.plus(total("b", mostWait)), total("b", refused)},

	"sinkhole":             {fail(5, 8), openFor, processes.less(total("b", opened)), processes},
	"sinkhole-round-robin": {fail(5, 8), openFor},

	"metastable":            {duration.less(mended), rate, triesOfB, rate.times(triesOfB), can("b")},
	"metastable-no-retries": {badSeconds},

	"queue": {set("dependencies.q.slots"), busy("q").about(2), just(1000 * erlangC(8, 6) / (80 - 60)),
		set("dependencies.q.service.mean").thousand(), report(func(r metrics.Report) float64 { return 1000 * r.Dependencies["q"].WaitS.Mean })},
}

var number = regexp.MustCompile(`[0-9]+(,[0-9]{3})*(\.[0-9]+)?`)

func TestAnswersAreWhatTheRunsComeTo(t *testing.T) {
	for _, e := range scenario.List() {
		t.Run(e.ID, func(t *testing.T) {
			c := played(t, e.ID)
			written := number.FindAllString(e.Answer, -1)
			if len(written) == 0 || len(written) != len(figures[e.ID]) {
				t.Fatalf("the answer has %d numbers, and there are %d figures of the run: %s", len(written), len(figures[e.ID]), e.Answer)
			}
			for i, text := range written {
				want, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
				if err != nil {
					t.Fatal(err)
				}
				f := figures[e.ID][i]
				_, decimals, _ := strings.Cut(text, ".")
				rounding := 0.5 * math.Pow10(-len(decimals))
				if got := f.of(c); !(math.Abs(got-want) <= max(f.within, rounding)+1e-9) {
					t.Errorf("number %d of the answer is %s, and the run has %.5g: %s", i+1, text, got, e.Answer)
				}
			}
			// What is said without a number.
			ends := func() bool { return c.rep.RecoveryS != nil && *c.rep.RecoveryS <= 0.2 }
			for phrase, holds := range map[string]func() bool{
				"no end in sight":        func() bool { return c.rep.RecoveryS == nil },
				"When its cause is:":     ends,
				"it ends with its cause": ends,
				"Hardly anybody:":        func() bool { return readsShed.of(c) < 0.5 },
				"hardly one fails":       func() bool { return ok.of(c) >= 0.9999*requests.of(c) },
				"none fails":             func() bool { return c.rep.Requests.OK == c.rep.Requests.Offered },
			} {
				if strings.Contains(e.Answer, phrase) && !holds() {
					t.Errorf("it is said %q, and of %d requests %d were in time, and it outlasts its cause by %s s", phrase, c.rep.Requests.Offered, c.rep.Requests.OK, show(c.rep.RecoveryS))
				}
			}
		})
	}
}

// The two of a pair are on the very same traffic, so that what tells them apart is what the question is about.
func TestCatalogueComparesPairs(t *testing.T) {
	for _, e := range scenario.List() {
		if e.Against == "" {
			continue
		}
		if err := run.SameTraffic(with(t, e.ID), with(t, e.Against)); err != nil {
			t.Errorf("%s against %s: %v", e.ID, e.Against, err)
		}
	}
}

// The first of the catalogue is on a knife's edge, as its answer says: whether it ends is luck.
func TestTwoServiceIsLuck(t *testing.T) {
	spread, err := run.Seeds(with(t, "two-service"), 20, nil)
	if err != nil {
		t.Fatal(err)
	}
	if spread.NeverShare < 0.1 || spread.NeverShare > 0.9 || spread.BadSeconds.Min != 0 {
		t.Errorf("%.2f of 20 seeds never end, and the fewest bad seconds are %v; want some of both", spread.NeverShare, spread.BadSeconds.Min)
	}
}

// What the page says of it beside the picture is so.
func TestTheKnifesEdgeOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../web/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for mean, says := range map[string]string{"100ms": "of the first hundred seeds %.0f are in it to the last second", "97ms": "let B need 97 ms instead of 100, and %.0f are"} {
		spread, err := run.Seeds(with(t, "two-service", "dependencies.b.service.mean", mean), 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(says, 100*spread.NeverShare); !strings.Contains(string(text), want) {
			t.Errorf("the page doesn't say: %s", want)
		}
	}
}

// The storm of metastable ends when somebody turns the retries off: the queue is worked off, and nothing fills it again.
func TestTheWayOutOfAStorm(t *testing.T) {
	l, err := scenario.ParseLink("#v1/metastable?20s@policy.calls.b.attempts=1")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := run.Do(l.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	if rep.RecoveryS == nil || *rep.RecoveryS < 15 {
		t.Errorf("it outlasts its cause by %s s, want that it does until 20 s and ends", show(rep.RecoveryS))
	}
}
