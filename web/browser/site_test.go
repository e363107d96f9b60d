//go:build browser

package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// ready opens the page and waits until it is alive.
func ready(t testing.TB, path string, l look) *page {
	t.Helper()
	p := openSite(t, path, l)
	p.waitFor(`!document.getElementById("step").disabled`)
	return p
}

func encode(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// stageDraws is when the picture is the stage's, and not one that the page draws meanwhile.
const stageDraws = `document.querySelectorAll("#stage canvas").length === 1 && !document.getElementById("status").textContent`

// frames lets so many animation frames pass.
func (p *page) frames(n int) {
	p.t.Helper()
	p.run(fmt.Sprintf(`new Promise(ok => { let n = 0; const f = () => n++ < %d ? requestAnimationFrame(f) : ok(); f() })`, n))
}

// The words and the controls are there before any program is; those of the top line stay where they are when it has come, in one
// row or, where that is too narrow, in two, and its menus open within the window.
func TestTheWordsDoNotWaitForTheProgram(t *testing.T) {
	p := openSite(t, "", look{})
	html := eval[string](p, `fetch("index.html").then(r => r.text())`)
	s, _ := scenario.Find("pastebin")
	reads, primary := s.Operations["read"].Rate, s.Dependencies["primary"]
	gets := reads*(1-s.Dependencies["cache"].HitShare) + s.Operations["create"].Rate + s.Operations["delete"].Rate
	can := float64(primary.Slots) / time.Duration(primary.Service.Mean).Seconds()
	for _, part := range []string{"Your rule", "Break something", "Your paste", "first attempt", "Timeout", "knife",
		fmt.Sprintf("At %.0f&nbsp;%%, and far from safe", 100*gets/can), metrics.Thousands(int64(reads)) + " reads a second reach",
		"gets " + metrics.Thousands(int64(gets)) + " a second", "can do " + metrics.Thousands(int64(can)) + "."} {
		if !bytes.Contains([]byte(html), []byte(part)) {
			t.Errorf("index.html itself does not say %q", part)
		}
	}

	p.waitFor(`!document.getElementById("step").disabled`)
	for _, width := range []int64{1280, 1200, 1100, 1024, 800, 400, 390, 360, 359, 340, 320} {
		p.look(look{Width: width, Height: 800})
		if rows := eval[int](p, `new Set([...document.querySelectorAll(".top > *")].map(e => (r => Math.round((r.top + r.bottom) / 20))(e.getBoundingClientRect()))).size`); rows > 2 || rows > 1 && width > 1000 {
			t.Errorf("at %d px the top line has %d rows", width, rows)
		}
		moved := eval[string](p, `(async () => {
			const html = await (await fetch("index.html")).text();
			const now = document.querySelector(".top"), before = new DOMParser().parseFromString(html, "text/html").querySelector(".top");
			const places = top => [...top.children].map(e => (r => [e.id || e.className || e.tagName, r.x, r.y - top.getBoundingClientRect().y, r.width].join(" "))(e.getBoundingClientRect()));
			const after = places(now);
			now.replaceWith(before);
			const moved = places(before).map((place, i) => place === after[i] ? "" : place + " becomes " + after[i]).filter(Boolean).join("\n");
			before.replaceWith(now);
			return moved })()`)
		if moved != "" {
			t.Errorf("at %d px, when the program has come:\n%s", width, moved)
		}
		if out := eval[string](p, `["link-menu", "embed-menu", "save"].filter(id => {
			const menu = document.getElementById(id), drop = menu.closest(".menu").querySelector(".drop");
			menu.open = menu.closest(".menu").open = true;
			const { left, right } = drop.getBoundingClientRect();
			menu.open = menu.closest(".menu").open = false;
			return left < 0 || right > document.documentElement.clientWidth }).join(", ")`); out != "" {
			t.Errorf("at %d px these menus open outside of the window: %s", width, out)
		}
	}
}

// The picture moves, and what moves it is the world's time: paused, it stands still.
func TestThePictureMoves(t *testing.T) {
	p := ready(t, "", look{Width: 800, Height: 700})
	p.waitFor(stageDraws)
	p.run(`document.getElementById("labels").style.visibility = "hidden"`)
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0.5`)
	seen := [][]byte{encode(t, p.picture("#stage"))}
	for len(seen) < 20 {
		next := encode(t, p.picture("#stage"))
		if !bytes.Equal(next, seen[0]) {
			break
		}
		seen = append(seen, next)
	}
	if len(seen) == 20 {
		t.Error("twenty pictures of a world that plays are one and the same")
	}
	p.click("#pause")
	p.waitFor(`!document.getElementById("play").hidden`)
	p.frames(2) // the words follow with the next
	clock := p.text("#clock")
	p.frames(40)
	if now := p.text("#clock"); now != clock {
		t.Errorf("paused at %s, and forty frames later it is %s", clock, now)
	}
}

// Slow B, and the retries come; mend it, and say so.
func TestSlowB(t *testing.T) {
	p := ready(t, "", look{})
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0`)
	p.set("#speed", "10")
	p.push("#slow-3s")
	p.waitFor(`parseFloat(document.getElementById("num-attempts").textContent) > 1.5`)
	p.waitFor(`parseFloat(document.getElementById("num-queue").textContent) > 8`)
	p.waitFor(`document.getElementById("verdict").textContent.includes("retries")`)
	p.push("#mend")
	p.waitFor(`document.getElementById("broken").textContent.includes("Nothing")`)
}

