package run

// DoAtMost is Do with a limit of one's own in place of MaxEvents.
var DoAtMost = do

// WithoutCopies has do done as if no copy of the world had been kept, so that who goes back has to begin at the start.
func WithoutCopies(r *Run, do func()) {
	marks := r.tape.marks
	r.tape.marks = nil
	do()
	r.tape.marks = marks
}
