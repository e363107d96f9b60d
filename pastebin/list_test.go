package pastebin_test

import (
	"testing"
	"time"

	"stormbin/pastebin"
)

func TestList(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		first := w.saved("first")
		time.Sleep(time.Second)
		second := w.saved("second")
		w.sick["primary_read"] = stalled
		start := time.Now()
		list, err := w.List(t.Context())
		if err != nil || len(list) != 2 || list[0] != second || list[1] != first || time.Since(start) != 0 {
			t.Errorf("listed %+v, error %v, after %v\nwant %+v at once", list, err, time.Since(start), []pastebin.Paste{second, first})
		}
	})
}
