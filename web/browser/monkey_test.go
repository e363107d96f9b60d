//go:build browser

package browser

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

var (
	monkey     = flag.Uint64("monkey", 1, "the seed of what TestAMonkeyOnThePage does")
	monkeyActs = flag.Int("acts", 60, "how many things it does")
)

// Whatever is pressed, clicked, chosen and typed in whatever order, nothing panics, and in the end the run still goes on.
func TestAMonkeyOnThePage(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.run(fmt.Sprintf(helpers, known()))
	r := rand.New(rand.NewPCG(*monkey, 0))
	keys := []string{kb.Tab, kb.Enter, " ", kb.ArrowDown, kb.ArrowRight, kb.ArrowLeft, kb.Home, kb.End, kb.Escape, ".", ",", "r", "e", "p", "1", "2", "3", "4", "?", "0", "5s"}
	var did []string
	defer func() {
		if t.Failed() {
			t.Logf("with -monkey %d, after:\n%s", *monkey, strings.Join(did, "\n"))
		}
	}()
	for range *monkeyActs {
		switch r.IntN(4) {
		case 0:
			key := keys[r.IntN(len(keys))]
			did = append(did, fmt.Sprintf("key %q", key))
			p.press(key)
		default:
			// Links lead away, and a file is chosen in a window of the browser's own.
			did = append(did, eval[string](p, fmt.Sprintf(`(() => {
				const all = usable().filter(e => !e.matches("a, iframe, [type=file], #take-version")), e = all[%d %% all.length]
				if (!e) return "nothing to use"
				e.focus()
				if (e.tagName === "SELECT") {
					e.selectedIndex = %d %% e.options.length
					e.dispatchEvent(new Event("change", {bubbles: true}))
				} else if (e.matches("input:not([type=checkbox]):not([type=range]), textarea") && !e.readOnly) {
					e.value = ["", "0", "1", "3", "20ms", "2s", "-1", "many", "1e9", "50"][%d %% 10]
					for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, {bubbles: true}))
				} else e.click()
				return called(e)
			})()`, r.IntN(1e6), r.IntN(1e6), r.IntN(1e6))))
		}
		if r.IntN(5) == 0 {
			p.frames(r.IntN(10))
		}
	}
	p.run(`document.querySelector("dialog[open]")?.close()`)
	p.set("#scenario", "two-service")
	p.push("#restart")
	p.push("#play")
	p.waitFor(clock + ` > .2`)
}
