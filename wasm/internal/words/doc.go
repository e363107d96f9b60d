// Package words is what the desk says, and the small sums behind it: pure, so that it is tested without a browser.
//
//	write.go  about a text that is being written, and its links
//	read.go   about the paste that is open: its lines, its characters, its end
//	against.go  about the run beside another
//	list.go   about My pastes: ages, expiry, order, storage
package words
