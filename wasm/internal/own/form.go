package own

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// Section is a part of the form.
type Section struct {
	Title, Lead string
	List        string // the path of what it lists; "" if it is no list
	Add         string // the words of the button that adds to the list
	Named       bool   // what is in the list has names
	Groups      []Group
}

// Group is the fields of one thing.
type Group struct {
	Name   string // in its list: of faults the number, "" outside of lists
	Title  string
	Fields []Field
	More   []Field // those that few need
}

// Kind is how a field is filled in.
type Kind int

const (
	Text   Kind = iota // something typed
	Number             // the same, but a number
	Choice             // one of the options
	Words              // any of the options
	Steps              // a list of the options, in order, each as often as it likes
	Yes                // or no
)

// Field is one setting.
type Field struct {
	Path  string // in the scenario
	Label string
	Hint  string // what it means, or costs
	Kind  Kind
	Value string   // of Text, Number and Choice, as it stands in the field
	On    []string // of Words and Steps
	Yes   bool
	// Options are what can be chosen, as the scenario has it; an empty one is None.
	Options []string
	// Said is how an option reads for people, of those that read otherwise.
	Said map[string]string
	// None is what an empty field means. Empty: it may not be empty.
	None string

	empty any // what an empty field sets
}

// Typed is what the field sets when text stands in it.
func (f Field) Typed(text string) any {
	text = strings.ReplaceAll(text, " ", "") // 20 ms is how the page itself writes 20ms
	if text == "" && f.None != "" {
		return f.empty
	}
	if f.Kind == Number {
		plain := ungrouped(text)
		if n, err := strconv.ParseUint(plain, 10, 64); err == nil { // a seed may be more than a float can hold
			return n
		}
		if x, err := strconv.ParseFloat(plain, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
			return x
		}
	}
	return text
}

// ungrouped is a number without the commas between its thousands; anything else as it is.
func ungrouped(text string) string {
	groups := strings.Split(text, ",")
	for i, g := range groups {
		if len(g) != 3 && (i > 0 || len(groups) > 1 && (g == "" || len(g) > 3)) {
			return text
		}
	}
	return strings.Join(groups, "")
}

func duration(path, label string, d scenario.Duration, none, hint string) Field {
	f := Field{Path: path, Label: label, Hint: hint, Value: d.String(), None: none, empty: "0s"}
	if none != "" && d == 0 {
		f.Value = ""
	}
	return f
}

func number(path, label string, x float64, none, hint string) Field {
	f := Field{Path: path, Label: label, Hint: hint, Kind: Number, Value: strconv.FormatFloat(x, 'f', -1, 64), None: none, empty: 0}
	if none != "" && x == 0 {
		f.Value = ""
	}
	return f
}

func count(path, label string, n int, none, hint string) Field {
	return number(path, label, float64(n), none, hint)
}

func choice(path, label, value, hint string, options ...string) Field {
	return Field{Path: path, Label: label, Hint: hint, Kind: Choice, Value: value, Options: options}
}

// said is a choice whose options each have their words behind them.
func said(path, label, value, hint string, options ...string) Field {
	f := Field{Path: path, Label: label, Hint: hint, Kind: Choice, Value: value, Said: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		f.Options = append(f.Options, options[i])
		f.Said[options[i]] = options[i+1]
	}
	return f
}

// maybe is a choice that may also be none.
func maybe(path, label, value, none, hint string, options []string) Field {
	return Field{Path: path, Label: label, Hint: hint, Kind: Choice, Value: value, Options: append([]string{""}, options...), None: none, empty: ""}
}

func yes(path, label string, on bool, hint string) Field {
	return Field{Path: path, Label: label, Hint: hint, Kind: Yes, Yes: on}
}

func words(path, label string, on []string, hint string, options ...string) Field {
	return Field{Path: path, Label: label, Hint: hint, Kind: Words, On: on, Options: options}
}

var (
	outcomes = []string{"timeout", "error", "refused", "lost", "shed"}
	backoffs = []string{"none", "constant", "linear", "exponential"}
	jitters  = []string{"none", "full", "equal", "decorrelated"}
)

