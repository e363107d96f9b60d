//go:build js && wasm

package rich

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
	"time"
)

// Highlight is the tokens of text in the language of that name, one of chroma's, such as those of pastebin.Languages. A
// language that isn't known has one plain token.
//
// Some texts take for ever: it ends with ctx, whose error it then is, or once the worker has been at it for 10 seconds. A
// text of more than [MaxHighlight] bytes is a [TooLargeError]. Else an error is a sentence that says why the program can't
// be had; the next call tries again.
func Highlight(ctx context.Context, text, language string) ([]Token, error) {
	if err := limit(text, MaxHighlight, "coloured"); err != nil {
		return nil, err
	}
	answer, err := the.do(ctx, map[string]any{"do": "highlight", "text": bytesOf(text), "language": language})
	if err != nil {
		return nil, err
	}
	b := make([]byte, answer.Get("tokens").Length())
	js.CopyBytesToGo(b, answer.Get("tokens"))
	return Decode(b, len(text))
}

// Markdown is text as HTML, which runs, loads and styles nothing wherever it is put. It waits and fails as [Highlight]
// does, with [MaxMarkdown] for its limit.
func Markdown(ctx context.Context, text string) (string, error) {
	if err := limit(text, MaxMarkdown, "shown as Markdown"); err != nil {
		return "", err
	}
	answer, err := the.do(ctx, map[string]any{"do": "markdown", "text": bytesOf(text)})
	if err != nil {
		return "", err
	}
	return answer.Get("html").String(), nil
}

func bytesOf(text string) js.Value {
	array := js.Global().Get("Uint8Array").New(len(text))
	js.CopyBytesToJS(array, []byte(text))
	return array
}

// the is the page's worker. There is one: two would be twice the memory.
var the = client{turn: make(chan struct{}, 1), patience: 10 * time.Second}

// client is a worker that does one thing at a time, so that it can be ended without harm to anything else. It is started
// by the first who needs it, and again after it was ended.
type client struct {
	patience time.Duration // how long the worker may be at one thing; the way to it doesn't count
	turn     chan struct{} // holds something while somebody is served, who alone may touch what follows
	worker   *arrival      // nil: neither there nor on its way
}

// arrival is a worker on its way, or there.
type arrival struct {
	over   chan struct{} // closed when it is there, or will not come
	worker js.Value
	err    error
}

// do has the worker do a request, and waits for its turn, for the worker and for the answer, or for ctx.
func (c *client) do(ctx context.Context, request map[string]any) (js.Value, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
	if c.worker == nil {
		c.worker = start()
	}
	w := c.worker
	select {
	case <-w.over:
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil: // the worker, wherever it is, is for the next
		return js.Undefined(), ctx.Err()
	case w.err != nil:
		c.worker = nil
		return js.Undefined(), w.err
	}
	ctx, stop := context.WithTimeoutCause(ctx, c.patience, errSlow)
	defer stop()
	answer, err := ask(ctx, w.worker, request)
	if err != nil {
		w.worker.Call("terminate")
		c.worker = nil
		return js.Undefined(), err
	}
	if why := answer.Get("error"); !why.IsUndefined() {
		return js.Undefined(), errors.New(why.String())
	}
	return answer, nil
}

var errSlow = errors.New("This takes too long, and was stopped after 10 seconds.")

// start has the page start the worker.
func start() *arrival {
	a := &arrival{over: make(chan struct{})}
	var there, failed js.Func
	end := func() {
		there.Release()
		failed.Release()
		close(a.over)
	}
	there = js.FuncOf(func(_ js.Value, args []js.Value) any { a.worker = args[0]; end(); return nil })
	failed = js.FuncOf(func(_ js.Value, args []js.Value) any { a.err = reason(args[0]); end(); return nil })
	js.Global().Call("startWorker", "rich").Call("then", there, failed)
	return a
}

// reason is why a worker didn't start: the sentence for the reader if there is one.
func reason(thrown js.Value) error {
	if sentence := thrown.Get("reader"); !sentence.IsUndefined() {
		return errors.New(sentence.String())
	}
	return fmt.Errorf("The program rich could not be started: %s.", thrown.Get("message"))
}

// ask sends the worker a request and waits for its answer. After an error the worker is of no use any more.
func ask(ctx context.Context, worker js.Value, request map[string]any) (js.Value, error) {
	answers := make(chan js.Value, 1)
	hear := func(of func(event js.Value) js.Value) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			select {
			case answers <- of(args[0]):
			default: // one is enough
			}
			return nil
		})
	}
	message := hear(func(event js.Value) js.Value { return event.Get("data") })
	defer message.Release()
	trouble := hear(func(event js.Value) js.Value { // a stack that overflowed, or no memory
		event.Call("preventDefault")
		return js.ValueOf(map[string]any{"stopped": event.Get("message")})
	})
	defer trouble.Release()
	worker.Set("onmessage", message)
	worker.Set("onerror", trouble)
	defer worker.Set("onmessage", nil)
	defer worker.Set("onerror", nil)
	worker.Call("postMessage", request)
	select {
	case answer := <-answers:
		if why := answer.Get("stopped"); !why.IsUndefined() {
			return js.Undefined(), fmt.Errorf("The program rich stopped: %s.", why)
		}
		return answer, nil
	case <-ctx.Done():
		return js.Undefined(), context.Cause(ctx)
	}
}
