//go:build js && wasm

package page

import "stormbin/engine/scenario"

// storm is the storm diagram: how reads that time out become a load of their own.
type storm struct{ page *Page }

func (s *storm) bind(p *Page) { s.page = p }

// show prepares it for a scenario.
func (s *storm) show(set *scenario.Scenario) {}

// write brings it up to date, if it is looked at.
func (s *storm) write() {}
