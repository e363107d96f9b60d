//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/pastebin/indexeddb"
	"stormbin/pastebin/memory"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/words"
)

// storage is where pastes are kept, and what the reader has to know about that.
type storage struct {
	desk       *Desk
	note, near html.Element // above everything, and where a paste is created
	used       *html.Text
	kept       bool // in the browser, and not just in memory
	asked      bool // for persistence, by this page
	measuring  bool
	said       string // in the note
}

// persistence is where it is remembered that the browser has refused it.
const persistence = "stormbin-persistence"

func newStorage(d *Desk) *storage {
	s := &storage{desk: d, note: html.Find("store-note"), near: html.Make("p", "trouble", ""), used: html.TextOf("store-used")}
	s.near.Set("id", "store-near")
	html.Show(s.near, false)
	html.Closest(html.Find("create"), ".actions").Call("after", s.near.Value)
	return s
}

// open gives the browser's stores, or where it refuses to store anything the memory's. A browser that only takes its time
// has not refused, nor has one whose other tabs are in the way: to go on without the pastes that are there would be to
// say that they never were. Where nothing but a reload helps, it never returns.
func (s *storage) open() pastebin.Stores {
	for {
		db, err := indexeddb.Open(context.Background(), keep.Name())
		switch {
		case err == nil:
			s.kept = true
			s.say("", "")
			s.framed()
			go s.watch(db)
			return db.Stores()
		case errors.Is(err, pastebin.ErrBlocked):
			s.say("Your pastes are not at hand yet, and none can be saved: another tab has an older version of this page open. "+
				"Close that tab or reload it. This page goes on by itself then.", "Not ready: close this page’s older tabs.")
		case errors.Is(err, context.DeadlineExceeded):
			s.say("Your pastes are not at hand yet, and none can be saved: the browser’s storage has not answered ("+
				err.Error()+"). The page goes on asking.", "Not ready: the browser’s storage has not answered yet.")
		case errors.Is(err, pastebin.ErrClosed):
			s.lost("A newer version of this page has been open in this browser, and has changed how pastes are kept. They are all there: reload to see them.")
			select {}
		case errors.Is(err, pastebin.ErrQuota):
			s.memory("The disk is so full that the browser can’t even open your pastes (" + err.Error() + "). What is stored is as it was: make room and reload.")
			return memory.New()
		case errors.Is(err, pastebin.ErrForbidden):
			s.memory("This browser does not let this page store anything (" + err.Error() + ").")
			return memory.New()
		default:
			s.memory("This browser could not open its storage (" + err.Error() + ").")
			return memory.New()
		}
	}
}

// memory says that pastes are kept in memory, and why.
func (s *storage) memory(why string) {
	reason := html.Make("details", "", "")
	html.Add(reason, html.Make("summary", "", "Why"))
	html.Add(reason, html.Make("p", "", why))
	s.say("Pastes are kept in memory only, and are gone when this page is closed or reloaded: export what you want to keep.",
		"Kept in memory only, and gone when this page is closed.", append(s.outside(), s.export(), reason)...)
	s.near.SetAttribute("class", "muted") // they are saved: it is no failure
}

// framed says that a frame of another site has pastes of its own.
func (s *storage) framed() {
	if foreign() {
		s.say("This page is in a frame of another site. Browsers keep what is saved in such a frame apart: these pastes may not be there "+
			"when you open the page by itself, nor those in here. Export is the sure way from one to the other.",
			"Kept for this frame; it may not be there outside of it.", append(s.outside(), s.export())...)
		s.near.SetAttribute("class", "muted")
	}
}

// watch says when the stores are of no use any more, which stays so.
func (s *storage) watch(db *indexeddb.DB) {
	<-db.Done()
	s.kept = false
	s.desk.list.lose()
	s.lost("The browser’s storage is lost to this page (" + db.Err().Error() + "). From now on nothing can be read or saved here until the page is reloaded. " +
		"What you have typed stays in the editor.")
}

