//go:build browser

package browser

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long any one thing may take before its test fails. Far more than it should: machines are shared.
const patience = 60 * time.Second

// look is what the page is seen with. The zero value is 1280 × 800, light, with motion.
type look struct {
	Width, Height int64
	Scale         float64 // device pixels in a CSS pixel
	Dark          bool
	ReducedMotion bool
	NoWebGL       bool   // no picture, which is most of the work of opening a page
	CanvasOnly    bool   // no WebGL, so that the page draws the picture itself
	Keeping       bool   // the site is kept for when there is no network, which is work too
	Script        string // runs before the page's own
}

// page is a tab, and one reader's browser: pages share no storage, unless one was opened by another's tab.
type page struct {
	t        testing.TB
	ctx      context.Context
	patience time.Duration // how long any one thing may take

	mu       sync.Mutex
	trouble  []string // console errors, uncaught exceptions, requests to other hosts
	expected []string
	console  []string // all that was written to it
	requests []string // the addresses of all requests
}

// openSite opens the built site at a path below its root, such as "" or "system.html" or "#p/abc".
func openSite(t testing.TB, path string, l look) *page {
	t.Helper()
	return open(t, chromium, origin+base+path, l, chromedp.WithNewBrowserContext())
}

// tab opens a path of the site in another tab of the same browser, with the same storage.
func (p *page) tab(path string, l look) *page {
	p.t.Helper()
	return open(p.t, p.ctx, origin+base+path, l)
}

func open(t testing.TB, parent context.Context, address string, l look, options ...chromedp.ContextOption) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	p := &page{t: t, ctx: ctx, patience: patience}
	t.Cleanup(func() {
		p.check()
		cancel()
	})
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal("opening a tab:", err)
	}
	p.look(l)
	if !l.Keeping {
		p.before(`delete Navigator.prototype.serviceWorker`)
	}
	if l.NoWebGL {
		p.before(`HTMLCanvasElement.prototype.getContext = () => null, delete HTMLCanvasElement.prototype.transferControlToOffscreen`)
	}
	if l.CanvasOnly {
		p.before(`delete HTMLCanvasElement.prototype.transferControlToOffscreen`)
	}
	if l.Script != "" {
		p.before(l.Script)
	}
	p.goTo(address)
	return p
}

// within has what goes wrong fail a subtest, until that is over.
func (p *page) within(t testing.TB) {
	was := p.t
	p.t = t
	t.Cleanup(func() { p.t = was })
}

// before has a script run in every document before its own.
func (p *page) before(script string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	if err != nil {
		p.t.Fatal("adding a script:", err)
	}
}

// goTo loads an address, as if it had been typed.
func (p *page) goTo(address string) {
	p.t.Helper()
	p.do("loading "+address, chromedp.Navigate(address))
}

func (p *page) reload() {
	p.t.Helper()
	p.do("reloading", chromedp.Reload())
}

// look changes what the page is seen with.
func (p *page) look(l look) {
	p.t.Helper()
	if l.Width == 0 {
		l.Width, l.Height = 1280, 800
	}
	if l.Scale == 0 {
		l.Scale = 1
	}
	scheme, motion := "light", "no-preference"
	if l.Dark {
		scheme = "dark"
	}
	if l.ReducedMotion {
		motion = "reduce"
	}
	p.do("resizing", chromedp.EmulateViewport(l.Width, l.Height, chromedp.EmulateScale(l.Scale)))
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: motion},
		},
	})
	if err != nil {
		p.t.Fatal("setting the look:", err)
	}
}

// eval is the value of an expression in the page, or what its promise comes to.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.fatal("evaluating "+expression, err)
	}
	return v
}

// run evaluates an expression whose value does not matter.
func (p *page) run(expression string) {
	p.t.Helper()
	eval[chromedp.Void](p, expression)
}

// waitFor waits until an expression is truthy. One that throws is not; and the page may load anew meanwhile.
func (p *page) waitFor(condition string) {
	p.t.Helper()
	safe := "(async () => { try { return !!await (" + condition + ") } catch { return false } })()"
	for deadline := time.Now().Add(p.patience); ; {
		err := chromedp.Do(p.ctx, chromedp.Poll[chromedp.Void](safe,
			chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(time.Until(deadline))))
		if err == nil {
			return
		}
		if errors.Is(err, chromedp.ErrPollingTimeout) || p.ctx.Err() != nil || time.Now().After(deadline) {
			p.fatal("waiting for "+condition, err)
		}
	}
}

