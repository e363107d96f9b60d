// Package browser tests the built site in a real Chromium, and where browsers differ most, in a real Firefox too: the
// store, and the page from end to end. It is only built with the tag browser:
//
//	make test-browser
//
// harness_test.go starts Chromium and serves web/dist under a path of its own, as any static host might; page_test.go is
// what a test does with a page, and bidi_test.go the same in Firefox. A page that writes an error to its console fails its
// test; in Chromium, so does one that asks another host for anything.
package browser
