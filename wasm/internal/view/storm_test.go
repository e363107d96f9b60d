package view

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// watched is a run with what the page reads of it, a few times a second.
type watched struct {
	*run.Run
	snapshot model.Snapshot
	meter    Meter
	numbers  *Numbers
	storm    Storm
}

func watch(t *testing.T, s scenario.Scenario) *watched {
	t.Helper()
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Run: r}
	w.look()
	return w
}

func (w *watched) look() {
	w.Snapshot(&w.snapshot)
	w.numbers = w.meter.Read(&w.snapshot)
	s := w.Settings()
	w.storm.Look(&s, &w.snapshot, w.numbers)
}

func (w *watched) to(end time.Duration) {
	for at := w.Now(); at < end; {
		at = min(at+100*time.Millisecond, end)
		for !w.Advance(at, 1_000_000) {
		}
		w.look()
	}
}

func builtin(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatal("no scenario " + id)
	}
	s.Faults = nil
	return s
}

// eager is s with three retries of every call, at once, whatever went wrong.
func eager(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	for name, c := range s.Policy.Calls {
		c.Attempts, c.RetryOn = 4, []string{"timeout", "error", "refused"}
		c.Backoff, c.Jitter = scenario.Backoff{Kind: "none"}, "none"
		s.Policy.Calls[name] = c
	}
	return s
}

// even has users come at even intervals, so that rates are the same in every second.
func even(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	for name, o := range s.Operations {
		o.Arrivals = "even"
		s.Operations[name] = o
	}
	return s
}

func slowB(at, lasts time.Duration) scenario.Fault {
	return scenario.Fault{At: scenario.Duration(at), For: scenario.Duration(lasts), Target: "b", Kind: "slow", Factor: 8}
}

func TestTheStormOfTwoServices(t *testing.T) {
	s := even(builtin(t, "two-service"))
	s.Faults = []scenario.Fault{slowB(3*time.Second, 3*time.Second)}
	w := watch(t, s)
	w.to(2900 * time.Millisecond)
	if got, want := w.storm.Sum(), "20 calls a second reach B. None of its attempts fails. 20 attempts for the 80 it can do."; got != want {
		t.Errorf("calm: %q, want %q", got, want)
	}
	for i, a := range w.storm.Arrows() {
		if quiet := i == StormTimeOut || i == StormRetries; quiet != (a.Width == 0) && i != StormCeiling {
			t.Errorf("calm: arrow %d is %g wide", i, a.Width)
		}
	}
	if w.storm.Past {
		t.Error("past its ceiling with a quarter of what it can do")
	}

	w.to(5 * time.Second)
	if w.storm.Ceiling != 10 || !w.storm.Past {
		t.Errorf("8× slower: it can do %g a second, past it: %v; want 10 and past", w.storm.Ceiling, w.storm.Past)
	}
	if title := w.storm.Boxes()[StormCeiling].Title; title != "B past its ceiling" {
		t.Errorf("8× slower: %q", title)
	}

	w.to(20 * time.Second) // healthy since 6 s, and at its ceiling with its own retries
	p := &w.numbers.Places[0]
	if w.storm.First != p.First || w.storm.Extra != p.Retries || w.storm.Failing != p.Timeouts {
		t.Errorf("%+v is not what the numbers say: %+v", w.storm, p)
	}
	if got, want := w.storm.Sum(), "20 calls a second reach B. Of 80 attempts that end 80 time out, 100 %. What fails is tried up to 3 more times: 60 extra. "+
		"20 + 60 = 80 attempts for the 80 it can do."; got != want {
		t.Errorf("storm: %q, want %q", got, want)
	}
	if !w.storm.Past {
		t.Error("with four times the load and a queue it is not past its ceiling")
	}
	boxes := w.storm.Boxes()
	if boxes[StormRetries].Title != "3 retries each" || boxes[StormTimeOut].Mood != "alarm" || boxes[StormExtra].Mood != "warm" ||
		boxes[StormCeiling].Mood != "alarm" || boxes[StormCeiling].Title != "B at its ceiling" {
		t.Errorf("the storm reads %+v", boxes)
	}
	if got, want := boxes[StormExtra].Says, "60 on top of 20"; got != want {
		t.Errorf("what is extra: %q, want %q", got, want)
	}
}

