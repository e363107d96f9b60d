//go:build browser

package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/metrics"
)

// saved is the file that is offered after a push of a button of the menu, and its name.
func (p *page) saved(button string) (name string, file []byte) {
	p.t.Helper()
	p.run(`document.getElementById("save").open = true`)
	p.run(`document.getElementById("save-said").replaceChildren()`)
	p.push(button)
	p.waitFor(`document.querySelector("#save-said a")`)
	name = eval[string](p, `document.querySelector("#save-said a").download`)
	file, err := base64.StdEncoding.DecodeString(eval[string](p, `fetch(document.querySelector("#save-said a").href).then(r => r.blob()).then(blob =>
		new Promise(ok => { const f = new FileReader(); f.onload = () => ok(f.result.split(",")[1] ?? ""); f.readAsDataURL(blob) }))`))
	if err != nil {
		p.t.Fatal(err)
	}
	return name, file
}

// cell is a number in the page's tables, by the name of its row: what stands in the last column.
func (p *page) cell(table, row string) int64 {
	p.t.Helper()
	text := eval[string](p, `[...document.querySelectorAll("#`+table+` tr")].find(tr => tr.cells[0].textContent === `+quote(row)+`).lastElementChild.textContent`)
	n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil {
		p.t.Fatalf("%s in %s is %q", row, table, text)
	}
	return n
}

// What is taken away is what is on the screen, in each form.
func TestFilesHoldWhatIsOnTheScreen(t *testing.T) {
	p := openWithoutWebGL(t, look{})
	p.set("#arrivals", "poisson") // so that nothing happens just when a second ends
	p.push("#slow-3s")
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 4`)
	p.push("#pause")

	width := eval[float64](p, `document.getElementById("stage").clientWidth`)
	for _, look := range []string{"#look-slots", "#look-path", "#look-storm", "#look-charts"} {
		p.push(look)
		p.frames(10)
		_, file := p.saved("#save-picture")
		img, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", look, err)
		}
		if got := float64(img.Bounds().Dx()); strings.Contains("#look-slots #look-path", look) && (got < 2*(width+46) || got > 2*(width+54)) {
			t.Errorf("%s: the picture is %v wide, of a stage of %v", look, got, width)
		}
		seen := colors(img)
		for what, c := range map[string]color.RGBA{"words": {0x1B, 0x1F, 0x24, 255}, "ground": {0xFB, 0xFB, 0xFA, 255}} {
			if seen[c] < 200 {
				t.Errorf("%s: the picture has %d points of %s", look, seen[c], what)
			}
		}
		coloured := 0
		for c, n := range seen {
			if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 60 {
				coloured += n
			}
		}
		if coloured < 1000 {
			t.Errorf("%s: %d points of the picture have a colour", look, coloured)
		}
	}

	p.toTheEnd("30.0 s")
	p.frames(30)
	offered, attempts, retries := p.cell("fig-requests", "offered"), p.cell("fig-deps", "attempts in all"), p.cell("fig-deps", "retries in all")
	if retries == 0 {
		t.Fatal("there were no retries, so that this tests little")
	}

	name, file := p.saved("#save-csv")
	if want := "stormbin-two-service-seed1-30s.csv"; name != want {
		t.Errorf("the numbers are called %s, want %s", name, want)
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil || len(rows) != 31 {
		t.Fatalf("the numbers have %d lines, want 31: %v", len(rows), err)
	}
	sum := func(column string) (n int64) {
		for i, title := range rows[0] {
			if strings.HasPrefix(title, column+" ") {
				for _, row := range rows[1:] {
					x, _ := strconv.ParseInt(row[i], 10, 64)
					n += x
				}
			}
		}
		return n
	}
	for column, want := range map[string]int64{"offered": offered, "dependencies.b.attempts": attempts, "dependencies.b.retries": retries} {
		if got := sum(column); got != want {
			t.Errorf("the column %s comes to %d, the page says %d", column, got, want)
		}
	}

	_, file = p.saved("#save-json")
	var r metrics.Report
	if err := json.Unmarshal(file, &r); err != nil {
		t.Fatal(err)
	}
	if b := r.Dependencies["b"]; r.Requests.Offered != offered || b.Attempts != attempts || len(r.Series) != 30 || r.Verdict == "" {
		t.Errorf("the report has %d requests, %d attempts and %d seconds, the page says %d and %d; its verdict is %q",
			r.Requests.Offered, b.Attempts, len(r.Series), offered, attempts, r.Verdict)
	}

	name, file = p.saved("#save-markdown")
	for _, want := range []string{"# Timeouts and retries of two-service", r.Verdict, "| b | 1s | 4 |", origin + base + "#v1/two-service?"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("%s has no %q:\n%s", name, want, file)
		}
	}
}

func colors(img image.Image) map[color.RGBA]int {
	seen := map[color.RGBA]int{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			seen[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	return seen
}

// Beside a pinned run the summary is of both.
func TestASummaryOfTwoRuns(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.push("#pause")
	p.toTheEnd("30.0 s")
	p.push("#pin")
	_, file := p.saved("#save-markdown")
	for _, want := range []string{"# Two rules on the same traffic", "## Run A", "## Run B"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("it has no %q:\n%s", want, file)
		}
	}
}

// The menu is used with the keyboard alone, and prints a sheet of its own.
func TestSavingByKeyboard(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.run(`document.querySelector("#save summary").focus()`)
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("save").open`)
	p.press("\t\t")
	if got := p.focus(); got != "save-csv" {
		t.Fatalf("after two tabs the focus is on %s", got)
	}
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#save-said a")?.download.endsWith(".csv")`)
	p.press(kb.Escape)
	p.waitFor(`!document.getElementById("save").open && document.activeElement.tagName === "SUMMARY"`)

	p.run(`window.print = () => { window.printed = [sheet.hidden, getComputedStyle(sheet).display, sheet.textContent]; dispatchEvent(new Event("afterprint")) }`)
	p.push("#save-print")
	p.waitFor(`window.printed`)
	if hidden := eval[bool](p, `printed[0]`); hidden {
		t.Error("the sheet is not there when it is printed")
	}
	if text := eval[string](p, `printed[2]`); !strings.Contains(text, "# Timeouts and retries of two-service") {
		t.Errorf("what is printed is %q", text)
	}
	p.waitFor(`sheet.hidden`)
}

