package pastebin_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/pastebin"
	"stormbin/pastebin/memory"
)

const ms = time.Millisecond

// world is a pastebin whose servers can be made sick. It lives in a synctest bubble, so its time is made up.
type world struct {
	t *testing.T
	pastebin.Service
	// sick says how the server of a call behaves. Left out: 1 ms, then well.
	sick map[string]sickness
	// rules are the policy; those left out are the usual ones.
	rules map[string]policy.Rule
	hops  []string // of the last request
}

// sickness is what becomes of an attempt at a server, and after how long. The server works on for callers who left.
type sickness struct {
	after   time.Duration
	outcome policy.Outcome
}

var (
	stalled = sickness{after: 2 * time.Second} // far over every timeout; the work is done in the end
	refuses = sickness{after: ms, outcome: policy.Refused}
	fails   = sickness{after: ms, outcome: policy.Error}
)

var usual = map[string]policy.Rule{
	"cache_get":      {Timeout: 5 * ms},
	"primary_read":   {Timeout: 20 * ms},
	"object_get":     {Timeout: 200 * ms},
	"object_put":     {Timeout: time.Second},
	"primary_insert": {Timeout: 50 * ms},
	"primary_delete": {Timeout: 50 * ms},
}

func inWorld(t *testing.T, f func(*testing.T, *world)) {
	synctest.Test(t, func(t *testing.T) {
		f(t, &world{
			t:       t,
			Service: pastebin.Service{Stores: memory.New(), Rand: rand.Reader, Now: time.Now},
			sick:    map[string]sickness{},
			rules:   map[string]policy.Rule{},
		})
	})
}

// caller is a new request's.
func (w *world) caller() *live.Caller {
	w.hops = nil
	return &live.Caller{
		Clock:    live.Real(),
		Deadline: policy.NoDeadline,
		Rule: func(call string) policy.Rule {
			if r, ok := w.rules[call]; ok {
				return r
			}
			return usual[call]
		},
		Send: func(call string, _ live.Try, answer func(policy.Outcome, time.Duration)) (leave func(bool), o policy.Outcome, after time.Duration) {
			s, sick := w.sick[call]
			if !sick {
				s.after = ms
			}
			time.AfterFunc(s.after, func() { answer(s.outcome, 0) })
			return func(bool) {}, policy.OK, 0
		},
		Watch: func(h live.Hop) { w.hops = append(w.hops, fmt.Sprint(h.Call, " ", h.Outcome)) },
	}
}