// The title over what comes and what it can do says the same of them as those two numbers.
func TestTheCeilingIsToldAsItsNumbersAre(t *testing.T) {
	full := 0
	for _, id := range []string{"recovery", "slow", "flaky", "metastable", "gc-spiral", "blip", "primary-down", "primary-down-breaker", "slow-bucket"} {
		w := watch(t, *find(t, id))
		for at := 100 * time.Millisecond; at <= 8*time.Second; at += 100 * time.Millisecond {
			w.to(at)
			box, more := w.storm.Boxes()[StormCeiling], w.storm.written() > w.storm.Ceiling
			switch {
			case w.storm.Dependency == "":
			case w.storm.Ceiling == 0 && !w.storm.Past && box.Title != TitleStart(w.storm.Dependency)+" serves nobody":
				t.Errorf("%s, %v: %q over %q", id, at, box.Title, box.Says)
			case more && (strings.HasSuffix(box.Title, " below its ceiling") || box.Mood == ""):
				t.Errorf("%s, %v: %q over %q", id, at, box.Title, box.Says)
			case !more && strings.HasSuffix(box.Title, " fills up"):
				t.Errorf("%s, %v: %q over %q", id, at, box.Title, box.Says)
			}
			if strings.HasSuffix(box.Title, " fills up") {
				full++
			}
		}
	}
	if full == 0 {
		t.Error("nothing ever fills up")
	}
}

// If as many attempts fail as end, as they are written, then all do: no decimals that nobody sees say otherwise.
func TestAllIsAHundredPerCent(t *testing.T) {
	s := even(builtin(t, "two-service"))
	s.Faults = []scenario.Fault{slowB(3*time.Second, 3*time.Second)}
	w := watch(t, s)
	all := 0
	for at := 4 * time.Second; at < 15*time.Second; at += 70 * time.Millisecond {
		w.to(at)
		if whole(w.storm.Failing) != whole(w.storm.Ended) {
			continue
		}
		all++
		if said := w.storm.Boxes()[StormTimeOut].Says; said != "100 % of the attempts that end" || !strings.Contains(w.storm.Sum(), " time out, 100 %.") {
			t.Errorf("at %v: %q, %q", at, said, w.storm.Sum())
		}
	}
	if all == 0 {
		t.Error("not once did all of them fail")
	}
}

// A second has failures of attempts that were sent before it. Nothing is said to be a part of less than itself.
func TestNoPartIsLargerThanItsWhole(t *testing.T) {
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	part, of := regexp.MustCompile(`Of ([\d.,]+) attempts? that ends? ([\d.,]+)`), regexp.MustCompile(`of ([\d.,]+) attempts a second, ([\d.,]+) are`)
	earlier := 0 // how often more failed than came
	for _, attempts := range []int{1, 4} {
		s := *withCall(t, find(t, "two-service"), "b", func(c *scenario.Call) { c.Attempts = attempts })
		s.Faults = []scenario.Fault{slowB(3*time.Second, 3*time.Second)}
		w := watch(t, s)
		for at := time.Second; at < 20*time.Second; at += 70 * time.Millisecond {
			w.to(at)
			sum := w.storm.Sum()
			said := sum + " " + Sentence(w.numbers)
			for _, m := range part.FindAllStringSubmatch(sum, -1) {
				if number(m[2]) > number(m[1]) || !strings.Contains(sum, Percent(number(m[2])/number(m[1]))) {
					t.Errorf("at %v: %s", at, said)
				}
			}
			for _, m := range of.FindAllStringSubmatch(said, -1) {
				if number(m[2]) > number(m[1]) {
					t.Errorf("at %v: %s", at, said)
				}
			}
			if whole(w.storm.Failing) > w.storm.written() {
				earlier++
			}
		}
	}
	if earlier == 0 {
		t.Error("not once did more fail than came")
	}
}

