//go:build js && wasm

package panel

import (
	"slices"

	"stormbin/wasm/internal/html"
)

// toggles is a list of words of which some hold: a small button for each, which stays pressed.
type toggles struct{ buttons []html.Element }

// newToggles enlivens the buttons in e that have a data-retry, to set the path. held is the words that hold now.
func newToggles(e html.Element, acts Acts, path, id string, held func() []string) toggles {
	t := toggles{html.All(e, "[data-retry]")}
	for _, b := range t.buttons {
		word := b.GetAttribute("data-retry")
		b.SetID(id + "-" + word)
		describe(b)
		html.On(b, "click", func(html.Event) {
			words := slices.Clone(held())
			if i := slices.Index(words, word); i >= 0 {
				words = slices.Delete(words, i, i+1)
			} else {
				words = append(words, word)
			}
			html.Refuse(b, acts.Set(path, words))
		})
	}
	return t
}

func (t *toggles) fill(words []string) {
	for _, b := range t.buttons {
		html.Press(b, slices.Contains(words, b.GetAttribute("data-retry")))
	}
}
