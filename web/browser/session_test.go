//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const clock = `parseFloat(document.getElementById("clock").textContent)`

// A system that is left for another is there as it was left.
func TestASystemIsFoundAsItWasLeft(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#speed", "10")
	p.waitFor(clock + ` > 5`)
	p.set("#policy-calls-b-attempts", "2")
	p.click("#pause")
	p.frames(2)
	left := eval[float64](p, clock)
	p.set("#scenario", "pastebin")
	p.waitFor(`document.querySelector('[data-path="policy.calls.primary_read.attempts"]') !== null`)
	p.waitFor(clock + ` < 5`)
	p.set("#scenario", "two-service")
	p.waitFor(`document.querySelector("#policy-calls-b-attempts")?.value === "2"`)
	p.frames(2)
	if found := eval[float64](p, clock); found != left {
		t.Errorf("left at %v s, found at %v s", left, found)
	}
	p.run(`(e => { e.selectedIndex = -1; e.dispatchEvent(new Event("change")) })(document.getElementById("scenario"))`)
	if chosen := p.value("#scenario"); chosen != "two-service" {
		t.Errorf("with nothing chosen %q is", chosen)
	}
}

// Steps back in a storm of the pastebin are taken one for each press, also for one that comes while the last is on its way;
// and as many steps on come to the very same moment.
func TestStepsBackInAStorm(t *testing.T) {
	p := openSite(t, "#v1/pastebin?policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout&fault=primary,stall,3s,2s&t=9.05s", look{NoWebGL: true})
	busy := `document.getElementById("clock").getAttribute("aria-busy") === "true"`
	calm := func() {
		t.Helper()
		p.frames(2) // with which it is told that it is on its way
		p.waitFor(`document.getElementById("clock").textContent.startsWith("9.") && !(` + busy + `)`)
		p.frames(3)
	}
	calm()
	p.waitFor(`document.getElementById("labels").textContent.includes("One read: ")`) // what was under way then is drawn as if it had been watched
	p.run(`window.busy = 0; new MutationObserver(() => busy += ` + busy + `).observe(document.getElementById("clock"), {attributes: true})`)
	const steps = 5
	seen := []string{eval[string](p, counts)}
	for range steps {
		p.push("#step")
		p.frames(3)
		seen = append(seen, eval[string](p, counts))
	}
	if seen[steps] == seen[0] {
		t.Fatalf("after %d steps on nothing has happened", steps)
	}
	for i, way := range []string{"pressed one by one", "pressed all at once"} {
		for range steps {
			p.push("#step-back")
			if i == 0 {
				calm()
			}
		}
		if calm(); eval[string](p, counts) != seen[0] {
			t.Errorf("%s, as many steps back as on it is not what it was", way)
		}
		for range steps {
			p.push("#step")
		}
		if p.frames(3); eval[string](p, counts) != seen[steps] {
			t.Errorf("%s, and as many on again it is not what it was", way)
		}
	}
	if eval[int](p, `busy`) == 0 {
		t.Error("nothing says that it is on its way")
	}
}

// Another seed starts over, and says so; what the reader has set is still set and can be undone, what was broken is to
// come, and A is still there, on the same new traffic.
func TestAnotherSeedLosesNothing(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.run(`window.heards = []; new MutationObserver(() => heards.push(document.getElementById("heard").textContent))
		.observe(document.getElementById("heard"), {childList: true, characterData: true, subtree: true})`)
	heard := func(text string) {
		t.Helper()
		p.waitFor(`heards.some(h => h.includes(` + quote(text) + `))`)
	}
	p.set("#speed", "10")
	p.set("#policy-calls-b-attempts", "2")
	p.waitFor(clock + ` > 2`)
	p.click("#pause")
	p.frames(2)
	slowed := p.text("#clock")
	p.push("#slow-3s")
	p.push("#play")
	p.waitFor(clock + ` > parseFloat(` + quote(slowed) + `) + 3`)
	p.click("#pause")
	p.click("#new-seed")
	heard("Seed 1 → 2. The run starts over.")
	p.waitFor(clock + ` === 0 && document.getElementById("seed").textContent === "2"`)
	p.waitFor(`/B 8× slower.*at ` + slowed + `/.test(document.getElementById("broken").textContent)`)
	if got := p.value("#policy-calls-b-attempts"); got != "2" {
		t.Errorf("with another seed there are %s attempts", got)
	}
	p.push("#pin")
	p.waitFor(`!document.getElementById("compare").hidden`)
	p.set("#arrivals", "poisson")
	heard("Run A and run B start over, on the same traffic.")
	p.push("#rule-undo")
	heard("Undone: arrivals of call poisson → even.")
	p.push("#rule-undo")
	heard("Undone: seed 2 → 1.")
	p.push("#rule-undo")
	heard("Undone: attempts of b 2 → 4.")
	p.push("#rule-redo")
	heard("Done again: attempts of b 4 → 2.")
	if eval[bool](p, `document.getElementById("compare").hidden || document.getElementById("seed").textContent !== "1"`) {
		t.Error("A is gone, or the seed is another")
	}
}

// What is planned can be taken off the timeline one by one, with the keyboard alone, and undo plans it again.
func TestAPlannedFaultIsRemoved(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.click("#pause")
	p.run(`document.querySelector(".own-fault").open = true`)
	for _, at := range []string{"50s", "30s", "40s"} {
		p.set("#fault-at", at)
		p.click("#fault-do")
		p.waitFor(`document.getElementById("broken").textContent.includes("at ` + strings.TrimSuffix(at, "s") + `.0 s")`)
	}
	rows := func(want ...string) {
		t.Helper()
		p.waitFor(fmt.Sprintf(`[...document.querySelectorAll("#broken li .muted")].map(e => e.textContent).join() === %q`, strings.Join(want, ",")))
	}
	rows("at 30.0 s", "at 40.0 s", "at 50.0 s")
	p.onto("#broken li:nth-child(2) button")
	p.press(kb.Enter)
	rows("at 30.0 s", "at 50.0 s")
	p.waitFor(`document.getElementById("heard").textContent.includes("B 10× slower is no longer planned at 40.0 s. Undo plans it again.")`)
	p.press(" ") // the focus is on the next
	rows("at 30.0 s")
	p.press("z", ctrl)
	rows("at 30.0 s", "at 50.0 s")
	p.press("z", ctrl)
	rows("at 30.0 s", "at 40.0 s", "at 50.0 s")
	p.waitFor(`document.getElementById("heard").textContent.includes("Undone: B 10× slower is planned again at 40.0 s.")`)
	p.press("z", ctrlShift)
	rows("at 30.0 s", "at 50.0 s")
	p.onto("#broken li:nth-child(2) button")
	p.press(kb.Enter)
	rows("at 30.0 s")
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("broken").textContent === "Nothing." && document.activeElement.id === "h-broken"`)
	p.push("#rule-undo")
	rows("at 30.0 s")
	p.push("#mend")
	p.waitFor(`document.getElementById("broken").textContent === "Nothing."`)
	p.push("#rule-undo")
	rows("at 30.0 s")
}
