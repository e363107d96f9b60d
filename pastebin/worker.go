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
	for ctx.Err() == nil {
		job, err := w.Jobs.Take(ctx, now, now.Add(Lease))
		if errors.Is(err, ErrNotFound) {
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("take a job: %w", err))
			break
		}
		if err := w.do(ctx, job, now); err != nil {
			errs = append(errs, fmt.Errorf("%s paste %s, attempt %d: %w", job.Kind, job.Paste, job.Attempts, err))
			job.RunAt = now.Add(again.Wait(job.Attempts))
			err = w.Jobs.Put(ctx, job) // if this fails too, it comes due when the lease ends
			errs = append(errs, err)
			continue
		}
		if err := w.Jobs.Remove(ctx, job); err != nil {
			errs = append(errs, fmt.Errorf("%s paste %s: done, but still listed: %w", job.Kind, job.Paste, err))
			continue
		}
		done++
	}
	return done, errors.Join(append(errs, ctx.Err())...)
}

func (w Worker) do(ctx context.Context, job Job, now time.Time) error {
	switch job.Kind {
	case Reap:
		return w.reap(ctx, job.Paste, now)
	case Detach:
		return errors.Join(w.Bucket.Remove(ctx, job.Paste), w.Cache.Remove(ctx, job.Paste))
	}
	return fmt.Errorf("unknown kind of job %q; this version knows %s and %s", job.Kind, Reap, Detach)
}

// reap removes what a create left behind, unless it got its row after all. To look for a row and then to remove would
// leave a gap for a late insert to fall into, so it takes the id with a tombstone instead: one insert, which the store
// lets only one of the two do. The job is not due before [ReapAge], when no PUT can be on its way any more.
func (w Worker) reap(ctx context.Context, id string, now time.Time) error {
	err := w.Primary.Insert(ctx, Paste{ID: id, Deleted: now})
	if errors.Is(err, ErrExists) {
		p, err := w.Primary.Get(ctx, id)
		if err != nil {
			return err
		}
		if p.Deleted.IsZero() {
			return nil
		}
	} else if err != nil {
		return err
	}
	return w.Bucket.Remove(ctx, id)
}
