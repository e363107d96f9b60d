package metrics

import "time"

// Window is the length of the windows that badness is judged in when it comes to the end of an outage.
const Window = 100 * time.Millisecond

const windowsPerSecond = int(time.Second / Window)

// Windows counts requests by the tenth of a second in which they arrived. The zero value is empty.
type Windows []Tally

// Tally is one window, or several.
type Tally struct{ Offered, OK, Failed uint32 }

// Offer counts an arrival.
func (w *Windows) Offer(arrived time.Duration) {
	i := int(arrived / Window)
	for len(*w) <= i {
		*w = append(*w, Tally{})
	}
	(*w)[i].Offered++
}

// End counts how a request that arrived then ended.
func (w Windows) End(arrived time.Duration, ok bool) {
	if t := &w[arrived/Window]; ok {
		t.OK++
	} else {
		t.Failed++
	}
}

// GiveUp counts every request that has not ended as failed: nobody will wait any longer.
func (w Windows) GiveUp() {
	for i := range w {
		w[i].Failed = w[i].Offered - w[i].OK
	}
}

// Settled is how many windows, from the first on, have no request under way any more: they never change again.
func (w Windows) Settled() int {
	for i, t := range w {
		if t.OK+t.Failed < t.Offered {
			return i
		}
	}
	return len(w)
}

// Second adds up the windows of second s.
func (w Windows) Second(s int) Tally { return w.sum(s*windowsPerSecond, (s+1)*windowsPerSecond) }

// sum adds up the windows from one to just before another, as far as there are any.
func (w Windows) sum(from, to int) (sum Tally) {
	for i := from; i < min(to, len(w)); i++ {
		sum.Offered += w[i].Offered
		sum.OK += w[i].OK
		sum.Failed += w[i].Failed
	}
	return sum
}

// Seconds is how many seconds have begun.
func (w Windows) Seconds() int { return (len(w) + windowsPerSecond - 1) / windowsPerSecond }

// Bad tells whether more than the allowed share of the arrivals, and at least one, ended badly.
func (t Tally) Bad(allowed float64) bool {
	return t.Failed > 0 && float64(t.Failed) > allowed*float64(t.Offered)
}

// BadSeconds counts the bad ones.
func (w Windows) BadSeconds(allowed float64) (n int) {
	for s := range w.Seconds() {
		if w.Second(s).Bad(allowed) {
			n++
		}
	}
	return n
}

// Outlasted is how long after end it was bad, as who looks at seconds would say: until the end of the last bad window that a
// bad second begins with. A request that fails once in a while makes its tenth of a second bad, and is no outage.
func (w Windows) Outlasted(end time.Duration, allowed float64) time.Duration {
	for i := len(w) - 1; i >= 0; i-- {
		if from := max(0, min(i, len(w)-windowsPerSecond)); w[i].Bad(allowed) && w.sum(from, from+windowsPerSecond).Bad(allowed) {
			return max(time.Duration(i+1)*Window-end, 0)
		}
	}
	return 0
}

// Recovery is how long after end the last bad window ended: 0 if none is bad after it. It is false if the last second
// that anything arrived in is bad, and not over by end.
func (w Windows) Recovery(end time.Duration, allowed float64) (after time.Duration, recovered bool) {
	last := w.Seconds() - 1
	for last > 0 && w.Second(last).Offered == 0 {
		last--
	}
	if last >= 0 && time.Duration(last+1)*time.Second > end && w.Second(last).Bad(allowed) {
		return 0, false
	}
	for i := len(w) - 1; i >= 0; i-- {
		if w[i].Bad(allowed) {
			return max(time.Duration(i+1)*Window-end, 0), true
		}
	}
	return 0, true
}
