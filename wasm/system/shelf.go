//go:build js && wasm

package main

import (
	"errors"
	"slices"
	"strings"
	"syscall/js"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/own"
	"stormbin/wasm/internal/view"
)

// Where systems are kept: what is being written, and what was there before it, for each tab and for the next new one; and
// each that was saved, under its name.
const (
	draftKey = "stormbin-system"
	pastKey  = "stormbin-system-past"
	savedKey = "stormbin-system:"
)

// pastRoom is how many bytes of what was there before are kept.
const pastRoom = 256 << 10

// shelf is the systems that are kept, and files of them.
type shelf struct {
	page   *page
	named  html.Element
	saved  html.Element
	status html.Element
	first  string // the name of what was there at the beginning
	url    string // of the file that was made last
	unkept bool   // what is being written is nowhere but on the page
	wrote  string // the record that this tab has put in the browser last
	beside string // the text of another tab's that it took the place of
}

// begin is the draft to begin with: what was written last here, or the first of the shapes.
func (s *shelf) begin() *own.Draft {
	for _, store := range []keep.Store{keep.Tab, keep.Browser} {
		kept := store.Get(draftKey)
		if kept == "" {
			continue
		}
		var past []string
		list, _ := json.Parse(store.Get(pastKey), "", limits)
		all, _ := list.([]any)
		for _, one := range all {
			if text, ok := one.(string); ok {
				past = append(past, text)
			}
		}
		name, text := written(kept)
		s.first = name
		return own.New(text, past...)
	}
	s.first = own.Shapes()[0].Title
	return own.New(own.ShapeText(own.Shapes()[0].ID))
}

// limits are those of what is kept.
var limits = json.Limits{Bytes: 3 * own.MostFile, Depth: 1}

// written is what changed keeps. What can't be read is a text, to be seen at least.
func written(record string) (name, text string) {
	tree, err := json.Parse(record, "", limits)
	members, ok := tree.(json.Object)
	if err != nil || !ok {
		return "", record
	}
	for _, m := range members {
		value, _ := m.Value.(string)
		switch m.Key {
		case "name":
			name = value
		case "text":
			text = value
		}
	}
	return name, text
}

// follow takes in the system of the page's address, if it names one. The address goes, as what is written from now on is
// another one.
func (s *shelf) follow() {
	location := js.Global().Get("location")
	link, err := scenario.ParseLink(html.Fragment())
	if errors.Is(err, scenario.ErrNotALink) {
		return
	}
	js.Global().Get("history").Call("replaceState", nil, "", location.Get("pathname").String()+location.Get("search").String())
	if err != nil {
		s.say(err.Error()+" Nothing was changed.", true)
		return
	}
	text, err := link.Scenario.Short()
	if err != nil {
		panic("a link to a system that can’t be written: " + err.Error())
	}
	s.put(string(text), link.Scenario.ID)
	s.say("Opened from a link. Undo brings back what was there.", false)
}

func (s *shelf) bind(p *page) {
	s.page, s.named, s.saved, s.status = p, html.Find("name"), html.Find("saved"), html.Find("shelf-status")
	shape := html.Find("shape")
	for _, one := range own.Shapes() {
		option := html.Make("option", "", one.Title)
		option.SetAttribute("value", one.ID)
		html.Add(shape, option)
	}
	html.SetValue(s.named, s.first)
	html.On(html.Find("start"), "click", func(html.Event) {
		for _, one := range own.Shapes() {
			if one.ID == html.Value(shape) {
				s.put(own.ShapeText(one.ID), one.Title)
				s.say("Undo brings back what was there.", false)
			}
		}
	})
	html.On(s.named, "input", func(html.Event) { s.changed() })
	html.On(html.Find("save"), "click", func(html.Event) { s.save() })
	html.On(html.Find("saved-open"), "click", func(html.Event) { s.open() })
	html.On(html.Find("saved-delete"), "click", func(html.Event) { s.remove() })
	html.On(html.Find("export"), "click", func(html.Event) { s.export() })
	file := html.Find("file")
	html.On(file, "change", func(html.Event) {
		if files := file.Get("files"); files.Length() > 0 {
			one := files.Index(0)
			go func() {
				s.take(one.Get("name").String(), one.Get("size").Int(), func() ([]byte, error) { return html.ReadFile(one) })
				html.SetValue(file, "")
			}()
		}
	})
	html.On(html.Window, "hashchange", func(html.Event) { s.follow() })
	html.On(html.Window, "pagehide", func(html.Event) { s.keepPast() })
	html.On(html.Window, "storage", func(html.Event) { s.list(html.Value(s.saved)) }) // another tab has saved one
	s.list(s.first)
}

// put puts another system on the page.
func (s *shelf) put(text, name string) {
	html.SetValue(s.named, name)
	s.page.draft.Replace(text)
	s.page.judge.against(s.page.draft.Scenario()) // nothing: it is another system
	s.page.changed(nil)
}

// typed is the name as it stands.
func (s *shelf) typed() string { return html.Value(s.named) }

// changed keeps what is being written, and says so if it can't.
func (s *shelf) changed() {
	record := string(json.Append(nil, json.Object{{Key: "name", Value: s.typed()}, {Key: "text", Value: s.page.draft.Text()}}, ""))
	if now := keep.Browser.Get(draftKey); now != s.wrote {
		_, s.beside = written(now)
	}
	s.wrote = record
	inTab, inBrowser := keep.Tab.Put(draftKey, record), keep.Browser.Put(draftKey, record)
	if !inTab {
		keep.Tab.Forget(draftKey) // it is older
	}
	was := s.unkept
	if s.unkept = !inTab && !inBrowser; s.unkept && !was {
		s.say(refused, true)
	}
}