func (w *world) saved(text string) pastebin.Paste {
	w.t.Helper()
	p, err := w.Create(w.t.Context(), w.caller(), "title", []byte(text))
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// work does the jobs that are due so much later.
func (w *world) work(later time.Duration) {
	w.t.Helper()
	if _, err := (pastebin.Worker{Stores: w.Stores}).Run(w.t.Context(), time.Now().Add(later)); err != nil {
		w.t.Error(err)
	}
}

func (w *world) text(id string) (there bool) {
	_, err := w.Bucket.Get(w.t.Context(), id)
	return err == nil
}

func (w *world) inCache(id string) bool {
	_, err := w.Cache.Get(w.t.Context(), id)
	return err == nil
}

// status is the HTTP status of an outcome; good is the one for no error.
func status(err error, good int) int {
	if err == nil {
		return good
	}
	var e *pastebin.Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

func wantError(t *testing.T, err error, want int, sentence string) {
	t.Helper()
	var e *pastebin.Error
	if !errors.As(err, &e) || e.Status != want || !strings.Contains(e.Reason, sentence) {
		t.Errorf("error %v\nwant  %d: %s", err, want, sentence)
	}
}

func TestReadFaults(t *testing.T) {
	for _, test := range []struct {
		name     string
		sick     map[string]sickness
		rules    map[string]policy.Rule
		want     int
		took     time.Duration
		hops     string
		sentence string
	}{
		{
			name: "nothing is wrong",
			want: 200, took: 3 * ms, hops: "cache_get ok, primary_read ok, object_get ok",
		},
		{
			name: "the cache is slow", sick: map[string]sickness{"cache_get": stalled},
			want: 200, took: 7 * ms, hops: "cache_get timeout, primary_read ok, object_get ok",
		},
		{
			name: "the cache is down", sick: map[string]sickness{"cache_get": refuses},
			want: 200, took: 3 * ms, hops: "cache_get refused, primary_read ok, object_get ok",
		},
		{
			name: "the primary stalls", sick: map[string]sickness{"primary_read": stalled},
			want: 503, took: 21 * ms, hops: "cache_get ok, primary_read timeout",
			sentence: "Timed out after 20 ms. The primary may still be working on it.",
		},
		{
			name: "the primary stalls, for one who asks four times", sick: map[string]sickness{"primary_read": stalled},
			rules: map[string]policy.Rule{"primary_read": {Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Timeout)}},
			want:  503, took: 81 * ms,
			hops:     "cache_get ok, primary_read timeout, primary_read timeout, primary_read timeout, primary_read timeout",
			sentence: "Timed out after 80 ms (4 attempts). The primary may still be working on it.",
		},
		{
			name: "the primary is down", sick: map[string]sickness{"primary_read": refuses},
			want: 503, took: 2 * ms, hops: "cache_get ok, primary_read refused",
			sentence: "The primary refused the connection.",
		},
		{
			name: "the bucket stalls", sick: map[string]sickness{"object_get": stalled},
			want: 503, took: 202 * ms, hops: "cache_get ok, primary_read ok, object_get timeout",
			sentence: "Timed out after 200 ms. The bucket may still be working on it.",
		},
		{
			name: "the bucket fails", sick: map[string]sickness{"object_get": fails},
			want: 503, took: 3 * ms, hops: "cache_get ok, primary_read ok, object_get error",
			sentence: "The bucket failed.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				const text = "a\r\n\x00🌩️\xff\n"
				saved := w.saved(text)
				w.sick, w.rules = test.sick, test.rules
				start := time.Now()
				p, got, err := w.Read(t.Context(), w.caller(), saved.ID)
				if took := time.Since(start); took != test.took {
					t.Errorf("took %v, want %v", took, test.took)
				}
				if s := status(err, 200); s != test.want {
					t.Errorf("status %d (%v), want %d", s, err, test.want)
				}
				if hops := strings.Join(w.hops, ", "); hops != test.hops {
					t.Errorf("hops %s\nwant %s", hops, test.hops)
				}
				if err == nil && (p != saved || string(got) != text) {
					t.Errorf("read %+v with %q\nwant %+v with %q", p, got, saved, text)
				}
				if err != nil {
					wantError(t, err, test.want, test.sentence)
					if p != (pastebin.Paste{}) || got != nil {
						t.Errorf("a failed read gave %+v with %q", p, got)
					}
				}
			})
		})
	}
}

func TestReadPastItsDeadline(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.saved("text")
		w.sick["primary_read"] = sickness{after: 15 * ms}
		c := w.caller()
		c.Deadline = 10 * ms
		_, _, err := w.Read(t.Context(), c, p.ID)
		wantError(t, err, 503, "Timed out after 9 ms.")
	})
}

