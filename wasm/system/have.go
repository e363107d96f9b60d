//go:build js && wasm

package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"stormbin/engine/imports"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/own"
	"stormbin/wasm/internal/pasted"
	"stormbin/wasm/internal/view"
)

// have is what somebody has already: settings of theirs that are taken over.
type have struct {
	page    *page
	area    html.Element
	problem html.Element
	list    html.Element
	status  *html.Text
	found   []imports.Found
	calls   map[int]string // that were chosen, by the index of what was found
	turn    int
	abandon chan struct{} // closed when what is being read is no longer what is there
}

func (h *have) bind(p *page) {
	h.page, h.area, h.problem, h.list = p, html.Find("have-text"), html.Find("have-problem"), html.Find("have-found")
	h.status = html.TextOf("have-status")
	html.On(h.area, "input", func(html.Event) {
		h.turn++
		turn := h.turn
		html.After(pause, func() {
			if turn == h.turn {
				h.read()
			}
		})
	})
	file := html.Find("have-file")
	html.On(file, "change", func(html.Event) {
		files := file.Get("files")
		if files.Length() == 0 {
			return
		}
		one := files.Index(0)
		go func() {
			if size := one.Get("size").Int(); size > pasted.MostJSON {
				h.refuse(one.Get("name").String() + " has " + view.Bytes(int64(size)) + "; at most " + view.Bytes(pasted.MostJSON) + " are read")
			} else if b, err := html.ReadFile(one); err != nil {
				h.refuse(err.Error())
			} else {
				html.SetValue(h.area, string(b))
				h.read()
			}
			html.SetValue(file, "")
		}()
	})
	if html.Value(h.area) != "" { // a browser may put it there again
		h.read()
	}
}

// refuse says what is wrong with what was given.
func (h *have) refuse(why string) {
	html.Show(h.problem, why != "")
	h.problem.SetTextContent(why)
}

func (h *have) read() {
	h.turn++
	turn := h.turn
	h.status.Set("")
	h.refuse("")
	h.found, h.calls = nil, map[int]string{}
	h.show() // nothing, until what is there now is read
	if h.abandon != nil {
		close(h.abandon)
	}
	h.abandon = make(chan struct{})
	text, abandon := html.Value(h.area), h.abandon
	go func() {
		found, err := pasted.Read(text, func(text string) (string, error) { return yaml(text, abandon) })
		if turn != h.turn {
			return
		}
		if err != nil && strings.TrimSpace(text) != "" {
			h.refuse(err.Error())
		}
		h.found = found
		h.show()
	}()
}

// patience is how long YAML may take to be read. An ordinary one takes a moment.
const patience = 5 * time.Second

var errDemanding = errors.New("this YAML asks too much of its reader, in time or in room: paste the part with the retries")

// yaml has a worker write YAML as JSON, and ends it when that takes too long, or nobody waits for it any more.
func yaml(text string, abandon <-chan struct{}) (string, error) {
	worker, err := html.Await(js.Global().Call("startWorker", "yaml"))
	if err != nil {
		return "", err
	}
	defer worker.Call("terminate")
	type answer struct {
		json string
		err  error
	}
	answers := make(chan answer, 1)
	tell := func(a answer) {
		select {
		case answers <- a:
		default: // one is enough
		}
	}
	hear := js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch data := args[0].Get("data"); {
		case !data.Get("json").IsUndefined():
			tell(answer{json: data.Get("json").String()})
		case !data.Get("error").IsUndefined():
			tell(answer{err: errors.New(data.Get("error").String())})
		default: // it has stopped
			tell(answer{err: errDemanding})
		}
		return nil
	})
	defer hear.Release()
	trouble := js.FuncOf(func(_ js.Value, args []js.Value) any { // no memory, or no room to go deeper
		args[0].Call("preventDefault")
		tell(answer{err: errDemanding})
		return nil
	})
	defer trouble.Release()
	worker.Set("onmessage", hear)
	worker.Set("onerror", trouble)
	defer func() { // one may be on its way
		worker.Set("onmessage", nil)
		worker.Set("onerror", nil)
	}()
	worker.Call("postMessage", text)
	select {
	case a := <-answers:
		return a.json, a.err
	case <-time.After(patience):
		return "", errDemanding
	case <-abandon:
		return "", errors.New("nobody waits for it")
	}
}

