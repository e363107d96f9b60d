//go:build browser

package browser

import (
	"context"
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
	listening, stop := context.WithCancel(p.ctx)
	defer stop()
	err := chromedp.Listen(listening, func(event any) {
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

// BenchmarkStepBack is ten steps back in the pastebin at 12 s, quiet and in a storm that has lasted since 3 s: how long one takes
// until it has landed, and the longest task of the page's thread meanwhile.
func BenchmarkStepBack(b *testing.B) {
	for name, with := range map[string]string{
		"quiet": "faults=none", "storm": "policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout&fault=primary,stall,3s,2s",
		"no end of waiting": "policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout&dependencies.primary.statement_timeout=0s&fault=primary,stall,3s,2s",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p := openSite(b, "#v1/pastebin?"+with+"&t=12s", look{NoWebGL: true})
				p.waitFor(`document.getElementById("clock").textContent === "12.0 s"`)
				took := 0.
				tasks := p.measure(func() {
					took = eval[float64](p, `(async () => {
						const frame = () => new Promise(requestAnimationFrame), began = performance.now()
						for (let i = 0; i < 10; i++) {
							document.getElementById("step-back").click()
							for (let calm = 0; calm < 2; calm++) {
								await frame()
								if (document.getElementById("clock").getAttribute("aria-busy") === "true") calm = -1
							}
						}
						return performance.now() - began
					})()`)
				})
				b.ReportMetric(took/10, "ms/step")
				b.ReportMetric(tasks.share(pageTasks, 1), "ms/longest-task")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// storm is the pastebin with three retries; crowd is ten times of all of it, with so many slots that about 5,000 marks are
// drawn of it: at a tenth of the speed that is as many requests a second of real time.
const (
	storm = "#v1/pastebin?policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout,error,refused"
	crowd = "#v1/ten-times-retries?dependencies.edge.hit_share=0.01&dependencies.edge.slots=1000&dependencies.cache.slots=1000&dependencies.primary.slots=1000&dependencies.primary.service.mean=6.7ms"
)

// BenchmarkPage is a first visit; then a minute of the pastebin at its own pace, three retries and all, its primary stalled
// after ten seconds: a storm that lasts; and then, with crowd- before its numbers, 20 seconds of ten times that at a tenth of
// its pace, with 5,000 marks. The milliseconds a frame are what the page's thread does in its animation frame, the
// simulation, the picture's geometry and the words, and the stage's in its own. Long tasks are those of the page's thread of
// more than 50 ms.
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
		p.patience *= 2

		p.run(`location.hash = ` + quote(storm))
		p.waitFor(`document.getElementById("scenario").value === "pastebin" && parseFloat(document.getElementById("clock").textContent) > 2`)
		p.play(b, "", func() {
			p.run(`new Promise(later => setTimeout(later, 10_000))`)
			p.run(`document.getElementById("stall-2s").click()`)
			p.run(`new Promise(later => setTimeout(later, 50_000))`)
		})

		p.run(`location.hash = ` + quote(crowd))
		p.waitFor(`document.getElementById("scenario").value === "ten-times-retries"`)
		p.set("#speed", "0.1")
		p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0.6`)
		p.play(b, "crowd-", func() { p.run(`new Promise(later => setTimeout(later, 20_000))`) })
		b.ReportMetric(0, "ns/op")
	}
}

// play reports what a frame costs while do lasts, each number with a name that begins with of.
func (p *page) play(b *testing.B, of string, do func()) {
	p.run(`marks.length = 0`)
	p.mu.Lock()
	from := len(p.console)
	p.mu.Unlock()
	cost := p.measure(do)
	long := 0
	for _, ms := range cost[pageTasks] {
		if ms > 50 {
			long++
		}
	}
	n, pause, all := p.collections(from)
	for name, x := range map[string]float64{
		"long-tasks": float64(long), "longest-task-ms": cost.share(pageTasks, 1),
		"page-ms/frame": cost.share(pageFrames, .5), "page-p95-ms/frame": cost.share(pageFrames, .95),
		"stage-ms/frame": cost.share(workerFrames, .5), "stage-p95-ms/frame": cost.share(workerFrames, .95),
		"marks/frame": eval[float64](p, `marks.sort((a, b) => a - b)[marks.length >> 1]`),
		"collections": float64(n), "longest-gc-pause-ms": pause, "longest-gc-ms": all,
	} {
		b.ReportMetric(x, of+name)
	}
}
