//go:build browser

package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/scenario"
)

// offered are the ids of the gallery's scenarios that can be seen.
func (p *page) offered() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll(".cards > li")].filter(e => e.checkVisibility()).map(e => e.id)`)
}

// searchFor types in the place of what was typed.
func (p *page) searchFor(query string) {
	p.t.Helper()
	p.run(`document.getElementById("search").select()`)
	p.press(kb.Backspace)
	p.typeIn("#search", query)
}

// What is typed is searched for in titles, questions, answers and families, all words of it; how much is found is said, and
// the address can be sent.
func TestTheGalleryIsSearched(t *testing.T) {
	all := scenario.List()
	p := openSite(t, "gallery.html", look{})
	if got := p.offered(); len(got) != len(all) {
		t.Fatalf("it shows %d scenarios of %d", len(got), len(all))
	}
	for _, query := range []string{"Budget", "primary stalls", "queueing", "retry budget tenth mend"} {
		var want []string
		for _, e := range all {
			text := strings.ToLower(strings.Join([]string{scenario.FamilyName(e.Family), e.Title, e.Question, e.Answer}, " "))
			has := true
			for _, word := range strings.Fields(strings.ToLower(query)) {
				has = has && strings.Contains(text, word)
			}
			if has {
				want = append(want, e.ID)
			}
		}
		p.searchFor(query)
		if got := p.offered(); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
		if heads := eval[int](p, `[...document.querySelectorAll("main h2")].filter(h => h.checkVisibility() && !h.parentElement.querySelector("li:not([hidden])")).length`); heads > 0 {
			t.Errorf("%q leaves %d headings over nothing", query, heads)
		}
	}
	if said := p.text("#found"); !strings.HasPrefix(said, "1 of ") {
		t.Errorf("of one it says %q", said)
	}
	if hash := eval[string](p, `location.hash`); hash != "#q=retry+budget+tenth+mend" {
		t.Errorf("the address has %s", hash)
	}
	p.reload()
	p.waitFor(`document.getElementById("search").value === "retry budget tenth mend"`)
	if got := p.offered(); len(got) != 1 {
		t.Errorf("after a reload it shows %q", got)
	}
	for _, c := range []struct{ query, id, says string }{ // what is near is shown, and said
		{"retrys", "recovery", "Nothing has “retrys”; "},
		{"time-out", "breaker", "have “timeout”."},
		{"herds", "herd", "have “herd”."},
		{"dogpile", "cache-stampede", "have “stampede”."},
		{"idempotent", "idempotency-key", "have “idempotency”."},
		{"primary blip", "blip", "have “stall”."},
		{"thundering herd", "herd", "have “herd”."},
		{"stampede zebra", "cache-stampede", "None has all of these words; 1 of "},
	} {
		p.searchFor(c.query)
		if got, said := p.offered(), p.text("#found"); !slices.Contains(got, c.id) || len(got) == len(all) || !strings.Contains(said, c.says) {
			t.Errorf("of %q it shows %q and says %q", c.query, got, said)
		}
	}
	p.searchFor("zebra")
	if got, said := p.offered(), p.text("#found"); len(got) > 0 || said != "Nothing has “zebra”." {
		t.Errorf("of a zebra it shows %q and says %q", got, said)
	}
	p.press(kb.Tab) // to what shows all
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "search" && document.getElementById("all").hidden`)
	if at := eval[string](p, `location.href`); len(p.offered()) != len(all) || at != origin+base+"gallery.html" {
		t.Errorf("with nothing typed it shows %d, at %s", len(p.offered()), at)
	}
	p.run(`history.replaceState = () => { throw new DOMException("of the test", "SecurityError") }`)
	p.searchFor("zebra")
	if got := p.offered(); len(got) > 0 {
		t.Errorf("where the address can't follow, a zebra is still %q", got)
	}
	for _, address := range []string{"gallery.html?q=stampede", "gallery.html#q=stampede"} {
		if got := openSite(t, address, look{}).offered(); len(got) != 1 || got[0] != "cache-stampede" {
			t.Errorf("%s shows %q", address, got)
		}
	}
}

// From a title the keyboard leads to the run, and from what stands under it to that beside the other.
func TestTheGalleryLeadsToRuns(t *testing.T) {
	for _, two := range []bool{false, true} {
		p := openSite(t, "gallery.html", look{NoWebGL: true})
		link, there := `#recovery h3 a`, "!("+twoRuns+")"
		if two {
			link, there = `#recovery p a`, twoRuns
		}
		p.run(`document.querySelector("` + link + `").focus()`)
		p.press(kb.Enter)
		p.waitFor(`document.getElementById("scenario")?.value === "recovery" && ` + alive)
		p.waitFor(clock + ` > 0`)
		p.waitFor(there)
	}
}

// The page leads to the gallery.
func TestThePageLeadsToTheGallery(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.click(`a[href="gallery.html"]`)
	p.waitFor(`document.querySelectorAll(".cards > li").length > 0`)
}

// Without scripts it is a list, and no field that does nothing.
func TestTheGalleryWithoutScripts(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	scripts := func(off bool) {
		if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			t.Fatal("scripts on and off:", err)
		}
	}
	scripts(true)
	p.reload()
	scripts(false) // for the test's own
	if got := len(p.offered()); got != len(scenario.List()) {
		t.Errorf("it shows %d scenarios", got)
	}
	if eval[bool](p, `document.getElementById("search").checkVisibility()`) {
		t.Error("there is a field that searches nothing")
	}
}

// It can be read on a phone and in both themes, by whom it may, and each picture is there once it is in sight.
func TestTheGalleryIsAccessible(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	for _, l := range []look{{}, {Dark: true}, {Width: 320, Height: 640}} {
		p.look(l)
		if found := p.axe(); found != "" {
			t.Errorf("%+v:\n%s", l, found)
		}
		if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("%+v: %d px too wide", l, over)
		}
		p.run(`document.querySelector("#queue img").scrollIntoView()`)
		p.waitFor(`document.querySelector("#queue img").naturalWidth >= 280`)
		if small := eval[int](p, `[...document.querySelectorAll("img")].filter(i => i.getBoundingClientRect().width < 280 - 24).length`); small > 0 {
			t.Errorf("%+v: %d pictures are too small to be read", l, small)
		}
		p.screenshot("gallery")
	}
}
