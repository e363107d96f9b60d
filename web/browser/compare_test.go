//go:build browser

package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

const attempts = `#policy-calls-b-attempts`

// Pinned, a rule that is changed is told beside the old one, and so is what it makes of the same traffic.
func TestTwoRulesOnTheSameTraffic(t *testing.T) {
	p := inStorm(t, look{})
	p.push("#pin")
	p.waitFor(`!document.getElementById("compare").hidden`)
	p.waitFor(`document.getElementById("rule-b").textContent.includes("the same")`)
	p.waitFor(`document.getElementById("h-figures").textContent === "Numbers of run B"`)
	p.set(attempts, "1")
	p.waitFor(`document.getElementById("rule-a").textContent.includes("4 attempts on b")`)
	p.waitFor(`document.getElementById("rule-b").textContent.includes("1 attempt on b")`)
	p.push("#play")
	p.waitFor(`/^Run B: \d+ bad seconds?, run A: \d+\./.test(document.getElementById("differences").textContent)`)
	p.waitFor(`/Run A sent [\d,]+ more attempts to service B/.test(document.getElementById("differences").textContent)`)
	p.set("#load input", "37") // for both
	p.waitFor(`document.querySelector("#side-by-side tr:first-child td").textContent === "37 /s"`)
	p.push("#pause")
	p.frames(40)
	same := func(when string) {
		t.Helper()
		shown := eval[[]float64](p, `[...document.querySelectorAll("#side-by-side tr:first-child td")].map(e => parseFloat(e.textContent))`)
		a, b := p.arrived(4), p.arrived(1)
		// What stood at the beginning of the second is read between two frames: to within one.
		if shown[0] != shown[1] || a != b || math.Abs(shown[0]-a) > 1 {
			t.Errorf("%s: offered to A and B are %v a second, and to runs of both rules %v and %v", when, shown, a, b)
		}
	}
	same("played")
	p.set("#budget", "10") // B begins again, and comes to where A is
	p.waitFor(`document.getElementById("rule-b").textContent.includes("10\u00a0%") && document.getElementById("clock").getAttribute("aria-busy") === "false"`)
	p.frames(40)
	same("begun again")
	p.run(`document.getElementById("unpin").focus()`)
	p.press("\r")
	p.waitFor(`document.getElementById("compare").hidden && document.getElementById("h-figures").textContent === "Numbers"`)
	if at := eval[string](p, `document.activeElement.id`); at != "pin" {
		t.Errorf("after letting go of A the focus is at %q", at)
	}
}

// arrived is how many requests came in the last second of the run on show, had b so many attempts.
func (p *page) arrived(attempts int) float64 {
	p.t.Helper()
	p.run(`document.getElementById("link-menu").open = true; document.getElementById("link-timed").checked || document.getElementById("link-timed").click()`)
	p.waitFor(`document.getElementById("link-field").value.includes("&t=")`)
	_, fragment, _ := strings.Cut(p.value("#link-field"), "#")
	p.run(`document.getElementById("link-menu").open = false`)
	link, err := scenario.ParseLink("#" + fragment)
	if err != nil {
		p.t.Fatal(err)
	}
	_, at, _ := strings.Cut(fragment, "&t=")
	at, _, _ = strings.Cut(at, "&")
	end, err := time.ParseDuration(at)
	if err != nil {
		p.t.Fatalf("the link says no time: %s", fragment)
	}
	s := link.Scenario
	if err := scenario.Set(&s, "policy.calls.b.attempts", attempts); err != nil {
		p.t.Fatal(err)
	}
	r, err := run.New(s)
	if err != nil {
		p.t.Fatal(err)
	}
	var before, after model.Snapshot
	for !r.Advance(end-time.Second, 1_000_000) {
	}
	r.Snapshot(&before)
	for !r.Advance(end, 1_000_000) {
	}
	r.Snapshot(&after)
	return float64(after.Requests.Offered - before.Requests.Offered)
}