// A value that can't be is refused beside its field, with what would be right, and changes nothing.
func TestABadValueIsRefusedBesideItsField(t *testing.T) {
	p := ready(t, "", look{})
	for _, bad := range []string{"20", "soon", "-1s", "9h"} {
		p.set("[data-set=timeout]", bad)
		p.waitFor(`document.querySelector("[data-set=timeout]").getAttribute("aria-invalid") === "true"`)
		if kept := eval[string](p, `document.querySelector("[data-set=timeout]").value`); kept != bad {
			t.Errorf("what was typed, %q, became %q", bad, kept)
		}
	}
	p.set("[data-set=timeout]", "500ms")
	p.waitFor(`document.querySelector("[data-set=timeout]").getAttribute("aria-invalid") !== "true"`)
}

// Tab goes through everything once and comes out again, and so does Shift and Tab; what has the focus lies under nothing.
func TestTheKeyboardIsNeverTrapped(t *testing.T) {
	for _, l := range []look{{}, {Width: 360, Height: 740}} {
		p := ready(t, "", l)
		p.waitFor(`!document.getElementById("create").disabled`)
		p.waitFor(stageDraws)
		// The order of an element won't do as its name: the page goes on, and more of them come.
		p.run(`window.name = "";
			window.stops = 0;
			window.covered = [];
			window.nth = e => {
				if (e === document.body || !e) return "outside";
				const name = (e.stop ??= ++stops) + " " + e.tagName + "#" + e.id, r = e.getBoundingClientRect();
				const over = document.elementFromPoint(r.x + r.width / 2, Math.min(Math.max(r.y + Math.min(r.height, innerHeight) / 2, 0), innerHeight - 1));
				if (!over || !e.contains(over) && !over.contains(e)) covered.push(name + " at " + Math.round(r.y) + " under " + (over?.id || over?.className));
				return name;
			};
			document.activeElement.blur()`)
		walk := func(mods ...chromedp.KeyOption) (path []string) {
			for range 200 {
				p.press(kb.Tab, mods...)
				at := eval[string](p, `nth(document.activeElement)`)
				if at == "outside" || len(path) > 0 && at == path[0] {
					return path
				}
				if slices.Contains(path, at) {
					t.Fatalf("the focus goes in circles at %s, after %d stops", at, len(path))
				}
				path = append(path, at)
			}
			t.Fatalf("after 200 tabs it is still inside, at %s", path[len(path)-1])
			return nil
		}
		there := walk()
		p.run(`document.activeElement.blur()`)
		back := walk(chromedp.KeyModifiers(8))
		slices.Reverse(back)
		if covered := eval[[]string](p, `covered`); len(covered) > 0 {
			t.Errorf("something lies over what has the focus: %q", covered)
		}
		if len(there) < 20 {
			t.Errorf("only %d stops: %q", len(there), there)
		}
		if !slices.Equal(there, back) {
			t.Errorf("the way back differs:\n%q\n%q", there, back)
		}
		for _, stop := range there {
			if bytes.Contains([]byte(stop), []byte("CANVAS")) {
				t.Errorf("the picture takes the focus: %s", stop)
			}
		}
	}
}

// Nothing is wider than the window, down to 320 px, in either world and in every tab.
func TestNothingScrollsSideways(t *testing.T) {
	p := ready(t, "", look{})
	for _, world := range []string{"two-service", "pastebin"} {
		p.set("#scenario", world)
		for _, width := range []int64{320, 360, 768, 1280} {
			p.look(look{Width: width, Height: 740})
			p.frames(2)
			for _, tab := range []string{"rule", "break", "paste", "figures"} {
				p.push("#tab-" + tab)
				if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
					t.Errorf("at %d px, %s, %s: %d px too wide", width, world, tab, over)
				}
			}
		}
	}
}

