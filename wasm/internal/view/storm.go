package view

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// Storm is how a retry becomes a load of its own, at the dependency where it matters, over the last second: reads reach
// it, some time out, each is tried again, and the extra attempts take it past its ceiling, so that more time out. The zero
// value is ready for a run that starts.
type Storm struct {
	Operation  string // the busiest
	Dependency string // where most attempts of that operation fail; "" if it makes no call

	Offered  float64 // requests of the operation, a second
	First    float64 // first attempts at the dependency, a second; of all operations
	Failing  float64 // attempts there that time out or are refused, or fail at once, a second
	Extra    float64 // retries and hedges there, a second
	Ended    float64 // attempts there that end, a second: those that fail, and those whose caller has an answer
	Share    float64 // of those, how many fail; 0 to 1
	Failure  string  // how most of those fail: timeout, refused or error
	Loop     bool    // it is past its ceiling and attempts wait there, so that it is slower and more time out
	Queue    int     // attempts that wait for a slot
	Ceiling  float64 // attempts that it can do, a second, as well or ill as it is
	Healthy  float64 // the same when nothing is broken
	Retries  int     // how often a failed one may be tried again; 0: never
	Past     bool    // more comes than it can do, or more waits than it has slots
	Timeout  time.Duration
	slots    float64
	service  time.Duration
	sickness string   // "" if it is well
	before   string   // what becomes of the operation's requests before they reach it, in words
	others   []string // what else calls the dependency: creates, deletes
	spared   bool     // something before it may answer in its place
	retryOn  []string
	budget   string
	bound    time.Duration // what ends the wait where there is no timeout; 0: nothing
	hedged   bool
	open     int     // breakers
	away     float64 // calls that they end, a second
}

// Attempts is all that the dependency gets, a second.
func (s *Storm) Attempts() float64 { return s.First + s.Extra }

// written is the attempts as the sum of the two numbers that are written beside them, so that it comes out.
func (s *Storm) written() float64 { return whole(s.First) + whole(s.Extra) }

// Look takes in a run of set as it stands.
func (s *Storm) Look(set *scenario.Scenario, now *model.Snapshot, n *Numbers) {
	s.Operation = Busiest(set)[0]
	op := set.Operations[s.Operation]
	s.choose(set, &op, n)
	s.LookAt(s.Dependency, set, now, n)
}

// LookAt is Look at a dependency that somebody else has chosen.
func (s *Storm) LookAt(dependency string, set *scenario.Scenario, now *model.Snapshot, n *Numbers) {
	s.Operation, s.Dependency = Busiest(set)[0], dependency
	op := set.Operations[s.Operation]
	i := slices.IndexFunc(n.Places, func(p PlaceNumbers) bool { return p.Name == s.Dependency })
	if i < 0 {
		*s = Storm{Operation: s.Operation}
		return
	}
	p, d := &n.Places[i], set.Dependencies[s.Dependency]

	s.Offered = n.Offered
	for k := range now.Operations {
		if o := &now.Operations[k]; o.Name == s.Operation && op.Arrivals != "closed" {
			s.Offered = o.Rate
		}
	}
	s.First, s.Extra, s.open, s.away = p.First, p.Retries+p.Hedges, p.Open, p.TurnedAway
	s.Failing, s.Failure = failing(p), failure(p)
	s.Ended = whole(s.Failing) + whole(answered(p))
	s.Share = 0
	if failing := whole(s.Failing); failing > 0 {
		s.Share = failing / whole(s.Ended) // as they are written, so that it comes out
	}
	s.Queue = p.Queue
	s.slots, s.service = slotsOf(&d, p.Health), serviceOf(&d, p.Health, p.Busy+p.Queue)
	s.Ceiling = ceiling(s.slots, s.service)
	if p.Health.Stalled || p.Health.Down || p.Health.Blackhole {
		s.Ceiling = 0
	}
	well := model.Health{Slow: 1, Capacity: 1}
	s.Healthy = ceiling(slotsOf(&d, well), serviceOf(&d, well, 0))
	s.sickness = ""
	if !p.Health.Well() {
		s.sickness = Sickness(p.Health)
	}
	// Counted over a second, what just fits is a little more now and then: a queue tells the two apart.
	s.Past = s.Attempts() > s.Ceiling && (p.Queue > 0 || s.Ceiling == 0) || float64(p.Queue) > max(s.slots, 1)
	s.Loop = s.Past && p.Queue > 0
	s.rule(set, &op)
}