// lost says why nothing works until the page is loaded anew.
func (s *storage) lost(why string) {
	again := html.Make("button", "", "Reload")
	again.SetAttribute("type", "button")
	html.On(again, "click", func(html.Event) { js.Global().Get("location").Call("reload") })
	s.say(why, "Nothing can be saved until this page is reloaded.", again)
	s.used.Set("")
}

// say says what is not as it should be, with something to do about it, and in a few words where a paste is created. ""
// says that it is again.
func (s *storage) say(text, near string, acts ...html.Element) {
	if text == s.said {
		return // it would be read aloud again
	}
	if text == "" {
		s.desk.say("Your pastes are at hand again, and new ones can be saved.", "good")
	}
	s.near.SetAttribute("class", "trouble")
	s.said = text
	s.note.SetTextContent(text)
	for _, act := range acts {
		html.Add(s.note, html.Make("span", "", " "))
		html.Add(s.note, act)
	}
	s.near.SetTextContent(near)
	html.Show(s.note, text != "")
	html.Show(s.near, near != "")
}

// export is a button to take all pastes away.
func (s *storage) export() html.Element {
	b := html.Make("button", "", "Export all to a file")
	b.SetAttribute("type", "button")
	html.On(b, "click", func(html.Event) {
		html.Focus(s.desk.list.transfer.save)
		s.desk.list.transfer.save.Call("scrollIntoView", map[string]any{"block": "nearest"})
		s.desk.list.transfer.export()
	})
	return b
}

// outside is a link to this page by itself, where it is in a frame.
func (s *storage) outside() []html.Element {
	window := js.Global()
	if window.Get("parent").Equal(window.Get("self")) {
		return nil
	}
	a := html.Make("a", "", "Open this page outside the frame")
	a.SetAttribute("target", "_blank")
	a.SetAttribute("rel", "noopener")
	here := func(html.Event) { a.SetAttribute("href", window.Get("location").Get("href").String()) }
	here(html.Event{})
	for _, event := range []string{"pointerover", "focus"} { // the address may be another one by now
		html.On(a, event, here)
	}
	return []html.Element{a}
}

// foreign tells whether the page is in a frame of another origin's page, however far out.
func foreign() (is bool) {
	defer func() {
		if recover() != nil {
			is = true
		}
	}()
	reflect := js.Global().Get("Reflect")
	for w := js.Global().Get("self"); ; {
		parent := w.Get("parent")
		if parent.Equal(w) {
			return false
		}
		reflect.Call("get", parent, "document") // throws if it is another's
		w = parent
	}
}

// sandboxed tells whether the page is in a frame that has taken its origin away.
func sandboxed() bool { return js.Global().Get("self").Get("origin").String() == "null" }

// saved asks the browser to keep what there is for good, once something has been saved: not before, since it may ask the
// reader, who would not know what for; and never again where it was refused.
func (s *storage) saved() {
	if s.asked || !s.kept || keep.Browser.Get(persistence) != "" {
		return
	}
	s.asked = true
	go func() {
		if is, err := s.manager("persisted"); err != nil || is.Truthy() {
			return
		}
		if granted, err := s.manager("persist"); err == nil && !granted.Truthy() {
			keep.Browser.Put(persistence, "refused")
		}
		s.measure()
	}()
}

// measure says how much room there is, and for how long.
func (s *storage) measure() {
	if s.measuring || !s.kept {
		return
	}
	s.measuring = true
	go func() {
		defer func() { s.measuring = false }()
		estimate, err := s.manager("estimate")
		if err != nil {
			return
		}
		persisted, err := s.manager("persisted")
		if used, room := estimate.Get("usage"), estimate.Get("quota"); s.kept && used.Type() == js.TypeNumber && room.Type() == js.TypeNumber {
			s.used.Set(words.Room(int64(used.Float()), int64(room.Float()), err == nil && persisted.Truthy()))
		}
	}()
}

// manager asks the browser's own manager of storage, which not every browser has in every page.
func (s *storage) manager(question string) (answer js.Value, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("this browser doesn’t say")
		}
	}()
	return html.Await(js.Global().Get("navigator").Get("storage").Call(question))
}
