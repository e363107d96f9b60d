package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"stormbin/pastebin"
)

func jobsInOrder(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	put := func(paste string, at time.Duration) {
		ok(t, s.Jobs.Put(ctx, pastebin.Job{Kind: pastebin.Reap, Paste: paste, RunAt: noon.Add(at)}))
	}
	put("second", 0)
	put("first", -2*time.Hour)
	put("later", time.Hour)
	put("soon", time.Millisecond)
	for _, paste := range []string{"first", "second"} {
		wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: paste, RunAt: noon.Add(pastebin.Lease), Attempts: 1})
	}
	wantNoJob(t, s, noon)
}

func jobsAreLeased(t *testing.T, s pastebin.Stores) {
	job := detach("a")
	ok(t, s.Jobs.Put(t.Context(), job))
	end := noon.Add(pastebin.Lease)
	job.RunAt, job.Attempts = end, 1
	wantJob(t, s, noon, job)
	wantNoJob(t, s, end.Add(-time.Millisecond))
	job.RunAt, job.Attempts = end.Add(pastebin.Lease), 2
	wantJob(t, s, end, job)
}

func jobsAreReplaced(t *testing.T, s pastebin.Stores) {
	ctx, job := t.Context(), detach("a")
	ok(t, s.Jobs.Put(ctx, job))
	job.RunAt, job.Attempts = noon.Add(time.Hour), 3
	ok(t, s.Jobs.Put(ctx, job))
	wantNoJob(t, s, noon)
	other := pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon} // another kind is another job
	ok(t, s.Jobs.Put(ctx, other))
	wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon.Add(pastebin.Lease), Attempts: 1})
	wantNoJob(t, s, noon)
}

func jobsThatChanged(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Jobs.Put(ctx, detach("a")))
	taken, err := s.Jobs.Take(ctx, noon, noon.Add(pastebin.Lease))
	ok(t, err)
	again := detach("a")
	again.RunAt = noon.Add(time.Second)
	ok(t, s.Jobs.Put(ctx, again))
	ok(t, s.Jobs.Remove(ctx, taken))
	taken, err = s.Jobs.Take(ctx, again.RunAt, noon.Add(time.Hour))
	ok(t, err)
	ok(t, s.Jobs.Remove(ctx, taken))
	wantNoJob(t, s, noon.Add(2*time.Hour))
}

func jobsOfAKind(t *testing.T, s pastebin.Stores) {
	ctx, want := t.Context(), map[string]pastebin.Job{}
	for i, kind := range []pastebin.JobKind{pastebin.Expire, pastebin.Lapse, pastebin.Lapse, pastebin.Purge, "lapsed"} {
		job := pastebin.Job{Kind: kind, Paste: fmt.Sprint("paste ", i), RunAt: noon.Add(time.Duration(i) * time.Hour)}
		ok(t, s.Jobs.Put(ctx, job))
		if kind == pastebin.Lapse {
			want[job.Paste] = job
		}
	}
	got, err := s.Jobs.List(ctx, pastebin.Lapse)
	ok(t, err)
	if len(got) != len(want) {
		t.Errorf("%+v, want the %d that lapse", got, len(want))
	}
	for _, job := range got {
		if job != want[job.Paste] {
			t.Errorf("job %+v, want %+v", job, want[job.Paste])
		}
	}
	none, err := s.Jobs.List(ctx, pastebin.Detach)
	ok(t, err)
	if len(none) != 0 {
		t.Errorf("%+v, want none", none)
	}
}

func takeRace(t *testing.T, s pastebin.Stores) {
	ok(t, s.Jobs.Put(t.Context(), detach("a")))
	one(t, pastebin.ErrNotFound, func(int) error {
		_, err := s.Jobs.Take(t.Context(), noon, noon.Add(pastebin.Lease))
		return err
	})
}

func lead(t *testing.T, s pastebin.Stores) {
	for _, step := range []struct {
		who        string
		now, until time.Duration
		want       bool
	}{
		{"one", 0, time.Minute, true},
		{"two", time.Second, time.Minute, false},
		{"one", 30 * time.Second, 90 * time.Second, true}, // and goes on
		{"two", time.Minute, time.Hour, false},
		{"two", 90*time.Second - time.Millisecond, time.Hour, false},
		{"two", 90 * time.Second, 2 * time.Minute, true}, // nobody does any more
		{"one", 100 * time.Second, time.Hour, false},
		{"two", time.Hour, 2 * time.Hour, true}, // nobody came in between
		{"two", time.Hour, time.Hour + time.Second, true},
		{"one", time.Hour + time.Second, 2 * time.Hour, true},
	} {
		got, err := s.Jobs.Lead(t.Context(), step.who, noon.Add(step.now), noon.Add(step.until))
		ok(t, err)
		if got != step.want {
			t.Errorf("%s asks to lead at %v until %v: %t, want %t", step.who, step.now, step.until, got, step.want)
		}
	}
	wantNoJob(t, s, noon.Add(1000*time.Hour)) // to lead is no job
}

func leadRace(t *testing.T, s pastebin.Stores) {
	won := one(t, errLed, func(i int) error {
		leads, err := s.Jobs.Lead(t.Context(), fmt.Sprint(i), noon, noon.Add(time.Minute))
		if err == nil && !leads {
			err = errLed
		}
		return err
	})
	leads, err := s.Jobs.Lead(t.Context(), fmt.Sprint(won), noon, noon.Add(time.Minute))
	ok(t, err)
	if !leads {
		t.Errorf("%d leads no more", won)
	}
}

var errLed = errors.New("another leads")