// rule takes in what callers do about a failure there.
func (s *Storm) rule(set *scenario.Scenario, op *scenario.Operation) {
	s.Retries, s.Timeout, s.bound, s.retryOn, s.hedged = 0, 0, 0, nil, false
	if set.Policy.PropagateDeadline {
		s.bound = time.Duration(op.Deadline)
	}
	for _, name := range op.Steps {
		c := set.Policy.Calls[name]
		if c.Target(name) != s.Dependency {
			continue
		}
		s.Timeout, s.hedged = time.Duration(c.Timeout), s.hedged || c.HedgeAfter > 0
		if c.Attempts > 1 && len(c.RetryOn) > 0 && c.Attempts-1 >= s.Retries {
			s.Retries, s.retryOn = c.Attempts-1, c.RetryOn
		}
	}
	s.budget = ""
	if s.Retries > 0 {
		s.budget = metrics.Sum(set, 0).Budget
	}
	s.before, s.spared = "what users ask for", false
	for _, name := range op.Steps {
		to := set.Policy.Calls[name].Target(name)
		if to == s.Dependency {
			break
		}
		switch d := set.Dependencies[to]; {
		case d.Keys.Count > 0:
			s.before, s.spared = metrics.The(to)+" answers some of them", true
		case d.HitShare > 0:
			s.before, s.spared = metrics.The(to)+" answers "+Percent(d.HitShare)+" of them, if it is well", true
		}
	}
	s.others = s.others[:0]
	for _, name := range Busiest(set) {
		if name != s.Operation && slices.ContainsFunc(set.Operations[name].Steps, func(call string) bool {
			return set.Policy.Calls[call].Target(call) == s.Dependency
		}) {
			s.others = append(s.others, many(name))
		}
	}
}

// with names whose first attempts those are, too, that aren't the operation's: ", with creates and deletes".
func (s *Storm) with() string {
	switch n := len(s.others); {
	case n == 0:
		return ""
	case n > 2:
		return ", with those of other operations"
	}
	return ", with " + strings.Join(s.others, " and ")
}

// choose picks the dependency where most of the operation's attempts fail, and stays with it unless another fails clearly
// more. Before anything has failed it is the one with the least room.
func (s *Storm) choose(set *scenario.Scenario, op *scenario.Operation, n *Numbers) {
	share := map[string]float64{}
	for i := range n.Places {
		share[n.Places[i].Name] = failingShare(&n.Places[i])
	}
	best, least, left := "", -1., 1.
	known := false
	for _, call := range op.Steps {
		name := set.Policy.Calls[call].Target(call)
		known = known || name == s.Dependency
		d := set.Dependencies[name]
		well := model.Health{Slow: 1, Capacity: 1}
		if use := left / ceiling(slotsOf(&d, well), serviceOf(&d, well, 0)); use > least {
			best, least = name, use
		}
		left *= 1 - d.HitShare
	}
	if !known {
		s.Dependency = best
	}
	for _, call := range op.Steps {
		if name := set.Policy.Calls[call].Target(call); share[name] > share[s.Dependency]+.05 {
			s.Dependency = name
		}
	}
}

// failing is how many attempts fail, a second.
func failing(p *PlaceNumbers) float64 { return p.Timeouts + p.Refused + errors(p) }

// answered is how many attempts have an answer that somebody waits for, a second. One that is lost is waited for until it
// times out.
func answered(p *PlaceNumbers) float64 {
	return max(p.Done-p.ForNobody, 0) * (1 - p.Health.Lose)
}