// click clicks the middle of the first element of a CSS selector, once it can be seen and has come to rest: the page may be
// on its way to what it has to say, or have become longer above it.
func (p *page) click(selector string) {
	p.t.Helper()
	eval[bool](p, `new Promise(done => {
		let was, still = 0
		const look = () => {
			const box = document.querySelector(`+quote(selector)+`)?.getBoundingClientRect(), now = box && box.x + " " + box.y
			still = now === was ? still + 1 : 0
			was = now
			still < 3 ? setTimeout(look, 20) : done(true)
		}
		look()
	})`)
	p.do("clicking "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// typeIn focuses an element and types.
func (p *page) typeIn(selector, text string) {
	p.t.Helper()
	p.do("typing into "+selector, chromedp.SendKeys(chromedp.CSS(selector), text, chromedp.NodeVisible))
}

// press presses keys where the focus is: "\t", or one of package kb.
func (p *page) press(keys string, options ...chromedp.KeyOption) {
	p.t.Helper()
	p.do("pressing "+keys, chromedp.KeyEvent(keys, options...))
}

// set gives a field a value as a reader would: it hears of it by the events input and change.
func (p *page) set(selector, value string) {
	p.t.Helper()
	p.do("setting "+selector, chromedp.Focus(chromedp.CSS(selector)))
	p.do("setting "+selector, chromedp.SetJavascriptAttribute(chromedp.CSS(selector), "value", value))
	p.run(`(() => { for (const kind of ["input", "change"])
		document.activeElement.dispatchEvent(new Event(kind, {bubbles: true})) })()`)
}

// wheel turns the wheel over a point of the window, in CSS pixels: downwards if by is positive.
func (p *page) wheel(x, y, by float64) {
	p.t.Helper()
	p.do("turning the wheel", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		// By hand: the typed parameters leave out a deltaX of 0, which the browser asks for.
		return chromedp.Void{}, t.Call(ctx, "Input.dispatchMouseEvent",
			map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by}, nil)
	})
}

// upload chooses files in a file field.
func (p *page) upload(selector string, files ...string) {
	p.t.Helper()
	p.do("choosing files in "+selector, chromedp.SetUploadFiles(chromedp.CSS(selector), files))
}

// text is what an element shows.
func (p *page) text(selector string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.patience)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS(selector)))
	if err != nil {
		p.fatal("reading "+selector, err)
	}
	return s
}

// picture is what an element looks like, in device pixels.
func (p *page) picture(selector string) image.Image {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.patience)
	defer cancel()
	b, err := chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS(selector)))
	if err != nil {
		p.fatal("taking a picture of "+selector, err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		p.fatal("taking a picture of "+selector, err)
	}
	return img
}

// screenshot keeps a picture of the whole page as NAME.png, if STORMBIN_SHOTS names a folder for that.
func (p *page) screenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("STORMBIN_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.patience)
	defer cancel()
	b, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.fatal("taking a picture", err)
	}
	file := filepath.Join(dir, name+".png")
	if err := os.WriteFile(file, b, 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.t.Log("picture:", file)
}

// expect lets trouble be whose words contain text: the test brings it about.
func (p *page) expect(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, text)
}

func (p *page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.fatal(what, err)
	}
}

func (p *page) fatal(what string, err error) {
	p.t.Helper()
	p.t.Fatalf("%s: %v", what, err)
}

// hear notes what goes on in the tab. It runs in the reading loop of the tab's connection, so it is quick.
func (p *page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, a := range e.Args {
			word := a.Description
			if word == "" {
				word = strings.Trim(string(a.Value), `"`)
			}
			words = append(words, word)
		}
		line := strings.Join(words, " ")
		p.console = append(p.console, string(e.Type)+": "+line)
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert || panics(line) {
			p.trouble = append(p.trouble, "console: "+line)
		}
	case *runtime.EventExceptionThrown:
		line := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			line += " " + e.ExceptionDetails.Exception.Description
		}
		p.trouble = append(p.trouble, "uncaught: "+line)
	case *log.EventEntryAdded:
		line := e.Entry.Text + " " + e.Entry.URL
		p.console = append(p.console, string(e.Entry.Level)+": "+line)
		if e.Entry.Level == log.EntryLevelError {
			p.trouble = append(p.trouble, "log: "+line)
		}
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host != "" && "http://"+u.Host != origin {
			p.trouble = append(p.trouble, "request to another host: "+e.Request.URL)
		}
	}
}

// check fails the test if there was trouble.
func (p *page) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	untroubled(p.t, p.trouble, p.expected, p.console)
}

// untroubled fails a test if there was trouble that it did not expect, and then shows what the page wrote.
func untroubled(t testing.TB, trouble, expected, console []string) {
	t.Helper()
	for _, line := range trouble {
		if !containsAny(line, expected) {
			t.Error(line)
		}
	}
	if t.Failed() {
		for _, line := range console[max(0, len(console)-40):] {
			t.Log("console:", line)
		}
	}
}

// panics tells whether a line of the console is what a Go program says that panics.
func panics(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// inChromium is a page, or a frame in one, as a test sees it that every browser has to pass.
type inChromium struct{ *page }

func (c inChromium) value(expression string, within time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, within)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
}

func (c inChromium) keys(keys string) {
	c.t.Helper()
	c.press(strings.NewReplacer("\n", kb.Enter, pageDown, kb.PageDown).Replace(keys))
}

func (c inChromium) frame(address string) driver { return inChromium{c.page.frame(address)} }

func containsAny(s string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
