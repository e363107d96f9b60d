//go:build browser

package browser

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"testing"
	"time"
)

// mark is one of the wire format of wasm/internal/frame, in pixels. It is written out here once more, since
// only programs below wasm may use that package; so this test also holds the format still.
type mark struct {
	shape, color, alpha uint8
	x, y, w, h          int16
}

const (
	disc, star, rect, outline, line, arc, band = 0, 7, 8, 9, 10, 11, 12
	first, retry, yours, border                = 0, 1, 7, 10
)

func picture(dark byte, width, height uint16, marks ...mark) []byte {
	le := binary.LittleEndian
	b := []byte{3, dark}
	b = le.AppendUint16(b, uint16(len(marks)))
	b = le.AppendUint32(b, 1)
	b = le.AppendUint16(b, width*8)
	b = le.AppendUint16(b, height*8)
	for _, m := range marks {
		b = append(b, m.shape, m.color, m.alpha, 0)
		for _, v := range []int16{m.x*2 - m.w, m.y*2 - m.h, m.x*2 + m.w, m.y*2 + m.h} {
			b = le.AppendUint16(b, uint16(v*4))
		}
	}
	return b
}

func openStage(t testing.TB, l look) *page {
	t.Helper()
	p := openSite(t, "testdata/stage.html", l)
	p.waitFor(`said("ready") || said("nogl") || said("failed")`)
	if !eval[bool](p, `!!said("ready")`) {
		t.Fatal("the stage did not start:", eval[string](p, `JSON.stringify(heard)`))
	}
	return p
}

func (p *page) show(b []byte) {
	p.t.Helper()
	n := eval[int](p, fmt.Sprintf("show(%q)", base64.StdEncoding.EncodeToString(b)))
	if n != len(b) {
		p.t.Fatalf("the buffer came back with %d bytes, want the %d sent", n, len(b))
	}
}

// stageWith is the first picture of the stage that has a colour at a point. What a worker has drawn comes to the screen in
// its own time.
func (p *page) stageWith(x, y int, want color.RGBA) image.Image {
	p.t.Helper()
	for deadline := time.Now().Add(p.patience); ; {
		img := p.picture("#stage")
		if got := at(img, x, y); near(got, want) {
			return img
		} else if time.Now().After(deadline) {
			p.t.Fatalf("the stage has %v at %d,%d, want %v", got, x, y, want)
		}
	}
}

