//go:build browser

package browser

import (
	"strings"
	"testing"
)

// openWithoutWebGL opens the page in a browser that can draw, but not with WebGL.
func openWithoutWebGL(t testing.TB, l look) *page {
	t.Helper()
	l.CanvasOnly = true
	p := ready(t, "", l)
	p.waitFor(`document.querySelector("#stage canvas")`)
	return p
}

// Without WebGL the page draws the picture itself, and says so in a sentence that is no alarm.
func TestThePictureIsThereWithoutWebGL(t *testing.T) {
	p := openWithoutWebGL(t, look{})
	if said := p.text("#status"); !strings.Contains(said, "has no WebGL 2, so the picture is drawn in a simpler way") {
		t.Errorf("it says %q", said)
	}
	p.look(look{Width: 800, Height: 700})
	if !eval[bool](p, `(e => { const r = e.getBoundingClientRect(), said = document.getElementById("status").getBoundingClientRect();
		return r.height < 50 && r.right < said.left || r.bottom < said.top })(document.getElementById("nudge-text"))`) {
		t.Error("at 800 px that leaves what can be done next no room")
	}
	p.look(look{})
	const inked = `(() => { const c = document.querySelector("#stage canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data
		let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n })()`
	for _, tab := range []string{"#look-slots", "#look-path"} {
		p.push(tab)
		p.waitFor(inked + " > 1000")
		before := eval[string](p, `document.querySelector("#stage canvas").toDataURL()`)
		p.waitFor(`document.querySelector("#stage canvas").toDataURL() !== ` + quote(before))
	}
	// Nor is anything drawn where nobody looks.
	p.run(`scrollTo(0, document.documentElement.scrollHeight)`)
	p.frames(10)
	unseen := eval[string](p, `document.querySelector("#stage canvas").toDataURL()`)
	p.frames(60)
	if eval[string](p, `document.querySelector("#stage canvas").toDataURL()`) != unseen {
		t.Error("it is drawn while it is off the screen")
	}
	p.run(`scrollTo(0, 0)`)
	p.waitFor(`document.querySelector("#stage canvas").toDataURL() !== ` + quote(unseen))

	p.push("#pause")
	p.frames(30)
	at := eval[string](p, `document.querySelector("#stage canvas").toDataURL()`)
	p.push("#theme")
	p.waitFor(`document.querySelector("#stage canvas").toDataURL() !== ` + quote(at))
}
