//go:build browser

package browser

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// evenTwoServices is what the page opens with: nothing broken, and requests that come at even intervals.
func evenTwoServices(t *testing.T) *run.Run {
	t.Helper()
	s, _ := scenario.Find("two-service")
	s.Faults = nil
	for name, o := range s.Operations {
		o.Arrivals = "even"
		s.Operations[name] = o
	}
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cells are the numbers since the start, as the page writes them.
func (p *page) cells() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll("#fig-requests tr td:last-child, #fig-deps tr:nth-last-child(-n+2) td")].map(e => e.textContent).join(" ")`)
}

// cellsOf are those of a run.
func cellsOf(r *run.Run) string {
	var s model.Snapshot
	r.Snapshot(&s)
	n, d := &s.Requests, &s.Dependencies[0]
	var cells []string
	for _, count := range []int64{
		n.Offered, n.OK, n.Failed + n.Shed + n.Late, n.Shed, n.Late, n.InFlight, d.Attempts(), d.Retries,
	} {
		cells = append(cells, metrics.Thousands(count))
	}
	return strings.Join(cells, " ")
}

// toTheEnd goes on to the end of the scenario, or as far again, and waits until that is reached.
func (p *page) toTheEnd(time string) {
	p.t.Helper()
	p.push("#end")
	p.waitFor(`document.getElementById("clock").textContent === ` + quote(time) + ` && !document.querySelector("#clock[aria-busy=true]")`)
	p.frames(3)
}

// What is erased in the diagram is changed in the run, at that moment and in no other way.
func TestErasingABoxIsTheRunWithThatChange(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true, ReducedMotion: true}) // paused, at 0
	want := evenTwoServices(t)
	far := func(to time.Duration) {
		for !want.Advance(to, 1_000_000) {
		}
	}
	p.click("#look-storm")
	p.push("#slow-3s")
	p.toTheEnd("30.0 s")
	if err := want.Break(scenario.Fault{Target: "b", Kind: "slow", Factor: 8, For: scenario.Duration(3 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	far(30 * time.Second)
	if got := p.cells(); got != cellsOf(want) {
		t.Errorf("in the storm the page has %s, the run %s", got, cellsOf(want))
	}

	p.run(`document.getElementById("erase-retries").focus()`)
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.textContent === "Put back 3 retries"`)
	p.toTheEnd("1 min 0 s")
	if err := want.Set("policy.calls.b.attempts", 1); err != nil {
		t.Fatal(err)
	}
	far(time.Minute)
	if got := p.cells(); got != cellsOf(want) {
		t.Errorf("with the retries erased the page has %s, the run %s", got, cellsOf(want))
	}

	p.press(" ")
	p.waitFor(`document.activeElement.textContent === "Erase 3 retries"`)
	if err := want.Set("policy.calls.b.attempts", 4); err != nil {
		t.Fatal(err)
	}
	p.push("#slow-3s")
	if err := want.Break(scenario.Fault{Target: "b", Kind: "slow", Factor: 8, For: scenario.Duration(3 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	p.toTheEnd("1 min 30 s")
	far(90 * time.Second)
	if got := p.cells(); got != cellsOf(want) {
		t.Errorf("with the retries put back the page has %s, the run %s", got, cellsOf(want))
	}
}

// The storm can be read from the words alone, in order, and feels other than calm.
func TestTheStormDiagram(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true, ReducedMotion: true})
	p.click("#look-storm")
	const boxes = `[...document.querySelectorAll("#storm .chain li")]`
	band := func(i int) float64 {
		return eval[float64](p, `[...`+boxes+`[`+strconv.Itoa(i)+`].querySelectorAll(".band")].reduce((sum, e) => sum + 1 * e.getAttribute("stroke-width"), 0)`)
	}
	// Numbers are of the last second, so one has to pass.
	playUntil := func(sum string) {
		p.push("#play")
		p.waitFor(`document.getElementById("storm-sum").textContent.includes(` + quote(sum) + `)`)
		p.push("#pause")
		p.frames(3)
	}
	past := func() bool {
		return eval[bool](p, `getComputedStyle(document.querySelector(".step-ceiling .arrow")).visibility === "visible"`)
	}
	playUntil("20 calls a second reach B. None of its attempts fails. 20 attempts for the 80 it can do.")
	if titles := eval[string](p, boxes+`.map(e => e.querySelector(".title").innerText).join(" | ")`); titles != "Calls | Time out | 3 retries each | Extra attempts | B below its ceiling" {
		t.Errorf("calm, the chain reads %q", titles)
	}
	calm := band(3)
	if past() || band(1) != 0 || calm == 0 {
		t.Errorf("calm: past its ceiling %v, time-outs %g wide, load %g", past(), band(1), calm)
	}

	p.push("#slow-3s")
	playUntil("What fails is tried up to 3 more times: 60 extra.")
	// The arrows' numbers, in order, are those of the sum.
	numbers := eval[[]float64](p, boxes+`.map(e => parseFloat(e.querySelector(".arrow b").innerText))`)
	first, failing, extra, all := numbers[0], numbers[1], numbers[2], numbers[3]
	sum := fmt.Sprintf("%g calls a second reach B. Of ", first)
	if said := p.text("#storm-sum"); !strings.HasPrefix(said, sum) || !strings.Contains(said, fmt.Sprintf(" attempts that end %g time out, ", failing)) || !strings.HasSuffix(said, fmt.Sprintf("%g + %g = %g attempts for the 80 it can do.", first, extra, all)) {
		t.Errorf("the arrows say %v, the sum %q", numbers, said)
	}
	if first+extra != all || all < 60 || failing < 60 {
		t.Errorf("in the storm its arrows say %v", numbers)
	}
	if !past() || band(1) == 0 || band(3) < 1.5*calm {
		t.Errorf("storm: past its ceiling %v, time-outs %g wide, load %g after %g", past(), band(1), band(3), calm)
	}
	if caption := p.text("#storm-caption"); caption != "20 becomes 32 because of our own code." {
		t.Errorf("the caption is %q", caption)
	}
	if broken := eval[string](p, `[...document.querySelectorAll("#exits .against")].map(e => e.closest("li").innerText.replace(/\s+/g, " ")).join(" | ")`); strings.Count(broken, "B: ") != 2 {
		t.Errorf("B’s retries are against the rule after a timeout and after a refusal; it says %q", broken)
	}
	if eval[bool](p, `document.querySelector(":is(#storm, #exits) :is([aria-live], [role=status], [role=alert])") !== null`) {
		t.Error("numbers that change twice a second are a live region")
	}
	if moving := eval[string](p, `document.querySelector(".chain").style.getPropertyValue("--flow")`); moving != "" {
		t.Errorf("with reduced motion the marks on the arrows have moved by %s", moving)
	}
	for _, l := range []look{{}, {Dark: true}, {Width: 320, Height: 640}} {
		l.NoWebGL, l.ReducedMotion = true, true
		p.look(l)
		p.frames(3)
		if found := p.axe(); found != "" {
			t.Errorf("%+v: %s", l, found)
		}
	}
	// On a phone, which the last was, the chain is a column.
	if !eval[bool](p, `document.documentElement.scrollWidth <= innerWidth`) {
		t.Error("at 320 pixels the page is wider than the screen")
	}
	if !eval[bool](p, `(list => list.every((e, i) => i === 0 || e.top >= list[i - 1].bottom && e.left === list[0].left))(`+boxes+`.map(e => e.querySelector(".box").getBoundingClientRect()))`) {
		t.Error("at 320 pixels the boxes are not one under another")
	}
}