// errors are those that a flaky server fails at once, a second. No count of the second has them; they are its share of what
// comes.
func errors(p *PlaceNumbers) float64 { return p.Health.Flaky * max(p.Attempts()-p.Refused, 0) }

// failure is how most of them fail.
func failure(p *PlaceNumbers) string {
	switch most := max(p.Timeouts, p.Refused, errors(p)); {
	case p.Timeouts == most:
		return "timeout"
	case p.Refused == most:
		return "refused"
	}
	return "error"
}

// failures is how each is told: on its box, of many and of one.
var failures = map[string]struct{ title, many, one string }{
	"timeout": {"Time out", "time out", "times out"},
	"refused": {"Are refused", "are refused", "is refused"},
	"error":   {"Fail at once", "fail at once", "fails at once"},
}

func failingShare(p *PlaceNumbers) float64 {
	if f := failing(p); f > 0 {
		return min(f/max(p.Attempts(), f), 1)
	}
	return 0
}

// slotsOf is how many slots a dependency has, as it is.
func slotsOf(d *scenario.Dependency, h model.Health) float64 {
	return math.Round(float64(d.Slots) * min(h.Capacity, 1))
}

// serviceOf is how long a slot needs for one attempt on average, with so many attempts in the system. Full, it has one a
// slot at the least.
func serviceOf(d *scenario.Dependency, h model.Health, inside int) time.Duration {
	mean := float64(d.Service.Base + d.Service.Mean)
	if d.Service.Dist == "table" {
		mean = 0
		for _, t := range d.Service.Table {
			mean += float64(t) / float64(len(d.Service.Table))
		}
		mean += float64(d.Service.Base)
	}
	mean *= h.Slow
	if d.Service.Load > 0 {
		mean *= 1 + d.Service.Load*max(float64(inside)/float64(d.Slots), 1)
	}
	return time.Duration(mean)
}

func ceiling(slots float64, service time.Duration) float64 {
	if service <= 0 {
		return 0
	}
	return slots / service.Seconds()
}

// StormBox is one step of the chain, in words.
type StormBox struct {
	Title, Says, Note string
	Mood              string // "", "warm", "alarm"
}

// The chain's boxes, and the arrows that go from each to the next; the last leads back.
const (
	StormReads = iota
	StormTimeOut
	StormRetries
	StormExtra
	StormCeiling
	StormBoxes
)

