//go:build browser

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// countPersist counts how often the browser is asked to keep what there is for good, and has it answer so. The count
// outlives the page.
func countPersist(granted bool) string {
	return fmt.Sprintf(`StorageManager.prototype.persist = () => {
		sessionStorage.setItem("asked", 1 + Number(sessionStorage.getItem("asked"))); return Promise.resolve(%t) };
		StorageManager.prototype.persisted = () => Promise.resolve(%t && !!sessionStorage.getItem("asked"))`, granted, granted)
}

// The browser is asked to keep what there is for good once something is saved, and not before; nor ever again where it
// has refused.
func TestPersistenceIsAskedForAfterTheFirstSave(t *testing.T) {
	for _, granted := range []bool{true, false} {
		t.Run(fmt.Sprint(granted), func(t *testing.T) {
			p := openSite(t, "picture.png", look{NoWebGL: true})
			p.expect("favicon.ico")
			p.before(countPersist(granted))
			p.goTo(origin + base)
			asked := func() int { return eval[int](p, `Number(sessionStorage.getItem("asked"))`) }
			p.said("store-used", "takes up about")
			if n := asked(); n != 0 {
				t.Errorf("asked %d times before anything was saved", n)
			}
			p.set("#scenario", "pastebin")
			p.createFile("first", "1")
			p.waitFor(`sessionStorage.getItem("asked")`)
			want := "may remove it without asking"
			if granted {
				want = "It is persistent"
			}
			p.said("store-used", want)
			p.createFile("second", "2")
			p.waitForRows(2)
			p.again()
			p.set("#scenario", "pastebin")
			p.createFile("third", "3")
			p.waitForRows(3)
			p.said("store-used", want)
			if n := asked(); n != 1 {
				t.Errorf("asked %d times for three pastes, want once", n)
			}
		})
	}
}

// A database that is deleted under the page is not made anew in silence: it says that nothing can be saved any more, goes
// on saying so, and what was typed is still there after a reload.
func TestADatabaseThatIsDeleted(t *testing.T) {
	p := openDesk(t, "")
	p.createFile("one", "1")
	p.waitForRows(1)
	p.run(`new Promise((ok, no) => { const r = indexedDB.deleteDatabase("stormbin"); r.onsuccess = ok; r.onerror = no })`)
	p.said("store-note", "until the page is reloaded")
	p.said("store-near", "reloaded")
	p.waitForRows(0)
	if says := p.words("paste-list"); !strings.Contains(says, "reloaded") {
		t.Errorf("in place of the list it says %q", says)
	}
	p.set("#paste-text", "typed after that")
	p.push("#create")
	p.outcome("503")
	if eval[bool](p, `!!document.getElementById("paste-link").getAttribute("href")`) {
		t.Error("there is a link to what was not saved")
	}
	p.said("store-note", "until the page is reloaded")
	p.push("#store-note button")
	p.waitFor(`document.getElementById("store-note").textContent === "" && !document.getElementById("create").disabled`)
	if got := p.typed(); got != "typed after that" {
		t.Errorf("after the reload the editor holds %q", got)
	}
	p.set("#scenario", "pastebin")
	p.push("#create")
	p.outcome("201")
}

// An older page that does not make way is named, and the page goes on by itself once it is closed.
func TestAnOlderPageInTheWay(t *testing.T) {
	older := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	older.run(`new Promise((ok, no) => {
		const r = indexedDB.open("stormbin", 1);
		r.onupgradeneeded = () => { // as version 1 had it
			r.result.createObjectStore("primary", {keyPath: "id"});
			r.result.createObjectStore("bucket");
			r.result.createObjectStore("cache", {keyPath: "id"}).createIndex("filled", "filled");
			r.result.createObjectStore("jobs", {keyPath: ["kind", "paste"]}).createIndex("runAt", "runAt");
			r.transaction.objectStore("primary").put({id: "aaaaaaaaaaaaaaaaaaaaaa", title: "of version 1", size: 0, sum: 0, created: 1});
		};
		r.onsuccess = () => { window.db = r.result; ok() };
		r.onerror = no;
	})`)
	p := older.tab("", look{NoWebGL: true})
	p.said("store-note", "older version of this page")
	if eval[bool](p, `!!document.querySelector("#paste-list a")`) || !eval[bool](p, `document.getElementById("create").disabled`) {
		t.Error("it takes or shows pastes before it has its storage")
	}
	older.run(`db.close()`)
	p.waitForTitles("of version 1")
	p.said("store-note", "")
	p.waitFor(`!document.getElementById("create").disabled`)
}