func TestCreateFaults(t *testing.T) {
	for _, test := range []struct {
		name     string
		sick     map[string]sickness
		want     int
		took     time.Duration
		hops     string
		sentence string
		// What is there at once, and when every late attempt has landed; then what the reaper leaves.
		atOnce, landed, reaped state
	}{
		{
			name: "nothing is wrong", want: 201, took: 2 * ms, hops: "object_put ok, primary_insert ok",
			atOnce: state{row: true, text: true}, landed: state{row: true, text: true}, reaped: state{row: true, text: true},
		},
		{
			name: "the PUT times out and lands late", sick: map[string]sickness{"object_put": stalled},
			want: 503, took: time.Second, hops: "object_put timeout",
			sentence: "Timed out after 1 s. The bucket may still be working on it. The paste was not saved, and there is no link.",
			landed:   state{text: true}, reaped: state{tombstone: true},
		},
		{
			name: "the PUT fails", sick: map[string]sickness{"object_put": fails},
			want: 503, took: ms, hops: "object_put error", sentence: "The bucket failed.",
			reaped: state{tombstone: true},
		},
		{
			name: "the PUT is refused", sick: map[string]sickness{"object_put": refuses},
			want: 503, took: ms, hops: "object_put refused", sentence: "The bucket refused the connection.",
			reaped: state{tombstone: true},
		},
		{
			name: "the insert fails", sick: map[string]sickness{"primary_insert": fails},
			want: 500, took: 2 * ms, hops: "object_put ok, primary_insert error", sentence: "The primary failed.",
			atOnce: state{text: true}, landed: state{text: true}, reaped: state{tombstone: true},
		},
		{
			name: "the insert times out and lands late: a paste that the reaper must leave alone",
			sick: map[string]sickness{"primary_insert": stalled},
			want: 500, took: 51 * ms, hops: "object_put ok, primary_insert timeout",
			sentence: "Timed out after 50 ms. The primary may still be working on it. The paste was not saved, and there is no link.",
			atOnce:   state{text: true}, landed: state{row: true, text: true}, reaped: state{row: true, text: true},
		},
		{
			name: "the insert times out and is lost", sick: map[string]sickness{"primary_insert": {time.Second, policy.Error}},
			want: 500, took: 51 * ms, hops: "object_put ok, primary_insert timeout",
			atOnce: state{text: true}, landed: state{text: true}, reaped: state{tombstone: true},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.sick = test.sick
				id := peekID(w)
				start := time.Now()
				p, err := w.Create(t.Context(), w.caller(), "title", []byte("text"))
				if took := time.Since(start); took != test.took {
					t.Errorf("took %v, want %v", took, test.took)
				}
				if s := status(err, 201); s != test.want {
					t.Errorf("status %d (%v), want %d", s, err, test.want)
				}
				if hops := strings.Join(w.hops, ", "); hops != test.hops {
					t.Errorf("hops %s\nwant %s", hops, test.hops)
				}
				if err == nil && p.ID != id || err != nil && p != (pastebin.Paste{}) {
					t.Errorf("created %+v, with error %v", p, err)
				}
				if err != nil {
					wantError(t, err, test.want, test.sentence)
				}
				if got := w.state(id); got != test.atOnce {
					t.Errorf("at once there is %+v\nwant %+v", got, test.atOnce)
				}
				time.Sleep(time.Minute)
				if got := w.state(id); got != test.landed {
					t.Errorf("a minute later there is %+v\nwant %+v", got, test.landed)
				}
				w.work(pastebin.ReapAge - time.Minute - 2*time.Second)
				if got := w.state(id); got != test.landed {
					t.Errorf("too early, the reaper left %+v\nwant %+v", got, test.landed)
				}
				w.work(pastebin.ReapAge)
				if got := w.state(id); got != test.reaped {
					t.Errorf("the reaper left %+v\nwant %+v", got, test.reaped)
				}
			})
		})
	}
}

// state is what the stores have of a paste.
type state struct{ row, tombstone, text bool }

func (w *world) state(id string) state {
	p, err := w.Primary.Get(w.t.Context(), id)
	return state{
		row:       err == nil && p.Deleted.IsZero(),
		tombstone: err == nil && !p.Deleted.IsZero(),
		text:      w.text(id),
	}
}

// job takes the one job there is, however far off it is. false if there is none.
func (w *world) job() (j pastebin.Job, there bool) {
	far := time.Now().Add(1e6 * time.Hour).UTC().Truncate(ms)
	j, err := w.Jobs.Take(w.t.Context(), far, far)
	return j, err == nil
}