func TestTheMenuIsAccessible(t *testing.T) {
	for name, l := range map[string]look{"light": {NoWebGL: true}, "dark, narrow": {NoWebGL: true, Dark: true, Width: 320, Height: 640}} {
		p := ready(t, "", l)
		p.saved("#save-csv")
		if found := p.axe(); found != "" {
			t.Errorf("%s: with the menu open:\n%s", name, found)
		}
		if wide := eval[float64](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s: with the menu open the page is %v px too wide", name, wide)
		}
		if out := eval[bool](p, `(() => { const b = document.querySelector("#save .drop").getBoundingClientRect(); return b.left < 0 || b.right > innerWidth })()`); out {
			t.Errorf("%s: the menu sticks out", name)
		}
	}
}

// A frame that may not save files shows what is in them, of every look.
func TestSavingInASandboxedFrame(t *testing.T) {
	p := frameOf(t, elsewhere(t), `sandbox="allow-scripts"`)
	for _, part := range []string{"sandbox", "Download is disallowed", "Blocked", "denied", "permissions policy"} {
		p.expect(part)
	}
	p.waitFor(`!document.getElementById("save-csv").disabled`)
	p.run(`document.getElementById("save").open = true; document.getElementById("save-markdown").click()`)
	p.waitFor(`document.getElementById("save-text").value.startsWith("# Timeouts and retries of two-service") && !document.getElementById("save-text").hidden`)
	for _, tab := range []string{"look-path", "look-slots", "look-storm", "look-charts"} {
		p.run(`document.getElementById("save-shown").removeAttribute("src"); document.getElementById("` + tab + `").click()`)
		p.frames(10)
		p.run(`document.getElementById("save-picture").click()`)
		p.waitFor(`!document.getElementById("save-shown").hidden && document.getElementById("save-shown").naturalWidth > 600 && document.getElementById("save-text").hidden`)
	}
	p.run(`document.getElementById("save-print").click()`)
	p.waitFor(`document.getElementById("save-said").textContent.includes("sandboxed")`)
}
