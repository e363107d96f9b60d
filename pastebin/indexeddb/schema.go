//go:build js && wasm

package indexeddb

import "syscall/js"

// The object stores, and their indices.
const (
	primaryStore = "primary" // rows by id
	bucketStore  = "bucket"  // Uint8Array; the key is apart, so that a text is nothing but itself
	cacheStore   = "cache"   // entries by id
	jobsStore    = "jobs"    // jobs by kind and paste
	leasesStore  = "leases"  // who has what until when; the key, what is had, is apart

	byKey    = "key"    // of primaryStore; has only the rows with a key
	byFilled = "filled" // of cacheStore
	byRunAt  = "runAt"  // of jobsStore
)

// upgrades lead from each version to the next; the version of a database is how many it has had. What has been released
// is never changed: add to the end. An upgrade only adds, so that whatever was written before is read still.
var upgrades = []func(db, tx js.Value){
	func(db, _ js.Value) {
		db.Call("createObjectStore", primaryStore, map[string]any{"keyPath": "id"})
		db.Call("createObjectStore", bucketStore)
		db.Call("createObjectStore", cacheStore, map[string]any{"keyPath": "id"}).
			Call("createIndex", byFilled, "filled")
		db.Call("createObjectStore", jobsStore, map[string]any{"keyPath": []any{"kind", "paste"}}).
			Call("createIndex", byRunAt, "runAt")
	},
	func(db, tx js.Value) {
		tx.Call("objectStore", primaryStore).Call("createIndex", byKey, "key", map[string]any{"unique": true})
		db.Call("createObjectStore", leasesStore)
	},
}

// upgrade brings a database of that version up to date.
func upgrade(db, tx js.Value, version int) {
	for _, step := range upgrades[version:] {
		step(db, tx)
	}
}
