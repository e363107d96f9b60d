//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A driver drives a tab of one kind of browser, or a frame in it. What goes wrong there fails its test.
type driver interface {
	goTo(address string) // as if it had been typed
	reload()
	value(expression string, within time.Duration) (text string, _ error) // what a promise of a text comes to
	keys(keys string)                                                     // pressed where the focus is: text, a newline for Enter, a tab for Tab, or pageDown
	frame(address string) driver                                          // the frame whose address begins so
	expect(text string)                                                   // trouble whose words contain text may be, where the console is heard
}

// A reader has a tab of some browser, or a frame in it: what a test does in any of them.
type reader struct {
	driver
	t        testing.TB
	patience time.Duration // how long any one thing may take
}

// in is the reader in a frame of the tab.
func (b *reader) in(address string) *reader {
	b.t.Helper()
	return &reader{driver: b.frame(address), t: b.t, patience: b.patience}
}

// evalIn is the value of an expression in the page, or what its promise comes to.
func evalIn[T any](b *reader, expression string) (v T) {
	b.t.Helper()
	text, err := b.value(`(async () => JSON.stringify(await (`+expression+`)) ?? "null")()`, b.patience)
	if err != nil {
		b.t.Fatalf("evaluating %s: %v", expression, err)
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		b.t.Fatalf("evaluating %s: %v", expression, err)
	}
	return v
}

// run evaluates an expression whose value does not matter.
func (b *reader) run(expression string) {
	b.t.Helper()
	evalIn[any](b, expression)
}

// waitFor waits until an expression is truthy. One that throws is not; and the page may load anew meanwhile.
func (b *reader) waitFor(condition string) {
	b.t.Helper()
	var text string
	var err error
	for deadline := time.Now().Add(b.patience); time.Now().Before(deadline); {
		text, err = b.value(fmt.Sprintf(`new Promise(done => {
			const end = performance.now() + %d, look = async () => {
				let is = false;
				try { is = !!await (%s) } catch {}
				is || performance.now() > end ? done(String(is)) : setTimeout(look, 20);
			};
			look();
		})`, min(time.Until(deadline), b.patience/4).Milliseconds(), condition), b.patience)
		if err == nil && text == "true" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.t.Fatalf("waited in vain for %s (%v)", condition, err)
}

// said waits until an element says something.
func (b *reader) said(id, part string) {
	b.t.Helper()
	b.waitFor(`document.getElementById(` + quote(id) + `).textContent.includes(` + quote(part) + `)`)
}

// press focuses an element and presses keys there.
func (b *reader) press(selector, keys string) {
	b.t.Helper()
	b.run(`document.querySelector(` + quote(selector) + `).focus()`)
	b.keys(keys)
}

// click clicks an element wherever it is.
func (b *reader) click(selector string) {
	b.t.Helper()
	b.run(`document.querySelector(` + quote(selector) + `).click()`)
}

// give sets a field's value, and tells the page of it.
func (b *reader) give(selector, value string) {
	b.t.Helper()
	b.run(`(e => { e.value = ` + quote(value) + `; for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, { bubbles: true })) })(document.querySelector(` + quote(selector) + `))`)
}

// outcome waits for the answer to the reader's last request.
func (b *reader) outcome(status string) {
	b.t.Helper()
	b.waitFor(`document.getElementById("paste-status").textContent.startsWith(` + quote(status) + `)`)
}

// pageDown is that key, in what is pressed.
const pageDown = "\ue00f"

// webDriverKeys are keys as the WebDriver protocols name them.
func webDriverKeys(keys string) []any {
	var strokes []any
	for _, key := range strings.NewReplacer("\n", "\ue006", "\t", "\ue004").Replace(keys) {
		for _, kind := range []string{"keyDown", "keyUp"} {
			strokes = append(strokes, map[string]string{"type": kind, "value": string(key)})
		}
	}
	return []any{map[string]any{"type": "key", "id": "keyboard", "actions": strokes}}
}