// A fault is erased, and put back for the rest of its time; beside a pinned run each arrow has the numbers of both.
func TestErasingAFaultAndTwoRuns(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true, ReducedMotion: true})
	p.click("#look-storm")
	p.push("#slow-3s")
	p.waitFor(`document.getElementById("erase-fault").checkVisibility()`)
	p.push("#erase-fault")
	p.waitFor(`document.getElementById("erase-fault").textContent === "Put back the fault"`)
	if said := p.text("#broken"); !strings.Contains(said, "Nothing") {
		t.Errorf("with the fault erased, broken is %q", said)
	}
	p.push("#erase-fault")
	p.waitFor(`document.getElementById("broken").textContent.includes("slow")`)
	if said := p.text("#broken"); !strings.Contains(said, "3.0 s") {
		t.Errorf("put back, broken is %q, want its three seconds", said)
	}

	p.toTheEnd("30.0 s")
	p.push("#pin")
	p.push("#erase-retries")
	p.push("#play") // numbers are of the last second, so one has to pass
	p.waitFor(`document.querySelector(".step-extra .other").textContent.includes("Run A:\n80 /s")`)
	p.waitFor(`document.querySelector(".step-extra b").textContent === "20 /s"`)
	p.waitFor(`document.querySelector(".step-retries .other").textContent === "Run A:\n60 /s"`)
}

