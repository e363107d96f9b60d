package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

const tokens = "../../tokens.css"

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every scenario is on the page, with its picture and with links that open it; all of it is light, and what is no scenario
// any more has no picture.
func TestEveryScenarioIsShown(t *testing.T) {
	to := t.TempDir()
	old := filepath.Join(to, "stills", "of-yesterday.svg")
	if err := errors.Join(os.Mkdir(filepath.Dir(old), 0o755), os.WriteFile(old, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	lesson := filepath.Join(t.TempDir(), "lesson.html")
	figure := `<img class="still" src="../stills/f-one.svg" alt="">
		<iframe title="one" src="../embed.html#v1/two-service?duration=10s&amp;policy.calls.b.attempts=1&amp;view=slots"></iframe>`
	if err := os.WriteFile(lesson, []byte(figure), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := build(tokens, to, []string{lesson}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a still of nothing is left: %v", err)
	}
	if still := read(t, to, "stills", "f-one.svg"); !strings.Contains(still, "A bar for each of 10 seconds") {
		t.Errorf("the picture of a lesson's figure is of another run: %s", still)
	}
	page := html.UnescapeString(read(t, to, "gallery.html"))
	size := len(page)
	for _, e := range scenario.List() {
		want := []string{`href="./#v1/` + e.ID + `"`, ">" + e.Title + "<", metrics.Unbroken(e.Question), metrics.Unbroken(e.Answer), `src="stills/` + e.ID + `.svg"`, scenario.FamilyName(e.Family)}
		if e.Against != "" {
			want = append(want, `href="./#v1/`+e.ID+`?against=`+e.Against+`"`)
		}
		for _, part := range want {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the page has no %s", e.ID, part)
			}
		}
		still := read(t, to, "stills", e.ID+".svg")
		size += len(still)
		for d := xml.NewDecoder(strings.NewReader(still)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s: the picture is no XML: %v", e.ID, err)
				break
			}
		}
		for _, b := range boxes(t, still, ".*") {
			if b.x < 0 || b.y < 0 || b.w <= 0 || b.h <= 0 || b.x+b.w > wide || b.y+b.h > high {
				t.Errorf("%s: %+v is not in the picture", e.ID, b)
			}
		}
	}
	if size > 300_000 {
		t.Errorf("page and pictures have %d bytes, want at most 300,000", size)
	}
}

type rectangle struct{ x, y, w, h float64 }

var path = regexp.MustCompile(`M([-\d.]+) ([-\d.]+)h([-\d.]+)v([-\d.]+)h[-\d.]+z`)

// boxes are those that a still has of a class, its key aside.
func boxes(t *testing.T, still, class string) (all []rectangle) {
	t.Helper()
	for _, d := range regexp.MustCompile(`<path class="`+class+`" d="([^"]*z)"`).FindAllStringSubmatch(still, -1) {
		for _, m := range path.FindAllStringSubmatch(d[1], -1) {
			var n [4]float64
			for i := range n {
				var err error
				if n[i], err = strconv.ParseFloat(m[i+1], 64); err != nil {
					t.Fatal(err)
				}
			}
			if b := (rectangle{n[0], n[1], n[2], n[3]}); class == ".*" || b.y < bottom {
				all = append(all, b)
			}
		}
	}
	return all
}

// sick is three seconds: all well, half failed with a retry of each at b, and three of ten thousand failed.
func sick() *metrics.Report {
	at := func(retries int64) map[string]metrics.RowDependency {
		return map[string]metrics.RowDependency{"a": {Retries: 1}, "b": {Retries: retries}}
	}
	return &metrics.Report{
		Verdict:      "b was <slow>.",
		Dependencies: map[string]metrics.Dependency{"a": {Retries: 3}, "b": {Retries: 5000}},
		Series: []metrics.Row{
			{OK: 10_000, Dependencies: at(0)},
			{OK: 5000, Failed: 5000, Dependencies: at(5000)},
			{OK: 9997, Failed: 3, Dependencies: at(0)},
		},
	}
}

// A bar is as high as what it is of, each part on those beneath it, and a fault is behind the seconds that it was on.
func TestBars(t *testing.T) {
	colors, err := colorsOf([]byte(read(t, tokens)))
	if err != nil {
		t.Fatal(err)
	}
	sec := scenario.Duration(time.Second)
	faults := []scenario.Fault{{At: sec, For: sec}, {At: 9 * sec}}
	still := string(still(sick(), faults, colors))
	ok, failed, retries, broken := boxes(t, still, "ok"), boxes(t, still, "failed"), boxes(t, still, "retries"), boxes(t, still, "broken")
	if len(ok) != 3 || len(failed) != 1 || len(retries) != 1 || len(broken) != 1 {
		t.Fatalf("there are %d, %d, %d and %d boxes, want 3, 1, 1 and 1", len(ok), len(failed), len(retries), len(broken))
	}
	near := func(what string, got, want float64) {
		if got < want-1.2 || got > want+1.2 { // of the line around what is hollow
			t.Errorf("%s is at %v, want %v", what, got, want)
		}
	}
	const third = (bottom - top) / 3.0 // the highest bar is of 15,000
	near("the top of the first second", ok[0].y, bottom-2*third)
	near("the top of what was in time", ok[1].y, bottom-third)
	near("the foot of what failed", failed[0].y+failed[0].h, ok[1].y)
	near("the top of what failed", failed[0].y, bottom-2*third)
	near("the foot of the retries", retries[0].y+retries[0].h, failed[0].y)
	near("the top of the retries", retries[0].y, top)
	near("what failed", failed[0].x, ok[1].x)
	near("the fault", broken[0].x, ok[1].x-1.5)
	near("its end", broken[0].x+broken[0].w, ok[2].x-1.5)
	for _, part := range []string{"15,000 /s", "3 s", "retries", "broken", "b was &lt;slow", "prefers-color-scheme:dark"} {
		if !strings.Contains(strings.ToLower(still), part) {
			t.Errorf("the picture has no %q", part)
		}
	}
}

// Who doesn't see the picture is told what it shows, and nothing that can't be seen in it.
func TestTheWordsForAPicture(t *testing.T) {
	well := &metrics.Report{Verdict: "nothing was broken.", Series: []metrics.Row{{OK: 9999, Failed: 1}}}
	for _, c := range []struct {
		of   *metrics.Report
		want string
	}{
		{sick(), "A bar for each of 3 seconds, up to 15,000 high: requests in time, requests that failed and retries to b. B was <slow>."},
		{well, "A bar for each of 1 second, up to 10,000 high: requests in time. Nothing was broken."},
	} {
		if got := alt(c.of); got != c.want {
			t.Errorf("it says\n\t%s, want\n\t%s", got, c.want)
		}
	}
}

func TestAColorThatIsMissingIsNamed(t *testing.T) {
	css := bytes.Replace([]byte(read(t, tokens)), []byte("--hedge:"), []byte("--hedged:"), 1)
	if _, err := colorsOf(css); err == nil || !strings.Contains(err.Error(), "--hedge:") || strings.Contains(err.Error(), "--ok") {
		t.Errorf("without --hedge: %v", err)
	}
}
