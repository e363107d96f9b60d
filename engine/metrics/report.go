// Package metrics is what a run is judged by: histograms, the windows that outages are found in, the report with its JSON
// names, the verdict in words, who would have been paged and why, and what tells two reports apart. sum.go is what can be
// said of a policy without a run; export.go and markdown.go are what people take away.
package metrics

// Report is what a run came to. Its JSON names are a contract: storm run -json prints one.
//
// Every request that arrived within the duration is followed to its answer, and so are its attempts: offered, ok,
// attempts and timeouts are whole. What a dependency did is measured within the duration: completed,
// abandoned_completed, killed, max_queue, utilization, in_system_mean and wait_s.
type Report struct {
	Scenario  string  `json:"scenario"`
	Seed      uint64  `json:"seed"`
	DurationS float64 `json:"duration_s"`
	// CutShort says that the run had more events than a run may have, and ends before the scenario does.
	CutShort     bool                  `json:"cut_short"`
	Events       int64                 `json:"events"`
	TraceHash    string                `json:"trace_hash"`
	Requests     Requests              `json:"requests"`
	Operations   map[string]Requests   `json:"operations"` // the same for each operation
	Dependencies map[string]Dependency `json:"dependencies"`
	Jobs         map[string]Jobs       `json:"jobs"`
	// BadSeconds counts the seconds of which more than the allowed share of arrivals, and at least one, did not end ok.
	BadSeconds int `json:"bad_seconds"`
	// RecoveryS is from the end of the last fault to the end of the last bad tenth of a second after it. 0 if there is
	// none, null if it is still bad at the end or if no fault ended.
	RecoveryS *float64 `json:"recovery_s"`
	// OutlastedS is the same by the second, as [Windows.Outlasted] has it: requests that fail here and there don't count. null
	// if RecoveryS is.
	OutlastedS *float64 `json:"outlasted_s"`
	// Metastable: still bad at the end, at least 30 s after the last fault ended, with no falling trend of the queue.
	Metastable bool   `json:"metastable"`
	Verdict    string `json:"verdict"`
	// Alerts are the pages that would have gone out, in order of time.
	Alerts []Alert `json:"alerts"`
	Series []Row   `json:"series"`
}

// Requests counts users' requests: offered = ok + failed + shed + late + unfinished.
type Requests struct {
	Offered int64 `json:"offered"`
	// Tries is how many requests that made, with those that users sent again.
	Tries      int64            `json:"tries"`
	OK         int64            `json:"ok"`
	Failed     int64            `json:"failed"`
	Shed       int64            `json:"shed"`
	Late       int64            `json:"late"`
	Unfinished int64            `json:"unfinished"`
	Outcomes   map[string]int64 `json:"outcomes"` // by policy.Outcome, and late
	// LatencyS is how long users waited, whatever they got.
	LatencyS Quantiles `json:"latency_s"`
}

// Quantiles of a distribution, in seconds, each within 1 %.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Dependency is what one dependency saw and did.
type Dependency struct {
	FirstAttempts int64   `json:"first_attempts"`
	Attempts      int64   `json:"attempts"`
	Amplification float64 `json:"amplification"` // attempts ÷ first_attempts; 1 if there were none
	Retries       int64   `json:"retries"`
	Hedges        int64   `json:"hedges"`
	Refused       int64   `json:"refused"` // without a word about when to come again
	Shed          int64   `json:"shed"`    // with one
	// TurnedAway counts calls that a breaker ended in its place. Opened is how often a breaker before it opened, over all
	// processes.
	TurnedAway         int64   `json:"turned_away"`
	Opened             int64   `json:"opened"`
	Timeouts           int64   `json:"timeouts"`
	Completed          int64   `json:"completed"` // abandoned ones included
	AbandonedCompleted int64   `json:"abandoned_completed"`
	Killed             int64   `json:"killed"`
	MaxQueue           int64   `json:"max_queue"`
	Utilization        float64 `json:"utilization"` // mean share of the slots that are busy
	WaitS              Wait    `json:"wait_s"`      // from arrival to a slot
	InSystemMean       float64 `json:"in_system_mean"`
	Stored             int64   `json:"stored"`     // writes that took effect
	Duplicates         int64   `json:"duplicates"` // of those, beyond the first of one click
	Repeated           int64   `json:"repeated"`   // writes that a key showed to be repetitions: nothing was stored
	Orphans            int64   `json:"orphans"`    // of what is stored, what no later step of its request refers to
	Reaped             int64   `json:"reaped"`     // orphans that a job has removed
	Hits               int64   `json:"hits"`       // of a cache or an edge
}

// Multiple is Amplification in words: "3.80×"; "–" if nothing was sent.
func (d *Dependency) Multiple() string {
	if d.Attempts == 0 {
		return "–"
	}
	return times(d.Amplification)
}

// Jobs is what became of the jobs of one name.
type Jobs struct {
	Made    int64 `json:"made"`
	Runs    int64 `json:"runs"` // at least once each
	Done    int64 `json:"done"`
	Waiting int64 `json:"waiting"` // not done by the end
}

// Wait is how long attempts waited, in seconds.
type Wait struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
}

// Row is one second of the run.
type Row struct {
	TS      int   `json:"t_s"`     // when the second begins
	Offered int64 `json:"offered"` // requests that arrived in it
	OK      int64 `json:"ok"`      // of those, what became of them
	Failed  int64 `json:"failed"`  // all that did not end ok
	Bad     bool  `json:"bad"`
	// P50S and P99S are of the requests that ended in this second, whatever they got; 0 if none did.
	P50S       float64                 `json:"p50_s"`
	P99S       float64                 `json:"p99_s"`
	Operations map[string]RowOperation `json:"operations"`
	// Dependencies is what each saw in this second.
	Dependencies map[string]RowDependency `json:"dependencies"`
}

// RowOperation is one operation's second: requests that arrived in it, and those that ended in it, whenever they came.
type RowOperation struct {
	Offered int64 `json:"offered"`
	Ended   int64 `json:"ended"`
	EndedOK int64 `json:"ended_ok"`
}

// RowDependency is one dependency's second.
type RowDependency struct {
	Attempts  int64 `json:"attempts"`
	Retries   int64 `json:"retries"` // of attempts
	Hedges    int64 `json:"hedges"`  // of attempts
	Refused   int64 `json:"refused"`
	Shed      int64 `json:"shed"`
	Timeouts  int64 `json:"timeouts"`
	Completed int64 `json:"completed"`
	Queue     int64 `json:"queue"` // at the end of the second
	Busy      int64 `json:"busy"`  // slots, at the end of the second
	// BusyMean is how many slots were busy over the second, on average.
	BusyMean float64 `json:"busy_mean"`
	// TurnedAway is what breakers ended in its place; Open is how many of them are open, or half-open, at the end of the
	// second.
	TurnedAway int64 `json:"turned_away"`
	Open       int64 `json:"open"`
}

// Alert is one page that would have gone out.
type Alert struct {
	// AtS is when it would have gone out: the end of the first second over its threshold.
	AtS float64 `json:"at_s"`
	// Kind is timeouts, retries, breaker, creates or failures, in the order in which they are worth a page. The last two are
	// requests that ended badly: creates of an operation that is not idempotent, failures of any other.
	Kind   string `json:"kind"`
	Target string `json:"target"` // the dependency, or the operation
	// Value is what was measured in that second, Threshold what it was over: shares of attempts or requests; of breakers,
	// how many are open, or half-open.
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
	Cause     string  `json:"cause"` // what was broken then, in words
	Sentence  string  `json:"sentence"`
}
