//go:build js && wasm

package page

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"stormbin/engine/live"
	"stormbin/pastebin"
	"stormbin/pastebin/indexeddb"
	"stormbin/pastebin/memory"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/panel"
	"stormbin/wasm/internal/view"
)

// desk is the reader's own pastes. Each request goes through the simulated world, as one more among the crowd's.
type desk struct {
	page    *Page
	editor  *panel.Editor
	shelf   *panel.Shelf
	service *pastebin.Service // nil until the stores are open
	visits  int               // under way
	shown   int               // counts the requests, so that only the last one's hops are on show
	opened  int               // counts the pastes that were asked for, so that only the last one is opened
	// ctx ends when the world does that the requests are in.
	ctx    context.Context
	cancel context.CancelFunc
}

// workEvery is how often jobs are looked for: clearing up is in no hurry.
const workEvery = time.Minute

func (d *desk) start(p *Page) {
	d.page = p
	d.shelf = panel.NewShelf(d)
	d.editor = panel.NewEditor(func(title string, text []byte) { go d.create(title, text) })
	d.editor.Busy(true) // until there is something to save it in
	html.On(html.Window, "hashchange", func(html.Event) { d.follow() })
	go d.open()
}

// open opens the stores, and works off what earlier visits left to do.
func (d *desk) open() {
	stores := d.stores()
	d.service = &pastebin.Service{Stores: stores, Rand: html.Random{}, Now: time.Now}
	d.editor.Busy(false)
	d.list()
	d.follow()
	for worker := (pastebin.Worker{Stores: stores}); ; time.Sleep(workEvery) {
		_, _ = worker.Run(context.Background(), time.Now()) // what went wrong is put back for later
	}
}

// stores are the browser's, or where it refuses to store anything the memory's. A browser that only takes its time has
// not refused: to go on without the pastes that are there would be to say that they never were.
func (d *desk) stores() pastebin.Stores {
	for {
		db, err := indexeddb.Open(context.Background(), "stormbin")
		switch {
		case err == nil:
			d.shelf.Note("")
			return db.Stores()
		case errors.Is(err, context.DeadlineExceeded):
			d.shelf.Note("Your pastes are not at hand yet, and none can be saved: the browser’s storage has not answered (" +
				err.Error() + "). The page goes on asking.")
		default:
			d.shelf.Note("This browser does not let the page store anything (" + err.Error() + "). Pastes are kept in memory only, " +
				"and are gone when this page is closed or reloaded: download what you want to keep.")
			return memory.New()
		}
	}
}

// follow opens the paste that the address names, if it names one.
func (d *desk) follow() {
	if id := linked(); id != "" {
		d.Open(id)
	}
}

// linked is the id of the paste that the address names; "" if it names none.
func linked() string {
	id, _ := strings.CutPrefix(js.Global().Get("location").Get("hash").String(), "#p/")
	if strings.HasPrefix(id, "#") {
		return ""
	}
	return id
}

// world makes sure that the world on show has what pastes need. It says so if it has to change it.
func (d *desk) world() {
	if _, ok := d.page.scenario.Operations["create"]; !ok {
		d.page.Pick("pastebin")
		d.page.voice.Say("Pastes live in the pastebin, so that is the system on show now. Your request is in it.", true)
	}
}

// errRestarted is how a request ends whose world was started over.
var errRestarted = errors.New("The world was started over while your request was on its way, so nobody knows what became of it.")

// visit sends one request into the world, and shows what it goes through. It returns when the request is over, and how
// long that took of the world's time.
func (d *desk) visit(operation string, do func(context.Context, *live.Caller) error) (took time.Duration, err error) {
	d.world()
	d.shown++
	mine, r, ctx := d.shown, d.page.run, d.ctx
	d.shelf.Hops(nil)
	d.shelf.Made("")
	d.shelf.Outcome("On its way …", "")
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
			d.shelf.Hops(view.Hops(hops, began, v.Deadline))
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
func (d *desk) told(well string, err error, after string) {
	if err == nil {
		d.shelf.Outcome(well, "good")
		return
	}
	text := err.Error()
	var e *pastebin.Error
	if errors.As(err, &e) {
		text = strconv.Itoa(e.Status) + " " + e.Reason
	}
	d.shelf.Outcome(text+after, "bad")
}

func (d *desk) create(title string, text []byte) {
	d.editor.Busy(true)
	var made pastebin.Paste
	took, err := d.visit("create", func(ctx context.Context, c *live.Caller) (err error) {
		made, err = d.service.Create(ctx, c, title, text)
		return err
	})
	d.editor.Busy(false)
	d.told("201 Saved: "+view.Bytes(int64(made.Size))+", in "+view.Span(took)+".", err, " Your text is still in the editor.")
	if err == nil {
		d.editor.Saved(title, text)
		d.shelf.Made(made.ID)
	}
	d.list()
}

// Open reads a paste and shows it.
func (d *desk) Open(id string) {
	if d.service == nil {
		return // it is opened once the stores are
	}
	d.page.panel.ShowPanel("paste")
	d.opened++
	mine := d.opened
	go func() {
		var p pastebin.Paste
		var text []byte
		d.shelf.Hide()
		took, err := d.visit("read", func(ctx context.Context, c *live.Caller) (err error) {
			p, text, err = d.service.Read(ctx, c, id)
			return err
		})
		if mine != d.opened {
			return // the reader has asked for another one since
		}
		d.told("200 Read: "+view.Bytes(int64(p.Size))+", in "+view.Span(took)+".", err, "")
		if err == nil {
			d.shelf.Show(p, text)
		}
	}()
}

// Delete deletes a paste.
func (d *desk) Delete(id string) {
	go func() {
		took, err := d.visit("delete", func(ctx context.Context, c *live.Caller) error { return d.service.Delete(ctx, c, id) })
		d.told("204 Deleted, in "+view.Span(took)+".", err, "")
		if err == nil && linked() == id {
			d.shelf.Hide()
		}
		d.list()
	}()
}

// Play lets the world go on that a request waits in.
func (d *desk) Play() { d.page.Play() }

// list shows the pastes that there are. The reader's own list does not go through the world.
func (d *desk) list() {
	pastes, err := d.service.List(context.Background())
	if err != nil {
		d.shelf.Note("The list of your pastes could not be read: " + err.Error())
		return
	}
	d.shelf.List(pastes, time.Now())
}

// restart ends what was in a world that is no more.
func (d *desk) restart() {
	if d.cancel != nil {
		d.cancel()
	}
	d.ctx, d.cancel = context.WithCancel(context.Background())
}

// look shows whether a request waits because the world is paused.
func (d *desk) look() { d.shelf.Waiting(d.visits > 0 && !d.page.player.Playing()) }
