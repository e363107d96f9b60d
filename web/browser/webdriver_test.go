//go:build browser

package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// webkit is a MiniBrowser, which is WebKitGTK's own. It is spoken with over WebDriver: each command is a request. What a
// page writes to its console isn't heard.
type webkit struct {
	session string // its address
}

// inWebKit is the tab, or a frame in it.
type inWebKit struct {
	webkit
	t     testing.TB
	inner string // the address of the frame; "" for the tab itself
}

// openWebKit starts a MiniBrowser. It keeps nothing when it ends.
func openWebKit(t testing.TB) *reader {
	t.Helper()
	program, err := findBrowser("WEBKIT", "WebKitWebDriver")
	if err != nil {
		t.Skip(err)
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		t.Skip("WebKit's browser needs a display: make test-webkit gives it one")
	}
	b := &inWebKit{webkit: webkit{launchWebKit(t, program) + "/session"}, t: t}
	var opened struct{ SessionID string }
	b.must("", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"timeouts": map[string]any{"script": (2 * patience).Milliseconds(), "pageLoad": patience.Milliseconds()},
	}}}, &opened)
	b.session += "/" + opened.SessionID
	t.Cleanup(func() { _ = b.command(http.MethodDelete, "", nil, nil, patience) })
	b.must("/window/rect", map[string]any{"width": 1280, "height": 900}, nil)
	return &reader{driver: b, t: t, patience: patience}
}

// launchWebKit starts the program that starts browsers, and gives the address at which it listens.
func launchWebKit(t testing.TB, program string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // for a port that is free
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	at := l.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	cmd := exec.Command(program, "--port="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for deadline := time.Now().Add(patience); ; {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			conn.Close()
			return "http://" + at
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s never listened: %v", program, err)
		}
	}
}

// command sends one to the session, and waits for its result.
func (w webkit) command(method, path string, params, result any, within time.Duration) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, w.session+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := (&http.Client{Timeout: within}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		var wrong struct{ Error, Message string }
		_ = json.Unmarshal(answer.Value, &wrong)
		return fmt.Errorf("%s: %s", wrong.Error, wrong.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, result)
}

func (b *inWebKit) must(path string, params, result any) {
	b.t.Helper()
	if err := b.command(http.MethodPost, path, params, result, patience); err != nil {
		b.t.Fatalf("%s %v: %v", path, params, err)
	}
}

func (b *inWebKit) goTo(address string) {
	b.t.Helper()
	b.top()
	b.must("/url", map[string]any{"url": address}, nil)
}

func (b *inWebKit) reload() {
	b.t.Helper()
	b.top()
	b.must("/refresh", map[string]any{}, nil)
}

// top turns to the tab itself.
func (b *inWebKit) top() {
	b.t.Helper()
	b.must("/frame", map[string]any{"id": nil}, nil)
}

func (b *inWebKit) value(expression string, within time.Duration) (text string, err error) {
	if err := b.command(http.MethodPost, "/frame", map[string]any{"id": nil}, nil, within); err != nil {
		return "", err
	}
	if b.inner != "" {
		i, err := b.execute(`Promise.resolve(String([...document.querySelectorAll("iframe")].findIndex(f => f.src.startsWith(`+quote(b.inner)+`))))`, within)
		if err != nil {
			return "", err
		}
		if err := b.command(http.MethodPost, "/frame", map[string]any{"id": json.RawMessage(i)}, nil, within); err != nil {
			return "", err
		}
	}
	return b.execute(expression, within)
}

// execute is what a promise comes to, where the browser is turned to.
func (b *inWebKit) execute(expression string, within time.Duration) (string, error) {
	var got struct{ Value, Error string }
	err := b.command(http.MethodPost, "/execute/async", map[string]any{
		"script": `const done = arguments[arguments.length - 1]; (` + expression + `).then(value => done({ value }), e => done({ error: String(e) }))`,
		"args":   []any{},
	}, &got, within)
	if err == nil && got.Error != "" {
		err = errors.New(got.Error)
	}
	return got.Value, err
}

func (b *inWebKit) keys(keys string) {
	b.t.Helper()
	b.top()
	b.must("/actions", map[string]any{"actions": webDriverKeys(keys)}, nil)
}

func (b *inWebKit) frame(address string) driver {
	inner := *b
	inner.inner = address
	return &inner
}

func (b *inWebKit) expect(string) {}