// Whatever a create comes to, the job to clear up is there as soon as its answer is, unless all went well.
func TestFailedCreateLeavesAJob(t *testing.T) {
	for name, test := range map[string]struct {
		sick map[string]sickness
		want bool
	}{
		"nothing is wrong":     {nil, false},
		"the PUT times out":    {map[string]sickness{"object_put": stalled}, true},
		"the PUT fails":        {map[string]sickness{"object_put": fails}, true},
		"the insert times out": {map[string]sickness{"primary_insert": stalled}, true},
		"the insert fails":     {map[string]sickness{"primary_insert": fails}, true},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.sick = test.sick
				id := peekID(w)
				w.Create(t.Context(), w.caller(), "title", []byte("text"))
				j, there := w.job()
				if there != test.want || there && (j.Kind != pastebin.Reap || j.Paste != id) {
					t.Errorf("job %+v is there: %t; want one to reap %s: %t", j, there, id, test.want)
				}
				if again, there := w.job(); there && again.Paste != id {
					t.Errorf("one more job: %+v", again)
				}
			})
		})
	}
}

// peekID makes the next id known beforehand.
func peekID(w *world) string {
	b := make([]byte, 16)
	rand.Read(b)
	w.Rand = bytes.NewReader(b)
	id, err := pastebin.NewID(bytes.NewReader(b))
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func TestCreateLimits(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		largest := bytes.Repeat([]byte("é"), pastebin.MaxSize/2)
		if _, err := w.Create(t.Context(), w.caller(), "", largest); err != nil {
			t.Error(err)
		}
		if _, err := w.Create(t.Context(), w.caller(), "", nil); err != nil {
			t.Error(err)
		}
		_, err := w.Create(t.Context(), w.caller(), "", append(largest, 'e'))
		wantError(t, err, 413, "The paste has 1,048,577 bytes, and at most 1,048,576 fit.")
		_, err = w.Create(t.Context(), w.caller(), strings.Repeat("é", 129), nil)
		wantError(t, err, 413, "The title has 258 bytes, and at most 256 fit.")
		if w.hops != nil {
			t.Errorf("what is too long was sent: %v", w.hops)
		}
	})
}

func TestTitles(t *testing.T) {
	for title, want := range map[string]string{
		"🌩️ \x00 \r\n":      "🌩️ \x00 \r\n",
		"bad \xff\xfe byte": "bad \uFFFD byte",
		"\uFEFFmarked":      "marked",
		"in \uFEFF between": "in \uFEFF between",
	} {
		inWorld(t, func(t *testing.T, w *world) {
			p, err := w.Create(t.Context(), w.caller(), title, nil)
			if err != nil || p.Title != want {
				t.Errorf("title %q became %q, error %v; want %q", title, p.Title, err, want)
			}
		})
	}
}

// The caller's slice is free again when Create returns, even if the PUT is still on its way.
func TestCreateKeepsItsOwnText(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.sick["object_put"] = stalled
		id, text := peekID(w), []byte("as it was")
		if _, err := w.Create(t.Context(), w.caller(), "", text); err == nil {
			t.Fatal("the PUT should have timed out")
		}
		copy(text, "no longer")
		time.Sleep(time.Minute)
		if got, err := w.Bucket.Get(t.Context(), id); string(got) != "as it was" {
			t.Errorf("what landed late is %q, error %v", got, err)
		}
	})
}

// A rule may send an insert again. If the first one landed after all, the second must not make it a failure.
func TestInsertSentTwice(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rules["primary_insert"] = policy.Rule{Timeout: 50 * ms, Attempts: 2, RetryOn: policy.Set(policy.Timeout)}
		w.sick["primary_insert"] = sickness{after: 60 * ms}
		c := w.caller()
		send := c.Send
		c.Send = func(call string, try live.Try, answer func(policy.Outcome, time.Duration)) (func(bool), policy.Outcome, time.Duration) {
			if try.Attempt == 2 { // after the first has landed
				w.sick["primary_insert"] = sickness{after: 20 * ms}
			}
			return send(call, try, answer)
		}
		p, err := w.Create(t.Context(), c, "title", []byte("text"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.List(t.Context())
		if err != nil || len(list) != 1 || list[0] != p {
			t.Errorf("listed %+v, error %v; want just %+v", list, err, p)
		}
	})
}