// What a hundred seeds come to is what the engine says they do, and the words and the marks are of these numbers.
func TestAHundredSeeds(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.before(`window.work = []; const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (m, ...rest) { if (m?.scenarios) work.push(m.scenarios); return post.call(this, m, ...rest) }`)
	p.reload()
	p.waitFor(`!document.getElementById("seeds-run").disabled && !document.getElementById("arrivals").disabled`)
	p.set("#arrivals", "poisson")
	p.set("#speed", "5")
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 1`)
	p.push("#slow-3s")
	p.push("#pin")
	p.waitFor(`!document.getElementById("compare").hidden`)
	p.set(attempts, "1")
	p.push("#pause")
	p.push("#seeds-run")
	p.waitFor(`document.getElementById("seeds-status").textContent.includes("All 100 seeds")`)
	p.run(`document.getElementById("seeds-details").open = true`)
	p.waitFor(`document.querySelectorAll("#seeds-rows tr").length === 100`)

	texts := eval[[]string](p, `work[0]`)
	rows := eval[[][]string](p, `[...document.querySelectorAll("#seeds-rows tr")].map(tr => [...tr.cells].map(c => c.textContent))`)
	if len(texts) != 2 {
		t.Fatalf("%d rules, want 2", len(texts))
	}
	never := [2]int{}
	for rule, text := range texts {
		s, err := scenario.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Policy.Calls["b"].Attempts; n != []int{4, 1}[rule] {
			t.Errorf("rule %d has %d attempts", rule, n)
		}
		if _, err := run.Seeds(s, 100, func(i int, r metrics.Report) {
			recovery := "never"
			if r.RecoveryS != nil {
				recovery = fmt.Sprintf("%.1f s", *r.RecoveryS)
			} else {
				never[rule]++
			}
			cells := rows[i][1+4*rule : 5+4*rule]
			if want := fmt.Sprint(r.BadSeconds); cells[0] != want || cells[1] != recovery ||
				cells[3] != fmt.Sprintf("%.2f×", r.Dependencies["b"].Amplification) {
				t.Errorf("rule %d, seed %s: %q, want %s bad seconds, recovery %s and %.2f×", rule, rows[i][0], cells, want, recovery, r.Dependencies["b"].Amplification)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	said := p.text("#seeds-says")
	for rule, name := range []string{"Run A", "Run B"} {
		if want := fmt.Sprintf("never recovered: %d of 100", never[rule]); !strings.Contains(said, name+": ") || !strings.Contains(said, want) {
			t.Errorf("%q says nothing of %q", said, want)
		}
	}
	if moral := p.text("#seeds-moral"); !strings.Contains(moral, "the same traffic") {
		t.Errorf("the sentence is %q", moral)
	}
	marks := func(class string) int {
		return eval[int](p, `[...document.querySelectorAll("#seeds-strip .`+class+`")].reduce((n, e) => n + e.getAttribute("d").split("M").length - 1, 0)`)
	}
	if dots, crosses := marks("recovered"), marks("never"); crosses != never[0]+never[1] || dots+crosses != 200 {
		t.Errorf("%d dots and %d crosses, want 200 in all and a cross for %d", dots, crosses, never[0]+never[1])
	}
}

// Seeds that run can be stopped; what there is so far stays.
func TestSeedsCanBeStopped(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	p.run(`document.getElementById("seeds-run").focus()`)
	p.press("\r")
	p.waitFor(`!document.getElementById("seeds-progress").hidden`)
	p.waitFor(`document.activeElement.id === "seeds-stop"`)
	p.waitFor(`document.getElementById("seeds-progress").value >= 1`)
	p.press("\r")
	p.waitFor(`document.getElementById("seeds-progress").hidden`)
	p.waitFor(`document.activeElement.id === "seeds-run"`)
	if status := p.text("#seeds-status"); status != "Stopped." {
		t.Errorf("the status is %q", status)
	}
	if said := p.text("#seeds-says"); !strings.Contains(said, "never recovered: 0 of ") {
		t.Errorf("of those that have run it says %q", said)
	}
}
