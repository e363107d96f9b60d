package live

import "time"

// Real is the machine's own time, counted from now on. The page uses it where nothing is simulated.
func Real() Clock { return realClock{start: time.Now()} }

type realClock struct{ start time.Time }

func (c realClock) Now() time.Duration { return time.Since(c.start) }

func (c realClock) At(t time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(t-c.Now(), f)
	return func() { timer.Stop() }
}

func (realClock) Hold()    {}
func (realClock) Release() {}