// Where each request is one attempt, the diagram says the same share of them fails as the sentence over it does: both are of
// those that ended in the last second.
func TestTheDiagramsShareIsTheSentences(t *testing.T) {
	both := 0
	for _, kind := range []scenario.Fault{
		slowB(3*time.Second, 3*time.Second),
		{Target: "b", Kind: "stall", At: scenario.Duration(3 * time.Second), For: scenario.Duration(2 * time.Second), Factor: 1},
		{Target: "b", Kind: "down", At: scenario.Duration(3 * time.Second), For: scenario.Duration(2 * time.Second), Factor: 1},
		{Target: "b", Kind: "blackhole", At: scenario.Duration(3 * time.Second), For: scenario.Duration(2500 * time.Millisecond), Factor: 1},
	} {
		s := *withCall(t, find(t, "two-service"), "b", func(c *scenario.Call) { c.Attempts = 1 })
		s.Faults = []scenario.Fault{kind}
		w := watch(t, s)
		for at := time.Second; at < 15*time.Second; at += time.Second {
			w.to(at)
			failing := 1 - w.numbers.InTime
			if math.IsNaN(failing) || failing == 0 {
				continue
			}
			if failing < 1 {
				both++
			}
			if says := w.storm.Boxes()[StormTimeOut].Says; !strings.HasPrefix(says, Percent(failing)+" ") || !strings.Contains(w.storm.Sum(), Percent(failing)+".") {
				t.Errorf("%s at %v: %s of requests fail, and %q; %q", kind.Kind, at, Percent(failing), says, w.storm.Sum())
			}
		}
	}
	if both == 0 {
		t.Error("there was no second in which some failed and some did not")
	}
}

// What fails is told as it fails, and only what waits makes the next ones slower.
func TestHowAttemptsFail(t *testing.T) {
	for _, test := range []struct {
		kind, title, verb string
		loop              bool
	}{
		{"stall", "Time out", " time out", true},
		{"blackhole", "Time out", " time out", false},
		{"down", "Are refused", " are refused", false},
		{"flaky", "Fail at once", " fail at once", false},
	} {
		s := even(builtin(t, "two-service"))
		s.Faults = []scenario.Fault{{At: scenario.Duration(time.Second), Target: "b", Kind: test.kind, Factor: 1, P: .5}}
		w := watch(t, s)
		w.to(5 * time.Second)
		boxes := w.storm.Boxes()
		if boxes[StormTimeOut].Title != test.title || !strings.Contains(w.storm.Sum(), test.verb) || w.storm.Loop != test.loop {
			t.Errorf("%s: %q, %q, a loop: %v", test.kind, boxes[StormTimeOut].Title, w.storm.Sum(), w.storm.Loop)
		}
		if boxes[StormRetries].Title != "3 retries each" || w.storm.Extra == 0 {
			t.Errorf("%s: %q, %g extra", test.kind, boxes[StormRetries].Title, w.storm.Extra)
		}
	}
}

// The chain is at the dependency where most of the busiest operation's attempts fail, and stays there.
func TestWhereTheStormIs(t *testing.T) {
	for _, test := range []struct {
		kind, target, want string
	}{
		{"stall", "primary", "primary"},
		{"blackhole", "bucket", "bucket"},
		{"blackhole", "cache", "cache"},
		{"down", "primary", "primary"},
		{"blackhole", "cdn", "primary"}, // no read goes there
	} {
		s := builtin(t, "pastebin")
		s.Operations["read"] = withRate(s.Operations["read"], 2000)
		s.Faults = []scenario.Fault{{
			At: scenario.Duration(time.Second), For: scenario.Duration(time.Second), Target: test.target, Kind: test.kind, Factor: 1,
		}}
		w := watch(t, s)
		if w.storm.Dependency != "primary" {
			t.Errorf("before anything fails it is at %s, want the primary, which has the least room", w.storm.Dependency)
		}
		w.to(1800 * time.Millisecond)
		if w.storm.Dependency != test.want {
			t.Errorf("%s of %s: it is at %s, want %s", test.kind, test.target, w.storm.Dependency, test.want)
		}
		w.to(4 * time.Second)
		if w.storm.Dependency != test.want {
			t.Errorf("%s of %s, over: it has gone to %s", test.kind, test.target, w.storm.Dependency)
		}
	}
}

func withRate(o scenario.Operation, rate float64) scenario.Operation {
	o.Rate = rate
	return o
}

