//go:build js && wasm

package desk

import (
	"context"
	"io"
	"syscall/js"
	"time"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// transfer takes all pastes to a file, and pastes from one. Neither is ever whole in the program's memory.
type transfer struct {
	desk                 *Desk
	save, picker, status html.Element
	copy                 html.Element
	burning, progress    *html.Text
	url                  string // of the file that was made last
}

func newTransfer(d *Desk) *transfer {
	t := &transfer{desk: d, save: html.Find("export"), picker: html.Find("import-file"), status: html.Find("transfer-status"),
		copy: html.Find("export-text"), burning: html.TextOf("export-burning"), progress: html.TextOf("transfer-progress")}
	html.On(t.save, "click", func(html.Event) { t.export() })
	html.On(t.picker, "change", func(html.Event) {
		if files := t.picker.Get("files"); files.Length() > 0 {
			t.take(files.Index(0))
		}
	})
	return t
}

// busy says that one of the two is under way, so that no other begins.
func (t *transfer) busy(yes bool) {
	t.save.SetAttribute("aria-disabled", map[bool]string{true: "true", false: "false"}[yes])
	html.Enable(t.picker, !yes)
	t.progress.Set("")
}

func (t *transfer) isBusy() bool { return t.save.GetAttribute("aria-disabled") == "true" }

// say says what came of it.
func (t *transfer) say(text, class string) {
	t.status.SetTextContent(text)
	t.status.SetAttribute("class", class)
}

// export makes a file of all pastes, and has the browser save it. Whether it did nobody tells us, so the file stays at
// hand under a link.
func (t *transfer) export() {
	if t.isBusy() || t.desk.service == nil {
		return
	}
	t.busy(true)
	t.say("", "")
	html.Show(t.copy, false)
	go func() {
		defer t.busy(false)
		w := &blobs{parts: js.Global().Get("Array").New(), written: func(n int64) { t.progress.Set("Exporting, " + view.Bytes(n) + " so far …") }}
		n, err := t.desk.service.Export(context.Background(), w)
		if err != nil && n == 0 {
			t.say("Nothing was exported: "+reason(err), "trouble")
			return
		}
		w.flush()
		file := js.Global().Get("Blob").New(w.parts, map[string]any{"type": "application/x-ndjson"})
		if t.url != "" {
			html.RevokeURL(t.url)
		}
		t.url = js.Global().Get("URL").Call("createObjectURL", file).String()
		link := html.Make("a", "", words.ExportName(time.Now()))
		link.SetAttribute("href", t.url)
		link.SetAttribute("download", link.TextContent())
		t.say(words.Exported(n)+" ", "")
		html.Add(t.status, link)
		html.Add(t.status, html.Make("span", "", " has "+view.Bytes(w.size)+". If your browser has not saved it by itself, use the link."))
		if err != nil {
			html.Add(t.status, html.Make("span", "trouble", " It does not hold all: "+reason(err)))
		}
		if sandboxed() {
			html.Add(t.status, html.Make("span", "", " This frame is sandboxed and may forbid that: then copy the text below into a file of that name."))
			text, err := html.Await(file.Call("text"))
			if err == nil {
				t.copy.Set("value", text)
				html.Show(t.copy, true)
			}
		}
		link.Call("click")
	}()
}

// blobs collects what is written in parts that the browser keeps.
type blobs struct {
	parts   js.Value
	buffer  []byte
	size    int64
	written func(int64)
	pace    pace
}

// part is how much of a file the program has in memory at a time.
const part = 1 << 18

func (w *blobs) Write(b []byte) (int, error) {
	w.buffer = append(w.buffer, b...)
	w.size += int64(len(b))
	if len(w.buffer) >= part {
		w.flush()
		w.written(w.size)
	}
	w.pace.rest()
	return len(b), nil
}

func (w *blobs) flush() {
	array := js.Global().Get("Uint8Array").New(len(w.buffer))
	js.CopyBytesToJS(array, w.buffer)
	w.parts.Call("push", js.Global().Get("Blob").New([]any{array}))
	w.buffer = w.buffer[:0]
}

// take imports a file. Each of its pastes is saved by itself, so whatever goes wrong on the way, those before it are there.
func (t *transfer) take(file js.Value) {
	if t.isBusy() {
		return
	}
	t.busy(true)
	t.say("", "")
	go func() {
		r := &pieces{file: file, size: int64(file.Get("size").Float())}
		var p pace
		all, err := t.desk.service.Import(context.Background(), r, func(pastebin.Imported) {
			t.progress.Set("Importing, " + view.Bytes(r.at) + " of " + view.Bytes(r.size) + " read …")
			p.rest()
		})
		t.busy(false)
		html.SetValue(t.picker, "") // so that the same file can be chosen again
		switch {
		case err != nil:
			t.say(words.ImportStopped(all, reason(err)), "trouble")
		case all.Clashed+all.Damaged+all.Missing > 0:
			t.say(words.Imported(all), "trouble")
		default:
			t.say(words.Imported(all), "")
		}
		if all.Added > 0 {
			t.desk.storage.saved()
			t.desk.changed()
		}
	}()
}

// pieces reads a file a part at a time.
type pieces struct {
	file     js.Value
	at, size int64
	buffer   []byte
}

func (r *pieces) Read(b []byte) (int, error) {
	if len(r.buffer) == 0 {
		if r.at >= r.size {
			return 0, io.EOF
		}
		to := min(r.at+part, r.size)
		var err error
		if r.buffer, err = html.ReadFile(r.file.Call("slice", r.at, to)); err != nil {
			return 0, err
		}
		r.at = to
	}
	n := copy(b, r.buffer)
	r.buffer = r.buffer[n:]
	return n, nil
}
