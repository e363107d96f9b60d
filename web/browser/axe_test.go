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
	p.run(string(script) + "; 0")
	// Not in the middle of a fade.
	p.waitFor(`document.getAnimations().every(a => a.playState !== "running")`)
	return eval[string](p, `axe.run(document, {iframes: false}).then(found => found.violations.map(v =>
		v.impact + " " + v.id + ": " + v.help + ": " + v.nodes.map(n => n.target + " " + n.failureSummary).join("; ")).join("\n"))`)
}

// TestAccessibility has axe-core look at the page, in both themes, wide and narrow.
func TestAccessibility(t *testing.T) {
	for name, of := range map[string]look{
		"light": {}, "dark": {Dark: true}, "narrow": {Width: 360, Height: 740},
	} {
		t.Run(name, func(t *testing.T) {
			p := openSite(t, "", of)
			p.waitFor(`!document.getElementById("create").disabled`)
			if found := p.axe(); found != "" {
				t.Error("at the start:\n" + found)
			}
			p.set("#scenario", "pastebin")
			p.push("#primary-stall")
			p.push("#tab-paste")
			p.set("#paste-text", strings.Repeat("a line\n", 3))
			p.push("#create")
			p.waitFor(`/^[2-5]0/.test(document.getElementById("paste-status").textContent)`)
			if found := p.axe(); found != "" {
				t.Error("with the primary stalled, after a create:\n" + found)
			}
			p.push("#mend")
			p.push("#create")
			p.outcome("201")
			p.run(`location.hash = document.getElementById("paste-link").hash`)
			p.outcome("200")
			if found := p.axe(); found != "" {
				t.Error("with a paste open:\n" + found)
			}
		})
	}
}