// Boxes is the chain in words. Each number in it is one of s's.
func (s *Storm) Boxes() [StormBoxes]StormBox {
	var b [StormBoxes]StormBox
	b[StormReads] = StormBox{Title: Capital(many(s.Operation)), Says: PerSecond(s.Offered) + " come in", Note: s.before}
	if s.open > 0 {
		turned := "what comes"
		if away := whole(s.away); away > 0 {
			turned = Quantity(away) + " a second"
		}
		b[StormReads].Note = openBreakers(s.open) + ", and " + plural(s.open == 1, "stops ", "stop ") + turned // turned away are those whom a cap leaves out
		b[StormReads].Mood = "alarm"
	}
	if s.Dependency == "" {
		return b
	}

	out := &b[StormTimeOut]
	out.Title = failures[s.Failure].title
	out.Says = "none of the attempts"
	if s.Share > 0 {
		out.Says = Percent(s.Share) + " of the attempts that end" // others than come in the same second, where the timeout is long
	}
	switch {
	case s.Timeout > 0:
		out.Note = "timeout " + Span(s.Timeout)
	case s.bound > 0:
		out.Note = "no timeout: each holds its place to the end of its request’s " + Span(s.bound)
	default:
		out.Note = "no timeout: each waits for ever, and holds its place so long"
	}
	if s.Share >= .01 {
		out.Mood = "alarm"
	}

	more := &b[StormRetries]
	switch on := s.retried(); {
	case s.Retries == 0 && s.hedged:
		more.Title, more.Says = "No retries", "but a hedge: a second attempt while the first is out"
	case s.Retries == 0:
		more.Title, more.Says = "No retries", "what fails, fails once"
	case on:
		more.Title, more.Says = metrics.Plural(s.Retries, "retry each", "retries each"), "on "+metrics.Either(s.retryOn)
	default:
		more.Title = "Not retried"
		more.Says = "only if " + metrics.Either(s.retryOn) + ": " + metrics.Plural(s.Retries, "retry", "retries")
	}
	more.Note = s.budget

	extra := &b[StormExtra]
	extra.Title = "Extra attempts"
	switch {
	case s.Extra <= 0:
		extra.Says = "none"
	case s.First <= 0:
		extra.Says = "nothing else comes"
	default:
		extra.Says = Quantity(whole(s.Extra)) + " on top of " + Quantity(whole(s.First))
	}
	if s.Extra > 0 {
		extra.Note = "of our own making"
	}
	if s.Extra >= .2*s.First && s.Extra > 0 {
		extra.Mood = "warm"
	}

	c := &b[StormCeiling]
	c.Title = TitleStart(s.Dependency) + " below its ceiling"
	switch {
	case s.Past:
		c.Title, c.Mood = TitleStart(s.Dependency)+" past its ceiling", "alarm"
		if s.written() <= s.Ceiling { // and yet attempts wait, from when more came
			c.Title = TitleStart(s.Dependency) + " at its ceiling"
		}
		if s.clears() {
			c.Title = TitleStart(s.Dependency) + " works off its queue"
		}
	case s.Ceiling == 0: // and nothing comes, as breakers are open
		c.Title, c.Mood = TitleStart(s.Dependency)+" serves nobody", "alarm"
	case s.written() > s.Ceiling: // and nothing waits yet
		c.Title, c.Mood = TitleStart(s.Dependency)+" fills up", "warm"
	}
	c.Says = Quantity(s.written()) + " come a second, it can do " + Quantity(s.Ceiling)
	switch {
	case s.Ceiling == 0 && s.sickness != "":
		c.Note = "it is " + s.sickness
	default:
		c.Note = Quantity(s.slots) + " " + plural(s.slots == 1, "slot", "slots") + " ÷ " + Span(s.service)
		if s.sickness != "" {
			c.Note += ", as it is " + s.sickness
		}
	}
	return b
}

// clears tells whether what keeps it full is what came before: it gets clearly less than it can do.
func (s *Storm) clears() bool { return s.Past && s.written() < .9*s.Ceiling }

// retried tells whether what mostly fails is retried.
func (s *Storm) retried() bool { return slices.Contains(s.retryOn, s.Failure) }

// StormArrow leads from one box to the next, and is as thick as what it carries.
type StormArrow struct {
	Number string // "8,700 /s"
	What   string // of what
	// Width is in pixels, on the scale of a square root, so that four times the load is twice as thick. 0: nothing comes.
	Width float64
	// Own is the part of it that is of our own making, 0 to 1.
	Own float64
}

// Gap is how many pixels there are between the marks that travel along it: the more load, the denser.
func (a *StormArrow) Gap() float64 { return math.Round(8 + 120/max(a.Width, 4)) }

// Arrows are those of the chain, each from the box of that index. The last leads back, and is there if s.Loop.
func (s *Storm) Arrows() [StormBoxes]StormArrow {
	own := 0.
	if s.Attempts() > 0 {
		own = s.Extra / s.Attempts()
	}
	return [StormBoxes]StormArrow{
		StormReads:   {PerSecond(s.First), "first attempts" + s.with(), s.width(s.First), 0},
		StormTimeOut: {PerSecond(s.Failing), failures[s.Failure].many, s.width(s.Failing), 0},
		StormRetries: {PerSecond(s.Extra), "sent again", s.width(s.Extra), 1},
		StormExtra:   {PerSecond(s.written()), "attempts in all", s.width(s.Attempts()), own},
		StormCeiling: {Count(int64(s.Queue)) + " waiting", "slower, so more time out", s.width(s.Healthy), 0},
	}
}

