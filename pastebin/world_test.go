package pastebin_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
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
	hops  []string      // of the last request
	jump  time.Duration // by which the wall clock is wrong
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
		w := &world{
			t:       t,
			Service: pastebin.Service{Stores: memory.New(), Rand: rand.Reader},
			sick:    map[string]sickness{},
			rules:   map[string]policy.Rule{},
		}
		w.Now = func() time.Time { return time.Now().Add(w.jump) }
		f(t, w)
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

func draft(text string) pastebin.Draft {
	return pastebin.Draft{Title: "title", Text: []byte(text)}
}

func (w *world) saved(text string) pastebin.Paste {
	w.t.Helper()
	p, err := w.Create(w.t.Context(), w.caller(), draft(text))
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// now is the time, as a store keeps it.
func (w *world) now() time.Time { return w.Now().UTC().Truncate(ms) }

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

// calm is the caller of a request that nothing stands in the way of.
func calm() *live.Caller {
	return &live.Caller{Clock: live.Real(), Deadline: policy.NoDeadline, Rule: func(string) policy.Rule { return policy.Rule{} }}
}
