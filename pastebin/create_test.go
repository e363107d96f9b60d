package pastebin_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/pastebin"
)

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
			sentence: "Timed out after 50 ms. The primary may still be working on it. The paste was not saved in time, and there is no link.",
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
				p, err := w.Create(t.Context(), w.caller(), draft("text"))
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
				w.Create(t.Context(), w.caller(), draft("text"))
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

func TestCreateLimits(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		largest := bytes.Repeat([]byte("é"), pastebin.MaxSize/2)
		if _, err := w.Create(t.Context(), w.caller(), pastebin.Draft{Text: largest}); err != nil {
			t.Error(err)
		}
		if _, err := w.Create(t.Context(), w.caller(), pastebin.Draft{}); err != nil {
			t.Error(err)
		}
		_, err := w.Create(t.Context(), w.caller(), pastebin.Draft{Text: append(largest, 'e')})
		wantError(t, err, 413, "The paste has 1,048,577 bytes, and at most 1,048,576 fit.")
		_, err = w.Create(t.Context(), w.caller(), pastebin.Draft{Title: strings.Repeat("é", 129)})
		wantError(t, err, 413, "The title has 258 bytes, and at most 256 fit.")
		if w.hops != nil {
			t.Errorf("what is too long was sent: %v", w.hops)
		}
	})
}

func TestBinary(t *testing.T) {
	for name, text := range samples() {
		inWorld(t, func(t *testing.T, w *world) {
			p, err := w.Create(t.Context(), w.caller(), pastebin.Draft{Text: text})
			if want := !pastebin.IsText(text); err != nil || p.Binary != want {
				t.Errorf("%s is saved as binary: %t, error %v; want %t", name, p.Binary, err, want)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	for title, want := range map[string]string{
		"🌩️ \x00 \r\n":      "🌩️ \x00 \r\n",
		"bad \xff\xfe byte": "bad \uFFFD byte",
		"\uFEFFmarked":      "marked",
		"in \uFEFF between": "in \uFEFF between",
	} {
		inWorld(t, func(t *testing.T, w *world) {
			p, err := w.Create(t.Context(), w.caller(), pastebin.Draft{Title: title})
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
		if _, err := w.Create(t.Context(), w.caller(), pastebin.Draft{Text: text}); err == nil {
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
		p, err := w.Create(t.Context(), c, draft("text"))
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
			_, err := w.Create(t.Context(), w.caller(), draft("text"))
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

func TestStorageIsFull(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.Bucket = fullBucket{w.Bucket}
		_, err := w.Create(t.Context(), w.caller(), draft("text"))
		wantError(t, err, 503, "There is no room left to store it. The paste was not saved")
		if !errors.Is(err, pastebin.ErrQuota) {
			t.Errorf("cause of %v, want ErrQuota", err)
		}
	})
}

type fullBucket struct{ pastebin.Bucket }

func (fullBucket) Put(context.Context, string, []byte) error { return pastebin.ErrQuota }

// keyed is a draft that is saved once, however often that is tried.
func keyed(text string) pastebin.Draft {
	d := draft(text)
	d.Key = "key"
	return d
}

// An insert that times out and lands late leaves the reader without a link. Their own second try finds the paste.
func TestCreateTriedAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		w.sick["primary_insert"] = stalled
		first := peekID(w)
		_, err := w.Create(ctx, w.caller(), keyed("text"))
		wantError(t, err, 500, "there is no link")
		time.Sleep(time.Minute)

		delete(w.sick, "primary_insert")
		second := peekID(w)
		p, err := w.Create(ctx, w.caller(), keyed("text"))
		if err != nil || p.ID != first {
			t.Fatalf("created %+v, error %v; want the first one, %s", p, err, first)
		}
		if hops := strings.Join(w.hops, ", "); hops != "object_put ok, primary_insert ok" {
			t.Errorf("hops %s: a key that is taken is an answer, and no failure", hops)
		}
		w.work(pastebin.ReapAge)
		if list, err := w.List(ctx); err != nil || len(list) != 1 || list[0] != p || !w.text(first) || w.text(second) {
			t.Errorf("listed %+v, error %v; first text %t, second %t; want just the first", list, err, w.text(first), w.text(second))
		}
		if _, text, err := w.Read(ctx, w.caller(), p.ID); string(text) != "text" || err != nil {
			t.Errorf("read %q, error %v", text, err)
		}
	})
}

func TestCreateTwiceAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var clicks sync.WaitGroup
		var made [2]pastebin.Paste
		for i := range made {
			c := w.caller()
			c.Watch = nil
			clicks.Go(func() {
				p, err := w.Create(t.Context(), c, keyed("text"))
				if err != nil {
					t.Error(err)
				}
				made[i] = p
			})
		}
		clicks.Wait()
		if list, err := w.List(t.Context()); err != nil || len(list) != 1 || made[0] != list[0] || made[1] != list[0] {
			t.Errorf("one click made %+v\nthe other    %+v\nthere is     %+v, error %v", made[0], made[1], list, err)
		}
	})
}

// A key says that it is the same intent. If the content says that it is not, nothing is taken for saved that isn't.
func TestCreateWithTheKeyOfAnother(t *testing.T) {
	for name, change := range map[string]func(*pastebin.Draft){
		"text":     func(d *pastebin.Draft) { d.Text = []byte("tent") },
		"title":    func(d *pastebin.Draft) { d.Title = "other" },
		"language": func(d *pastebin.Draft) { d.Language = "go" },
		"burn":     func(d *pastebin.Draft) { d.Burn = true },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				first, err := w.Create(t.Context(), w.caller(), keyed("text"))
				if err != nil {
					t.Fatal(err)
				}
				second := keyed("text")
				change(&second)
				p, err := w.Create(t.Context(), w.caller(), second)
				wantError(t, err, 409, "This draft was saved before, and has been changed since.")
				if list, err := w.List(t.Context()); p != (pastebin.Paste{}) || len(list) != 1 || list[0] != first {
					t.Errorf("created %+v, listed %+v, error %v", p, list, err)
				}
			})
		})
	}
}

