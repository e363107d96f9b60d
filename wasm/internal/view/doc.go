// Package view turns a snapshot of the world into what a reader sees: marks for the stage, words to lay over them,
// numbers, captions and one sentence. It knows neither the page nor the browser, so that all of it is tested natively.
//
//	layout.go    where everything stands, for a width and a height
//	scene.go     one frame: Update, then Marks and Labels
//	ways.go      how much goes from box to box, and which way a mark takes
//	flights.go   what travels between the boxes
//	waits.go     who waits for an answer, or before a retry
//	follow.go    one request's time against its limit
//	terms.go     what the picture has to know of the rule
//	label.go     words on the picture, where there is room
//	width.go     how wide words are
//	path.go      the order of the dependencies, and which of them are in the picture
//	slots.go     who holds the slots and waits for them, without flicker
//	occupancy.go who holds the slots, over time
//	occupied.go  the words of that picture
//	held.go      what is kept of the time that has passed
//	takeaway.go  files and texts to take away
//	numbers.go   rates over the last second, from the snapshots' counts
//	sentence.go  what is going on, in one sentence
//	caption.go   what just happened, and who would have been woken
//	differences.go what tells two runs apart, and their rules
//	spread.go    one scenario under many seeds
//	storm.go     how a retry becomes a load of its own
//	erase.go     what can be taken out of it
//	exits.go     what may be retried
//	history.go   the seconds that were, in columns
//	capacity.go  what a dependency could do when
//	chart.go     how columns become paths: scales, ticks, what is left of four hours
//	charts.go    the charts, what they say, and the tables behind them
//	timeline.go  the time of a run, to be dragged
//	rule.go      the rule in words
//	matrix.go    what follows from it with pencil and paper
//	holds.go     which rule with a name it is
//	broken.go    what is broken, and what is planned
//	breaking.go  what can be broken, and a fault as it is typed
//	format.go    how numbers are written
package view
