//go:build browser

package browser

import (
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// stopwatch is put before the page's own scripts: it times every animation frame, the page's and the stage's, and notes
// when the controls could first be used and when the stage drew its second picture, the first that has moved.
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
	window.share = q => { const all = [...spent].sort((a, b) => a - b); return all[Math.floor(q * (all.length - 1))] };
})()`

// BenchmarkPage is a first visit, and then a minute of the pastebin at its own pace, its primary stalled after ten seconds.
// The milliseconds a frame are those of the page's thread within its animation frame: the simulation, the picture's
// geometry and the words. Long tasks are those of more than 50 ms.
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

		p.set("#scenario", "pastebin")
		p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 2`)
		p.run(`tasks.length = spent.length = 0, document.querySelector("#stage iframe").contentWindow.spent.length = 0`)
		p.patience *= 2
		p.run(`new Promise(later => setTimeout(later, 10_000))`)
		p.run(`document.getElementById("stall-2s").click()`)
		p.run(`new Promise(later => setTimeout(later, 50_000))`)
		b.ReportMetric(eval[float64](p, `tasks.length`), "long-tasks")
		b.ReportMetric(eval[float64](p, `Math.max(0, ...tasks)`), "longest-task-ms")
		b.ReportMetric(eval[float64](p, `share(0.5)`), "page-ms/frame")
		b.ReportMetric(eval[float64](p, `share(0.95)`), "page-p95-ms/frame")
		b.ReportMetric(eval[float64](p, `document.querySelector("#stage iframe").contentWindow.share(0.5)`), "stage-ms/frame")
		b.ReportMetric(0, "ns/op")
	}
}
