//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/own"
)

// judge has the system run, in a worker so that nobody who types waits for it, and says what came of that.
type judge struct {
	page    *page
	box     html.Element
	older   html.Element // says that the verdict is of before
	verdict *html.Text
	was     *html.Text
	status  *html.Text
	extra   *html.Text
	note    *html.Text
	budget  *html.Text
	opens   *html.Text

	trials   []own.Trial
	outcomes []*own.Outcome
	at       int                // the one that is under way
	text     string             // of the system that they are of
	before   *scenario.Scenario // what it is held against; nil: nothing
	worker   js.Value           // undefined: none
	working  bool
	told     bool // there is a verdict on the page
	turn     int  // counts starts, so that what comes late from one that was ended is known
	on       struct{ message, trouble js.Func }
}

// pause is how long nothing is typed before it begins.
const pause = 250 // ms

func (j *judge) bind(p *page) {
	j.page, j.worker = p, js.Undefined()
	j.box, j.older = html.Find("now"), html.Find("verdict-older")
	j.verdict, j.was, j.status = html.TextOf("verdict"), html.TextOf("before-verdict"), html.TextOf("status")
	for _, id := range []string{"open", "open-here"} {
		html.On(html.Find(id), "click", func(html.Event) { // it may have been changed a moment ago
			if p.draft.Problem() == nil {
				j.link(p.draft.Scenario())
			}
		})
	}
	html.On(html.Find("before-end"), "click", func(html.Event) {
		j.against(p.draft.Scenario())
		html.Focus(html.Find("verdict"))
		p.changed(nil)
	})
	j.extra, j.note, j.budget = html.TextOf("extra"), html.TextOf("blips-note"), html.TextOf("budget")
}

// show brings all that is said of the system up to date: the sum at once, the rest as it comes.
func (j *judge) show(problem error) {
	box := html.Find("answers")
	if problem != nil {
		j.end()
		j.text = ""
		j.status.Set("It can’t run as it is: " + problem.Error() + ".")
		j.stale(true, true)
		return
	}
	s := j.page.draft.Scenario()
	html.Show(box, true)
	j.sums(&s)
	if j.before != nil && len(scenario.Diff(*j.before, s)) == 0 { // it was undone
		j.against(s)
	}
	if j.text == j.page.draft.Text() {
		return
	}
	j.end()
	j.text = j.page.draft.Text()
	j.status.Set("Running …")
	j.stale(true, false)
	turn := j.turn
	html.After(pause, func() {
		if turn == j.turn {
			j.start(s)
		}
	})
}

// stale dims a verdict that is of before the last change, and says so if it is to stay for a while.
func (j *judge) stale(is, said bool) {
	if is && j.told {
		j.box.Class().Add("stale")
	} else {
		j.box.Class().Remove("stale")
	}
	html.Show(j.older, is && said && j.told)
}

// against has the system held against another one from now on: the same before something was taken over. The first of
// several stays, so that what all of them do is seen; the system itself is none.
func (j *judge) against(before scenario.Scenario) {
	now := j.page.draft.Scenario()
	switch {
	case len(scenario.Diff(before, now)) == 0:
		j.before = nil
	case j.before == nil && before.Validate() == nil:
		j.before = &before
	}
	j.text = "" // to be run again
}

// end ends what is under way.
func (j *judge) end() {
	j.turn++
	if j.working {
		j.drop()
	}
}

func (j *judge) drop() {
	j.working = false
	if !j.worker.IsUndefined() {
		j.worker.Set("onmessage", nil) // one may be on its way
		j.worker.Set("onerror", nil)
		j.worker.Call("terminate")
		j.worker = js.Undefined()
		j.on.message.Release()
		j.on.trouble.Release()
	}
}

// start has the worker begin.
func (j *judge) start(s scenario.Scenario) {
	j.trials = own.Trials(s, j.before)
	j.outcomes = make([]*own.Outcome, len(j.trials))
	j.at, j.working = 0, true
	j.link(s)
	turn := j.turn
	go func() {
		if j.worker.IsUndefined() {
			worker, err := html.Await(js.Global().Call("startWorker", "seeds"))
			if turn != j.turn {
				if err == nil {
					worker.Call("terminate")
				}
				return
			}
			if err != nil {
				j.failed(err.Error())
				return
			}
			j.worker = worker
			j.on.message = js.FuncOf(func(_ js.Value, args []js.Value) any { j.hear(args[0].Get("data")); return nil })
			j.on.trouble = js.FuncOf(func(_ js.Value, args []js.Value) any { // no memory, say
				args[0].Call("preventDefault")
				j.failed(args[0].Get("message").String())
				return nil
			})
			worker.Set("onmessage", j.on.message)
			worker.Set("onerror", j.on.trouble)
		}
		j.next()
	}()
}

// next has the worker do the next run. One at a time, as to write them all would hold up who types.
func (j *judge) next() {
	text, err := own.Next(j.trials, j.outcomes, j.at).Short()
	if err != nil {
		panic("a system that runs can’t be written: " + err.Error())
	}
	j.worker.Call("postMessage", map[string]any{"scenarios": []any{string(text)}, "runs": 1})
}

