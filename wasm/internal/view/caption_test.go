package view

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/presets"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// listen plays a run to a time, in steps, and has it told.
func listen(t *testing.T, tell *Teller, r *run.Run, to, step time.Duration) {
	t.Helper()
	var s model.Snapshot
	for r.Now() < to {
		next := min(tell.Next(), to, r.Now()+step)
		for !r.Advance(next, 1_000_000) {
		}
		if r.Now() == tell.Next() {
			r.Glance(&s)
			tell.Look(&s)
		}
	}
}

func begin(t *testing.T, s scenario.Scenario) *run.Run {
	t.Helper()
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tellOf is all that is told of a run of s, as lines.
func tellOf(t *testing.T, s scenario.Scenario) string {
	t.Helper()
	var tell Teller
	listen(t, &tell, begin(t, s), time.Duration(s.Duration), time.Hour)
	return lines(tell.All)
}

func lines(all []Told) string {
	var b strings.Builder
	for _, e := range all {
		b.WriteString(Clock(e.At) + " " + e.Text + "\n")
	}
	return b.String()
}

// inTurn fails unless text has the parts, one after the other.
func inTurn(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Errorf("%q is missing, or too early, in\n%s", p, text)
			return
		}
		rest = after
	}
}

func TestAStormIsToldFromItsCauseToItsEnd(t *testing.T) {
	s := *find(t, "two-service")
	b := s.Dependencies["b"]
	b.Service.Mean = scenario.Duration(97 * time.Millisecond)
	s.Dependencies["b"] = b
	op := s.Operations["call"]
	op.Arrivals = "even"
	s.Operations["call"] = op
	told := tellOf(t, s)
	inTurn(t, told,
		"3.0 s B is 8× slower.\n",
		"All 8 slots of B are busy",
		"The first attempts at B time out",
		"Callers try again",
		"B is 8× slower: ", "none ended in the last second",
		"6.0 s B is healthy again, and ",
		"B has been healthy for ", "are our own retries.",
		"The queue of B is empty again.",
		"It is over: answers come in time again.\n",
	)
	for line := range strings.Lines(told) {
		if _, text, _ := strings.Cut(line, " s "); strings.Count(told, " s "+text) > 1 {
			t.Errorf("told twice: %s", line)
		}
	}
}

// What is told stands under the picture, where so many lines are kept free for it that nothing below ever moves: on a phone
// from 320 px, which a scroll bar may make 305, and beside the rule.
func TestWhatIsToldFitsUnderThePicture(t *testing.T) {
	css, err := os.ReadFile("../../../web/page.css")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^  :root:not\(\.embed\) #caption \{ min-height: (\d+)px; \}`).FindSubmatch(css)
	if m == nil {
		t.Fatal("page.css keeps no room for the caption on a phone")
	}
	phone, _ := strconv.Atoi(string(m[1]))
	told := map[string]bool{}
	listened := func(s scenario.Scenario) {
		var tell Teller
		listen(t, &tell, begin(t, s), min(time.Duration(s.Duration), 15*time.Second), time.Hour)
		for _, e := range tell.All {
			told[Clock(e.At)+": "+e.Text] = true
		}
	}
	for _, e := range scenario.List() {
		s, _ := scenario.Find(e.ID)
		listened(s)
		told[e.Question] = true
	}
	for _, kind := range []string{"slow", "stall", "down"} {
		listened(*broken(t, "pastebin", "primary", kind, 10))
		listened(*broken(t, "two-service", "b", kind, 8.25))
	}
	for text := range told {
		for _, room := range []struct {
			width float32
			lines int
		}{{273, phone / 21}, {328, phone / 21}, {816, 2}} {
			if lines := wrapped(text, room.width); lines > room.lines {
				t.Errorf("%d lines at %v px, where there is room for %d: %q", lines, room.width, room.lines, text)
			}
		}
	}
}

// wrapped is how many lines a text has in so many pixels, at the caption's 14.
func wrapped(text string, width float32) int {
	n, x := 1, float32(0)
	for _, word := range strings.Split(text, " ") {
		w := float32(0)
		for _, r := range word {
			em, ok := dejaVu[0][r]
			if !ok {
				em = 1000 * letter(r)
			}
			w += em / 1000 * 14
		}
		if x > 0 && x+w > width {
			n, x = n+1, 0
		}
		x += w + dejaVu[0][' ']/1000*14
	}
	return n
}

func TestNothingIsToldOfACalm(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		s := *find(t, id)
		s.Faults, s.Duration = nil, scenario.Duration(10*time.Second)
		if told := tellOf(t, s); told != "" {
			t.Errorf("%s: told of a calm:\n%s", id, told)
		}
	}
}

