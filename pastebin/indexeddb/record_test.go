//go:build js && wasm

package indexeddb

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"stormbin/pastebin"
)

// Anybody can write into this database: an older version, the browser's tools, an extension. One odd record must not hide
// the others, and never end the page.
func TestOddRecords(t *testing.T) {
	db, ctx := open(t, fresh(t)), t.Context()
	s := db.Stores()
	good := pastebin.Paste{ID: "m good", Title: "good", Size: 4, Created: noon}
	job := pastebin.Job{Kind: pastebin.Detach, Paste: "good", RunAt: noon}
	ok(t, s.Primary.Insert(ctx, good, job))
	ok(t, s.Bucket.Put(ctx, good.ID, []byte("good")))

	// Of each row, one field is odd; its id says which.
	run(t, `const tx = a.transaction([...a.objectStoreNames], "readwrite"), store = name => tx.objectStore(name);
		const odd = ["text", NaN, -1e300, 1e300, Infinity, true, false, null, undefined, 7n, [], {}, new Date(), new Uint8Array(3), "\ud83d"];
		const row = { title: "t", language: "go", size: 1, sum: 1, burn: false, created: b, expires: b };
		odd.forEach((value, i) => {
			for (const field of ["title", "language", "size", "sum", "burn", "key", "created", "expires", "end", "by"]) {
				store("primary").put({ ...row, id: field + " " + i, [field]: field === "key" && typeof value === "string" ? undefined : value });
			}
			store("cache").put({ id: "cached " + i, text: value, filled: b, title: value, created: value });
			store("bucket").put(value, "text " + i);
			store("jobs").put({ kind: "reap", paste: "job " + i, runAt: b + 1000, attempts: value });
		});
		for (const id of [7, new Date(b), new Uint8Array(2), [], ["a"], "bare"]) {
			store("primary").put({ id });
			store("bucket").put(new Uint8Array(1), id);
		}
		for (const paste of [7, []]) store("jobs").put({ kind: 7, paste, runAt: b - 1000, attempts: 0 });
		store("jobs").put({ kind: "reap", paste: "never", runAt: "soon" });
		store("leases").put("nobody", "workers");
		await new Promise((well, badly) => { tx.oncomplete = well; tx.onabort = badly; });`, db.conn.value, noon.UnixMilli())

	list, err := s.Primary.List(ctx)
	ok(t, err)
	if want := 15*10 + 2; len(list) != want { // all but those whose id is no text
		t.Errorf("listed %d rows, want %d", len(list), want)
	}
	if !slices.Contains(list, good) {
		t.Error("the good row isn't listed")
	}
	for _, p := range list {
		for field, at := range map[string]time.Time{"created": p.Created, "expires": p.Expires} {
			if _, err := at.MarshalText(); err != nil {
				t.Errorf("%s of %q: %v", field, p.ID, err)
			}
		}
		if field, _, _ := strings.Cut(p.ID, " "); field == "size" && (p.Title != "t" || p.Language != "go" || !p.Created.Equal(noon)) {
			t.Errorf("what is right of %q is not read: %+v", p.ID, p)
		}
		if got, err := s.Primary.Get(ctx, p.ID); got != p || err != nil {
			t.Errorf("row %+v, error %v; listed as %+v", got, err, p)
		}
	}

	objects, err := s.Bucket.Scan(ctx, "", 1000)
	ok(t, err)
	if want := 15 + 2; len(objects) != want {
		t.Errorf("scanned %d texts, want %d", len(objects), want)
	}
	if !slices.ContainsFunc(objects, func(o pastebin.Object) bool { return o.ID == good.ID && string(o.Text) == "good" }) {
		t.Error("the good text isn't among the scanned")
	}
	for _, o := range objects {
		text, err := s.Bucket.Get(ctx, o.ID)
		if err == nil != (o.Text != nil) || string(text) != string(o.Text) {
			t.Errorf("text of %q: %q, error %v; scanned as %q", o.ID, text, err, o.Text)
		}
		_, _ = s.Cache.Get(ctx, strings.Replace(o.ID, "text", "cached", 1)) // must come back
	}

	end := noon.Add(time.Hour)
	taken := 0
	for ; ; taken++ {
		got, err := s.Jobs.Take(ctx, noon.Add(time.Minute), end)
		if errors.Is(err, pastebin.ErrNotFound) {
			break
		}
		ok(t, err)
		if taken == 0 && got.Paste != "good" {
			t.Errorf("the first job is %+v", got)
		}
		ok(t, s.Jobs.Remove(ctx, got))
	}
	if taken != 16 {
		t.Errorf("%d jobs were done, want 16", taken)
	}
	if lead, err := s.Jobs.Lead(ctx, "me", noon, end); !lead || err != nil {
		t.Errorf("lead: %v, error %v", lead, err)
	}
}
