package rich

import (
	"fmt"

	"stormbin/engine/metrics"
)

// Limits of what is made rich, in bytes. More takes a browser seconds, and the page many elements.
const (
	MaxHighlight = 256 << 10
	MaxMarkdown  = 256 << 10
)

// TooLargeError says that a text is over its limit. It is for the reader to see.
type TooLargeError struct {
	Size, Max int // in bytes
	Done      string
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("The text has %s bytes. Up to %s are %s.",
		metrics.Thousands(int64(e.Size)), metrics.Thousands(int64(e.Max)), e.Done)
}

// limit is nil for a text of up to max bytes, which would be done with, such as "coloured".
func limit(text string, max int, done string) error {
	if len(text) <= max {
		return nil
	}
	return &TooLargeError{len(text), max, done}
}