// show lists what was found. It tells of the system's own calls, and is written anew when those are others.
func (h *have) show() {
	html.Clear(h.list)
	if len(h.found) == 0 {
		return
	}
	s := h.page.draft.Scenario()
	for i, f := range h.found {
		html.Add(h.list, h.one(i, f, s))
	}
}

// changed brings the list up to date after a change of the system.
func (h *have) changed() {
	if len(h.found) > 0 && html.Maybe(h.list, ":focus") == nil {
		h.show()
	}
}

// one is one thing that was found: what of it is taken over, what isn't, and for which call.
func (h *have) one(i int, f imports.Found, s scenario.Scenario) html.Element {
	box := html.Make("section", "found", "")
	html.Add(box, html.Make("h3", "", pasted.Heading(f)))
	if f.Path != "" {
		html.Add(box, html.Make("p", "muted", "At "+f.Path))
	}
	calls := view.CallOrder(&s)
	if len(calls) == 0 {
		html.Add(box, html.Make("p", "trouble", "Your system has no call yet to put it on: add a dependency, and one to it comes along."))
		return box
	}
	n := strconv.Itoa(i)
	line := html.Make("div", "add field", "")
	choose := html.Make("select", "", "")
	choose.SetID("have-call-" + n)
	for _, call := range calls {
		html.Add(choose, choice(call, call))
	}
	if chosen := h.calls[i]; slices.Contains(calls, chosen) {
		html.SetValue(choose, chosen)
	} else {
		html.SetValue(choose, own.Nearest(f.Name, calls))
	}
	label := html.Make("label", "", "For the call ")
	html.Add(label, choose)
	html.Add(line, label)
	apply := html.Make("button", "main", "Take it over")
	apply.SetAttribute("type", "button")
	apply.SetID("have-apply-" + n)
	apply.SetAttribute("aria-label", "Take it over: "+pasted.Heading(f))
	html.Add(line, apply)
	html.Add(box, line)

	lists := html.Make("div", "", "")
	html.Add(box, lists)
	tell := func() {
		html.Clear(lists)
		taken, left := pasted.Lines(f, s, html.Value(choose))
		h.taken(lists, taken)
		h.left(lists, left)
	}
	tell()
	html.On(choose, "change", func(html.Event) {
		h.calls[i] = html.Value(choose)
		tell()
	})
	html.On(apply, "click", func(html.Event) { h.apply(f, html.Value(choose), apply) })
	return box
}

func (h *have) taken(lists html.Element, taken []pasted.Honoured) {
	html.Add(lists, html.Make("h4", "", "Taken over"))
	list := html.Make("ul", "settings", "")
	for _, t := range taken {
		li := html.Make("li", "", "")
		from := t.From
		if from == "" {
			from = "left out"
		}
		html.Add(li, html.Make("span", "from", from+" → "))
		html.Add(li, html.Make("code", "", strings.Join(t.To, ", ")))
		if t.Note != "" {
			html.Add(li, html.Make("span", "muted", " "+t.Note+"."))
		}
		if t.Source != "" {
			html.Add(li, html.Make("cite", "muted", " "+t.Source))
		}
		html.Add(list, li)
	}
	html.Add(lists, list)
}

func (h *have) left(lists html.Element, left []imports.Left) {
	if len(left) == 0 {
		html.Add(lists, html.Make("p", "muted", "Nothing was left out."))
		return
	}
	html.Add(lists, html.Make("h4", "", "Not taken over"))
	list := html.Make("ul", "settings", "")
	for _, l := range left {
		li := html.Make("li", "", "")
		html.Add(li, html.Make("span", "from", l.Path+": "))
		html.Add(li, html.Make("span", "", l.Why+"."))
		html.Add(list, li)
	}
	html.Add(lists, list)
}

// apply puts it on a call of the system, as one step to undo, and has what that does held against what was before.
func (h *have) apply(f imports.Found, call string, at html.Element) {
	before := h.page.draft.Scenario()
	err := h.page.draft.Change(func(s *scenario.Scenario) error {
		changed, err := f.Apply(*s, call)
		*s = changed
		return err
	})
	html.Refuse(at, err)
	if err != nil {
		return
	}
	h.page.judge.against(before)
	h.page.changed(at)
	h.status.Set(pasted.Heading(f) + " is on " + call + " now. The verdict is at the top, before and after; Undo takes it back.")
}
