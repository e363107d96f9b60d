//go:build js && wasm

package page

import (
	"slices"

	"stormbin/wasm/internal/html"
)

// look is one way to look at a run.
type look int

const (
	lookPath   look = iota // requests on their way
	lookStorm              // how a retry becomes a storm
	lookSlots              // who holds what, over time
	lookCharts             // numbers over time
	looks
)

var lookNames = [looks]string{"path", "storm", "slots", "charts"}

// onStage tells whether the stage draws it; the others are part of the page.
func (l look) onStage() bool { return l == lookPath || l == lookSlots }

// Look shows the run another way, by its name.
func (p *Page) Look(name string) { p.show(look(slices.Index(lookNames[:], name))) }

func (p *Page) show(l look) {
	p.look = l
	p.panel.ShowLook(lookNames[l])
	html.Show(p.stage.box, p.look.onStage())
	for l, id := range [...]string{lookStorm: "storm", lookCharts: "charts"} {
		if id != "" {
			html.Show(html.Find(id), p.look == look(l))
		}
	}
	p.told.jumped = true // before anything is told each look has a caption of its own
	p.Repaint()
}
