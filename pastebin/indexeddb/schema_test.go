//go:build js && wasm

package indexeddb

import (
	"errors"
	"syscall/js"
	"testing"
	"time"

	"stormbin/pastebin"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 345_000_000, time.UTC)

// earlier is what each version of the page left behind that came before this one: the object stores it made, and the
// records it wrote, as it wrote them, in JavaScript, so that no later change of this package changes them. When upgrades
// gets longer, the version that was the last one until then gets its row here. Each holds the same things:
//
//	a paste "lives" and its text, and its copy in the cache; a tombstone "gone"; a job to detach that; a text "orphan" with a job to reap it
var earlier = []string{
	1: `const request = indexedDB.open(a, 1);
		request.onupgradeneeded = () => {
			const db = request.result;
			db.createObjectStore("primary", { keyPath: "id" });
			db.createObjectStore("bucket");
			db.createObjectStore("cache", { keyPath: "id" }).createIndex("filled", "filled");
			db.createObjectStore("jobs", { keyPath: ["kind", "paste"] }).createIndex("runAt", "runAt");
		};
		await new Promise((well, badly) => { request.onsuccess = well; request.onerror = badly; });
		const db = request.result, tx = db.transaction(["primary", "bucket", "cache", "jobs"], "readwrite");
		const store = name => tx.objectStore(name), text = new Uint8Array([0xef, 0xbb, 0xbf, 0x78, 0x0a]);
		const row = { id: "lives", title: "a title 🌩️", size: 5, sum: 0xfedcba98, created: b };
		store("primary").add(row);
		store("primary").put({ id: "gone", deleted: b + 1000 });
		store("bucket").put(text, "lives");
		store("bucket").put(text, "orphan");
		store("cache").put({ ...row, text, filled: b + 2000 });
		store("jobs").put({ kind: "detach", paste: "gone", runAt: b + 3000, attempts: 2 });
		store("jobs").put({ kind: "reap", paste: "orphan", runAt: b + 4000, attempts: 0 });
		await new Promise((well, badly) => { tx.oncomplete = well; tx.onabort = badly; });
		db.close();`,
}

func TestUpgradesFromEveryEarlierVersion(t *testing.T) {
	if len(earlier) != len(upgrades) {
		t.Errorf("there are %d upgrades, so earlier should hold the versions 1 to %d; its last is %d", len(upgrades), len(upgrades)-1, len(earlier)-1)
	}
	lives := pastebin.Paste{ID: "lives", Title: "a title 🌩️", Size: 5, Sum: 0xfedcba98, Created: noon}
	gone := pastebin.Paste{ID: "gone", Deleted: noon.Add(time.Second), End: pastebin.Removed}
	text := "\xef\xbb\xbfx\n"
	for version, leave := range earlier {
		if version == 0 {
			continue
		}
		t.Run(string(rune('0'+version)), func(t *testing.T) {
			name, ctx := fresh(t), t.Context()
			run(t, leave, name, noon.UnixMilli())
			s := open(t, name).Stores()

			list, err := s.Primary.List(ctx)
			if err != nil || len(list) != 1 || list[0] != lives {
				t.Errorf("listed %+v, error %v; want %+v", list, err, lives)
			}
			for _, want := range []pastebin.Paste{lives, gone} {
				if p, err := s.Primary.Get(ctx, want.ID); p != want || err != nil {
					t.Errorf("row %+v, error %v; want %+v", p, err, want)
				}
			}
			for _, id := range []string{"lives", "orphan"} {
				if got, err := s.Bucket.Get(ctx, id); string(got) != text || err != nil {
					t.Errorf("text of %s: %q, error %v; want %q", id, got, err, text)
				}
			}
			e, err := s.Cache.Get(ctx, "lives")
			if err != nil || e.Paste != lives || string(e.Text) != text || !e.Filled.Equal(noon.Add(2*time.Second)) {
				t.Errorf("in the cache %+v, error %v", e, err)
			}
			end := noon.Add(time.Hour)
			for _, want := range []pastebin.Job{
				{Kind: pastebin.Detach, Paste: "gone", RunAt: end, Attempts: 3},
				{Kind: pastebin.Reap, Paste: "orphan", RunAt: end, Attempts: 1},
			} {
				if job, err := s.Jobs.Take(ctx, noon.Add(time.Minute), end); job != want || err != nil {
					t.Errorf("job %+v, error %v; want %+v", job, err, want)
				}
			}

			// What this version can do, it can do with what is there.
			if err := s.Primary.Undelete(ctx, "gone"); !errors.Is(err, pastebin.ErrNotFound) {
				t.Errorf("undelete a bare tombstone: error %v, want ErrNotFound", err)
			}
			removed, err := s.Primary.Delete(ctx, pastebin.Paste{ID: "lives", Deleted: noon, End: pastebin.Removed})
			if err != nil || removed.Deleted.IsZero() {
				t.Errorf("deleted: %+v, error %v", removed, err)
			}
			ok(t, s.Primary.Undelete(ctx, "lives"))
			ok(t, s.Primary.Insert(ctx, pastebin.Paste{ID: "new", Key: "k", Created: noon}))
			if p, err := s.Primary.ByKey(ctx, "k"); p.ID != "new" || err != nil {
				t.Errorf("by its key: %+v, error %v", p, err)
			}
			if err := s.Primary.Insert(ctx, pastebin.Paste{ID: "newer", Key: "k", Created: noon}); !errors.Is(err, pastebin.ErrExists) {
				t.Errorf("a second with the key: error %v, want ErrExists", err)
			}
			if lead, err := s.Jobs.Lead(ctx, "me", noon, end); !lead || err != nil {
				t.Errorf("lead: %v, error %v", lead, err)
			}
		})
	}
}

// A database that was made by upgrades is the one that is made at once.
func TestUpgradesLeadToTheSameSchema(t *testing.T) {
	schema := func(name string) string {
		db := open(t, name)
		return run(t, `return JSON.stringify([...a.objectStoreNames].map(n => {
			const s = a.transaction(n).objectStore(n);
			return [n, s.keyPath, [...s.indexNames].map(i => [i, s.index(i).keyPath, s.index(i).unique, s.index(i).multiEntry])];
		}))`, db.conn.value).String()
	}
	want := schema(fresh(t))
	for version, leave := range earlier {
		if version == 0 {
			continue
		}
		name := fresh(t)
		run(t, leave, name, noon.UnixMilli())
		if got := schema(name); got != want {
			t.Errorf("from version %d: %s\nwant %s", version, got, want)
		}
	}
}

// A newer page has been here: this one must not touch what that wrote, and say that a reload helps.
func TestNewerVersion(t *testing.T) {
	name := fresh(t)
	raw(t, name, len(upgrades)+1).Call("close")
	if _, err := Open(t.Context(), name); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	if newer := settled(t, js.Global().Get("indexedDB").Call("open", name)); newer.Get("version").Int() != len(upgrades)+1 {
		t.Errorf("its version is %d now", newer.Get("version").Int())
	} else {
		newer.Call("close")
	}
}
