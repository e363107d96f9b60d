package pastebin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stormbin/engine/policy"
)

// Lease is how long a worker has for a job before another may take it.
const Lease = time.Minute

// ExpiryGrace is how long after the first look at a paste whose time is over its bytes are removed, if it is over then.
const ExpiryGrace = time.Hour

// again is how long a job that failed waits, by how often it was taken.
var again = policy.Backoff{Kind: policy.Exponential, Base: time.Second, Max: time.Hour}

// Worker does the jobs, off the path of any request. A job may be done more than once (a lease may run out, a tab may
// be closed in the middle), so each is one that can be.
type Worker struct{ Stores }

// Run does the jobs that are due at now, which is wall time, until none is left. done counts those that went well. One
// that fails is put back for later and does not stop the others; the error joins what went wrong.
func (w Worker) Run(ctx context.Context, now time.Time) (done int, err error) {
	now = now.UTC().Truncate(time.Millisecond)
	var errs []error
	if err := w.doubt(ctx, now); err != nil {
		errs = append(errs, fmt.Errorf("look for jobs that a wrong clock left: %w", err))
	}
	for ctx.Err() == nil {
		job, err := w.Jobs.Take(ctx, now, now.Add(Lease))
		if errors.Is(err, ErrNotFound) {
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("take a job: %w", err))
			break
		}
		later, err := w.do(ctx, job, now)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s paste %s, attempt %d: %w", job.Kind, job.Paste, job.Attempts, err))
			job.RunAt = now.Add(again.Wait(job.Attempts))
			err = w.Jobs.Put(ctx, job) // if this fails too, it comes due when the lease ends
			errs = append(errs, err)
			continue
		}
		if !later.IsZero() {
			err = w.Jobs.Put(ctx, Job{Kind: job.Kind, Paste: job.Paste, RunAt: later})
		} else {
			err = w.Jobs.Remove(ctx, job)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s paste %s: done, but still listed: %w", job.Kind, job.Paste, err))
			continue
		}
		done++
	}
	return done, errors.Join(append(errs, ctx.Err())...)
}

// do does a job. later is when it has to be done again; zero if it is over.
func (w Worker) do(ctx context.Context, job Job, now time.Time) (later time.Time, err error) {
	switch job.Kind {
	case Reap:
		return time.Time{}, w.reap(ctx, job.Paste, now)
	case Detach:
		return time.Time{}, w.detach(ctx, job.Paste, now)
	case Purge:
		return time.Time{}, w.Cache.Remove(ctx, job.Paste)
	case Expire:
		return w.expire(ctx, job.Paste, now)
	case Lapse:
		return time.Time{}, w.lapse(ctx, job.Paste, now)
	}
	return time.Time{}, fmt.Errorf("unknown kind of job %q; this version knows %s, %s, %s, %s and %s", job.Kind, Reap, Detach, Purge, Expire, Lapse)
}

// reap removes what a create left behind, unless it got its row after all; a row that came to its end has a Detach job
// of its own, which may be in no hurry. To look for a row and then to remove would leave a gap for a late insert to fall
// into, so Clear looks again in one step with what it does. The job is not due before [ReapAge], when no PUT can be on
// its way any more.
func (w Worker) reap(ctx context.Context, id string, now time.Time) error {
	p, err := w.Primary.Get(ctx, id)
	if err == nil && !p.Bare() {
		return nil
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return w.Primary.Clear(ctx, id, now)
}

func (w Worker) detach(ctx context.Context, id string, now time.Time) error {
	if err := w.Primary.Clear(ctx, id, now); err != nil {
		return err
	}
	return w.Jobs.Put(ctx, Job{Kind: Purge, Paste: id, RunAt: now})
}

// expire files Lapse for a paste whose time is over. A clock that is wrong today may be right tomorrow, so nothing is
// removed on one look.
func (w Worker) expire(ctx context.Context, id string, now time.Time) (later time.Time, err error) {
	p, err := w.Primary.Get(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, err
	case p.End == Removed && !p.Bare(): // it may be brought back yet, and this job with it
		return now.Add(ExpiryGrace), nil
	case !p.Deleted.IsZero():
		return time.Time{}, nil
	case !p.ExpiredAt(now):
		return p.Expires, nil
	}
	return time.Time{}, w.Jobs.Put(ctx, Job{Kind: Lapse, Paste: id, RunAt: now.Add(ExpiryGrace)})
}

// doubt takes each Lapse back that was filed while the clock was ahead of now, and has the first look made over. Else a
// clock that jumps twice would end what it was right about in between.
func (w Worker) doubt(ctx context.Context, now time.Time) error {
	jobs, err := w.Jobs.List(ctx, Lapse)
	for _, job := range jobs {
		if err == nil && job.RunAt.After(now.Add(ExpiryGrace)) {
			if err = w.Jobs.Put(ctx, Job{Kind: Expire, Paste: job.Paste, RunAt: now}); err == nil {
				err = w.Jobs.Remove(ctx, job)
			}
		}
	}
	return err
}

// lapse ends a paste whose time is still over. One that it must leave alone, because its time is not over any more or
// because it may be brought back yet, is looked at again.
func (w Worker) lapse(ctx context.Context, id string, now time.Time) error {
	p, err := w.Primary.Delete(ctx, Paste{ID: id, Deleted: now, End: Expired}, Job{Kind: Detach, Paste: id, RunAt: now})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || !p.Deleted.IsZero() && p.End != Removed {
		return err
	}
	for _, job := range expireLater(p) {
		err = w.Jobs.Put(ctx, job)
	}
	return err
}