// Offered more than it can do, a dependency does as much as its ceiling says.
func TestCeilingIsWhatItDoes(t *testing.T) {
	ms := scenario.Duration(time.Millisecond)
	for name, edit := range map[string]func(d *scenario.Dependency, f *scenario.Fault){
		"constant":    func(*scenario.Dependency, *scenario.Fault) {},
		"exponential": func(d *scenario.Dependency, _ *scenario.Fault) { d.Service.Dist = "exponential" },
		"base":        func(d *scenario.Dependency, _ *scenario.Fault) { d.Service.Dist, d.Service.Base = "lognormal", 30*ms },
		"table": func(d *scenario.Dependency, _ *scenario.Fault) {
			d.Service = scenario.Service{Dist: "table", Sigma: 1, Table: []scenario.Duration{20 * ms, 40 * ms, 90 * ms}}
		},
		"crowded":  func(d *scenario.Dependency, _ *scenario.Fault) { d.Service.Load, d.QueueLimit = .5, 16 },
		"slow":     func(_ *scenario.Dependency, f *scenario.Fault) { f.Kind, f.Factor = "slow", 3 },
		"capacity": func(_ *scenario.Dependency, f *scenario.Fault) { f.Kind, f.Factor = "capacity", .5 },
		"down":     func(_ *scenario.Dependency, f *scenario.Fault) { f.Kind = "down" },
		"stalled":  func(_ *scenario.Dependency, f *scenario.Fault) { f.Kind = "stall" },
	} {
		s := builtin(t, "two-service")
		s.Operations["call"] = withRate(s.Operations["call"], 400)
		c := s.Policy.Calls["b"]
		c.Attempts = 1
		s.Policy.Calls["b"] = c
		d, f := s.Dependencies["b"], scenario.Fault{Target: "b", Factor: 1}
		edit(&d, &f)
		s.Dependencies["b"] = d
		if f.Kind != "" {
			s.Faults = []scenario.Fault{f}
		}
		w := watch(t, s)
		w.to(5 * time.Second)
		before, over := w.numbers.Places[0].Totals.Done, 60.
		w.to(65 * time.Second)
		did := float64(w.numbers.Places[0].Totals.Done-before) / over
		if want := w.storm.Ceiling; math.Abs(did-want) > .06*want+.01 {
			t.Errorf("%s: it did %.1f a second, and the ceiling is said to be %.1f", name, did, want)
		}
	}
}

func TestTheLessonsArithmetic(t *testing.T) {
	budget := func(s scenario.Scenario) scenario.Scenario {
		s = s.Clone()
		s.Policy.Budget.Percent = 10
		return s
	}
	for _, test := range []struct {
		name                    string
		s                       scenario.Scenario
		lesson, caption, before string
	}{
		{"pastebin with three retries", eager(builtin(t, "pastebin")),
			"If all 17,400 reads went to the primary and 20 % timed out, and their 3 retries too: 17,400 × 0.2 × 3 = 10,440 extra; 27,840 attempts, 1.6×.",
			"17,400 becomes about 27,800 because of our own code.", "If 20 % time out, and their 3 retries too:"},
		{"and a budget", budget(eager(builtin(t, "pastebin"))),
			"If all 17,400 reads went to the primary and 20 % timed out, and their 3 retries too: 17,400 × 0.2 × 3 = 10,440 extra; 27,840 attempts, 1.6×. " +
				"The budget stops it at 19,140, 1.1×, but for the 10 retries that each process has in hand.",
			"17,400 becomes 19,140, as the budget stops it, but for the 10 retries that each process has in hand.", "If 20 % time out, and their 3 retries too, 17,400 would become about 27,800:"},
		{"pastebin under its rule", builtin(t, "pastebin"),
			"If all 17,400 reads went to the primary and 20 % timed out, 3,480 would fail, and that is all: no timeout is tried again. 17,400 attempts, 1×.",
			"17,400 stay 17,400.",
			"If 20 % timed out, and were tried three more times, 17,400 would become about 27,800. No timeout is tried again here:"},
		{"two services", builtin(t, "two-service"),
			"If 20 % time out, and their 3 retries too: 20 × 0.2 × 3 = 12 extra; 32 attempts, 1.6×.",
			"20 becomes 32 because of our own code.", "If 20 % time out, and their 3 retries too:"},
	} {
		w := watch(t, test.s)
		if got := w.storm.Lesson(&test.s); got != test.lesson {
			t.Errorf("%s: %q, want %q", test.name, got, test.lesson)
		}
		before, caption := w.storm.Caption(&test.s)
		if caption != test.caption || before != test.before {
			t.Errorf("%s: %q %q, want %q %q", test.name, before, caption, test.before, test.caption)
		}
	}
}

