//go:build js && wasm

package page

// charts are the numbers over time, of both runs where there are two.
type charts struct{ page *Page }

func (c *charts) bind(p *Page) { c.page = p }

// write brings them up to date, if they are looked at.
func (c *charts) write() {}
