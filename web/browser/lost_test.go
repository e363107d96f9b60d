//go:build browser

package browser

import (
	"fmt"
	"testing"
)

// Where the graphics card lets go of the picture, it comes back by itself: the run goes on, and what the reader has
// written, and where they are on the page, is as it was.
func TestALostPictureComesBack(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	p.before(canLose)
	p.goTo(origin + base)
	p.waitFor(stageDraws)
	p.waitFor(clock + ` > 0.5`)
	p.run(`(() => {
		const text = document.getElementById("paste-text");
		text.value = "half a thought";
		text.dispatchEvent(new Event("input", { bubbles: true }));
		scrollTo(0, 300);
		window.first = document.querySelector("#stage canvas");
	})()`)
	before := eval[float64](p, clock)
	p.run(`lose()`)
	p.waitFor(`!first.isConnected && ` + stageDraws)
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
