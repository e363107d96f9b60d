package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"stormbin/engine/live"
)

func TestReal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(5 * s)
		clock := live.Real()
		if now := clock.Now(); now != 0 {
			t.Errorf("it starts at %v, want 0s", now)
		}
		called := make(chan time.Duration, 3)
		call := func() { called <- clock.Now() }
		clock.At(3*s, call)
		stop := clock.At(2*s, call)
		time.Sleep(s)
		clock.At(0, call) // which has passed
		if at := <-called; at != s {
			t.Errorf("called at %v for a time that has passed, want 1s, at once", at)
		}
		stop()
		if at := <-called; at != 3*s {
			t.Errorf("called at %v, want 3s: what was stopped is not called", at)
		}
	})
}
