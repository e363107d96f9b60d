// Package browser tests the built site in a real Chromium. It is only built with the tag browser:
//
//	make test-browser
//
// harness_test.go starts the browser and serves web/dist under a path of its own, as any static host might; page_test.go
// is what a test does with a page. A page that writes an error to its console, or asks another host for anything, fails
// its test.
package browser