// elsewhere serves the site from another address, as a host that lets anybody read it.
func elsewhere(t *testing.T) (address string) {
	t.Helper()
	address, _ = watched(t)
	return address
}

// watched is elsewhere, and tells when it was first asked for a file with such a name and when it had first sent one, in
// turns of what it was asked for and sent. They are 0 if it never did.
func watched(t *testing.T) (address string, when func(name *regexp.Regexp) (asked, sent int)) {
	t.Helper()
	var mu sync.Mutex
	var said []string
	say := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, what)
	}
	files := http.FileServer(http.Dir(dist))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		say("asked " + r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		files.ServeHTTP(w, r)
		say("sent " + r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/", // another site than the tests' own
		func(name *regexp.Regexp) (asked, sent int) {
			mu.Lock()
			defer mu.Unlock()
			first := func(verb string) int {
				return 1 + slices.IndexFunc(said, func(what string) bool { return strings.HasPrefix(what, verb) && name.MatchString(what) })
			}
			return first("asked "), first("sent ")
		}
}

// frameOf embeds an address in a page of the tests' own, and gives the frame.
func frameOf(t *testing.T, address, attributes string) *page {
	t.Helper()
	outer := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	outer.expect("request to another host: " + address)
	outer.run(`document.body.insertAdjacentHTML("beforeend", ` + "`" + `<iframe ` + attributes + ` width=900 height=700 src="` + address + `"></iframe>` + "`" + `)`)
	return outer.frame(address)
}

// A frame within the site's own pages is no other place.
func TestAFrameOfTheSiteItself(t *testing.T) {
	p := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	p.run(`frame = document.createElement("iframe"); frame.src = ` + quote(base) + `; document.body.append(frame)`)
	p.waitFor(`!frame.contentDocument.getElementById("create").disabled`)
	if note := eval[string](p, `frame.contentDocument.getElementById("store-note").textContent`); note != "" {
		t.Errorf("it says %q", note)
	}
}

// Where the browser refuses to store, the page says so, gives the browser's own reason to whoever asks for it, and works.
func TestStorageThatIsRefused(t *testing.T) {
	for name, refuses := range map[string]string{
		"forbidden": `IDBFactory.prototype.open = () => { throw new DOMException("cookies are blocked", "SecurityError") }`,
		"broken": `IDBFactory.prototype.open = () => { const request = new EventTarget(); Object.assign(request, {error: new DOMException("the file is corrupt", "UnknownError")});
			setTimeout(() => { const e = new Event("error", {cancelable: true}); request.onerror?.(e); request.dispatchEvent(e) }); return request }`,
		"not there": `delete globalThis.indexedDB; Object.defineProperty(globalThis, "indexedDB", {value: undefined})`,
	} {
		t.Run(name, func(t *testing.T) {
			p := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
			p.before(refuses)
			p.goTo(origin + base)
			p.waitFor(`!document.getElementById("create").disabled`)
			p.said("store-note", "memory only")
			if eval[bool](p, `document.querySelector("#store-note details").open`) {
				t.Error("the reason is open before anybody asks for it")
			}
			p.push("#tab-paste")
			p.run(`document.querySelector("#store-note summary").focus()`)
			p.press(kb.Enter)
			p.waitFor(`document.querySelector("#store-note details p").checkVisibility()`)
			reason := eval[string](p, `document.querySelector("#store-note details p").textContent`)
			for _, part := range map[string][]string{"forbidden": {"does not let", "cookies are blocked"}, "broken": {"the file is corrupt"}, "not there": {"This browser"}}[name] {
				if !strings.Contains(reason, part) {
					t.Errorf("the reason is %q, want it to say %q", reason, part)
				}
			}
			if found := p.axe(); found != "" {
				t.Error(found)
			}
			p.set("#paste-text", "kept as long as the page")
			p.push("#create")
			p.outcome("201")
			p.openMade()
			if got := p.bytes(); got != "kept as long as the page" {
				t.Errorf("it reads %q", got)
			}
		})
	}
}
