//go:build js && wasm

package rich

import (
	"context"
	"errors"
	"strings"
	"sync"
	"syscall/js"
	"testing"
	"time"
)

// TestClient is one test, since its parts share the worker, and the first needs that there is none yet.
func TestClient(t *testing.T) {
	if js.Global().Get("startWorker").IsUndefined() {
		t.Skip("no workers here: this test runs in a browser, with make test-browser")
	}
	t.Run("too large", func(t *testing.T) {
		var large *TooLargeError
		if _, err := Highlight(t.Context(), strings.Repeat("a", MaxHighlight+1), "go"); !errors.As(err, &large) {
			t.Errorf("colours: error %v, want a TooLargeError", err)
		}
		if _, err := Markdown(t.Context(), strings.Repeat("a", MaxMarkdown+1)); !errors.As(err, &large) {
			t.Errorf("Markdown: error %v, want a TooLargeError", err)
		}
	})
	t.Run("offline", func(t *testing.T) {
		reject := js.FuncOf(func(js.Value, []js.Value) any {
			return js.Global().Get("Promise").Call("reject", js.Global().Get("TypeError").New("Failed to fetch"))
		})
		defer reject.Release()
		fetch := js.Global().Get("fetch")
		js.Global().Set("fetch", reject)
		defer js.Global().Set("fetch", fetch)
		for range 2 {
			_, err := Highlight(t.Context(), "x", "go")
			if err == nil || !strings.Contains(err.Error(), ".wasm.gz ") && !strings.Contains(err.Error(), "wasm_exec.js ") {
				t.Errorf("error %v, want one that names what did not arrive", err)
			}
		}
	})
	t.Run("given up while it loads", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(0, cancel)
		if _, err := Highlight(ctx, "x", "go"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		works(t)
	})
	t.Run("given up while it works", func(t *testing.T) {
		before := the.worker.worker
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		comments := strings.Repeat("/*", MaxHighlight/2) // that have no end are sought to the end, each
		if _, err := Highlight(ctx, comments, "go"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want context.DeadlineExceeded", err)
		}
		works(t)
		if the.worker.worker.Equal(before) {
			t.Error("the worker that was at it is still the one")
		}
	})
	t.Run("too slow", func(t *testing.T) {
		patience := the.patience
		the.patience = 300 * time.Millisecond
		_, err := Highlight(t.Context(), strings.Repeat("/*", MaxHighlight/2), "go")
		the.patience = patience
		if !errors.Is(err, errSlow) {
			t.Errorf("error %v, want one that says it took too long", err)
		}
		works(t)
	})
	t.Run("given up before", func(t *testing.T) {
		before := the.worker.worker
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Highlight(ctx, "x", "go"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		works(t)
		if !the.worker.worker.Equal(before) {
			t.Error("the worker was started anew for nothing")
		}
	})
	t.Run("many at once", func(t *testing.T) {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				text := strings.Repeat("x ", i+1)
				if i%2 == 0 {
					if html, err := Markdown(t.Context(), text); html != "<p>"+strings.TrimSpace(text)+"</p>\n" || err != nil {
						t.Errorf("%q: %q, error %v", text, html, err)
					}
				} else if tokens, err := Highlight(t.Context(), text, ""); len(tokens) != 1 || tokens[0].Length != len(text) || err != nil {
					t.Errorf("%q: %v, error %v", text, tokens, err)
				}
			})
		}
		all.Wait()
	})
	t.Run("the program stops", func(t *testing.T) {
		_, err := the.do(t.Context(), map[string]any{"do": "highlight", "text": nil})
		if err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("error %v, want one that says it stopped", err)
		}
		works(t)
	})
	t.Run("deep", func(t *testing.T) {
		// It may be too much. But it ends, and the next one goes on.
		if _, err := Markdown(t.Context(), strings.Repeat(">", 20_000)); err != nil {
			t.Log(err)
		}
		works(t)
	})
}

// works holds that both can be had.
func works(t *testing.T) {
	t.Helper()
	text := "package main // été\xff\r\n"
	tokens, err := Highlight(t.Context(), text, "go")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	at := 0
	for _, token := range tokens {
		parts[text[at:at+token.Length]] = token.Kind
		at += token.Length
	}
	if parts["package"] != Keyword || parts["// été\xff"] != Comment {
		t.Errorf("colours: %q", parts)
	}
	html, err := Markdown(t.Context(), "*été* <img src=x onerror=alert(1)>")
	if html != "<p><em>été</em> image</p>\n" || err != nil {
		t.Errorf("Markdown: %q, error %v", html, err)
	}
}