func TestCreateOfADraftWhosePasteHasEnded(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		d := keyed("text")
		d.Lives = time.Hour
		first, err := w.Create(t.Context(), w.caller(), d)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		_, err = w.Create(t.Context(), w.caller(), d)
		wantError(t, err, 409, "This draft was saved before, and that paste has expired.")
		if err := w.Delete(t.Context(), w.caller(), first.ID); err != nil {
			t.Fatal(err)
		}
		second, err := w.Create(t.Context(), w.caller(), d)
		if err != nil || second.ID == first.ID {
			t.Errorf("after a delete the draft made %+v, error %v; want a new paste", second, err)
		}
	})
}

func TestLives(t *testing.T) {
	for _, test := range []struct {
		lives time.Duration
		wrong string
	}{
		{lives: 0},
		{lives: time.Minute},
		{lives: 90*time.Minute + 500*time.Microsecond},
		{lives: pastebin.MaxLives},
		{time.Minute - 1, "A paste can’t be kept for 60 seconds: take 1 minute to 10 years, or for ever."},
		{-time.Hour, "A paste can’t be kept for -1 hours: "},
		{pastebin.MaxLives + 365*24*time.Hour, "A paste can’t be kept for 11 years: "},
	} {
		t.Run(test.lives.String(), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				d := draft("text")
				d.Lives = test.lives
				p, err := w.Create(t.Context(), w.caller(), d)
				if test.wrong != "" {
					wantError(t, err, 400, test.wrong)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				j, there := w.job()
				if test.lives == 0 {
					if !p.Expires.IsZero() || there {
						t.Errorf("expires %v, with a job: %t %+v; want never", p.Expires, there, j)
					}
					return
				}
				if want := p.Created.Add(test.lives.Truncate(ms)); p.Expires != want {
					t.Errorf("expires %v, want %v", p.Expires, want)
				}
				if !there || j.Kind != pastebin.Expire || j.Paste != p.ID {
					t.Errorf("a job: %t %+v; want one to expire %s", there, j, p.ID)
				}
			})
		})
	}
}

func TestLanguageOfACreate(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		d := draft("package main")
		d.Language = "go"
		if p, err := w.Create(t.Context(), w.caller(), d); err != nil || p.Language != "go" {
			t.Errorf("language %q, error %v", p.Language, err)
		}
		d.Language = "klingon"
		_, err := w.Create(t.Context(), w.caller(), d)
		wantError(t, err, 400, `There is no language named "klingon" here`)
	})
}
