//go:build js && wasm

package page

// timeline is the time of the run from its beginning, with what was broken when, and where in it we are.
type timeline struct{ page *Page }

func (t *timeline) bind(p *Page) { t.page = p }

// write brings it up to date.
func (t *timeline) write() {}
