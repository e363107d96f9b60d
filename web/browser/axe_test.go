//go:build browser

package browser

import (
	"os"
	"strings"
	"testing"
)

// axe tells what axe-core finds wrong with the page as it stands, a line for each finding.
func (p *page) axe() string {
	p.t.Helper()
	script, err := os.ReadFile("../.build/axe.min.js")
	if err != nil {
		p.t.Fatalf("there is no axe-core to test with, run make web/.build/axe.min.js first: %v", err)
	}
	if !eval[bool](p, `"axe" in window`) {
		p.run(string(script) + "; 0")
	}
	// Not in the middle of a fade.
	p.waitFor(`document.getAnimations().every(a => a.playState !== "running")`)
	return eval[string](p, `axe.run(document, {iframes: false, resultTypes: ["violations"]}).then(found => found.violations.map(v =>
		v.impact + " " + v.id + ": " + v.help + ": " + v.nodes.map(n => n.target + " " + n.failureSummary).join("; ")).join("\n"))`)
}

// TestAccessibility has axe-core look at the page, in both themes, wide and narrow. When the system's theme changes, the
// button for it says the other one.
func TestAccessibility(t *testing.T) {
	p := openSite(t, "", look{})
	p.waitFor(`!document.getElementById("create").disabled`)
	inOrder := func(when string) {
		t.Helper()
		for _, l := range []look{{Dark: true}, {Width: 360, Height: 740}, {}} {
			p.look(l)
			word := "Dark"
			if l.Dark {
				word = "Light"
			}
			p.waitFor(`document.getElementById("theme").textContent === ` + quote(word))
			p.frames(2)
			if found := p.axe(); found != "" {
				t.Errorf("%s, %+v:\n%s", when, l, found)
			}
		}
	}
	inOrder("at the start")
	p.set("#scenario", "pastebin")
	p.push("#primary-stall")
	p.push("#tab-paste")
	p.set("#paste-text", strings.Repeat("a line\n", 3))
	p.push("#create")
	p.waitFor(`/^[2-5]0/.test(document.getElementById("paste-status").textContent)`)
	inOrder("with the primary stalled, after a create")
	p.push("#mend")
	p.push("#create")
	p.outcome("201")
	p.run(`location.hash = document.getElementById("paste-link").hash`)
	p.outcome("200")
	inOrder("with a paste open")
}
