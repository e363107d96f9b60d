package live_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
)

func TestFailureSaysWhatHappened(t *testing.T) {
	cause := errors.New("no space left")
	for _, test := range []struct {
		failure live.Failure
		want    string
	}{
		{live.Failure{Call: "primary_read", Outcome: policy.Timeout, Attempts: 1, Took: 20 * time.Millisecond},
			"primary_read: timeout after 20ms"},
		{live.Failure{Call: "b", Outcome: policy.Timeout, Attempts: 4, Took: 4 * time.Second},
			"b: timeout after 4s and 4 attempts"},
		{live.Failure{Call: "object_put", Outcome: policy.Error, Attempts: 1, Took: 3 * time.Millisecond, Err: cause},
			"object_put: error after 3ms: no space left"},
		{live.Failure{Call: "object_put", Outcome: policy.Error, Attempts: 2, Took: 3 * time.Millisecond, Err: cause},
			"object_put: error after 3ms and 2 attempts: no space left"},
		{live.Failure{Call: "b", Outcome: policy.Deadline, Took: 0},
			"b: deadline after 0s and 0 attempts"},
	} {
		if got := test.failure.Error(); got != test.want {
			t.Errorf("it says %q, want %q", got, test.want)
		}
	}
	err := fmt.Errorf("create: %w", &live.Failure{Call: "object_put", Outcome: policy.Error, Err: cause})
	if !errors.Is(err, cause) {
		t.Error("the cause of a failure can't be found")
	}
}

func TestErrShedSaysForHowLong(t *testing.T) {
	for err, want := range map[error]string{
		live.ErrShed{}:                       "turned away",
		live.ErrShed{After: 2 * time.Second}: "turned away for 2s",
	} {
		if got := err.Error(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
