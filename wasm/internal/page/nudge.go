//go:build js && wasm

package page

import (
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// nudge is one line that says what could be done next, and one button that does it. The second comes when something has
// happened; after that the reader needs none.
type nudge struct {
	page   *Page
	box    html.Element
	button html.Element
	text   *html.Text
	label  *html.Text
	steps  []step
	at     int
	shown  bool // the line at at
	broken bool // the reader has broken something
}

type step struct {
	text, button string
	do           func(p *Page)
	// fits tells whether the text is true of now. nil: it always is.
	fits func(now *view.Numbers) bool
}

func failing(now *view.Numbers) bool { return now.InTime < .9 }

func wellServed(now *view.Numbers) bool { return now.InTime > .99 }

// slowB is what a slow B needs for one attempt: the experiment's figure, however fast B is when well.
const slowB = 800 * time.Millisecond

var nudges = map[string][]step{
	"two-service": {
		{"B can do eight at a time. Make it slow.", "Make B slow for 3 s", func(p *Page) {
			p.Break(scenario.Fault{Target: "b", Kind: "slow", Factor: view.SlowTo(p.session.Settings(), "b", slowB), For: scenario.Duration(3 * time.Second)})
		}, nil},
		{"B has been well again for a while. What is left is of our own making: allow one retry for every ten first attempts.", "Set a 10 % retry budget", func(p *Page) {
			p.setAndShow("policy.budget.percent", 10)
		}, failing},
	},
	"pastebin": {
		{"The primary can do 15,000 a second, and 8,700 ask it. Stop it for two seconds.", "Stall the primary for 2 s", func(p *Page) {
			p.Break(scenario.Fault{Target: "primary", Kind: "stall", Factor: 1, For: scenario.Duration(2 * time.Second)})
		}, nil},
		{"It was over when its cause was over. Let every failed read try four times, and stall it again.", "Four attempts, and stall it", func(p *Page) {
			p.setAndShow("policy.calls.primary_read.attempts", 4)
			p.setAndShow("policy.calls.primary_read.retry_on", []string{"timeout", "error", "refused"})
			p.setAndShow("policy.calls.primary_read.backoff.kind", "none")
			p.Break(scenario.Fault{Target: "primary", Kind: "stall", Factor: 1, For: scenario.Duration(2 * time.Second)})
		}, wellServed},
	},
}

// setAndShow sets a path as the reader would have.
func (p *Page) setAndShow(path string, value any) {
	p.say(p.Set(path, value))
	p.panel.Show(p.session.Settings())
}

func (n *nudge) bind(p *Page) {
	n.page = p
	n.box, n.button = html.Find("nudge"), html.Find("nudge-do")
	n.text, n.label = html.TextOf("nudge-text"), html.TextOf("nudge-do")
	html.On(n.button, "click", func(html.Event) {
		if !n.shown {
			return // nobody sees it, but a script can press it
		}
		do := n.steps[n.at].do
		n.at++
		n.hide()
		html.Focus(html.Find("verdict"))
		p.Play()
		do(p)
	})
}

// show begins with the first line of a scenario, if it has one.
func (n *nudge) show(id string) {
	n.steps, n.at, n.shown, n.broken = nudges[id], 0, false, false
	html.Show(n.box, len(n.steps) > 0)
	n.hide()
	n.offer()
}

func (n *nudge) offer() {
	if n.at < len(n.steps) {
		n.text.Set(n.steps[n.at].text)
		n.label.Set(n.steps[n.at].button)
		n.shown = true
		n.box.Class().Remove("done")
	}
}

// hide leaves its place empty, so that nothing moves; only a phone has no place to spare.
func (n *nudge) hide() {
	n.shown = false
	n.box.Class().Add("done")
}

// broke says that the reader has broken something, by whatever button: the first line has had its use.
func (n *nudge) broke() {
	n.broken = true
	if n.at == 0 {
		n.at = 1
		n.hide()
	}
}

// look offers the second line once what was broken has been well again for two seconds, for as long as it is true.
func (n *nudge) look(now *view.Numbers) {
	if !n.broken || n.at != 1 || len(n.steps) < 2 || now.Focus < 0 {
		return
	}
	p := &now.Places[now.Focus]
	switch fits := p.WasSick && p.WellFor > 2*time.Second && n.steps[1].fits(now); {
	case fits && !n.shown:
		n.offer()
	case !fits && n.shown:
		n.hide()
	}
}
