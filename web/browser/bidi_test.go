//go:build browser

package browser

import (
	"bufio"
	"encoding/json"
	"errors"
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

// firefox is a Firefox. It is spoken with over WebDriver BiDi: each command is answered by its number, and what happens in
// its tabs is told in between.
type firefox struct {
	ws       *websocket.Conn
	commands int
	trouble  []string // console errors, uncaught exceptions, what a page's own policy refuses
	console  []string // all that was written to it
}

// openFirefox starts a Firefox and opens the built site at a path below its root. prefs are settings of about:config.
func openFirefox(t testing.TB, path string, prefs map[string]any) *reader {
	t.Helper()
	b := startFirefox(t, prefs).reader(t)
	b.goTo(origin + base + path)
	return b
}

// startFirefox starts one with a profile of its own.
func startFirefox(t testing.TB, prefs map[string]any) *firefox {
	t.Helper()
	address := launchFirefox(t, prefs)
	ws, err := websocket.Dial(address+"/session", "", origin)
	if err != nil {
		t.Fatalf("connecting to Firefox at %s: %v", address, err)
	}
	f := &firefox{ws: ws}
	t.Cleanup(func() {
		_ = f.call("browser.close", map[string]any{}, nil, patience)
		_ = f.ws.Close()
	})
	for _, command := range []struct {
		method string
		params map[string]any
	}{
		{"session.new", map[string]any{"capabilities": map[string]any{}}},
		{"session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}},
	} {
		if err := f.call(command.method, command.params, nil, patience); err != nil {
			t.Fatalf("%s: %v", command.method, err)
		}
	}
	return f
}

// launchFirefox starts the program, and gives the address at which it listens.
func launchFirefox(t testing.TB, prefs map[string]any) (address string) {
	t.Helper()
	program, err := findBrowser("FIREFOX", "firefox-esr", "firefox")
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "stormbin-firefox-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) })
	var user strings.Builder
	for name, value := range prefs {
		fmt.Fprintf(&user, "user_pref(%q, %#v);\n", name, value)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(user.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port=0", "--remote-allow-origins="+origin)
	cmd.Env = append(os.Environ(), "HOME="+profile) // root may not run it in somebody else's
	output, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
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
	t.Fatalf("%s never listened. It said:\n%s", program, strings.Join(said, "\n"))
	return ""
}

// call gives a command, and waits for its result.
func (f *firefox) call(method string, params map[string]any, result any, within time.Duration) error {
	f.commands++
	if err := f.ws.SetDeadline(time.Now().Add(within)); err != nil {
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

// hear notes what is written to the console.
func (f *firefox) hear(level, text string) {
	f.console = append(f.console, level+": "+text)
	if level == "error" || panics(text) {
		f.trouble = append(f.trouble, "console: "+text)
	}
}

// inFirefox is a tab, or a frame in one.
type inFirefox struct {
	*firefox
	t        testing.TB
	context  string // its id
	expected *[]string
}

// reader opens a tab for a reader, who shares no storage with others. Its test fails if there was trouble.
func (f *firefox) reader(t testing.TB) *reader {
	t.Helper()
	b := &inFirefox{firefox: f, t: t, expected: new([]string)}
	f.trouble, f.console = nil, nil
	var own struct{ UserContext string }
	b.must("browser.createUserContext", map[string]any{}, &own)
	var opened struct{ Context string }
	b.must("browsingContext.create", map[string]any{"type": "tab", "userContext": own.UserContext}, &opened)
	b.context = opened.Context
	t.Cleanup(func() {
		if err := f.call("browser.removeUserContext", map[string]any{"userContext": own.UserContext}, nil, patience); err != nil {
			t.Errorf("closing the tab: %v", err)
		}
		untroubled(t, f.trouble, *b.expected, f.console)
	})
	return &reader{driver: b, t: t, patience: patience}
}

func (b *inFirefox) must(method string, params map[string]any, result any) {
	b.t.Helper()
	if err := b.call(method, params, result, patience); err != nil {
		b.t.Fatalf("%s %v: %v", method, params, err)
	}
}

func (b *inFirefox) goTo(address string) {
	b.t.Helper()
	b.must("browsingContext.navigate", map[string]any{"context": b.context, "url": address, "wait": "complete"}, nil)
}

func (b *inFirefox) reload() {
	b.t.Helper()
	b.must("browsingContext.reload", map[string]any{"context": b.context, "wait": "complete"}, nil)
}

func (b *inFirefox) value(expression string, within time.Duration) (string, error) {
	var got struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := b.call("script.evaluate", map[string]any{
		"expression": expression, "awaitPromise": true, "target": map[string]any{"context": b.context},
	}, &got, within)
	if err == nil && got.ExceptionDetails.Text != "" {
		err = errors.New(got.ExceptionDetails.Text)
	}
	return got.Result.Value, err
}

func (b *inFirefox) keys(keys string) {
	b.t.Helper()
	b.must("input.performActions", map[string]any{"context": b.context, "actions": webDriverKeys(keys)}, nil)
}

func (b *inFirefox) frame(address string) driver {
	b.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		var tree struct {
			Contexts []struct {
				Children []struct{ Context, URL string }
			}
		}
		b.must("browsingContext.getTree", map[string]any{"root": b.context}, &tree)
		for _, child := range tree.Contexts[0].Children {
			if strings.HasPrefix(child.URL, address) {
				inner := *b
				inner.context = child.Context
				return &inner
			}
		}
	}
	b.t.Fatalf("there is no frame of %s", address)
	return nil
}

func (b *inFirefox) expect(text string) { *b.expected = append(*b.expected, text) }
