// Package pastebin keeps pastes, and is honest about what a slow or broken store did to one.
//
// A paste is two things: a row of metadata in the primary, and its bytes in the bucket. Every request reaches them
// through a live.Caller, one named call at a time, so that timeouts and retries are the caller's policy and not ours:
//
//	read    cache_get, primary_read, object_get
//	create  object_put, primary_insert
//	delete  primary_delete
//
// What needs no answer within the request (removing bytes, clearing up after a create that failed) is a job, which a
// [Worker] does later.
//
//	paste.go    what a paste is, and its limits
//	id.go       how it is named
//	ports.go    what is asked of a store; storetest holds every store to it
//	service.go  create, read, delete, list
//	call.go     one call, and how its answer comes back safely
//	errors.go   what can go wrong, and the sentence for it
//	worker.go   the jobs
package pastebin
