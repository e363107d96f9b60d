//go:build js && wasm

// Package desk is the reader's own pastes on the page. Each request for one goes through the simulated world, as one more
// among the crowd's.
//
//	desk.go      the whole: a request's way through the world, and what the address names
//	world.go     what it needs of the page around it
//	storage.go   where pastes are kept, how much there is, and what is said where that is refused
//	editor.go    writing a paste
//	draft.go     what is typed is kept
//	create.go    one paste for each intent
//	share.go     the link to a paste, and the link that holds one
//	reader.go    the paste that is open
//	lines.go     its text, line by line
//	rich.go      colours and Markdown
//	qr.go        a link as a picture
//	hops.go      what the reader's last request went through
//	list.go      My pastes
//	search.go    finding one
//	undo.go      deleting, and taking that back
//	transfer.go  all of them to a file, and back
//	tabs.go      other tabs are told what has changed
//	worker.go    the jobs, in one tab at a time
//	pace.go      long work gives way to the page's frames
package desk

import (
	"context"
	"errors"
	"strconv"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// Desk is all of it. Where there is none, in an embed, it is nil: it has no visits, and nothing of it is to be seen.
type Desk struct {
	world   World
	service *pastebin.Service // nil until the stores are open

	editor  *editor
	share   *share
	reader  *reader
	list    *list
	storage *storage
	tabs    *tabs

	due chan struct{} // jobs are; see workNow

	outcome, waiting html.Element
	hops             hops

	badLink string // what was said of the last address that can't be followed

	visits int // under way
	shown  int // counts the requests, so that only the last one's hops are on show
	// ctx ends when the world does that the requests are in.
	ctx    context.Context
	cancel context.CancelFunc
}

// Start enlivens the desk, which can save and list nothing until Open. It waits, like html.Await.
func Start(world World) *Desk {
	d := &Desk{world: world, outcome: html.Find("paste-status"), waiting: html.Find("held-note"), due: make(chan struct{}, 1)}
	d.Restart()
	d.hops.bind()
	html.Breathe()
	d.editor = newEditor(d)
	html.Breathe()
	d.share = newShare(d)
	d.reader = newReader(d)
	html.Breathe()
	d.list = newList(d)
	html.Breathe()
	d.storage = newStorage(d)
	d.tabs = newTabs(d)
	html.On(html.Find("held-play"), "click", func(html.Event) {
		html.Focus(html.Find("h-paste"))
		world.Play()
	})
	html.On(html.Document, "visibilitychange", func(html.Event) {
		switch {
		case d.visits == 0:
		case html.Document.Get("visibilityState").String() == "hidden":
			d.say("On its way, and waiting: the world stands still while this tab is not in front.", "")
		default:
			d.say("On its way …", "")
		}
	})
	html.On(html.Window, "hashchange", func(html.Event) { d.follow() })
	return d
}

// Open opens the stores, which goes on by itself. Until they are open what needs them stays disabled, whatever was enabled
// with the page.
func (d *Desk) Open() {
	html.Enable(d.editor.text, d.editor.file == nil)
	d.editor.allow()
	d.list.ready(false)
	go d.open()
}

// open opens the stores, shows what is in them, and works off what earlier visits left to do.
func (d *Desk) open() {
	stores := d.storage.open()
	d.service = &pastebin.Service{Stores: stores, Rand: html.Random{}, Now: time.Now}
	d.editor.ready()
	d.list.ready(true)
	d.list.refresh()
	d.follow()
	d.work(pastebin.Worker{Stores: stores})
}

// Linked tells whether the address names a paste.
func Linked() bool {
	_, _, err := pastebin.ParseLink(html.Fragment())
	return !errors.Is(err, pastebin.ErrNotALink)
}

// follow opens the paste that the address names. If it names none, the paste that was open is closed.
func (d *Desk) follow() {
	link, ignored, err := pastebin.ParseLink(html.Fragment())
	switch {
	case errors.Is(err, pastebin.ErrNotALink):
		if d.outcome.TextContent() == d.badLink {
			d.hush()
		}
		d.reader.close()
	case err != nil:
		d.world.Front()
		d.reader.close()
		d.badLink = "400 " + err.Error()
		d.say(d.badLink, "bad")
	case link.Content != nil:
		d.world.Front()
		d.reader.showContent(*link.Content, ignored)
	case d.service != nil: // else it is opened once the stores are
		d.world.Front()
		d.reader.open(link, ignored)
	}
}

// errRestarted is how a request ends whose world was started over.
var errRestarted = errors.New("The world was started over while your request was on its way, so nobody knows what became of it.")

// visit sends one request into the world, and shows what it goes through. It returns when the request is over, and how
// long that took of the world's time.
func (d *Desk) visit(operation string, do func(context.Context, *live.Caller) error) (took time.Duration, err error) {
	r := d.world.Run()
	d.shown++
	mine, ctx := d.shown, d.ctx
	d.hops.show(nil, 0)
	d.share.clear()
	d.say("On its way …", "")
	v := r.Visit(operation)
	if v == nil {
		return 0, errors.New("503 Turned away: the process whose turn it was already holds as many of these as it may. Nothing was sent.")
	}
	began := r.Now()
	var hops []live.Hop
	d.visits++
	c := v.Caller()
	c.Watch = func(h live.Hop) {
		hops = append(hops, h)
		if mine == d.shown {
			total := v.Deadline - began
			if v.Deadline == policy.NoDeadline {
				total = r.Now() - began
			}
			d.hops.show(view.Hops(hops, began, v.Deadline), total)
		}
	}
	err = do(ctx, c)
	d.visits--
	took = r.Now() - began
	v.Leave()
	if err != nil && ctx.Err() != nil {
		err = errRestarted
	}
	return took, err
}

// told says what became of a request: well, or what err says, and after that what the reader has to know then.
func (d *Desk) told(well string, err error, after string) {
	if err == nil {
		d.say(well, "good")
		return
	}
	d.say(told(err)+after, "bad")
}

// told is an error as the answer to a request.
func told(err error) string {
	var e *pastebin.Error
	if errors.As(err, &e) {
		return strconv.Itoa(e.Status) + " " + e.Reason
	}
	return err.Error()
}

// say writes the outcome line. class is good, bad, or "" for what is neither.
func (d *Desk) say(text, class string) {
	d.outcome.SetTextContent(text)
	d.outcome.SetAttribute("class", "outcome "+class)
}

// hush takes back what was said of a request that is over, since it is of something else than what the reader does now.
func (d *Desk) hush() {
	if d.visits == 0 {
		d.say("", "")
	}
}

// Restart ends what was in a world that is no more.
func (d *Desk) Restart() {
	if d == nil {
		return
	}
	if d.cancel != nil {
		d.cancel()
	}
	d.ctx, d.cancel = context.WithCancel(context.Background())
}

// Visits is how many requests of the reader's are on their way.
func (d *Desk) Visits() int {
	if d == nil {
		return 0
	}
	return d.visits
}

// Look shows whether a request waits because the world is paused.
func (d *Desk) Look() {
	if d == nil {
		return
	}
	html.Show(d.waiting, d.visits > 0 && !d.world.Playing())
}
