package run_test

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
)

// tale is a story as a teacher would tell it: a question, and what became of it in one run or in a few.
type tale struct {
	title string
	about string // the setting and the question, in two sentences
	acts  []act
	// check holds what makes it this story, so that -update can't quietly turn it into another one.
	check func(t *testing.T, runs []told)
	// point is the ending, with the numbers of the runs.
	point func(runs []told) string
}

// act is one run of a tale: the timeline of one click, or the seconds of a crowd.
type act struct {
	name  string // what is different in this run; empty if it is the only one
	id    string
	set   sets
	watch string // the dependency that a crowd's seconds are told of; empty: it is one click
	show  []int  // the first and the last second to tell, and again
}

//go:embed testdata/stories.txt
var stories string

// TestStories holds the stories in testdata/stories.txt, which are made of nothing but what the runs have shown. After a
// change that is meant, -update (see hash_test.go) rewrites the file; read the difference.
func TestStories(t *testing.T) {
	var b strings.Builder
	fmt.Fprint(&b, wrap("What happened, told from the runs themselves. In a table, a second's users are those who came in it, whenever "+
		"they had their answer; its attempts, refusals and timeouts are those of that second, and the queue is as long as at its end.", "")+"\n")
	for _, tale := range tales {
		fmt.Fprintf(&b, "\n\n%s\n%s\n\n%s\n", tale.title, strings.Repeat("-", len(tale.title)), wrap(tale.about, ""))
		var runs []told
		for _, a := range tale.acts {
			var r told
			if a.watch == "" {
				r = tellClick(t, a)
			} else {
				r = tellCrowd(t, a)
			}
			runs = append(runs, r)
			if a.name != "" {
				fmt.Fprintf(&b, "\n%s:\n", a.name)
			}
			fmt.Fprintf(&b, "\n%s\n", strings.Join(r.lines, "\n"))
		}
		t.Run(tale.title, func(t *testing.T) { tale.check(t, runs) })
		fmt.Fprintf(&b, "\n%s\n", wrap("So: "+tale.point(runs), ""))
	}
	if *update {
		if t.Failed() {
			return // what would be written is another story
		}
		if err := os.WriteFile("testdata/stories.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(stories, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("it is told otherwise (- the file, + what happens):\n%s", diff)
	}
}

// only is a pastebin with a single click of one operation in it, at 0s.
func only(operation string, more ...any) sets {
	set := sets{"duration", "20s"}
	for _, op := range []string{"read", "create", "delete"} {
		set = append(set, "operations."+op+".rate", 0)
	}
	set = append(set, "operations."+operation+".arrivals", "even", "operations."+operation+".rate", 0.04)
	return append(set, more...)
}

// a miss is what the cache has for whoever asks.
var miss = sets{"dependencies.cache.hit_share", 0}

// key has every attempt of an order carry one key.
var key = sets{"policy.calls.b.idempotency_key", true}

// cacheIsSlow is a cache of which three answers in ten take over 5 ms: 8.3 × 0.5 ms is their mean, and exp(−5/4.15) is 0.3.
// It has the slots for it.
var cacheIsSlow = sets{"duration", "13s", "dependencies.cache.hit_share", 0.8, "dependencies.cache.slots", 400,
	"faults", fault("cache", "slow", "3s", "3s", "factor", 8.3)}

func join(all ...sets) sets { return slices.Concat(all...) }

var tales = []tale{
	{
		title: "A blip of two seconds",
		about: "17,400 readers a second come to a pastebin whose primary can do 15,000, and the cache keeps half of them away. " +
			"From second 3 to second 5 the primary gets nothing done: for how long do users feel it?",
		acts: []act{
			{
				name: "A timeout is not retried", id: "pastebin", watch: "primary", show: []int{2, 7},
				set: sets{"duration", "9s", "faults", fault("primary", "stall", "3s", "2s")},
			},
			{
				name: "Everything is tried up to four times", id: "pastebin", watch: "primary", show: []int{2, 7, 35, 36},
				set: join(sets{"duration", "37s", "faults", fault("primary", "stall", "3s", "2s")}, retryEverything),
			},
		},
		check: func(t *testing.T, runs []told) {
			rule, storm := &runs[0].report, &runs[1].report
			between(t, "bad seconds with the rule", rule.BadSeconds, 2, 3)
			near(t, "with the rule, seconds for which it outlasts its cause", runs[0].outlasted(), 0, 0.2)
			if n := rule.Dependencies["bucket"].Orphans; n < 100 || rule.Dependencies["bucket"].Duplicates > 0 {
				t.Errorf("the rule leaves %d orphans, want the texts of the creates whose row was not written", n)
			}
			if !storm.Metastable || storm.Dependencies["primary"].Amplification < 3 {
				t.Errorf("with retries, metastable is %v at %v× the attempts; want it kept alive by its own traffic, over 3×",
					storm.Metastable, storm.Dependencies["primary"].Amplification)
			}
		},
		point: func(runs []told) string {
			rule, storm := &runs[0].report, &runs[1].report
			return fmt.Sprintf("the same blip is %d bad seconds, or %d and no end. %.2f attempts for each that was needed are the load that keeps "+
				"the primary down, long after what was wrong with it is mended. The rule has its price: %s creates ended without a link, and "+
				"left their text in the bucket for the reaper.",
				rule.BadSeconds, storm.BadSeconds, storm.Dependencies["primary"].Amplification,
				metrics.Thousands(rule.Dependencies["bucket"].Orphans))
		},
	},
	{
		title: "The primary is slow, not down",
		about: "The primary is a hundred times slower than it should be, then, for the crowd, ten times, from second 3 to second 6. " +
			"A read waits 20 ms for it, and asks it to stop at 25 ms: what does a reader see, and what does the primary do?",
		acts: []act{
			{
				name: "One read that the cache can't answer", id: "pastebin",
				set: join(only("read", "faults", fault("primary", "slow", "0s", "0s", "factor", 100)), miss),
			},
			{
				name: "The crowd", id: "pastebin", watch: "primary", show: []int{2, 7},
				set: sets{"duration", "9s", "policy.breaker.enabled", true, "policy.breaker.targets", []string{"primary"},
					"faults", fault("primary", "slow", "3s", "3s", "factor", 10)},
			},
		},
		check: func(t *testing.T, runs []told) {
			one, crowd := &runs[0], &runs[1].report
			sent := one.when(model.Sent, "primary")
			if at := one.when(model.TimedOut, "primary"); at != sent+20*time.Millisecond || one.when(model.Failure, "") != at {
				t.Errorf("the process gives up at %v and its user fails at %v, want both 20 ms after %v", at, one.when(model.Failure, ""), sent)
			}
			if at := one.when(model.Killed, "primary"); at != sent+25*time.Millisecond {
				t.Errorf("the statement is stopped at %v, want 25 ms after %v", at, sent)
			}
			if p := crowd.Dependencies["primary"]; p.Opened != 0 || p.Timeouts < 10_000 || p.Retries != 0 {
				t.Errorf("the crowd's primary has %+v, want timeouts, no retries, and no breaker that opens", p)
			}
			near(t, "seconds for which it outlasts its cause", runs[1].outlasted(), 0, 0.2)
		},
		point: func(runs []told) string {
			one, crowd := &runs[0], &runs[1].report
			p := crowd.Dependencies["primary"]
			return fmt.Sprintf("a reader has a 503 %s after the primary was asked, and %s later that work is stopped, so "+
				"that its slot is free for another. In the crowd there were %s timeouts and %d retries, the breaker opened %d times, as "+
				"whoever is slow refuses nothing, and the trouble outlasted its cause by %.1f s.",
				span(one.when(model.TimedOut, "primary")-one.when(model.Sent, "primary")),
				span(one.when(model.Killed, "primary")-one.when(model.TimedOut, "primary")),
				metrics.Thousands(p.Timeouts), p.Retries, p.Opened, runs[1].outlasted())
		},
	},
	{
		title: "The bucket is slow",
		about: "The bucket holds the texts; a read gives it 200 ms, and a create one second. It is twenty times slower, or for the " +
			"crowd ten times, from second 3 to second 6: who waits, for how long, and who doesn't notice?",
		acts: []act{
			{
				name: "One read that the cache can't answer", id: "pastebin",
				set: join(only("read", "faults", fault("bucket", "slow", "0s", "5s", "factor", 20)), miss),
			},
			{
				name: "The crowd", id: "pastebin", watch: "bucket", show: []int{2, 7},
				set: sets{"duration", "9s", "faults", fault("bucket", "slow", "3s", "3s", "factor", 10)},
			},
		},
		check: func(t *testing.T, runs []told) {
			one, crowd := &runs[0], &runs[1].report
			if sent, at := one.when(model.Sent, "bucket"), one.when(model.TimedOut, "bucket"); at != sent+200*time.Millisecond {
				t.Errorf("the process gives up on the bucket at %v, want 200 ms after %v", at, sent)
			}
			if n := one.report.Dependencies["bucket"].AbandonedCompleted; n != 1 {
				t.Errorf("the bucket has served %d who had left, want the one", n)
			}
			if p := crowd.Dependencies["primary"]; p.Timeouts > 10 {
				t.Errorf("%d timeouts at the primary, want a bucket's trouble to stay with the bucket", p.Timeouts)
			}
			if row := crowd.Series[4]; row.OK < 8000 || row.Failed < 8000 {
				t.Errorf("in second 4, %d are answered and %d are not; want about half each, the cache's and the bucket's", row.OK, row.Failed)
			}
			near(t, "seconds for which it outlasts its cause", runs[1].outlasted(), 0.7, 0.4)
			if n := crowd.Dependencies["bucket"].AbandonedCompleted; n < 5_000 {
				t.Errorf("the crowd's bucket has served %d who had left, want one that works on for them", n)
			}
		},
		point: func(runs []told) string {
			one, crowd := &runs[0], &runs[1].report
			row := crowd.Series[4]
			return fmt.Sprintf("a cold read has its 503 after %s, and in second 4 the cache still answered %s of %s, who never came to the "+
				"bucket. Of creates the slowest had its answer after %.1f s. The primary saw %d timeouts. But nobody tells the bucket "+
				"that a reader has left: it served %s for nobody, and the trouble outlasted its cause by %.1f s.",
				span(one.when(model.Failure, "")), metrics.Thousands(row.OK), metrics.Thousands(row.Offered),
				crowd.Operations["create"].LatencyS.Max, crowd.Dependencies["primary"].Timeouts,
				metrics.Thousands(crowd.Dependencies["bucket"].AbandonedCompleted), runs[1].outlasted())
		},
	},
	{
		title: "The primary is down",
		about: "From second 3 to second 9 the primary refuses every connection, at once. That is the failure that may be tried again, " +
			"and the one that a breaker is for: what does each of them send to a server that is not there?",
		acts: []act{
			{
				name: "Without a breaker", id: "pastebin", watch: "primary", show: []int{2, 10},
				set: sets{"duration", "15s", "faults", fault("primary", "down", "3s", "6s")},
			},
			{
				name: "With a breaker that opens for refusals, for 5 s, in each of the 23 processes", id: "pastebin", watch: "primary",
				show: []int{2, 14},
				set: sets{"duration", "15s", "faults", fault("primary", "down", "3s", "6s"),
					"policy.breaker.enabled", true, "policy.breaker.targets", []string{"primary"}},
			},
		},
		check: func(t *testing.T, runs []told) {
			bare, kept := &runs[0].report, &runs[1].report
			if n := bare.Series[6].Dependencies["primary"].Attempts; n < 15_000 {
				t.Errorf("without a breaker the primary is asked %d times in second 6, want about twice 8,700", n)
			}
			if n := kept.Series[6].Dependencies["primary"].Attempts; n != 0 {
				t.Errorf("with a breaker the primary is asked %d times in second 6, want not once", n)
			}
			if n := kept.Dependencies["primary"].Opened; n != 2*23 {
				t.Errorf("breakers opened %d times, want twice each, the second time after a probe that was refused", n)
			}
			near(t, "without a breaker, seconds for which it outlasts its cause", runs[0].outlasted(), 0, 0.1)
			near(t, "with a breaker, what is left of the 5 s that it stays open", runs[1].outlasted(), 4, 1)
		},
		point: func(runs []told) string {
			bare, kept := &runs[0].report, &runs[1].report
			var probes int64
			for _, row := range kept.Series[4:9] {
				probes += row.Dependencies["primary"].Attempts
			}
			return fmt.Sprintf("in second 6 the primary is asked %s times, or with a breaker %d; from second 4 to second 8, %d probes are all that "+
				"it gets. The breaker costs something, too: the last probe was refused just before the end, and so the trouble outlasts its "+
				"cause by %.1f s, in place of %.1f s.",
				metrics.Thousands(bare.Series[6].Dependencies["primary"].Attempts), kept.Series[6].Dependencies["primary"].Attempts, probes,
				runs[1].outlasted(), runs[0].outlasted())
		},
	},
	{
		title: "A breaker before the cache",
		about: "The cache answers four of five reads; from second 3 to second 6 it is slow, and three of ten answers take longer than " +
			"the 5 ms that a read waits for it before it asks the primary, which can do 15,000/s. What does a breaker make of that?",
		acts: []act{
			{name: "Without", id: "pastebin", watch: "primary", show: []int{2, 7}, set: cacheIsSlow},
			{
				name: "With a breaker that opens for 5 s when a quarter of the answers are late", id: "pastebin", watch: "primary", show: []int{2, 11},
				set: join(cacheIsSlow, sets{"policy.breaker.enabled", true, "policy.breaker.targets", []string{"cache"},
					"policy.breaker.on", []string{"timeout"}, "policy.breaker.threshold", 0.25}),
			},
		},
		check: func(t *testing.T, runs []told) {
			bare, kept := runs[0].report.Series[5], runs[1].report.Series[5]
			if n := bare.Dependencies["primary"].Attempts; n < 7_000 || n > 9_000 || bare.Failed > 100 || runs[0].report.BadSeconds > 0 {
				t.Errorf("without a breaker: %d a second at the primary, %d fail; want (0.3 + 0.7 × 0.2) × 17,400, and nearly nobody", n, bare.Failed)
			}
			if n := kept.Dependencies["primary"].Attempts; n < 17_000 || kept.Failed < 10_000 {
				t.Errorf("with a breaker: %d a second at the primary, %d fail; want all of the reads, and most of them", n, kept.Failed)
			}
			near(t, "with a breaker, seconds for which it outlasts its cause", runs[1].outlasted(), 2.5, 1)
		},
		point: func(runs []told) string {
			bare, kept := runs[0].report.Series[5], runs[1].report.Series[5]
			n := metrics.Thousands
			return fmt.Sprintf("a cache that is slow for some still keeps the others away. Second 5 has %s attempts at the primary "+
				"and %s failures; with the breaker, %s attempts and %s failures. The breaker made %d bad seconds where there were %d, and "+
				"went on with it for %.1f s after the cache was well.",
				n(bare.Dependencies["primary"].Attempts), n(bare.Failed), n(kept.Dependencies["primary"].Attempts), n(kept.Failed),
				runs[1].report.BadSeconds, runs[0].report.BadSeconds, runs[1].outlasted())
		},
	},
	{
		title: "The PUT that was too late",
		about: "A create puts the text into the bucket, waits at most one second for that, and then writes a row that refers to it. " +
			"The bucket stalls for five seconds: what does the user have, and what is left in the bucket?",
		acts: []act{{id: "pastebin", set: only("create", "faults", fault("bucket", "stall", "0s", "5s"))}},
		check: func(t *testing.T, runs []told) {
			r := &runs[0]
			if at := r.when(model.TimedOut, "bucket"); at != time.Second || r.when(model.Failure, "") != at {
				t.Errorf("the process gives up at %v, its user fails at %v; want both at 1s", at, r.when(model.Failure, ""))
			}
			if r.when(model.Sent, "primary") >= 0 {
				t.Error("a row is written for a text that may not be there")
			}
			b := r.report.Dependencies["bucket"]
			if b.Stored != 1 || b.Orphans != 1 || b.Reaped != 1 || r.report.Jobs["reap"].Made != 1 {
				t.Errorf("stored %d, orphans %d, reaped %d, jobs %+v; want one each", b.Stored, b.Orphans, b.Reaped, r.report.Jobs)
			}
		},
		point: func(runs []told) string {
			r := &runs[0]
			b := r.report.Dependencies["bucket"]
			return fmt.Sprintf("a timeout is not a failure. The user had a 503 at %s, and at %s the text was stored all the same: "+
				"%d orphan. No row was written, the app did not ask twice, and the reaper removed %d.",
				span(r.when(model.Failure, "")), span(r.when(model.Completed, "bucket")), b.Orphans, b.Reaped)
		},
	},
	{
		title: "The row that was not written",
		about: "This time the bucket is well and the primary stalls for 300 ms, while the row is given 50 ms, and 60 ms on the server. " +
			"What does the user have, and what is left?",
		acts: []act{{id: "pastebin", set: only("create", "faults", fault("primary", "stall", "0s", "300ms"))}},
		check: func(t *testing.T, runs []told) {
			r := &runs[0]
			sent := r.when(model.Sent, "primary")
			if gave, killed := r.when(model.TimedOut, "primary"), r.when(model.Killed, "primary"); gave != sent+50*time.Millisecond || killed != sent+60*time.Millisecond {
				t.Errorf("sent at %v, given up on at %v and stopped at %v; want 50 and 60 ms later", sent, gave, killed)
			}
			b, p := r.report.Dependencies["bucket"], r.report.Dependencies["primary"]
			if b.Stored != 1 || b.Orphans != 1 || b.Reaped != 1 || p.Stored != 0 {
				t.Errorf("the bucket has %+v, the primary stored %d; want one text, an orphan, reaped, and no row", b, p.Stored)
			}
		},
		point: func(runs []told) string {
			r := &runs[0]
			b, p := r.report.Dependencies["bucket"], r.report.Dependencies["primary"]
			return fmt.Sprintf("the user had a 500 after %s, and no link. %d text was stored and %d rows, which makes %d orphan; the "+
				"reaper removed %d. The insert was sent %d time: to send it again would have been to guess.",
				span(r.when(model.Failure, "")), b.Stored, p.Stored, b.Orphans, b.Reaped, p.Attempts)
		},
	},
	{
		title: "Deleted twice",
		about: "The primary deletes a row, and its answer is lost. The app does not ask again, but its user does, a second later: " +
			"is that safe?",
		acts: []act{{id: "pastebin", set: only("delete",
			"faults", fault("primary", "lose", "0s", "500ms", "p", 1),
			"operations.delete.client.attempts", 2, "operations.delete.client.retry_on", []string{"error"},
			"operations.delete.client.backoff", map[string]any{"kind": "constant", "base": "1s"})}},
		check: func(t *testing.T, runs []told) {
			r := &runs[0].report
			p := r.Dependencies["primary"]
			if p.Completed != 2 || p.Duplicates != 0 || r.Requests.OK != 1 || r.Requests.Tries != 2 {
				t.Errorf("the primary has %+v, requests %+v; want two deletes done, and one click that is ok with its second try", p, r.Requests)
			}
			for _, name := range []string{"purge", "detach"} {
				if j := r.Jobs[name]; j.Made != 2 || j.Done != 2 {
					t.Errorf("%s: %+v, want one for each time that the row was deleted, and both done", name, j)
				}
			}
		},
		point: func(runs []told) string {
			r := &runs[0].report
			return fmt.Sprintf("the row was deleted %d times for %d click, and that is one row less, whoever asks; each time left the same "+
				"jobs, and the workers did %d, which is as safe. Such a call may be repeated; even so it is load, and here the user "+
				"decided, not the app: it sent %d for each time it was asked.",
				r.Dependencies["primary"].Completed, r.Requests.Offered, r.Jobs["purge"].Done+r.Jobs["detach"].Done,
				r.Dependencies["primary"].Attempts/r.Requests.Tries)
		},
	},
	{
		title: "One click, four orders",
		about: "B stores an order in 100 ms, and every answer is lost on its way; A waits a second, and tries up to four times. " +
			"How many orders are there, and what does the user see?",
		acts: []act{
			{name: "Four attempts", id: "lost-order"},
			{name: "The same, and each attempt carries the click's idempotency key", id: "lost-order", set: key},
		},
		check: func(t *testing.T, runs []told) {
			for i, want := range []struct{ stored, duplicates, repeated int64 }{{4, 3, 0}, {1, 0, 3}} {
				b := runs[i].report.Dependencies["b"]
				if b.Attempts != 4 || b.Stored != want.stored || b.Duplicates != want.duplicates || b.Repeated != want.repeated {
					t.Errorf("run %d: %+v, want four attempts and %+v", i, b, want)
				}
				if runs[i].report.Requests.Failed != 1 {
					t.Errorf("run %d: the user sees no error", i)
				}
			}
		},
		point: func(runs []told) string {
			bare, keyed := runs[0].report.Dependencies["b"], runs[1].report.Dependencies["b"]
			return fmt.Sprintf("%d attempts made %d orders, and with a key %d. The user sees an error after %s either way: a timeout says "+
				"that no answer came, not that nothing happened.",
				bare.Attempts, bare.Stored, keyed.Stored, span(runs[0].when(model.Failure, "")))
		},
	},
	{
		title: "Two clicks at one instant",
		about: "A double click sends the same order twice, with one idempotency key, and nothing is broken. " +
			"Who sees to it that this is one order?",
		acts: []act{
			{name: "A unique constraint on the key", id: "double-click"},
			{name: "A look whether the key is known, when the work begins", id: "double-click", set: sets{"dependencies.b.unique", false}},
		},
		check: func(t *testing.T, runs []told) {
			for i, stored := range []int64{1, 2} {
				if r := &runs[i].report; r.Dependencies["b"].Stored != stored || r.Dependencies["b"].Retries != 0 || r.Requests.OK != 2 {
					t.Errorf("run %d: B has %+v, requests %+v; want %d stored, no retry, two answered", i, r.Dependencies["b"], r.Requests, stored)
				}
			}
		},
		point: func(runs []told) string {
			unique, look := runs[0].report.Dependencies["b"], runs[1].report.Dependencies["b"]
			return fmt.Sprintf("with the constraint %d order, without it %d, and %d retries in either. Both had looked before either had "+
				"stored: the guarantee has to live where two at one time meet, and no rule for trying again can give it.",
				unique.Stored, look.Stored, unique.Retries+look.Retries)
		},
	},
	{
		title: "80 ms lost in the cache",
		about: "A read has 300 ms. A stalled cache eats 80 of them, a connection that the primary refuses once another 20, and then the " +
			"primary is slow. The bucket, stalled as well, is given 200 ms, or what is left if that is less: who is told what is left?",
		acts: []act{
			{name: "Nobody", id: "pastebin", set: join(lost80, sets{"policy.propagate_deadline", false})},
			{name: "Each call", id: "pastebin", set: lost80},
		},
		check: func(t *testing.T, runs []told) {
			apart, together := &runs[0], &runs[1]
			if at := apart.when(model.Failure, ""); at <= 300*time.Millisecond || apart.report.Requests.Late != 1 {
				t.Errorf("not propagated it ends at %v, requests %+v; want it late", at, apart.report.Requests)
			}
			if at := together.when(model.Failure, ""); at != 300*time.Millisecond || together.report.Requests.Failed != 1 {
				t.Errorf("propagated it ends at %v, requests %+v; want a 503 at 300 ms", at, together.report.Requests)
			}
		},
		point: func(runs []told) string {
			apart, together := &runs[0], &runs[1]
			left := func(r *told) string { return span(r.when(model.TimedOut, "bucket") - r.when(model.Sent, "bucket")) }
			return fmt.Sprintf("without the deadline the bucket gets %s, and the answer comes at %s to nobody. With it, the bucket gets "+
				"what is left, %s, and the user has a 503 at %s, while he is still there.",
				left(apart), span(apart.when(model.Failure, "")), left(together), span(together.when(model.Failure, "")))
		},
	},
	{
		title: "Retries that nobody wrote",
		about: "A program asks its cache for one thing, once. The host swallows every packet, and the client library dials up to five " +
			"times, 5 s each, 100 ms apart: when does the program go on?",
		acts: []act{{id: "hidden-retries"}},
		check: func(t *testing.T, runs []told) {
			r := &runs[0]
			if n := r.report.Dependencies["cache"].Attempts; n != 5 {
				t.Errorf("the cache is dialled %d times, want 5", n)
			}
			if at := r.when(model.Failure, ""); at != 25_400*time.Millisecond {
				t.Errorf("it ends at %v, want 25.4s", at)
			}
		},
		point: func(runs []told) string {
			r := &runs[0]
			return fmt.Sprintf("the program's own rule has one attempt, and %d were made: one get took %s. Whoever sets a timeout has to "+
				"know the loop beneath it.", r.report.Dependencies["cache"].Attempts, span(r.when(model.Failure, "")))
		},
	},
}

// lost80 is a read that loses 80 ms in the cache and 20 ms on its way to the primary, before it comes to a bucket that stalls.
var lost80 = join(miss, only("read",
	"policy.calls.cache_get.timeout", "80ms", "policy.calls.primary_read.jitter", "none",
	"faults", slices.Concat(
		fault("cache", "stall", "0s", "1s"), fault("primary", "down", "0s", "90ms"), fault("primary", "slow", "0s", "1s", "factor", 100), fault("bucket", "stall", "0s", "1s"))))
