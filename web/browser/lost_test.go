//go:build browser

package browser

import (
	"fmt"
	"testing"
)

// Where the graphics card lets go of the picture, it comes back by itself: the run goes on, and what the reader has
// written, and where they are on the page, is as it was.
func TestALostPictureComesBack(t *testing.T) {
	p := ready(t, "", look{})
	const canvas = `document.querySelector("#stage iframe")?.contentDocument?.querySelector("canvas")`
	p.waitFor(canvas)
	p.waitFor(clock + ` > 0.5`)
	p.run(`(() => {
		const text = document.getElementById("paste-text");
		text.value = "half a thought";
		text.dispatchEvent(new Event("input", { bubbles: true }));
		scrollTo(0, 300);
		window.first = document.querySelector("#stage iframe");
	})()`)
	before := eval[float64](p, clock)
	p.run(canvas + `.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext()`)
	p.waitFor(`document.querySelector("#stage iframe") !== first && ` + canvas)
	p.waitFor(clock + ` > ` + fmt.Sprint(before) + ` + 0.5`)
	if text := eval[string](p, `document.getElementById("paste-text").value`); text != "half a thought" {
		t.Errorf("the text is now %q", text)
	}
	if y := eval[float64](p, `scrollY`); y != 300 {
		t.Errorf("the page is scrolled to %v, want 300", y)
	}
	if paused := eval[bool](p, `!document.getElementById("play").hidden`); paused {
		t.Error("the run no longer plays")
	}
}
