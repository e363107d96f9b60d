//go:build browser

package browser

import (
	"regexp"
	"strconv"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// stopwatch is put before the page's own scripts: it times every animation frame, the page's and the stage's, and notes
// when the controls could first be used and when the stage drew its second picture, the first that has moved. It has each
// program tell of its garbage collections, and counts the marks that the page sends.
const stopwatch = `(() => {
	const frames = requestAnimationFrame.bind(window);
	window.spent = [];
	window.requestAnimationFrame = f => frames(now => {
		const start = performance.now();
		f(now);
		spent.push(performance.now() - start);
		if (spent.length === 2) window.moved = Date.now();
	});
	if (window === top) new MutationObserver((_, watch) => {
		const step = document.getElementById("step");
		if (step && !step.disabled) { window.usable = performance.now(); watch.disconnect(); }
	}).observe(document, { subtree: true, attributes: true, childList: true });
	window.tasks = [];
	new PerformanceObserver(list => tasks.push(...list.getEntries().map(e => e.duration))).observe({ type: "longtask" });
	Object.defineProperty(window, "Go", { configurable: true, set(plain) {
		const Go = class extends plain { constructor() { super(); this.env = { ...this.env, GODEBUG: "gctrace=1" } } };
		Object.defineProperty(window, "Go", { value: Go });
	} });
	window.marks = [];
	const post = MessagePort.prototype.postMessage;
	MessagePort.prototype.postMessage = function (data, ...more) {
		if (data instanceof ArrayBuffer) marks.push(new DataView(data).getUint16(2, true));
		return post.call(this, data, ...more);
	};
	window.share = (q, of = spent) => { const all = [...of].sort((a, b) => a - b); return all[Math.floor(q * (all.length - 1))] };
})()`

// collection is what a program's runtime tells of one: "gc 3 @1.2s 0%: 0.1+2.5+0.1 ms clock, 0.1+0/0.3/2.1+0.1 ms cpu, …".
// Nothing else runs in the first and the last part; in between others may, but on its one thread what the cpu times add up to
// is time that they don't get.
var collection = regexp.MustCompile(`gc \d+ @.*: ([\d.]+)\+[\d.]+\+([\d.]+) ms clock, [\d.]+\+([\d.]+)/([\d.]+)/([\d.]+)\+`)

// collections are how many the console tells of since the line from, the longest pause in ms, and the longest of all that
// one took.
func (p *page) collections(from int) (n int, pause, all float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.console[from:] {
		m := collection.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n++
		paused, sum := 0., 0.
		for i, text := range m[1:] {
			ms, _ := strconv.ParseFloat(text, 64)
			if sum += ms; i < 2 {
				paused = max(paused, ms)
			}
		}
		pause, all = max(pause, paused), max(all, sum)
	}
	return n, pause, all
}

// BenchmarkPage is a first visit, and then a minute of the pastebin at its own pace, three retries and all, its primary
// stalled after ten seconds: a storm that lasts. The milliseconds a frame are those of the page's thread within its
// animation frame: the simulation, the picture's geometry and the words. Long tasks are those of more than 50 ms.
func BenchmarkPage(b *testing.B) {
	for b.Loop() {
		p := openSite(b, "picture.png", look{}) // something that leaves the machine alone
		p.expect("favicon.ico")
		if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: stopwatch}); err != nil {
			b.Fatal(err)
		}
		p.goTo(origin + base)
		p.waitFor(`window.usable && document.querySelector("#stage iframe").contentWindow.moved`)
		b.ReportMetric(eval[float64](p, `usable`), "usable-ms")
		b.ReportMetric(eval[float64](p, `document.querySelector("#stage iframe").contentWindow.moved - performance.timeOrigin`), "first-moving-frame-ms")

		p.run(`location.hash = "#v1/pastebin?policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout,error,refused"`)
		p.waitFor(`document.getElementById("scenario").value === "pastebin" && parseFloat(document.getElementById("clock").textContent) > 2`)
		p.run(`tasks.length = spent.length = marks.length = 0, document.querySelector("#stage iframe").contentWindow.spent.length = 0`)
		p.mu.Lock()
		from := len(p.console)
		p.mu.Unlock()
		p.patience *= 2
		p.run(`new Promise(later => setTimeout(later, 10_000))`)
		p.run(`document.getElementById("stall-2s").click()`)
		p.run(`new Promise(later => setTimeout(later, 50_000))`)
		b.ReportMetric(eval[float64](p, `tasks.length`), "long-tasks")
		b.ReportMetric(eval[float64](p, `Math.max(0, ...tasks)`), "longest-task-ms")
		b.ReportMetric(eval[float64](p, `share(0.5)`), "page-ms/frame")
		b.ReportMetric(eval[float64](p, `share(0.95)`), "page-p95-ms/frame")
		b.ReportMetric(eval[float64](p, `document.querySelector("#stage iframe").contentWindow.share(0.5)`), "stage-ms/frame")
		b.ReportMetric(eval[float64](p, `share(0.5, marks)`), "marks/frame")
		n, pause, all := p.collections(from)
		b.ReportMetric(float64(n), "collections")
		b.ReportMetric(pause, "longest-gc-pause-ms")
		b.ReportMetric(all, "longest-gc-ms")
		b.ReportMetric(0, "ns/op")
	}
}
