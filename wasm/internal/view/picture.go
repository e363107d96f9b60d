package view

import (
	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// Picture is one drawing of a run on the stage, kept from frame to frame: Resize, then for each frame Update and Marks.
// Words change less often: Labels. What they return is valid until they are called again.
type Picture interface {
	// Resize sets the size in CSS pixels.
	Resize(w, h float32)
	// Update takes in the newest snapshot, and keeps it until the next one.
	Update(snap *model.Snapshot, f Frame)
	Marks() []frame.Mark
	Labels() []Label
}