// What goes on, its numbers and the whole picture are seen before anything is scrolled.
func TestTheFirstScreenOfAPhone(t *testing.T) {
	p := ready(t, "#v1/pastebin", look{Width: 360, Height: 740, NoWebGL: true})
	p.waitFor(`document.getElementById("num-ok").textContent !== "–"`)
	for _, id := range []string{"scenario", "verdict", "numbers", "stage"} {
		if bottom := eval[float64](p, `document.getElementById("`+id+`").getBoundingClientRect().bottom`); bottom > 740 {
			t.Errorf("%s ends at %v of the first 740 px", id, bottom)
		}
	}
}

// A reader who wants little motion gets a world that is paused, until they say so.
func TestReducedMotionStartsPaused(t *testing.T) {
	p := ready(t, "", look{ReducedMotion: true})
	p.waitFor(`!document.getElementById("play").hidden`)
	if clock := p.text("#clock"); clock != "0.0 s" {
		t.Errorf("it plays: the clock says %s", clock)
	}
	p.click("#play")
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0`)
}

// Time is in the reader's hand: a step goes on to the next thing that happens and pauses, a restart begins the same run
// again, and another seed another one.
func TestTimeIsInTheReadersHand(t *testing.T) {
	p := ready(t, "", look{})
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 1`)
	p.click("#step")
	p.waitFor(`!document.getElementById("play").hidden`)
	p.frames(2)
	before := eval[float64](p, `parseFloat(document.getElementById("clock").textContent)`)
	for range 12 { // even arrivals come every 50 ms, and something else happens between two of them
		p.push("#step")
	}
	p.frames(2)
	after := eval[float64](p, `parseFloat(document.getElementById("clock").textContent)`)
	if after <= before || after > before+1 {
		t.Errorf("twelve steps went from %v s to %v s, want a few tenths further", before, after)
	}
	p.click("#restart")
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) < ` + fmt.Sprint(before))
	p.push("#new-seed")
	p.waitFor(`document.getElementById("seed").textContent === "2"`)
}

// Firefox restores on a reload what controls were, also that one was enabled: what begins disabled, since the program that
// it is for is not there yet, says that it is not to be.
func TestNothingIsEnabledBeforeItsTime(t *testing.T) {
	p := openSite(t, "", look{NoWebGL: true})
	for _, id := range eval[[]string](p, `fetch("index.html").then(r => r.text()).then(text =>
		[...new DOMParser().parseFromString(text, "text/html").querySelectorAll("button, input, select, textarea")].filter(e => e.disabled && e.getAttribute("autocomplete") !== "off").map(e => e.outerHTML.slice(0, 80)))`) {
		t.Errorf("%s … begins disabled and has no autocomplete=\"off\"", id)
	}
}

// Every page has a policy that stands before anything it is to hold for, runs and styles nothing that is written into the page,
// and lets nothing in from elsewhere. Each says what it is, may be found, and has a picture of the size that is asked for.
func TestPagesSayWhatMayRunAndWhatTheyAre(t *testing.T) {
	pages, err := filepath.Glob(dist + "/*.html")
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob(dist + "/*/*.html")
	for _, path := range append(pages, more...) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page, text := strings.TrimPrefix(path, dist+"/"), string(content)
		before, policy, ok := strings.Cut(text, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `)
		policy, _, _ = strings.Cut(policy, `"`)
		if !ok || regexp.MustCompile(`<(script|link|style|body)`).MatchString(before) {
			t.Errorf("%s does not begin with a policy", page)
		}
		if odd := regexp.MustCompile(`'unsafe-inline'|'unsafe-eval'|https?:|\*`).FindString(policy); odd != "" {
			t.Errorf("the policy of %s has %s", page, odd)
		}
		if strings.Contains(text, `name="robots"`) {
			t.Errorf("%s is kept from being found", page)
		}
		if odd := regexp.MustCompile(`<script>|<style|<[a-z][^>]*\s(style|on[a-z]+)=`).FindString(text); odd != "" {
			t.Errorf("%s has %s", page, odd)
		}
		for _, part := range []string{`<html lang="en"`, `<meta name="viewport"`, "<title>", `<meta name="description"`, `property="og:title"`, `property="og:description"`} {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %s", page, part)
			}
		}
		picture := regexp.MustCompile(`property="og:image" content="([^"]*)"`).FindStringSubmatch(text)
		if picture == nil {
			t.Errorf("%s has no picture for a card", page)
			continue
		}
		file, err := os.Open(filepath.Join(filepath.Dir(path), picture[1]))
		if err != nil {
			t.Fatal(err)
		}
		size, err := png.DecodeConfig(file)
		if err != nil {
			t.Fatalf("%s: %v", picture[1], err)
		}
		if info, err := file.Stat(); err != nil || size.Width != 1200 || size.Height != 630 || info.Size() > 120_000 {
			t.Errorf("the picture of %s is %d × %d (%v), want 1200 × 630 in 120 kB", page, size.Width, size.Height, err)
		}
		file.Close()
	}
}