func (j *judge) failed(why string) {
	j.drop()
	j.text = ""
	j.status.Set("It could not be run: " + why)
	j.stale(true, true)
}

// hear takes what the worker says.
func (j *judge) hear(data js.Value) {
	for _, key := range []string{"stopped", "error"} {
		if why := data.Get(key); !why.IsUndefined() {
			j.failed(why.String())
			return
		}
	}
	if !data.Get("done").IsUndefined() {
		if j.at++; j.at < len(j.trials) {
			j.next()
			return
		}
		j.working = false
		j.status.Set("")
		return
	}
	o := &own.Outcome{Verdict: data.Get("verdict").String(), Bad: data.Get("bad").Int(), Never: data.Get("never").Bool(), Share: data.Get("share").Float(), Extra: map[string]own.Load{}}
	if r := data.Get("outlasted"); !r.IsNull() {
		o.Outlasts = time.Duration(r.Float() * float64(time.Second))
	}
	worst := data.Get("worst")
	names := js.Global().Get("Object").Call("keys", worst)
	for i := range names.Length() {
		name := names.Index(i).String()
		l := worst.Get(name)
		o.Extra[name] = own.Load{Extra: int64(l.Get("extra").Float()), Attempts: int64(l.Get("attempts").Float())}
	}
	j.outcomes[j.at] = o
	j.tell()
}

// tell writes what is known so far.
func (j *judge) tell() {
	told := own.Tell(j.trials, j.outcomes)
	if told.Verdict != "" {
		j.verdict.Set(metrics.Unbroken(told.Verdict))
		j.extra.Set(metrics.Unbroken(told.Extra))
		j.told = true
		j.stale(false, false)
	}
	html.Show(html.Find("before"), told.Before != "")
	j.was.Set("Before: " + metrics.Unbroken(told.Before))
	html.Show(html.Find("blips-note"), told.Note != "")
	j.note.Set(metrics.Unbroken(told.Note))
	done := 0
	for _, o := range j.outcomes {
		if o != nil {
			done++
		}
	}
	if done < len(j.outcomes) {
		j.status.Set("Running … " + strconv.Itoa(done) + " of " + strconv.Itoa(len(j.outcomes)))
	}

	body := html.In(html.Find("blips"), "tbody")
	html.Clear(body)
	html.Show(html.In(html.Find("blips"), ".was"), j.before != nil)
	html.Show(html.Find("blips"), len(told.Rows) > 0)
	for _, r := range told.Rows {
		tr := html.Make("tr", "", "")
		th := html.Make("th", "", r.Dependency)
		th.SetAttribute("scope", "row")
		html.Add(tr, th)
		cell := func(class, text string) {
			if text == "" {
				text = "…"
			}
			html.Add(tr, html.Make("td", class, metrics.Unbroken(text)))
		}
		class := ""
		if r.Outlasts {
			class = "trouble"
		}
		cell(class, r.Now)
		if j.before != nil {
			cell("", r.Before)
		}
		cell("", r.Once)
		cell("", r.Extra)
		html.Add(body, tr)
	}
}

// sums writes the arithmetic.
func (j *judge) sums(s *scenario.Scenario) {
	list := html.Find("sums")
	html.Clear(list)
	sums, budget := own.Sums(s)
	for _, sum := range sums {
		li := html.Make("li", "", "")
		html.Add(li, html.Make("b", "", metrics.Unbroken(sum.Operation+" "+sum.Rate)))
		class := ""
		if sum.Over {
			class = "over"
		}
		html.Add(li, html.Make("span", class, metrics.Unbroken(sum.Said)))
		if len(sum.Bar) > 0 {
			html.Add(li, bar(sum))
		}
		lines := html.Make("ul", "", "")
		for _, line := range sum.Lines {
			html.Add(lines, html.Make("li", "", metrics.Unbroken(line)))
		}
		html.Add(li, lines)
		html.Add(list, li)
	}
	if budget != "" {
		budget = "Budget, of each process at each dependency: " + budget + "."
	}
	j.budget.Set(metrics.Unbroken(budget))
}

// bar is the slices side by side, as long as the deadline.
func bar(sum own.Sum) html.Element {
	around := html.Make("div", "slice-bar", "")
	around.SetAttribute("aria-hidden", "true")
	for _, part := range sum.Bar {
		class := "slice"
		switch {
		case part.Call == "":
			class = "left"
		case part.Late:
			class = "late"
		}
		e := html.Make("span", class, "")
		e.Get("style").Set("flexGrow", part.Time)
		html.Add(around, e)
	}
	return around
}

// link leads to the picture of the system, and to the system here.
func (j *judge) link(s scenario.Scenario) {
	link := scenario.Link{Scenario: own.Named(s, j.page.shelf.typed())}.String()
	long := len(link) > scenario.MaxLink
	html.Show(html.Find("open-too-long"), long)
	for id, page := range map[string]string{"open": "./", "open-here": "system.html"} {
		a := html.Find(id)
		html.Show(a, !long)
		a.SetAttribute("href", page+link)
	}
}
