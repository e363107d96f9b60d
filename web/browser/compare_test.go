//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"

	"stormbin/engine/metrics"
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
	p.set(attempts, "1")
	p.waitFor(`document.getElementById("rule-a").textContent.includes("4 attempts on b")`)
	p.waitFor(`document.getElementById("rule-b").textContent.includes("1 attempt on b")`)
	p.push("#play")
	p.waitFor(`/^B: \d+ bad seconds?, A: \d+\./.test(document.getElementById("differences").textContent)`)
	p.waitFor(`/A sent [\d,]+ more attempts to B/.test(document.getElementById("differences").textContent)`)
	p.push("#pause")
	p.frames(40)
	offered := eval[[]string](p, `[...document.querySelectorAll("#side-by-side tr:first-child td")].map(e => e.textContent)`)
	if len(offered) != 2 || offered[0] != offered[1] || offered[0] == "" {
		t.Errorf("offered to A and B: %q", offered)
	}
	p.run(`document.getElementById("unpin").focus()`)
	p.press("\r")
	p.waitFor(`document.getElementById("compare").hidden`)
	if at := eval[string](p, `document.activeElement.id`); at != "pin" {
		t.Errorf("after letting go of A the focus is at %q", at)
	}
}

// What a hundred seeds come to is what the engine says they do, and the words and the marks are of these numbers.
func TestAHundredSeeds(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.before(`window.work = []; const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (m, ...rest) { if (m?.scenarios) work.push(m.scenarios); return post.call(this, m, ...rest) }`)
	p.reload()
	p.waitFor(`!document.getElementById("seeds-run").disabled`)
	p.set("#arrivals", "poisson")
	p.set("#speed", "5")
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 1`)
	p.push("#slow-3s")
	p.push("#pin")
	p.waitFor(`!document.getElementById("compare").hidden`)
	p.set(attempts, "1")
	p.push("#pause")
	p.push("#compare-seeds")
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
	for rule, name := range []string{"A", "B"} {
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