// Form is all fields of a system, in the order to show them in. What has none (shapes of the load, tables of service times,
// keys, jobs, and what was changed while a run went on) is only in the JSON, and stays as it is.
func Form(s *scenario.Scenario) []Section {
	ops := Section{Title: "What users ask for", Lead: "Each operation, how often it comes, and the calls it makes one after the other.",
		List: operations, Add: "Add an operation", Named: true}
	opNames, depNames, callNames := inOrder(s)
	for _, name := range opNames {
		ops.Groups = append(ops.Groups, operation(s, name))
	}
	deps := Section{Title: "What it stands on", Lead: "Each dependency: how many it serves at once, and how long that takes. The others wait.",
		List: dependencies, Add: "Add a dependency", Named: true}
	for _, name := range depNames {
		if d, found := s.Dependencies[name]; found {
			deps.Groups = append(deps.Groups, dependency(name, d))
		}
	}
	lines := Section{Title: "The policy, call by call", Lead: "How long each call is waited for, and what is done about it.",
		List: calls, Add: "Add a call", Named: true}
	for _, name := range callNames {
		if c, found := s.Policy.Calls[name]; found {
			lines.Groups = append(lines.Groups, call(s, name, c))
		}
	}
	breaks := Section{Title: "What breaks", Lead: "In the run of the sentence at the top. The stalls of two seconds are runs of their own.",
		List: faults, Add: "Add a fault"}
	for i, f := range s.Faults {
		breaks.Groups = append(breaks.Groups, fault(s, i, f))
	}
	return []Section{ops, deps, lines, around(s), breaks, theRun(s)}
}

