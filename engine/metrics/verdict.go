package metrics

// Sentence sums up a report in one sentence that a person can repeat.
func (r *Report) Sentence() string { return "" }