// A page may sleep for hours in the middle of a create. The reaper has taken the id by then: no row without a text.
func TestCreateThatWasReapedMeanwhile(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rules["primary_insert"] = policy.Rule{} // waits for ever
		w.sick["primary_insert"] = sickness{after: 3 * time.Hour}
		id := peekID(w)
		var create sync.WaitGroup
		create.Go(func() {
			_, err := w.Create(t.Context(), w.caller(), "title", []byte("text"))
			wantError(t, err, 500, "The paste was not saved")
		})
		time.Sleep(2 * time.Hour)
		w.work(0)
		create.Wait()
		if got, want := w.state(id), (state{tombstone: true}); got != want {
			t.Errorf("there is %+v, want %+v", got, want)
		}
	})
}

func TestNotFound(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, _, err := w.Read(t.Context(), w.caller(), "never")
		wantError(t, err, 404, "There never was a paste with this id.")
		if !errors.Is(err, pastebin.ErrNotFound) {
			t.Errorf("cause of %v, want ErrNotFound", err)
		}
		if hops := strings.Join(w.hops, ", "); hops != "cache_get ok, primary_read ok" {
			t.Errorf("hops %s: a row that is not there is an answer, and no failure", hops)
		}
		wantError(t, w.Delete(t.Context(), w.caller(), "never"), 404, "There never was a paste with this id.")
	})
}

func TestDelete(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		if _, _, err := w.Read(ctx, w.caller(), p.ID); err != nil || !w.inCache(p.ID) {
			t.Fatalf("read: %v, in the cache: %t", err, w.inCache(p.ID))
		}
		for _, when := range []string{"first", "second"} {
			if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
				t.Errorf("the %s delete: %v", when, err)
			}
			_, _, err := w.Read(ctx, w.caller(), p.ID)
			wantError(t, err, 404, "This paste was deleted.")
			if !errors.Is(err, pastebin.ErrDeleted) {
				t.Errorf("cause of %v, want ErrDeleted", err)
			}
		}
		if list, err := w.List(ctx); len(list) != 0 || err != nil {
			t.Errorf("listed %+v, error %v; want none", list, err)
		}
		w.work(0)
		if j, there := w.job(); there || w.text(p.ID) {
			t.Errorf("after the worker there is a text: %t, a job: %t %+v", w.text(p.ID), there, j)
		}
	})
}

// A delete that times out may land. Then its job must clear the cache, since the request that would have is gone.
func TestDeleteThatLandsLate(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		if _, _, err := w.Read(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.sick["primary_delete"] = stalled
		err := w.Delete(ctx, w.caller(), p.ID)
		wantError(t, err, 503, "Timed out after 50 ms. The primary may still be working on it. The paste may be deleted or not;")
		time.Sleep(time.Minute)
		w.work(0)
		_, _, err = w.Read(ctx, w.caller(), p.ID)
		wantError(t, err, 404, "This paste was deleted.")
		if w.text(p.ID) {
			t.Error("its text is still there")
		}
	})
}

func TestCacheHit(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		saved := w.saved("text")
		read := func() (pastebin.Paste, string, error) {
			p, text, err := w.Read(t.Context(), w.caller(), saved.ID)
			return p, string(text), err
		}
		if _, _, err := read(); err != nil {
			t.Fatal(err)
		}
		w.sick["primary_read"], w.sick["object_get"] = refuses, refuses
		p, text, err := read()
		if p != saved || text != "text" || err != nil {
			t.Errorf("read %+v with %q, error %v", p, text, err)
		}
		if hops := strings.Join(w.hops, ", "); hops != "cache_get ok" {
			t.Errorf("hops %s, want cache_get ok", hops)
		}
		time.Sleep(pastebin.CacheFor)
		_, _, err = read()
		wantError(t, err, 503, "The primary refused the connection.")
	})
}

