// Package pastebin keeps pastes, and is honest about what a slow or broken store did to one.
//
// A paste is two things: a row of metadata in the primary, and its bytes in the bucket. Every request reaches them
// through a live.Caller, one named call at a time, so that timeouts and retries are the caller's policy and not ours:
//
//	read    cache_get, primary_read, object_get
//	burn    primary_read, object_get, primary_delete
//	create  object_put, primary_insert
//	delete  primary_delete
//
// What a reader does with their own pastes alone (list, search, undo, export, import) goes to the stores directly. What
// needs no answer within the request (removing bytes, clearing up after a create that failed, the end of a paste's time)
// is a job, which a [Worker] does later.
//
//	paste.go     what a paste is, and its limits
//	id.go        how it is named
//	link.go      how it is linked to, or sent whole in a link
//	language.go  what it may be written in
//	text.go      whether it is text, and what in it can't be seen
//	ports.go     what is asked of a store; storetest holds every store to it
//	service.go   what answers requests
//	create.go, read.go, burn.go, delete.go, search.go
//	transfer.go  all pastes to a file, and from one
//	call.go      one call, and how its answer comes back safely
//	errors.go    what can go wrong, and the sentence for it
//	worker.go    the jobs
package pastebin