// inOrder is what has names in the order of the form: as requests come to it. It hangs on nothing that is typed, a rate say,
// or a field would move away from under who types.
func inOrder(s *scenario.Scenario) (ops, deps, calls []string) {
	add := func(list *[]string, name string) {
		if name != "" && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	ops = scenario.Names(s.Operations)
	for _, op := range ops {
		for _, step := range s.Operations[op].Steps {
			add(&calls, step)
		}
	}
	for _, name := range scenario.Names(s.Policy.Calls) {
		add(&calls, name)
	}
	for _, op := range ops {
		add(&deps, s.Operations[op].Edge)
	}
	for _, name := range calls {
		c := s.Policy.Calls[name]
		add(&deps, c.Target(name))
	}
	for _, name := range scenario.Names(s.Dependencies) {
		add(&deps, name)
	}
	return ops, deps, calls
}

// Outline is which fields a form has, and what can be chosen in them: one of another outline is made anew, one of the same
// is only filled. Nothing that is typed changes it.
func Outline(form []Section) string {
	var b strings.Builder
	for _, section := range form {
		b.WriteString("\n" + section.Title)
		for _, g := range section.Groups {
			b.WriteString("\n" + g.Title + " " + g.Name)
			for _, f := range slices.Concat(g.Fields, g.More) {
				b.WriteString("\n" + f.Path + " " + f.Label + " " + strings.Join(f.Options, ","))
				if f.Kind == Steps {
					b.WriteString(" of " + strings.Join(f.On, ","))
				}
			}
		}
	}
	return b.String()
}

// Fits tells whether a system is small enough for a form. Every valid one is.
func Fits(s *scenario.Scenario) bool {
	const most, mostFaults = 100, 1000
	return max(len(s.Operations), len(s.Dependencies), len(s.Policy.Calls)) <= most && len(s.Faults) <= mostFaults &&
		!slices.ContainsFunc(scenario.Names(s.Operations), func(name string) bool { return len(s.Operations[name].Steps) > most })
}

func operation(s *scenario.Scenario, name string) Group {
	o, at := s.Operations[name], json.Join(operations, name)
	g := Group{Name: name, Title: name, Fields: []Field{
		number(at+".rate", "Requests /s", o.Rate, "", "From users, without any retries."),
		duration(at+".deadline", "Deadline", o.Deadline, "none", "How long a user waits for one request. An answer after that is for nobody."),
		{Path: at + ".steps", Label: "Calls, one after the other", Kind: Steps, On: o.Steps, Options: scenario.Names(s.Policy.Calls)},
	}, More: []Field{
		said(at+".arrivals", "Arrivals", o.Arrivals, "Users who wait are so many, each with one request at a time.", "poisson", "by chance", "even", "evenly spaced", "closed", "users who wait"),
		count(at+".client.attempts", "Users try", o.Client.Attempts, "", "How often in all, the first time included."),
		count(json.Join("processes.cap", name), "Cap in each process", s.Processes.Cap[name], "no cap", "How many one process holds at once. The next is turned away with a 503."),
		maybe(at+".edge", "Edge", o.Edge, "none", "A dependency, like a CDN, that answers its share of hits before a process is asked.", scenario.Names(s.Dependencies)),
		yes(at+".idempotent", "Idempotent: twice does no harm", o.Idempotent, "Without this, a retry may do it a second time."),
	}}
	if o.Arrivals == "closed" {
		g.Fields[0] = count(at+".clients", "Users", o.Clients, "", "Each has one request at a time.")
		g.More = append(g.More, duration(at+".think", "Users think for", o.Think, "", "The mean pause between an answer and the next request."))
	}
	return g
}

func dependency(name string, d scenario.Dependency) Group {
	at := json.Join(dependencies, name)
	g := Group{Name: name, Title: name, Fields: []Field{
		count(at+".slots", "Slots", d.Slots, "", "How many attempts it serves at once: connections, threads, workers."),
		duration(at+".service.mean", "Service time, mean", d.Service.Mean, "0s", "What it needs for one attempt, on average, once it has a slot."),
		choice(at+".service.dist", "Service times are", d.Service.Dist, "How they vary around the mean. lognormal has the longest tail.", "constant", "exponential", "lognormal", "table"),
		duration(at+".statement_timeout", "Statement timeout", d.StatementTimeout, "none", "It drops work of this age by itself, whoever waits for it."),
	}, More: []Field{
		duration(at+".service.base", "At least", d.Service.Base, "0s", "Added to each service time."),
		count(at+".queue_limit", "Queue limit", d.QueueLimit, "no bound", "How many may wait. The next is refused."),
		said(at+".discipline", "Serves first", d.Discipline, "Of those that wait for a slot.", "fifo", "the oldest", "lifo", "the newest"),
		duration(at+".queue_age", "Turns away after", d.QueueAge, "never", "Work that has waited so long when its turn comes."),
		duration(at+".retry_after", "Retry-After", d.RetryAfter, "none", "A full queue says when to come again, in place of refusing the connection."),
		number(at+".hit_share", "Hit share", d.HitShare, "0", "Of a cache: the share of answers after which no further call is needed. 0 to 1."),
		yes(at+".cancel", "Drops work whose caller has left", d.Cancel, "Few servers can; most go on."),
	}}
	if d.Service.Dist == "lognormal" {
		g.More = append(g.More, number(at+".service.sigma", "Sigma", d.Service.Sigma, "", "How far lognormal times spread: more than 0, up to 3."))
	}
	return g
}

func call(s *scenario.Scenario, name string, c scenario.Call) Group {
	at := json.Join(calls, name)
	return Group{Name: name, Title: name, Fields: []Field{
		maybe(at+".on", "On", c.On, "by its name", "The dependency it goes to.", scenario.Names(s.Dependencies)),
		duration(at+".timeout", "Timeout", c.Timeout, "none", "Of one attempt. The work it gave up on may go on over there."),
		count(at+".attempts", "Attempts", c.Attempts, "", "The first included. Each more can multiply the load just when there is no room for it."),
		words(at+".retry_on", "Retried on", c.RetryOn, "None chosen: nothing is retried. timeout: nobody knows whether it was done. error: it answered, and said no. refused: it never had it. lost: done, but the answer never came. shed: it said to come again later.", outcomes...),
	}, More: []Field{
		choice(at+".backoff.kind", "Backoff", c.Backoff.Kind, "How the wait before a retry grows.", backoffs...),
		duration(at+".backoff.base", "Base", c.Backoff.Base, "none", "The wait before the first retry."),
		duration(at+".backoff.max", "At most", c.Backoff.Max, "no bound", "No wait is longer."),
		choice(at+".jitter", "Jitter", c.Jitter, "Chance in the wait, so that those who failed together don’t come back together.", jitters...),
		duration(at+".hedge_after", "Hedge after", c.HedgeAfter, "never", "A second attempt when the first is still out after so long."),
		duration(at+".statement_timeout", "Statement timeout", c.StatementTimeout, "the server’s own", "What this call asks the server to stop at, in place of its own."),
		count(at+".library.attempts", "Its library tries", c.Library.Attempts, "", "How often in all, by itself, for each attempt of the call."),
		duration(at+".library.timeout", "The library’s timeout", c.Library.Timeout, "none", "Of one of its own tries."),
		yes(at+".optional", "Optional: if it fails, the operation goes on", c.Optional, "As with a cache that is down: a miss."),
		yes(at+".hedge_cancel", "Cancels the one that a hedge has beaten", c.HedgeCancel, "Frees its slot early, if the server listens."),
		yes(at+".idempotency_key", "Sends an idempotency key", c.IdempotencyKey, "So that the server can tell a repetition of a write."),
	}}
}

func around(s *scenario.Scenario) Section {
	p := &s.Policy
	budget := Group{Title: "Retry budget", Fields: []Field{
		said("policy.budget.kind", "Measured by", p.Budget.Kind, "What retries are a share of: first attempts, or the calls under way, as in Envoy. With tokens a failure costs one and a success earns a part, as in gRPC.", "ratio", "first attempts", "tokens", "tokens", "in_flight", "calls under way"),
	}}
	switch p.Budget.Kind {
	case "tokens":
		budget.Fields = append(budget.Fields,
			count("policy.budget.max_tokens", "Tokens", p.Budget.MaxTokens, "", "With half of them gone nothing is retried."),
			number("policy.budget.token_ratio", "A success earns", p.Budget.TokenRatio, "", "A part of a token, like 0.1."))
	case "in_flight":
		budget.Fields = append(budget.Fields,
			number("policy.budget.percent", "Percent", p.Budget.Percent, "0", "Of the calls under way."),
			count("policy.budget.min_concurrent", "Always allowed", p.Budget.MinConcurrent, "0", "Retries under way, however few calls there are."))
	default:
		budget.Fields = append(budget.Fields,
			number("policy.budget.percent", "Percent", p.Budget.Percent, "no budget", "At 10 there are never more than 1.1 attempts for each first one, but for ten that each process has in hand."),
			number("policy.budget.floor_per_second", "Floor, retries /s", p.Budget.FloorPerSecond, "0", "Always allowed, in each process, to each dependency."))
	}
	b := &p.Breaker
	breaker := Group{Title: "Breaker", Fields: []Field{
		yes("policy.breaker.enabled", "There is one before each dependency", b.Enabled, "When too much fails it lets nothing through for a while: what would have gone well fails too."),
	}}
	if b.Enabled {
		breaker.Fields[0].Label = "There is one"
		breaker.Fields = append(breaker.Fields,
			words("policy.breaker.on", "Counts", b.On, "", outcomes...),
			number("policy.breaker.threshold", "Opens at a share of", b.Threshold, "", "Of failures among its calls: 0.5 is half."),
			count("policy.breaker.min_calls", "Calls, at least", b.MinCalls, "", "No verdict on fewer in the window."),
			duration("policy.breaker.window", "In the last", b.Window, "", "What it counts failures over, like 10s."),
			duration("policy.breaker.open_for", "Stays open for", b.OpenFor, "", "Like 5s. Nothing gets through until then."),
			count("policy.breaker.probes", "Probes", b.Probes, "", "How many are let through then, and must go well."),
			words("policy.breaker.targets", "Only before", b.Targets, "None chosen: before all.", scenario.Names(s.Dependencies)...))
	}
	return Section{Title: "Around the calls", Groups: []Group{
		{Title: "Processes", Fields: []Field{
			count("processes.count", "Processes", s.Processes.Count, "", "Copies of your service. Each has a budget and breakers of its own."),
			said("processes.pick", "The balancer picks", s.Processes.Pick, "Busy is who has many requests under way.", "turn", "each in turn", "random", "any at random", "least", "the least busy", "two", "better of two"),
			count("policy.balancer.attempts", "and tries", p.Balancer.Attempts, "", "Processes, for one request: 1 is no retry."),
			yes("policy.propagate_deadline", "Deadlines are passed on", p.PropagateDeadline, "No attempt is given longer than its request has left."),
		}},
		budget, breaker,
	}}
}

func fault(s *scenario.Scenario, i int, f scenario.Fault) Group {
	n := strconv.Itoa(i)
	at := faults + "." + n
	targets := scenario.Names(s.Dependencies)
	if f.Kind == "surge" {
		targets = scenario.Names(s.Operations)
	}
	how := said(at+".kind", "How", f.Kind, "")
	for _, w := range view.AllWays() {
		how.Options = append(how.Options, w.Kind)
		how.Said[w.Kind] = w.Name
		if w.Kind == f.Kind {
			how.Hint = w.Does
		}
	}
	g := Group{Name: n, Title: strconv.Itoa(i+1) + ". " + view.Title(f.Target) + ": " + how.Said[f.Kind], Fields: []Field{
		choice(at+".target", "What", f.Target, "", targets...),
		how,
		duration(at+".at", "From", f.At, "0s", "A time of the run, like 3s."),
		duration(at+".for", "For", f.For, "to the end", "Like 2s."),
	}}
	switch f.Kind {
	case "slow", "capacity", "surge":
		g.Fields = append(g.Fields, number(at+".factor", "Factor", f.Factor, "", "Of service times, slots, or requests."))
	case "flaky", "lose":
		g.Fields = append(g.Fields, number(at+".p", "Share", f.P, "0", "0.2 is one in five."))
	}
	return g
}

func theRun(s *scenario.Scenario) Section {
	return Section{Title: "The run", Groups: []Group{{Fields: []Field{
		duration("duration", "Lasts", s.Duration, "", "How long requests come."),
		{Path: "seed", Label: "Seed", Hint: "Decides when requests come. The same seed is the same run.", Kind: Number, Value: strconv.FormatUint(s.Seed, 10)},
		number("bad_share", "Bad if more fail than", s.BadShare, "0", "The share of a second’s requests that may fail before it is a bad second. 0.01 is one in a hundred."),
	}}}}
}