// maxWidth bounds an arrow's width: more looks like a box.
const maxWidth = 36

// width of an arrow that carries so much a second: what fills the dependency when it is well is 20 pixels.
func (s *Storm) width(rate float64) float64 {
	if rate <= 0 || s.Healthy <= 0 {
		return 0
	}
	w := 2 + 18*math.Sqrt(rate/s.Healthy)
	return math.Round(min(w, maxWidth)*2) / 2
}

// Sum is the last second's arithmetic, in words and figures.
func (s *Storm) Sum() string {
	if s.Dependency == "" {
		return "No call is made, so none is made again."
	}
	who := "first attempts"
	if len(s.others) == 0 {
		who = many(s.Operation)
	}
	first, extra := whole(s.First), whole(s.Extra)
	text := Quantity(first) + " " + who + " a second reach " + metrics.The(s.Dependency) + s.with() + ". "
	fails := failures[s.Failure].many
	if whole(s.Failing) == 1 {
		fails = failures[s.Failure].one
	}
	switch failing := whole(s.Failing); {
	case failing == 0:
		text += "None of its attempts fails. "
	default:
		text += "Of " + Quantity(s.Ended) + " " + plural(s.Ended == 1, "attempt that ends ", "attempts that end ") + Quantity(failing) + " " + fails + ", " + Percent(s.Share) + ". "
	}
	switch {
	case s.Failing > 0 && s.Retries > 0 && s.retried():
		text += "What fails is tried " + again(s.Retries) + ": " + Quantity(extra) + " extra. "
	case extra > 0:
		text += Quantity(extra) + " " + plural(extra == 1, "is", "are") + " extra. "
	case s.Failing > 0:
		text += "None is tried again. "
	}
	if extra > 0 {
		text += Quantity(first) + " + " + Quantity(extra) + " = "
	}
	text += Quantity(s.written()) + " " + plural(s.written() == 1, "attempt", "attempts") + " for "
	if s.Ceiling == 0 {
		return text + "a server that can do none: it is " + s.sickness + "."
	}
	text += "the " + Quantity(s.Ceiling) + " it can do"
	if s.clears() {
		text += "; " + Count(int64(s.Queue)) + " wait from before"
	}
	return text + "."
}

// whole is a number as it is written, so that sums of them come out.
func whole(x float64) float64 {
	if x < 9.95 {
		return math.Round(x*10) / 10
	}
	return math.Round(x)
}

// lessonShare is the part of the reads that time out in the lesson's arithmetic.
const lessonShare = .2

// lessonRetries is what everyone would set: three more tries.
const lessonRetries = 3

// Lesson is the arithmetic with pencil and paper for the load at hand: what the retries of the dependency's call come to
// if the same fifth of the reads times out each time.
func (s *Storm) Lesson(set *scenario.Scenario) string {
	load, attempts := s.lesson(set)
	extra := load * lessonShare * float64(attempts-1)
	reads := Quantity(load) + " " + many(s.Operation)
	given := "If all " + reads + " went to " + metrics.The(s.Dependency) + " and 20 % timed out, " // what is answered before it does not
	if attempts == 1 {
		fail := Quantity(load*lessonShare) + " would fail"
		if !s.spared {
			given, fail = "If 20 % of "+reads+" time out, ", Quantity(load*lessonShare)+" fail"
		}
		return given + fail + ", and that is all: no timeout is tried again. " + Quantity(load) + " attempts, 1×."
	}
	if !s.spared {
		given = "If 20 % time out, "
	}
	sum := metrics.Sum(set, lessonShare)
	text := given + "and their " + retriesToo(attempts) + ": " + Quantity(load) + " × 0.2 × " + Count(int64(attempts-1)) + " = " + Quantity(whole(extra)) + " extra; " +
		Quantity(whole(load)+whole(extra)) + " attempts, " + factor(1+lessonShare*float64(attempts-1)) + "."
	if bound := sum.BudgetBound; stops(bound, attempts) {
		text += " The budget stops it at " + Quantity(load**bound) + ", " + factor(*bound) + inHand + "."
	}
	return text
}

