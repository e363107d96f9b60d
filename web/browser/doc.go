// Package browser tests the built site in real browsers: all of it in Chromium, and what every browser must do, which is
// in everywhere_test.go, in Firefox and WebKit too. It is only built with the tag browser:
//
//	make test-browser
//	make test-webkit
//
// harness_test.go starts Chromium and serves web/dist under a path of its own, as any static host might; page_test.go is
// what a test does with a page there, and reader_test.go what it does with one in any browser: bidi_test.go is how Firefox is
// spoken with, and webdriver_test.go how WebKit is. A page that writes an error to its console fails its test; in Chromium,
// so does one that asks another host for anything.
//
// Tests that take long and mostly wait run beside one another, once the others are through. Their pages have a window each,
// which draws and has the focus as if it were alone; but all pages share the clipboard.
package browser
