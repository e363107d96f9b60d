package memory_test

import (
	"testing"

	"stormbin/pastebin"
	"stormbin/pastebin/memory"
	"stormbin/pastebin/storetest"
)

func TestStores(t *testing.T) {
	storetest.Run(t, func(*testing.T) pastebin.Stores { return memory.New() })
}