func TestStageDrawsWhatItIsSent(t *testing.T) {
	p := openStage(t, look{})
	p.run(`stats().then(() => { drawn = 0 })`) // it has drawn its empty self
	ground := color.RGBA{1, 2, 3, 255}         // the page's own: the stage is clear where nothing is drawn
	blue, orange, grey := color.RGBA{0x00, 0x72, 0xB2, 255}, color.RGBA{0xD5, 0x5E, 0x00, 255}, color.RGBA{0x86, 0x8D, 0x96, 255}

	p.show(picture(0, 300, 200,
		mark{rect, first, 255, 50, 50, 20, 10},
		mark{disc, retry, 255, 100, 50, 16, 16},
		mark{outline, border, 255, 150, 50, 20, 20},
		mark{line, border, 255, 200, 100, 40, 0},
		mark{star, yours, 255, 50, 150, 24, 24},
		mark{rect, first, 128, 250, 150, 20, 20}))
	img := p.stageWith(50, 50, blue)
	for _, c := range []struct {
		what string
		x, y int
		want color.RGBA
	}{
		{"nothing", 20, 20, ground},
		{"a rectangle's middle", 50, 50, blue},
		{"its first pixel", 40, 45, blue},
		{"its last pixel", 59, 54, blue},
		{"left of it", 39, 50, ground},
		{"right of it", 60, 50, ground},
		{"above it", 50, 44, ground},
		{"below it", 50, 55, ground},
		{"a disc's middle", 100, 50, orange},
		{"outside the disc, inside its square", 93, 43, ground},
		{"an outline's left", 140, 50, grey},
		{"one pixel further in", 141, 50, ground},
		{"its right", 159, 50, grey},
		{"its corner", 140, 40, grey},
		{"its middle", 150, 50, ground},
		{"a star's middle", 50, 150, color.RGBA{0xA0, 0x40, 0x8A, 255}},
		{"a half clear rectangle", 250, 150, color.RGBA{0x00, 0x3A, 0x5B, 255}},
	} {
		if got := at(img, c.x, c.y); !near(got, c.want) {
			t.Errorf("%s, at %d,%d: %v, want %v", c.what, c.x, c.y, got, c.want)
		}
	}
	// A level line is one pixel wide, and has its colour in full.
	var full int
	for y := 97; y <= 103; y++ {
		switch got := at(img, 200, y); {
		case near(got, grey):
			full++
		case !near(got, ground):
			t.Errorf("a level line at 200,%d: %v, want it or nothing", y, got)
		}
	}
	if full != 1 {
		t.Errorf("a level line is %d pixels wide, want 1", full)
	}

	// What came before is gone with the next picture, which takes the colours of its own theme.
	p.show(picture(1, 300, 200, mark{rect, first, 255, 100, 100, 20, 10}))
	img = p.stageWith(100, 100, color.RGBA{0x56, 0xB4, 0xE9, 255})
	if got := at(img, 50, 50); !near(got, ground) {
		t.Errorf("where the last picture had a rectangle: %v, want nothing", got)
	}

	// Half of a circle, from the top clockwise, is its right side.
	half := picture(0, 300, 200, mark{arc, first, 255, 150, 100, 60, 60})
	half[12+3] = 128
	p.show(half)
	img = p.stageWith(100, 100, ground)
	for _, c := range []struct {
		what  string
		x, y  int
		drawn bool
	}{
		{"right", 178, 100, true}, {"left", 121, 100, false}, {"middle", 150, 100, false},
	} {
		if got := at(img, c.x, c.y); near(got, ground) == c.drawn { // its edges are soft
			t.Errorf("a half circle's %s, at %d,%d: %v, want it drawn: %t", c.what, c.x, c.y, got, c.drawn)
		}
	}

	// A band that rises by as much as it goes is as high everywhere.
	rising := picture(0, 300, 200, mark{band, first, 255, 150, 100, 80, -80})
	rising[12+3] = 80 // quarters of a pixel
	p.show(rising)
	img = p.stageWith(150, 100, blue)
	for _, x := range []int{112, 150, 187} {
		middle, high := 250-x, 0
		for y := range 200 {
			if near(at(img, x, y), blue) {
				high++
			}
		}
		if high < 18 || high > 21 || !near(at(img, x, middle), blue) {
			t.Errorf("a band of 20 px is %d px high at %d, and has %v in its middle", high, x, at(img, x, middle))
		}
	}

	p.show(picture(0, 300, 200))
	p.stageWith(150, 100, ground)

	if n := eval[int](p, `stats().then(() => drawn)`); n != 5 {
		t.Errorf("it says that it drew %d pictures, want 5", n)
	}
}

func TestStageFollowsItsSize(t *testing.T) {
	p := openStage(t, look{Scale: 2})
	// It is laid out for 300 × 200, and a device pixel is half of one of these.
	marks := []mark{{rect, first, 255, 50, 50, 20, 10}, {outline, retry, 255, 150, 50, 20, 20}}
	p.show(picture(0, 300, 200, marks...))
	blue, orange, ground := color.RGBA{0x00, 0x72, 0xB2, 255}, color.RGBA{0xD5, 0x5E, 0x00, 255}, color.RGBA{1, 2, 3, 255}
	img := p.stageWith(100, 100, blue)
	for _, c := range []struct {
		what string
		x, y int
		want color.RGBA
	}{
		{"the first device pixel", 80, 90, blue}, {"the one before", 79, 100, ground},
		{"the last", 119, 109, blue}, {"the next", 120, 100, ground},
		{"an outline", 280, 100, orange}, {"its second device pixel", 281, 100, orange}, {"inside", 282, 100, ground},
	} {
		if got := at(img, c.x, c.y); !near(got, c.want) {
			t.Errorf("at two device pixels in one, %s, at %d,%d: %v, want %v", c.what, c.x, c.y, got, c.want)
		}
	}

	// The canvas shrinks, and the picture with it until the next one comes.
	p.run(`(async () => {
		await stats();
		box.style.width = "150px";
		worker.postMessage({ ...size(), scale: devicePixelRatio });
		for (const before = drawn; drawn === before;) await stats();
		await nextFrame().then(nextFrame);
	})()`)
	img = p.stageWith(50, 100, blue)
	if got := at(img, 100, 100); !near(got, ground) {
		t.Errorf("half as wide, where the rectangle was: %v, want nothing", got)
	}
}

func TestStageSaysWhatItCannotRead(t *testing.T) {
	p := openStage(t, look{})
	bad := picture(0, 300, 200, mark{rect, first, 255, 50, 50, 20, 10})
	bad[0] = 99
	p.show(bad)
	p.waitFor(`said("failed")?.text.includes("version 99")`)
	// And goes on.
	p.show(picture(0, 300, 200, mark{rect, first, 255, 50, 50, 20, 10}))
	p.stageWith(50, 50, color.RGBA{0x00, 0x72, 0xB2, 255})
}

