//go:build browser

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// listen keeps what the live regions say, as a screen reader would hear it: each change of what is on show, and when. What is
// there at the start isn't said.
const listen = `window.spoken = [];
	addEventListener("DOMContentLoaded", () => {
		const live = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]", said = new Map
		for (const e of document.querySelectorAll(live)) said.set(e, e.textContent)
		new MutationObserver(changes => {
			for (const e of new Set(changes.map(c => (c.target.closest ? c.target : c.target.parentElement)?.closest(live)))) {
				if (!e || said.get(e) === e.textContent) continue
				said.set(e, e.textContent)
				const text = e.textContent.trim()
				if (text && e.checkVisibility()) spoken.push({by: e.id, text, at: performance.now()})
			}
		}).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"]})
	})`

type utterance struct {
	By   string  `json:"by"`
	Text string  `json:"text"`
	At   float64 `json:"at"` // milliseconds
}

// heard is what was said so far, in order.
func (p *page) heard() []utterance {
	p.t.Helper()
	return eval[[]utterance](p, `spoken`)
}

// accessible is a node of the tree that a screen reader is given.
type accessible struct {
	Ignored bool
	Role    struct{ Value string }
	Name    struct{ Value string }

	Properties []struct {
		Name  string
		Value struct{ Value any }
	}
}

// is tells whether it has a property that is true.
func (a *accessible) is(property string) bool {
	for _, p := range a.Properties {
		if p.Name == property {
			return p.Value.Value == true
		}
	}
	return false
}

func (p *page) accessible() []accessible {
	p.t.Helper()
	var tree struct {
		Nodes []json.RawMessage `json:"nodes"`
	}
	p.do("reading the accessibility tree", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		return chromedp.Void{}, t.Call(ctx, "Accessibility.getFullAXTree", map[string]any{}, &tree)
	})
	var all []accessible
	for _, raw := range tree.Nodes {
		var node accessible
		if json.Unmarshal(raw, &node) == nil && !node.Ignored { // a few have values of other kinds, which no name is
			all = append(all, node)
		}
	}
	return all
}

// tabTo goes to an element by the Tab key alone.
func (p *page) tabTo(id string) {
	p.t.Helper()
	for range 200 {
		if eval[string](p, `document.activeElement.id`) == id {
			return
		}
		p.press(kb.Tab)
	}
	p.t.Fatalf("Tab does not get to #%s", id)
}

// The story of the storm is told to one who sees nothing and has a keyboard: what is done, what follows, in order; that it
// stays although its cause is gone; and what another rule makes of the same traffic. Nothing is said twice, and nobody is
// talked over.
func TestTheStormIsToldToOneWhoDoesNotSeeIt(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.before(listen)
	p.reload()
	p.waitFor(`!document.getElementById("step").disabled && parseFloat(document.getElementById("clock").textContent) > 1`)
	p.tabTo("nudge-do")
	p.press(kb.Enter)
	if at := eval[string](p, `document.activeElement.id`); at != "verdict" {
		t.Errorf("after the first button the focus is at %q", at)
	}
	p.tabTo("speed")
	p.press(kb.ArrowDown)
	p.press(kb.ArrowDown)
	if speed := p.value("#speed"); speed != "5" {
		t.Fatalf("two down, the speed is %s", speed)
	}
	p.waitFor(`spoken.some(s => s.text.includes("our own retries"))`)
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 16`)
	p.tabTo("pause")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "play"`)

	p.tabTo("pin")
	p.press(kb.Enter)
	p.waitFor(`!document.getElementById("compare").hidden`)
	preset := eval[string](p, `[...document.querySelectorAll("[data-preset]")].find(e => e.textContent === "no retries").id`)
	p.tabTo(preset)
	p.press(kb.Enter)
	p.waitFor(`spoken.some(s => s.text.includes("bad second"))`)
	p.frames(90) // and what would be said after it

	all := p.heard()
	var whole []string
	last := map[string]utterance{}
	for _, u := range all {
		whole = append(whole, fmt.Sprintf("%.1f %s: %s", u.At/1000, u.By, u.Text))
		if before, ok := last[u.By]; ok && u.At-before.At < 900 { // a frame may be late
			t.Errorf("#%s says %q %.0f ms after %q", u.By, u.Text, u.At-before.At, before.Text)
		}
		last[u.By] = u
	}
	story := strings.Join(whole, "\n")
	rest := strings.ReplaceAll(story, "\n", " ")
	for _, want := range []string{
		"B is 8× slower. ", "All 8 slots of B are busy", "The first attempts at B time out", "Callers try again",
		"B is healthy again", "our own retries", "Pinned as run A", "bad second",
	} {
		i := strings.Index(rest, want)
		if i < 0 {
			t.Fatalf("%q is not said, or not in its turn:\n%s", want, story)
		}
		rest = rest[i+len(want):]
		if strings.Contains(rest, want) && want != "our own retries" {
			t.Errorf("%q is said twice:\n%s", want, story)
		}
	}
	for i, u := range all {
		if slices.ContainsFunc(all[:i], func(o utterance) bool { return o.Text == u.Text }) {
			t.Errorf("%q is said twice", u.Text)
		}
	}
	told := p.heard()[len(all)-1].Text
	var b, a int
	if i := strings.Index(told, "Run B: "); i < 0 {
		t.Errorf("last of all %q is said", told)
	} else if _, err := fmt.Sscanf(told[i:], "Run B: %d bad seconds, run A: %d.", &b, &a); err != nil || b == 0 || b >= a {
		t.Errorf("of the two rules %q is said", told)
	}

	named := map[string]bool{"button": true, "slider": true, "combobox": true, "textbox": true, "spinbutton": true, "checkbox": true, "tab": true,
		"progressbar": true, "link": true, "tabpanel": true, "region": true, "table": true, "heading": true, "group": false}
	there := map[string]bool{}
	for _, node := range p.accessible() {
		there[node.Role.Value+" "+node.Name.Value] = true
		if named[node.Role.Value] && strings.TrimSpace(node.Name.Value) == "" {
			t.Errorf("a %s has no name", node.Role.Value)
		}
	}
	for _, want := range []string{
		"button Play", "button Restart", "button Step", "button Step back", "button Run to the end", "slider Time", "combobox Speed", "tab Path", "tab Storm",
		"button Let go of run A", "button No retries", "heading Run A and run B, on the same traffic", "region What happened in run B", "combobox System", "textbox Timeout of b",
		"spinbutton Attempts of b", "button Mend everything", "button Over 100 seeds",
	} {
		if !there[want] {
			t.Errorf("a screen reader finds no %s", want)
		}
	}
}
