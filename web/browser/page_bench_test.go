//go:build browser

package browser

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// stopwatch is put before the page's own scripts: it notes when the controls could first be used, when the second picture was
// drawn, the first that has moved, and when the stage took over from the page. It has the page's program tell of its garbage
// collections, and counts the marks that the page sends.
const stopwatch = `(() => {
	new MutationObserver((_, watch) => {
		const step = document.getElementById("step");
		if (step && !step.disabled) { window.usable = performance.now(); watch.disconnect(); }
	}).observe(document, { subtree: true, attributes: true, childList: true });
	let pictures = 0;
	const paint = CanvasRenderingContext2D.prototype.setTransform;
	CanvasRenderingContext2D.prototype.setTransform = function (...to) {
		if (to[4] === 0 && to[5] === 0 && ++pictures === 2) window.moved = performance.now();
		return paint.apply(this, to);
	};
	Object.defineProperty(window, "Go", { configurable: true, set(plain) {
		const Go = class extends plain { constructor() { super(); this.env = { ...this.env, GODEBUG: "gctrace=1" } } };
		Object.defineProperty(window, "Go", { value: Go });
	} });
	window.marks = [];
	window.Worker = class extends Worker {
		constructor(...of) {
			super(...of);
			this.addEventListener("message", ({ data }) => { if (data.kind === "shows") window.shows = performance.now(); });
		}
		postMessage(data, ...more) {
			if (data instanceof ArrayBuffer) marks.push(new DataView(data).getUint16(2, true));
			super.postMessage(data, ...more);
		}
	};
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

// costs is how much of their threads' time some things took, in ms, the shortest first: not of the clock's, in which others on
// the machine have their share. They are the animation frames of the page and of its workers, and all tasks of the page's thread.
type costs map[cost][]float64

type cost int

const (
	pageFrames cost = iota
	workerFrames
	pageTasks
)

// share is what a part of all took at most.
func (c costs) share(of cost, part float64) float64 {
	all := c[of]
	if len(all) == 0 {
		return 0
	}
	return all[int(part*float64(len(all)-1))]
}

// measure has the browser tell what all that goes on during do costs.
func (p *page) measure(do func()) costs {
	p.t.Helper()
	got, tasks, page := costs{}, map[int64][]float64{}, int64(0)
	done := make(chan struct{})
	err := chromedp.Listen(p.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, one := range e.Value {
				var task struct {
					Name string
					Tid  int64
					Tdur float64 // µs
					Args struct{ Data struct{ Worker string } }
				}
				if json.Unmarshal(one, &task) != nil {
					continue
				}
				switch ms := task.Tdur / 1000; {
				case task.Name == "ThreadControllerImpl::RunTask":
					tasks[task.Tid] = append(tasks[task.Tid], ms)
				case task.Name == "FireAnimationFrame" && task.Args.Data.Worker != "":
					got[workerFrames] = append(got[workerFrames], ms)
				case task.Name == "FireAnimationFrame":
					page = task.Tid
					got[pageFrames] = append(got[pageFrames], ms)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	if err == nil {
		_, err = chromedp.Call(p.ctx, tracing.Start, tracing.StartParams{
			TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline"}, ExcludedCategories: []string{"*"}},
		})
	}
	if err != nil {
		p.t.Fatal("tracing:", err)
	}
	do()
	if _, err := chromedp.Call(p.ctx, tracing.End, cdp.Empty{}); err != nil {
		p.t.Fatal("tracing:", err)
	}
	<-done
	got[pageTasks] = tasks[page]
	for _, all := range got {
		slices.Sort(all)
	}
	return got
}

// BenchmarkPage is a first visit, and then a minute of the pastebin at its own pace, three retries and all, its primary
// stalled after ten seconds: a storm that lasts. The milliseconds a frame are what the page's thread does in its animation
// frame, the simulation, the picture's geometry and the words, and the stage's in its own. Long tasks are those of the page's
// thread of more than 50 ms.
func BenchmarkPage(b *testing.B) {
	for b.Loop() {
		p := openSite(b, "picture.png", look{}) // something that leaves the machine alone
		p.expect("favicon.ico")
		p.before(stopwatch)
		p.goTo(origin + base)
		p.waitFor(`window.usable && window.moved && window.shows`)
		b.ReportMetric(eval[float64](p, `usable`), "usable-ms")
		b.ReportMetric(eval[float64](p, `moved`), "first-moving-frame-ms")
		b.ReportMetric(eval[float64](p, `shows`), "stage-shows-ms")

		p.run(`location.hash = "#v1/pastebin?policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout,error,refused"`)
		p.waitFor(`document.getElementById("scenario").value === "pastebin" && parseFloat(document.getElementById("clock").textContent) > 2`)
		p.run(`marks.length = 0`)
		p.mu.Lock()
		from := len(p.console)
		p.mu.Unlock()
		p.patience *= 2
		cost := p.measure(func() {
			p.run(`new Promise(later => setTimeout(later, 10_000))`)
			p.run(`document.getElementById("stall-2s").click()`)
			p.run(`new Promise(later => setTimeout(later, 50_000))`)
		})

		long := 0
		for _, ms := range cost[pageTasks] {
			if ms > 50 {
				long++
			}
		}
		b.ReportMetric(float64(long), "long-tasks")
		b.ReportMetric(cost.share(pageTasks, 1), "longest-task-ms")
		b.ReportMetric(cost.share(pageFrames, .5), "page-ms/frame")
		b.ReportMetric(cost.share(pageFrames, .95), "page-p95-ms/frame")
		b.ReportMetric(cost.share(workerFrames, .5), "stage-ms/frame")
		b.ReportMetric(cost.share(workerFrames, .95), "stage-p95-ms/frame")
		b.ReportMetric(eval[float64](p, `marks.sort((a, b) => a - b)[marks.length >> 1]`), "marks/frame")
		n, pause, all := p.collections(from)
		b.ReportMetric(float64(n), "collections")
		b.ReportMetric(pause, "longest-gc-pause-ms")
		b.ReportMetric(all, "longest-gc-ms")
		b.ReportMetric(0, "ns/op")
	}
}