func TestALostStageIsReportedOnce(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	p.before(canLose)
	p.goTo(origin + base + "testdata/stage.html")
	p.waitFor(`said("ready")`)
	p.run(`lose()`)
	p.waitFor(`said("lost")`)
	// What the page does about it.
	p.run(`worker.terminate(), start()`)
	p.waitFor(`said("ready")`)
	p.show(picture(0, 300, 200, mark{rect, first, 255, 50, 50, 20, 10}))
	p.stageWith(50, 50, color.RGBA{0x00, 0x72, 0xB2, 255})
}

// Firefox refuses to give a canvas's context twice in a worker.
func TestTheStageAsksOnceForItsContext(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	p.before(`window.Blob = class extends Blob { constructor(parts, options) { super(["(" + (() => {
		const get = OffscreenCanvas.prototype.getContext;
		OffscreenCanvas.prototype.getContext = function (...of) {
			if (this.asked) throw new Error("asked twice");
			this.asked = true;
			return get.apply(this, of);
		};
	}) + ")();", ...parts], options) } }`)
	p.goTo(origin + base + "testdata/stage.html")
	p.waitFor(`heard.length`)
	if first := eval[string](p, `JSON.stringify(heard[0])`); first != `{"kind":"ready"}` {
		t.Errorf("it says %s first", first)
	}
}

// canLose is put before a page's own scripts: its lose() takes the graphics card from the canvas that was last given to a worker.
const canLose = `(() => {
	const made = [];
	window.Worker = class extends Worker { constructor(...of) { super(...of); made.push(this) } };
	window.Blob = class extends Blob {
		constructor(parts, options) {
			super([` + "`" + `addEventListener("message", event => {
				if (event.data?.[0] instanceof OffscreenCanvas) self.given = event.data[0];
				if (event.data !== "lose") return;
				event.stopImmediatePropagation();
				self.given?.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
			});\n` + "`" + `, ...parts], options);
		}
	};
	window.lose = () => made.forEach(worker => worker.postMessage("lose"));
})()`

// BenchmarkStage measures what a frame of the stage costs its thread, all of the engine's included but not the GPU's. One
// run is 120 frames.
func BenchmarkStage(b *testing.B) {
	for _, marks := range []int{0, 2000, 5000} {
		b.Run(fmt.Sprintf("marks=%d", marks), func(b *testing.B) {
			p := openStage(b, look{})
			crowd := make([]mark, marks)
			for i := range crowd {
				crowd[i] = mark{uint8(i % 8), uint8(i % 8), 255, int16(i % 300), int16(i / 300 * 12 % 200), 8, 8}
			}
			bytes := picture(0, 300, 200, crowd...)
			p.show(bytes)
			b.ResetTimer()
			cost := p.measure(func() {
				p.run(fmt.Sprintf(`(async () => {
					let buffer = Uint8Array.from(atob(%q), c => c.charCodeAt(0)).buffer;
					for (let i = 0; i < %d; i++) {
						buffer = await send(buffer);
						await nextFrame();
					}
				})()`, base64.StdEncoding.EncodeToString(bytes), 120*b.N))
			})
			b.StopTimer()
			b.ReportMetric(cost.share(workerFrames, .5), "ms/frame")
			b.ReportMetric(cost.share(workerFrames, .95), "p95-ms/frame")
			b.ReportMetric(0, "ns/op") // the screen's rate, not ours
		})
	}
}

func at(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

// near allows for what blending rounds away.
func near(a, b color.RGBA) bool {
	d := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return d(a.R, b.R) <= 2 && d(a.G, b.G) <= 2 && d(a.B, b.B) <= 2
}

// On the way to a time far off the picture goes along with the words, also if something was changed just before.
func TestThePictureGoesAlong(t *testing.T) {
	p := openSite(t, "#v1/pastebin?duration=10m", look{})
	p.waitFor(stageDraws)
	p.run(`window.pictures = 0;
		const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function(message, ...more) {
			if (message instanceof ArrayBuffer) pictures++;
			return post.call(this, message, ...more);
		};
		document.getElementById("end").click();
		document.getElementById("preset-1").click()`)
	p.waitFor(`document.querySelector("#clock[aria-busy=true]")`)
	p.run(`pictures = 0`)
	p.waitFor(`pictures > 1`)
	if !eval[bool](p, `!!document.querySelector("#clock[aria-busy=true]")`) {
		t.Error("it was there before two pictures had been drawn")
	}
}
