// Package own is the reader's own system: what of it has a field in a form, the same as JSON, each following the other, and
// what a stall of two seconds does to it. It knows no browser.
//
//	draft.go   the system as it is being written, as a scenario and as text, and back
//	form.go    its fields, each with its path
//	edit.go    things with names, added, renamed and removed, with all that refers to them
//	place.go   the line, and the field, that an error is about
//	shapes.go  what to begin with
//	trial.go   the runs that it is judged by
//	verdict.go what they came to, in words
//	shelf.go   what is kept in the browser, and files
package own