// No word of the storm lies over the edge of a box or over other words, however wide it is and whether it has one run's words
// or two's.
func TestTheStormsWordsStandClear(t *testing.T) {
	const over = `(() => {
		const rects = [];
		for (const e of document.querySelectorAll("#storm :is(.title, .says, .note, button, b, .what, .other), #storm-before, #storm-caption")) {
			const range = document.createRange();
			range.selectNodeContents(e);
			const of = e.matches("button") ? [e.getBoundingClientRect()] : [...range.getClientRects()];
			if (e.checkVisibility({ visibilityProperty: true })) rects.push(...of.filter(r => r.width > 0).map(r => ({ r, e })));
		}
		const cross = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
		const within = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
		const wrong = [];
		for (const { r, e } of rects) {
			for (const box of document.querySelectorAll("#storm .box")) {
				const b = box.getBoundingClientRect();
				if (cross(r, b) && !within(r, b)) wrong.push(e.textContent + " over the edge of " + box.querySelector(".title").textContent);
			}
			for (const o of rects) if (o.e !== e && !o.e.contains(e) && !e.contains(o.e) && cross(r, o.r)) wrong.push(e.textContent + " over " + o.e.textContent);
		}
		return [...new Set(wrong)].join("; ");
	})()`
	p := ready(t, "#v1/pastebin?fault=primary,stall,3s,2s&view=storm&t=4500ms", look{NoWebGL: true})
	for i, link := range []string{"", "#v1/blip-retries?view=storm&t=6s"} {
		if i > 0 {
			p.goTo("about:blank")
			p.goTo(origin + base + link)
			p.waitFor(`!document.getElementById("step").disabled && !document.querySelector("#clock[aria-busy=true]")`)
		}
		for _, runs := range []string{"one run", "two runs"} {
			if runs == "two runs" {
				p.push("#pin")
				p.waitFor(`document.querySelector(".step-extra .other").textContent`)
			}
			for _, width := range []int64{1280, 1100, 1024, 900, 640, 360} {
				p.look(look{Width: width, Height: 900})
				p.frames(2)
				if wrong := eval[string](p, over); wrong != "" {
					t.Errorf("%d px, %s, %s: %s", width, link, runs, wrong)
				}
			}
		}
	}
}

// The marks on the arrows travel with the run's time: not while it stands.
func TestTheStormsArrowsMoveWithTime(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.click("#look-storm")
	const gone = `parseFloat(document.querySelector(".chain").style.getPropertyValue("--flow"))`
	p.waitFor(gone + ` < -5`)
	p.click("#pause")
	p.frames(2)
	before := eval[float64](p, gone)
	p.frames(5)
	if after := eval[float64](p, gone); after != before {
		t.Errorf("paused, the marks went on from %g to %g", before, after)
	}
}
