//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"stormbin/pastebin"
)

// A tab that never lets go of an old version keeps the database shut. Whoever waits for it must get to know.
func TestBlocked(t *testing.T) {
	name := fresh(t)
	old := oldTab(t, name)

	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := Open(ctx, name)
	if !errors.Is(err, pastebin.ErrBlocked) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v, want ErrBlocked, with the name %s", err, name)
	}

	// The open that was given up on goes through now, and must let go by itself: else the delete would never end.
	old.Call("close")
	remove(t, name)
	open(t, name) // and the next one works
}

// A tab with an old version that does let go costs nobody anything.
func TestNotBlockedByATabThatMakesWay(t *testing.T) {
	name := fresh(t)
	old := oldTab(t, name)
	old.Set("onversionchange", function("this.close()"))
	open(t, name)
}

// oldTab is a connection of the first version of this page.
func oldTab(t *testing.T, name string) js.Value {
	t.Helper()
	run(t, earlier[1], name, noon.UnixMilli())
	return raw(t, name, 1)
}

// An upgrade that fails leaves the database as it was.
func TestUpgradeThatFails(t *testing.T) {
	released := upgrades
	defer func() { upgrades = released }()
	for name, test := range map[string]struct {
		step func(db, tx js.Value)
		want string
	}{
		"a call throws": {
			func(db, _ js.Value) { db.Call("createObjectStore") }, "TypeError",
		},
		"a request fails": {
			func(_, tx js.Value) { tx.Call("objectStore", bucketStore).Call("add", "again", "a") }, "ConstraintError",
		},
		"the browser takes it back": {
			func(_, tx js.Value) { tx.Call("abort") }, "AbortError",
		},
	} {
		t.Run(name, func(t *testing.T) {
			upgrades = released
			name := fresh(t)
			db := open(t, name)
			ok(t, db.Stores().Bucket.Put(t.Context(), "a", []byte("text")))
			db.Close()

			upgrades = append(released[:len(released):len(released)],
				func(db, _ js.Value) { db.Call("createObjectStore", "half way") }, test.step)
			_, err := Open(t.Context(), name)
			if err == nil || !strings.Contains(err.Error(), "open "+name) || !strings.Contains(err.Error(), test.want) ||
				!strings.Contains(err.Error(), "upgrading it from version 2 to 4 failed") {
				t.Errorf("error %v, want one that says that upgrading %s failed for %s", err, name, test.want)
			}

			upgrades = released
			db = open(t, name)
			if text, err := db.Stores().Bucket.Get(t.Context(), "a"); string(text) != "text" || err != nil {
				t.Errorf("after it read %q, error %v", text, err)
			}
			if stores := db.conn.value.Get("objectStoreNames"); stores.Call("contains", "half way").Bool() {
				t.Error("half of the upgrade was kept")
			}
		})
	}
}

func TestRefused(t *testing.T) {
	throws := func(name string) map[string]any {
		return map[string]any{"open": function("throw new DOMException('so it says', '" + name + "')")}
	}
	for name, test := range map[string]struct {
		factory any
		want    error
		says    string
	}{
		"forbidden": {throws("SecurityError"), pastebin.ErrForbidden, "SecurityError: so it says"},
		"absent":    {js.Undefined(), pastebin.ErrForbidden, "no IndexedDB"},
		"full":      {throws("QuotaExceededError"), pastebin.ErrQuota, "QuotaExceededError: so it says"},
	} {
		t.Run(name, func(t *testing.T) {
			needBrowser(t)
			patch(t, js.Global(), "indexedDB", test.factory)
			_, err := Open(t.Context(), "refused")
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q with %s", err, test.want, test.says)
			}
			if errors.Is(err, pastebin.ErrClosed) {
				t.Errorf("error %v is ErrClosed too; it never was open", err)
			}
		})
	}
	t.Run("even to look", func(t *testing.T) {
		needBrowser(t)
		own := js.Global().Get("Object").Call("getOwnPropertyDescriptor", js.Global(), "indexedDB")
		define := func(descriptor any) {
			js.Global().Get("Object").Call("defineProperty", js.Global(), "indexedDB", descriptor)
		}
		defer define(own)
		define(map[string]any{"get": function("throw new DOMException('not in a sandbox', 'SecurityError')"), "configurable": true})
		if _, err := Open(t.Context(), "refused"); !errors.Is(err, pastebin.ErrForbidden) {
			t.Errorf("error %v, want ErrForbidden", err)
		}
	})
	open(t, fresh(t))
}
