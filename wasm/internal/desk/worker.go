//go:build js && wasm

package desk

import (
	"context"
	"encoding/hex"
	"syscall/js"
	"time"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
)

// workEvery is how often jobs are looked for: clearing up is in no hurry.
const workEvery = time.Minute

// work does the jobs that are due, for as long as the page lives and this tab is the one that does them.
func (d *Desk) work(worker pastebin.Worker) {
	leads := d.lead(worker.Jobs)
	for {
		if now := time.Now(); leads(now) {
			_, _ = worker.Run(context.Background(), now) // what went wrong is put back for later
		}
		select {
		case <-d.due:
		case <-time.After(workEvery):
		}
	}
}

// workNow and workIn have the jobs looked for soon.
func (d *Desk) workNow() {
	select {
	case d.due <- struct{}{}:
	default: // it is about to
	}
}

func (d *Desk) workIn(wait time.Duration) { time.AfterFunc(wait, d.workNow) }

// lead has one tab do the work. Where the browser has locks, one is held for as long as the page lives; the browser gives
// it to another when this tab is closed or crashes. Where it hasn't, a record in the storage says who leads, and for how
// long. Pastes in memory are this tab's own affair.
func (d *Desk) lead(jobs pastebin.Jobs) (leads func(now time.Time) bool) {
	if !d.storage.kept {
		return func(time.Time) bool { return true }
	}
	who := make([]byte, 8)
	_, _ = html.Random{}.Read(who)
	byRecord := func(now time.Time) bool {
		ok, err := jobs.Lead(context.Background(), hex.EncodeToString(who), now, now.Add(2*workEvery))
		return ok && err == nil
	}
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return byRecord
	}
	var held, refused bool
	forever := js.Global().Get("Promise").New(js.FuncOf(func(js.Value, []js.Value) any { return nil }))
	go func() {
		_, err := html.Await(locks.Call("request", keep.Name()+"-worker", js.FuncOf(func(js.Value, []js.Value) any {
			held = true
			d.workNow()
			return forever
		})))
		if err != nil {
			refused = true
			d.workNow()
		}
	}()
	return func(now time.Time) bool { return held || refused && byRecord(now) }
}
