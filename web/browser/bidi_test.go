//go:build browser

package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// firefox is a Firefox with a profile and one tab of its own. It is spoken with over WebDriver BiDi: each command is
// answered by its number, and what happens in the tab is told in between.
type firefox struct {
	t        testing.TB
	ws       *websocket.Conn
	tab      string
	commands int
	patience time.Duration // how long any one command may take
	trouble  []string      // console errors, uncaught exceptions, what the page's own policy refuses
	console  []string      // all that was written to it
}

// openFirefox starts a Firefox and opens the built site at a path below its root. prefs are settings of about:config.
func openFirefox(t testing.TB, path string, prefs map[string]any) *firefox {
	t.Helper()
	f := &firefox{t: t, patience: patience}
	address := f.start(prefs)
	ws, err := websocket.Dial(address+"/session", "", origin)
	if err != nil {
		t.Fatalf("connecting to Firefox at %s: %v", address, err)
	}
	f.ws = ws
	t.Cleanup(f.close)
	f.must("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.must("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tab struct{ Context string }
	f.must("browsingContext.create", map[string]any{"type": "tab"}, &tab)
	f.tab = tab.Context
	f.goTo(origin + base + path)
	return f
}

// start starts the program, and gives the address at which it listens.
func (f *firefox) start(prefs map[string]any) (address string) {
	f.t.Helper()
	program, err := findBrowser("FIREFOX", "firefox-esr", "firefox")
	if err != nil {
		f.t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "stormbin-firefox-")
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { os.RemoveAll(profile) })
	var user strings.Builder
	for name, value := range prefs {
		fmt.Fprintf(&user, "user_pref(%q, %#v);\n", name, value)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(user.String()), 0o600); err != nil {
		f.t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port=0", "--remote-allow-origins="+origin)
	cmd.Env = append(os.Environ(), "HOME="+profile) // root may not run it in somebody else's
	output, err := cmd.StderrPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		late := time.AfterFunc(patience/4, func() { cmd.Process.Kill() }) // it has been asked to close
		defer late.Stop()
		cmd.Wait()
	})
	late := time.AfterFunc(2*patience, func() { cmd.Process.Kill() }) // which ends its output
	defer late.Stop()
	var said []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
			go io.Copy(io.Discard, output)
			return address
		}
		said = append(said, lines.Text())
	}
	f.t.Fatalf("%s never listened. It said:\n%s", program, strings.Join(said, "\n"))
	return ""
}

// close closes the browser, and fails the test if there was trouble.
func (f *firefox) close() {
	_ = f.call("browser.close", map[string]any{}, nil)
	_ = f.ws.Close()
	for _, line := range f.trouble {
		f.t.Error(line)
	}
	if f.t.Failed() {
		for _, line := range f.console[max(0, len(f.console)-40):] {
			f.t.Log("console:", line)
		}
	}
}

// call gives a command, and waits for its result.
func (f *firefox) call(method string, params map[string]any, result any) error {
	f.commands++
	if err := f.ws.SetDeadline(time.Now().Add(f.patience)); err != nil {
		return err
	}
	command := map[string]any{"id": f.commands, "method": method, "params": params}
	if err := websocket.JSON.Send(f.ws, command); err != nil {
		return err
	}
	for {
		var m struct {
			ID             int
			Error, Message string
			Result         json.RawMessage
			Method         string
			Params         struct{ Level, Text string }
		}
		if err := websocket.JSON.Receive(f.ws, &m); err != nil {
			return err
		}
		switch {
		case m.Method == "log.entryAdded":
			f.hear(m.Params.Level, m.Params.Text)
		case m.ID == f.commands && m.Error != "":
			return fmt.Errorf("%s: %s", m.Error, m.Message)
		case m.ID == f.commands && result != nil:
			return json.Unmarshal(m.Result, result)
		case m.ID == f.commands:
			return nil
		}
	}
}

func (f *firefox) must(method string, params map[string]any, result any) {
	f.t.Helper()
	if err := f.call(method, params, result); err != nil {
		f.t.Fatalf("%s %v: %v", method, params, err)
	}
}

// hear notes what is written to the console.
func (f *firefox) hear(level, text string) {
	f.console = append(f.console, level+": "+text)
	if level == "error" || panics(text) {
		f.trouble = append(f.trouble, "console: "+text)
	}
}

// evalIn is the value of an expression in the page, or what its promise comes to.
func evalIn[T any](f *firefox, expression string) (v T) {
	f.t.Helper()
	var got struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	f.must("script.evaluate", map[string]any{
		"expression":   `(async () => JSON.stringify(await (` + expression + `)) ?? "null")()`,
		"awaitPromise": true, "target": map[string]any{"context": f.tab},
	}, &got)
	if got.ExceptionDetails.Text != "" {
		f.t.Fatalf("evaluating %s: %s", expression, got.ExceptionDetails.Text)
	}
	if err := json.Unmarshal([]byte(got.Result.Value), &v); err != nil {
		f.t.Fatalf("evaluating %s: %v", expression, err)
	}
	return v
}

// run evaluates an expression whose value does not matter.
func (f *firefox) run(expression string) {
	f.t.Helper()
	evalIn[any](f, expression)
}

// waitFor waits until an expression is truthy. One that throws is not.
func (f *firefox) waitFor(condition string) {
	f.t.Helper()
	came := evalIn[bool](f, fmt.Sprintf(`new Promise(done => {
		const end = performance.now() + %d, look = () => {
			let is = false;
			try { is = !!(%s) } catch {}
			is || performance.now() > end ? done(is) : setTimeout(look, 20);
		};
		look();
	})`, (f.patience*9/10).Milliseconds(), condition))
	if !came {
		f.t.Fatalf("waited in vain for %s", condition)
	}
}

// press focuses an element and presses keys there. A newline is Enter.
func (f *firefox) press(selector, keys string) {
	f.t.Helper()
	f.run(`document.querySelector(` + quote(selector) + `).focus()`)
	var strokes []map[string]any
	for _, key := range strings.ReplaceAll(keys, "\n", "\ue007") {
		strokes = append(strokes, map[string]any{"type": "keyDown", "value": string(key)}, map[string]any{"type": "keyUp", "value": string(key)})
	}
	f.must("input.performActions", map[string]any{"context": f.tab,
		"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": strokes}}}, nil)
}

// goTo loads an address, as if it had been typed.
func (f *firefox) goTo(address string) {
	f.t.Helper()
	f.must("browsingContext.navigate", map[string]any{"context": f.tab, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) reload() {
	f.t.Helper()
	f.must("browsingContext.reload", map[string]any{"context": f.tab, "wait": "complete"}, nil)
}