// Callers who wait before they try again are long without an answer; that is no trouble that could be over.
func TestNothingIsOverThatNobodyFailedIn(t *testing.T) {
	s := *find(t, "herd")
	s.Duration = scenario.Duration(4 * time.Second)
	if told := tellOf(t, s); !strings.Contains(told, "answers nobody") || strings.Contains(told, "It is over") {
		t.Errorf("told of a herd of whom nobody has failed:\n%s", told)
	}
}

// What a rule does is told by its name.
func TestWhatARuleDoesIsTold(t *testing.T) {
	const sec = scenario.Duration(time.Second)
	rule := func(t *testing.T, name string) scenario.Scenario {
		s, err := presets.WithRule(*find(t, "two-service"), name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, c := range map[string]struct {
		s    func(t *testing.T) scenario.Scenario
		want []string
	}{
		"budget": {func(t *testing.T) scenario.Scenario { return rule(t, "budget 10 %") },
			[]string{"The retry budget is empty"}},
		"breaker": {func(t *testing.T) scenario.Scenario { return rule(t, "breaker") },
			[]string{"A breaker before B opens", "No breaker before B is open any more"}},
		"hedges": {func(t *testing.T) scenario.Scenario { return rule(t, "hedge") },
			[]string{"Hedges add to the load of B"}},
		"a queue with an end": {func(t *testing.T) scenario.Scenario {
			s := *find(t, "two-service")
			b := s.Dependencies["b"]
			b.QueueLimit = 4
			s.Dependencies["b"] = b
			return s
		}, []string{"B has no room left to wait in"}},
		"caps": {func(t *testing.T) scenario.Scenario {
			s := *find(t, "pastebin")
			s.Faults = []scenario.Fault{{At: sec, For: 3 * sec, Target: "bucket", Kind: "blackhole", Factor: 1}}
			s.Duration = 5 * sec
			return s
		}, []string{"The bucket is a black hole", "The caps turn away requests to create"}},
		"duplicates": {func(t *testing.T) scenario.Scenario { return *find(t, "lost-order") },
			[]string{"The first duplicate"}},
		"an orphan": {func(t *testing.T) scenario.Scenario {
			s := *find(t, "pastebin")
			s.Faults = []scenario.Fault{{At: sec, For: sec, Target: "primary", Kind: "stall", Factor: 1}}
			s.Duration = 3 * sec
			return s
		}, []string{"The primary is stalled", "The first orphan: the bucket"}},
	} {
		t.Run(name, func(t *testing.T) { inTurn(t, tellOf(t, c.s(t)), c.want...) })
	}
}

// What was refused since it was down is no matter of room, also in the second after it was mended.
func TestDownIsNotFull(t *testing.T) {
	s := *find(t, "two-service")
	s.Faults[0].Kind = "down"
	if told := tellOf(t, s); strings.Contains(told, "no room left") {
		t.Error(told)
	}
}

// A sick dependency does no harm to those whom a cache answers, and the sentence says so.
func TestTheSentenceSaysWhoIsSpared(t *testing.T) {
	s := *find(t, "pastebin")
	s.Faults = []scenario.Fault{{At: scenario.Duration(time.Second), Target: "primary", Kind: "down", Factor: 1}}
	r := begin(t, s)
	var m Meter
	var snap model.Snapshot
	var said string
	for r.Now() < 3*time.Second {
		for !r.Advance(r.Now()+LookEvery, 1_000_000) {
		}
		r.Snapshot(&snap)
		said = Sentence(m.Read(&snap))
	}
	if !strings.HasPrefix(said, "The primary is down, and 5") || !strings.Contains(said, " % of requests fail; the cache answers the others") {
		t.Error(said)
	}
}

// What is told, and when, doesn't hang on how fast the run is played.
func TestTheSameIsToldAtEverySpeed(t *testing.T) {
	s := *find(t, "two-service")
	want := tellOf(t, s)
	for _, step := range []time.Duration{7 * time.Millisecond, 16 * time.Millisecond, 5 * time.Second} {
		var tell Teller
		listen(t, &tell, begin(t, s), time.Duration(s.Duration), step)
		if got := lines(tell.All); got != want {
			t.Errorf("in steps of %v:\n%s\nwant\n%s", step, got, want)
		}
	}
}

// Going back, anywhere, and on again tells nothing twice and leaves nothing out.
func TestGoingBackTellsNothingTwice(t *testing.T) {
	s := *find(t, "two-service")
	end := time.Duration(s.Duration)
	want := tellOf(t, s)
	r := begin(t, s)
	var tell Teller
	listen(t, &tell, r, 20*time.Second, time.Hour)
	for _, to := range []time.Duration{0, 3 * time.Second, 5*time.Second + 50*time.Millisecond, 8 * time.Second, 19 * time.Second} {
		if err := r.Rewind(to); err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(tell.All)
		tell.Back(r.Now())
		listen(t, &tell, r, 20*time.Second, time.Hour)
		if !slices.Equal(before, tell.All) {
			t.Errorf("back to %v and on again:\n%s\nwas\n%s", to, lines(tell.All), lines(before))
		}
	}
	listen(t, &tell, r, end, time.Hour)
	if got := lines(tell.All); got != want {
		t.Errorf("told in the end:\n%s\nwant\n%s", got, want)
	}
}

// What is changed in the past makes another future: what was told of it goes, and what comes is told.
func TestAChangeInThePastForgetsTheFuture(t *testing.T) {
	s := *find(t, "two-service")
	r := begin(t, s)
	var tell Teller
	listen(t, &tell, r, 20*time.Second, time.Hour)
	if err := r.Back(4 * time.Second); err != nil {
		t.Fatal(err)
	}
	tell.Back(r.Now())
	if i := tell.Newest(r.Now()); i < 0 || i == len(tell.All)-1 {
		t.Fatalf("at 4 s the newest is entry %d of %d", i, len(tell.All))
	}
	r.Mend()
	tell.Forget(r.Now())
	if last := tell.All[len(tell.All)-1].At; last > r.Now() {
		t.Errorf("something of %v is still told at %v", last, r.Now())
	}
	listen(t, &tell, r, 20*time.Second, time.Hour)
	inTurn(t, lines(tell.All), "3.0 s B is 8× slower", "4.1 s B is healthy again")
}

func TestPages(t *testing.T) {
	s := *find(t, "two-service")
	s.Faults[0].Kind = "slow"
	report, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	pages := Pages(report.Alerts)
	if len(pages) != len(report.Alerts) || len(pages) == 0 {
		t.Fatalf("%d pages for %d alerts", len(pages), len(report.Alerts))
	}
	first := pages[0]
	if first.At != 5*time.Second || !strings.HasPrefix(first.Text, "Timeouts at B, ") || !strings.HasSuffix(first.Text, " % of attempts; it pages at 1 %.") ||
		first.Why != "B has been 8× slower since 3 s." {
		t.Errorf("%+v", first)
	}
}

// The verdict on a storm that goes on doesn't say how it ended, however few of its requests have an answer yet.
func TestTheVerdictOnAStormIsThatItIsNotOver(t *testing.T) {
	s := *find(t, "two-service")
	op := s.Operations["call"]
	op.Arrivals = "even"
	s.Operations["call"] = op
	r := begin(t, s)
	var tell Teller
	said := map[string]bool{}
	for at := 5500 * time.Millisecond; at < 25*time.Second; at += 500 * time.Millisecond {
		listen(t, &tell, r, at, time.Hour)
		report := r.Report()
		verdict := SoFar(&report, tell.Trouble())
		_, end, _ := strings.Cut(verdict, " bad; ")
		said[end] = true
		for _, lie := range []string{"outlasted its cause by", "ended with its cause", "no second was bad"} {
			if strings.Contains(verdict, lie) {
				t.Errorf("at %v: %s", at, verdict)
			}
		}
	}
	if !said["and it is not over."] {
		t.Errorf("it ends %v", said)
	}
	report := metrics.Report{DurationS: 0.9, Verdict: "Nothing has arrived yet."} // as it was a moment ago
	if got := SoFar(&report, false); got != "So far it is too early to say." {
		t.Error(got)
	}
	report = metrics.Report{DurationS: 9, Verdict: "B was slow; 3 seconds were bad; and it outlasted its cause by 2 s.", RecoveryS: new(float64), BadSeconds: 3}
	if got := SoFar(&report, false); got != "So far: "+report.Verdict {
		t.Error(got)
	}
	report.Verdict = "The primary was slow; 3 seconds were bad; and it outlasted its cause by 2 s."
	if got := SoFar(&report, false); got != "So far: the"+report.Verdict[len("The"):] {
		t.Error(got)
	}
}

// A caption that has the sentence's words with older numbers says nothing that is new.
func TestACaptionThatRepeatsTheSentence(t *testing.T) {
	const sentence = "B is 8× slower, and 38 % of requests fail; 1,012 attempts wait for a slot."
	for caption, want := range map[string]bool{
		"At 4.7 s: B is 8× slower, and 11.5 % of requests fail; 15 attempts wait for a slot.": true,
		"At 1 min 4 s: " + sentence: true,
		"At 4.7 s: B is 8× slower.": false,
		"At 4.7 s: The first attempts at B time out: nobody waits for them any more.": false,
		sentence: false, // it is of no time
		"":       false,
	} {
		if got := Repeats(caption, sentence); got != want {
			t.Errorf("%q: %t", caption, got)
		}
	}
}
