//go:build js && wasm

package page

// compare is what tells two runs on the same traffic apart.
type compare struct{ page *Page }

func (c *compare) bind(p *Page) { c.page = p }

// show says which runs are held against each other.
func (c *compare) show() {}

// write brings the differences up to date.
func (c *compare) write() {}
