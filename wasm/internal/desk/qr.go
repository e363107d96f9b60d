//go:build js && wasm

package desk

import (
	"strconv"

	"rsc.io/qr"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/words"
)

// picture is a link as a QR code, with the link in words beside it.
type picture struct {
	all, square, link html.Element
	note              *html.Text
	button            html.Element
}

// newPicture enlivens the button for it. of gives the link, a fragment, and what there is to know about it.
func newPicture(of func() (fragment, note string)) *picture {
	p := &picture{all: html.Find("view-qr"), square: html.Find("qr-square"), link: html.Find("qr-link"), note: html.TextOf("qr-note"),
		button: html.Find("view-qr-show")}
	html.On(p.button, "click", func(html.Event) {
		if !p.all.Get("hidden").Bool() {
			p.hide()
			return
		}
		fragment, note := of()
		p.link.SetAttribute("href", fragment)
		address := p.link.Get("href").String()
		p.link.SetTextContent(address)
		p.note.Set(note)
		err := DrawQR(p.square, address)
		if err != nil {
			p.note.Set("This link is too long for a QR code: " + err.Error() + ".")
		}
		html.Show(p.square, err == nil)
		html.Show(p.all, true)
		p.button.SetAttribute("aria-expanded", "true")
	})
	return p
}

// DrawQR draws an address as a QR code, in the SVG with one path that in has. The error is that it is too long for one; then
// what was drawn there stays.
func DrawQR(in html.Element, address string) error {
	code, err := qr.Encode(address, qr.L)
	if err != nil {
		return err
	}
	n := strconv.Itoa(code.Size + 8)
	html.In(in, "svg").SetAttribute("viewBox", "0 0 "+n+" "+n)
	html.In(in, "path").SetAttribute("d", words.QRPath(code.Size, code.Black))
	return nil
}

func (p *picture) hide() {
	html.Show(p.all, false)
	p.button.SetAttribute("aria-expanded", "false")
}