// keepPast keeps what Undo leads back to, so that it does after a reload, too. A new tab begins with what was written last, in
// whichever tab that was; the first step back from there leads to what the other one had, which may be nowhere else any more.
func (s *shelf) keepPast() {
	now, other := s.page.draft.Text(), s.beside
	if _, last := written(keep.Browser.Get(draftKey)); last != "" && last != now {
		other = now
	}
	past := s.page.draft.Past(pastRoom)
	keep.Tab.Put(pastKey, listed(past))
	if other != "" && !slices.Contains(past, other) {
		past = append(slices.Clone(s.page.draft.Past(pastRoom-len(other))), other)
	}
	keep.Browser.Put(pastKey, listed(past))
}

// listed is texts as they are kept.
func listed(texts []string) string {
	all := []any{}
	for _, text := range texts {
		all = append(all, text)
	}
	return string(json.Append(nil, all, ""))
}

// list shows what is saved, with that one chosen.
func (s *shelf) list(chosen string) {
	keys := keep.Browser.Keys(savedKey)
	html.Show(html.Find("saved-field"), len(keys) > 0)
	html.Clear(s.saved)
	for _, key := range keys {
		name := strings.TrimPrefix(key, savedKey)
		option := html.Make("option", "", name)
		option.SetAttribute("value", name)
		html.Add(s.saved, option)
		if name == chosen {
			html.SetValue(s.saved, name)
		}
	}
}

// say says what came of it, and after that what stays so.
func (s *shelf) say(text string, trouble bool) {
	if s.unkept && text != refused {
		text, trouble = text+" "+refused, true
	}
	s.status.SetAttribute("class", map[bool]string{true: "trouble", false: "muted"}[trouble])
	s.status.SetTextContent(text + " ")
}

// again offers to put a text back under its name.
func (s *shelf) again(name, text, words string) {
	b := html.Make("button", "", words)
	b.SetAttribute("type", "button")
	html.On(b, "click", func(html.Event) {
		if !keep.Browser.Put(savedKey+name, text) {
			s.say(refused, true)
			return
		}
		s.list(name)
		s.say("“"+name+"” is back.", false)
		html.Focus(s.saved)
	})
	html.Add(s.status, b)
}

const refused = "This browser keeps nothing here: storage is refused to this page, or full. Export a file to have it."

func (s *shelf) save() {
	name, err := own.Name(s.typed())
	html.Refuse(s.named, err)
	if err != nil {
		html.Focus(s.named)
		return
	}
	html.SetValue(s.named, name)
	text := s.page.draft.Text()
	older := keep.Browser.Get(savedKey + name)
	if !keep.Browser.Put(savedKey+name, text) {
		s.say(refused, true)
		return
	}
	s.list(name)
	if older == "" || older == text {
		s.say("Saved in this browser as “"+name+"”.", false)
		return
	}
	s.say("Saved in place of the older “"+name+"”.", false)
	s.again(name, older, "Bring the older one back")
}

func (s *shelf) open() {
	name := html.Value(s.saved)
	text := keep.Browser.Get(savedKey + name)
	if text == "" {
		s.say("“"+name+"” is not there any more: another tab may have deleted it.", true)
		s.list("")
		return
	}
	s.put(text, name)
	if err := s.page.draft.Unread(); err != nil {
		s.say("“"+name+"” can’t be read as it was saved: "+err.Error()+". Its text is in the JSON, to be mended; what is saved stays as it is.", true)
		return
	}
	s.say("Opened “"+name+"”. Undo brings back what was there.", false)
}

func (s *shelf) remove() {
	name := html.Value(s.saved)
	text := keep.Browser.Get(savedKey + name)
	keep.Browser.Forget(savedKey + name)
	s.list("")
	s.say("Deleted “"+name+"” from this browser. What is on the page stays.", false)
	s.again(name, text, "Bring it back")
	html.Focus(html.In(s.status, "button"))
}

// export makes a file. Whether the browser saves it nobody tells us, so it stays at hand under a link.
func (s *shelf) export() {
	if s.url != "" {
		html.RevokeURL(s.url)
	}
	s.url = html.TypedURL([]byte(s.page.draft.Text()), "application/json")
	file := own.FileName(s.typed())
	link := html.Make("a", "", file)
	link.SetAttribute("href", s.url)
	link.SetAttribute("download", file)
	s.say("Exported:", false)
	html.Add(s.status, link)
	link.Call("click")
}

// take takes a file in, if it holds a system. It waits, like html.Await.
func (s *shelf) take(name string, size int, read func() ([]byte, error)) {
	if size > own.MostFile {
		s.say(name+" has "+view.Bytes(int64(size))+"; a system has at most "+view.Bytes(own.MostFile)+". Nothing was changed.", true)
		return
	}
	b, err := read()
	text := ""
	if err == nil {
		text, err = own.ReadFile(name, b)
	}
	if err != nil {
		s.say(err.Error()+". Nothing was changed.", true)
		return
	}
	s.put(text, strings.TrimSuffix(name, ".json"))
	s.say("Took in "+name+". Undo brings back what was there.", false)
}
