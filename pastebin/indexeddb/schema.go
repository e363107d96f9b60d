//go:build js && wasm

package indexeddb

import "syscall/js"

// The object stores, and their indices.
const (
	primaryStore = "primary" // rows by id
	bucketStore  = "bucket"  // Uint8Array; the key is apart, so that a text is nothing but itself
	cacheStore   = "cache"   // entries by id
	jobsStore    = "jobs"    // jobs by kind and paste

	byFilled = "filled" // of cacheStore
	byRunAt  = "runAt"  // of jobsStore
)

// upgrades lead from each version to the next; the version of a database is how many it has had. What has been released
// is never changed: add to the end.
var upgrades = []func(db js.Value){
	func(db js.Value) {
		db.Call("createObjectStore", primaryStore, map[string]any{"keyPath": "id"})
		db.Call("createObjectStore", bucketStore)
		db.Call("createObjectStore", cacheStore, map[string]any{"keyPath": "id"}).
			Call("createIndex", byFilled, "filled")
		db.Call("createObjectStore", jobsStore, map[string]any{"keyPath": []any{"kind", "paste"}}).
			Call("createIndex", byRunAt, "runAt")
	},
}

// upgrade brings a database of that version up to date.
func upgrade(db js.Value, version int) {
	for _, step := range upgrades[version:] {
		step(db)
	}
}