// What else is in the number of first attempts is said beside it, and in the sum.
func TestFirstAttemptsOfOtherOperations(t *testing.T) {
	one := builtin(t, "pastebin")
	elsewhere := one.Operations["delete"]
	elsewhere.Steps = []string{"object_get"}
	one.Operations["delete"] = elsewhere
	four := builtin(t, "pastebin")
	for _, name := range []string{"purge", "look"} {
		four.Operations[name] = four.Operations["delete"]
	}
	for _, test := range []struct {
		s    scenario.Scenario
		with string
	}{
		{builtin(t, "two-service"), ""},
		{one, ", with creates"},
		{builtin(t, "pastebin"), ", with creates and deletes"},
		{four, ", with those of other operations"},
	} {
		w := watch(t, test.s)
		w.to(2 * time.Second)
		if got := w.storm.Arrows()[StormReads].What; got != "first attempts"+test.with {
			t.Errorf("%s: the arrow is of %q, want %q", test.s.ID, got, test.with)
		}
		if sum := w.storm.Sum(); !strings.Contains(sum, " reach "+metrics.The(w.storm.Dependency)+test.with+". ") {
			t.Errorf("%s: %q has nothing of %q", test.s.ID, sum, test.with)
		}
	}
}

func TestArrowsGrowWithTheRootOfTheLoad(t *testing.T) {
	s := Storm{Healthy: 80}
	if s.width(0) != 0 {
		t.Error("nothing comes, and yet it is wide")
	}
	for _, rate := range []float64{1, 5, 20, 60} {
		once, four := s.width(rate)-2, s.width(4*rate)-2
		if math.Abs(four-2*once) > 1 {
			t.Errorf("four times %g is %g wide, want twice %g", rate, four, once)
		}
	}
	if s.width(1e9) > maxWidth {
		t.Error("an arrow is wider than the room there is")
	}
}

// The words hold for whatever may be in a scenario.
func TestStormOfEveryScenario(t *testing.T) {
	for _, e := range scenario.List() {
		s, _ := scenario.Find(e.ID)
		w := watch(t, s)
		w.to(2 * time.Second)
		_, caption := w.storm.Caption(&s)
		for _, text := range []string{w.storm.Sum(), w.storm.Lesson(&s), caption, w.storm.Boxes()[StormCeiling].Says} {
			if text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s: %q", e.ID, text)
			}
		}
	}
}

// What an open breaker stops is said, and no share is taken of nothing.
func TestAnOpenBreakerIsInTheStorm(t *testing.T) {
	w := watch(t, *find(t, "breaker"))
	none := 0
	for at := 4 * time.Second; at < 10*time.Second; at += 100 * time.Millisecond {
		w.to(at)
		boxes := w.storm.Boxes()
		if open := strings.Contains(boxes[StormReads].Note, "breaker before it is open"); open != (w.numbers.Places[0].Open > 0) {
			t.Errorf("at %v: %d breakers are open, and it says %q", at, w.numbers.Places[0].Open, boxes[StormReads].Note)
		}
		if away := w.numbers.Places[0].TurnedAway; w.numbers.Places[0].Open > 0 && away >= 1 &&
			!strings.HasSuffix(boxes[StormReads].Note, "stops "+Quantity(whole(away))+" a second") {
			t.Errorf("at %v: a breaker stops %v a second, and it says %q", at, away, boxes[StormReads].Note)
		}
		if w.storm.Failing > 0 && w.storm.Attempts() == 0 {
			none++
		}
		if whole(w.storm.Ended) == 0 {
			if said := boxes[StormTimeOut].Says + w.storm.Sum(); strings.Contains(said, "%") {
				t.Errorf("at %v: a share of nothing: %q", at, said)
			}
		}
	}
	if none == 0 {
		t.Error("there was no second in which earlier attempts failed and none was sent")
	}
}