// An entry that no delete dropped (a slow read can put one back) may be read for CacheFor and no longer.
func TestDeletedPasteInTheCacheIsForgotten(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		w.Read(ctx, w.caller(), p.ID)
		e, err := w.Cache.Get(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.work(0)
		if err := w.Cache.Put(ctx, e); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pastebin.CacheFor)
		_, _, err = w.Read(ctx, w.caller(), p.ID)
		wantError(t, err, 404, "This paste was deleted.")
	})
}

func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name     string
		damage   func(w *world, id string) error
		want     int
		sentence string
	}{
		{"cut short", func(w *world, id string) error { return w.Bucket.Put(w.t.Context(), id, []byte("te")) },
			500, "The text of this paste is damaged: 2 bytes came back where 4 were saved."},
		{"altered", func(w *world, id string) error { return w.Bucket.Put(w.t.Context(), id, []byte("tent")) },
			500, "The text of this paste is damaged: the bytes that came back have checksum"},
		{"missing", func(w *world, id string) error { return w.Bucket.Remove(w.t.Context(), id) },
			500, "The text of this paste is missing from the bucket."},
		{"damaged in the cache alone", func(w *world, id string) error {
			p, err := w.Primary.Get(w.t.Context(), id)
			if err != nil {
				return err
			}
			return w.Cache.Put(w.t.Context(), pastebin.Entry{Paste: p, Text: []byte("te"), Filled: time.Now().UTC().Truncate(ms)})
		}, 200, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				p := w.saved("text")
				if err := test.damage(w, p.ID); err != nil {
					t.Fatal(err)
				}
				_, text, err := w.Read(t.Context(), w.caller(), p.ID)
				if test.want != 200 {
					wantError(t, err, test.want, test.sentence)
				} else if err != nil || string(text) != "text" {
					t.Errorf("read %q, error %v", text, err)
				}
			})
		})
	}
}

// Deleted between the two halves of a read: that is a 404, and no damage.
func TestDeletedWhileRead(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.saved("text")
		w.sick["object_get"] = sickness{after: 100 * ms}
		reader, deleter := w.caller(), w.caller()
		deleter.Watch = nil
		var read sync.WaitGroup
		read.Go(func() {
			_, _, err := w.Read(t.Context(), reader, p.ID)
			wantError(t, err, 404, "This paste was deleted.")
		})
		time.Sleep(50 * ms)
		if err := w.Delete(t.Context(), deleter, p.ID); err != nil {
			t.Error(err)
		}
		w.work(0)
		read.Wait()
	})
}

func TestStorageIsFull(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Bucket = fullBucket{w.Bucket}
		_, err := w.Create(t.Context(), w.caller(), "", []byte("text"))
		wantError(t, err, 503, "There is no room left to store it. The paste was not saved")
		if !errors.Is(err, pastebin.ErrQuota) {
			t.Errorf("cause of %v, want ErrQuota", err)
		}
	})
}

type fullBucket struct{ pastebin.Bucket }

func (fullBucket) Put(context.Context, string, []byte) error { return pastebin.ErrQuota }

func TestList(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		first := w.saved("first")
		time.Sleep(time.Second)
		second := w.saved("second")
		w.sick["primary_read"] = stalled
		start := time.Now()
		list, err := w.List(t.Context())
		if err != nil || len(list) != 2 || list[0] != second || list[1] != first || time.Since(start) != 0 {
			t.Errorf("listed %+v, error %v, after %v\nwant %+v at once", list, err, time.Since(start), []pastebin.Paste{second, first})
		}
	})
}