// lesson is the load, and how often one of it is tried that times out every time, by all who try again.
func (s *Storm) lesson(set *scenario.Scenario) (load float64, attempts int) {
	op := metrics.Sum(set, lessonShare).Operations[s.Operation]
	load, attempts = op.PerS, 1
	if load == 0 {
		load = whole(s.Offered)
	}
	for _, step := range op.Steps {
		for _, m := range step.Failures {
			if step.Dependency == s.Dependency && slices.Contains(m.On, "timeout") {
				attempts = max(attempts, m.Attempts)
			}
		}
	}
	return load, attempts
}

// retriesToo says that what times out does so every time.
func retriesToo(attempts int) string {
	if attempts == 2 {
		return "retry too"
	}
	return Count(int64(attempts-1)) + " retries too"
}

// Caption says what retries make of the load at hand, and before under what condition: a fifth of it times out. Where no
// timeout is tried again it stays what it is, and before says what three more tries would make of it.
func (s *Storm) Caption(set *scenario.Scenario) (before, caption string) {
	load, attempts := s.lesson(set)
	if attempts == 1 {
		return "If 20 % timed out, and were tried three more times, " + Quantity(load) + " would become " + becomes(load, 1+lessonRetries) +
			". No timeout is tried again here:", Quantity(load) + " " + plural(load == 1, "stays ", "stay ") + Quantity(load) + "."
	}
	if bound := metrics.Sum(set, lessonShare).BudgetBound; stops(bound, attempts) {
		return "If 20 % time out, and their " + retriesToo(attempts) + ", " + Quantity(load) + " would become " + becomes(load, attempts) + ":",
			Quantity(load) + " becomes " + Quantity(load**bound) + ", as the budget stops it" + inHand + "."
	}
	return "If 20 % time out, and their " + retriesToo(attempts) + ":", Quantity(load) + " becomes " + becomes(load, attempts) + " because of our own code."
}

// inHand is what a budget lets through beside its share.
var inHand = ", but for the " + strconv.Itoa(policy.BudgetBurst) + " retries that each process has in hand"

// stops tells whether a budget's bound is less than what so many attempts for each of the fifth come to.
func stops(bound *float64, attempts int) bool {
	return bound != nil && *bound < 1+lessonShare*float64(attempts-1)
}

// becomes is what so many attempts for each of the fifth that times out make of a load, to three digits.
func becomes(load float64, attempts int) string {
	total := load * (1 + lessonShare*float64(attempts-1))
	about, rounded := "", whole(total)
	if digits := math.Pow(10, math.Floor(math.Log10(max(total, 1)))-2); digits > 1 {
		rounded = math.Floor(total/digits) * digits
	}
	if math.Abs(rounded-total) > 1e-6*total {
		about = "about "
	}
	return about + Quantity(rounded)
}

// factor is a multiple with as many decimals as it needs, up to two: "1.6×".
func factor(x float64) string {
	s := strings.TrimSuffix(Times(x), "×")
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "×"
}

// many is the plural of what users ask for: reads, queries, searches.
func many(name string) string {
	switch {
	case strings.HasSuffix(name, "y") && len(name) > 1 && !strings.ContainsRune("aeiou", rune(name[len(name)-2])):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "s"), strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}

// again is how often something is tried after the first time.
func again(retries int) string {
	if retries == 1 {
		return "once more"
	}
	return "up to " + Count(int64(retries)) + " more times"
}

// Capital is s as a sentence begins. It is not to be empty.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func plural(one bool, single, several string) string {
	if one {
		return single
	}
	return several
}
