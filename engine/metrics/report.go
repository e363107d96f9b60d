// Package metrics is what a run is judged by: histograms, the windows that outages are found in, the report with its JSON
// names, and the verdict in words.
package metrics

// Report is what a run came to. Its JSON names are a contract: storm run -json prints one.
//
// Every request that arrived within the duration is followed to its answer, and so are its attempts: offered, ok,
// attempts and timeouts are whole. What a dependency did is measured within the duration: completed,
// abandoned_completed, killed, max_queue, utilization, in_system_mean and wait_s.
type Report struct {
	Scenario     string                `json:"scenario"`
	Seed         uint64                `json:"seed"`
	DurationS    float64               `json:"duration_s"`
	Events       int64                 `json:"events"`
	TraceHash    string                `json:"trace_hash"`
	Requests     Requests              `json:"requests"`
	Dependencies map[string]Dependency `json:"dependencies"`
	// BadSeconds counts the seconds of which more than the allowed share of arrivals, and at least one, did not end ok.
	BadSeconds int `json:"bad_seconds"`
	// RecoveryS is from the end of the last fault to the end of the last bad tenth of a second after it. 0 if there is
	// none, null if it is still bad at the end or if no fault ended.
	RecoveryS *float64 `json:"recovery_s"`
	// Metastable: still bad at the end, at least 30 s after the last fault ended, with no falling trend of the queue.
	Metastable bool   `json:"metastable"`
	Verdict    string `json:"verdict"`
	Series     []Row  `json:"series"`
}

// Requests counts requests: offered = ok + failed + shed + late + unfinished.
type Requests struct {
	Offered    int64            `json:"offered"`
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
	FirstAttempts      int64   `json:"first_attempts"`
	Attempts           int64   `json:"attempts"`
	Amplification      float64 `json:"amplification"` // attempts ÷ first_attempts; 1 if there were none
	Retries            int64   `json:"retries"`
	Refused            int64   `json:"refused"`
	Timeouts           int64   `json:"timeouts"`
	Completed          int64   `json:"completed"` // abandoned ones included
	AbandonedCompleted int64   `json:"abandoned_completed"`
	Killed             int64   `json:"killed"`
	MaxQueue           int64   `json:"max_queue"`
	Utilization        float64 `json:"utilization"` // mean share of the slots that are busy
	WaitS              Wait    `json:"wait_s"`      // from arrival to a slot
	InSystemMean       float64 `json:"in_system_mean"`
	Stored             int64   `json:"stored"`     // writes that took effect
	Duplicates         int64   `json:"duplicates"` // of those, beyond the first of one request
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
	// Dependencies is what each saw in this second, and its queue at the end of it.
	Dependencies map[string]RowDependency `json:"dependencies"`
}

// RowDependency is one dependency's second.
type RowDependency struct {
	Attempts  int64 `json:"attempts"`
	Retries   int64 `json:"retries"`
	Timeouts  int64 `json:"timeouts"`
	Completed int64 `json:"completed"`
	Queue     int64 `json:"queue"`
	Busy      int64 `json:"busy"`
}
