//go:build js && wasm

package desk

import (
	"context"
	"strings"
	"time"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/words"
)

// search finds pastes: by their titles at once, and by their texts as these are looked through. Typing on begins another
// one, and Escape ends it.
type search struct {
	list  *list
	field html.Element
	found *html.Text // what a search came to, read aloud

	query  string
	hits   map[string]bool
	seen   int  // texts looked through
	over   bool // all of them
	failed error
	cancel context.CancelFunc
	begun  int // counts the searches, so that only the last one's texts count
}

func newSearch(l *list) *search {
	s := &search{list: l, field: html.Find("list-search"), found: html.TextOf("list-found"), cancel: func() {}}
	html.On(s.field, "input", func(html.Event) { s.look(html.Value(s.field)) })
	html.On(s.field, "keydown", func(e html.Event) {
		if e.Key() == "Escape" && s.query != "" {
			e.PreventDefault()
			html.SetValue(s.field, "")
			s.look("")
		}
	})
	return s
}

// finds tells whether a paste is among those that are searched for.
func (s *search) finds(id string) bool { return s.query == "" || s.hits[id] }

// look begins a search for query; "" ends it.
func (s *search) look(query string) {
	if query == s.query {
		return
	}
	s.query, s.hits = query, nil
	s.list.most = batch
	s.start()
	s.list.render()
}

// changed says that the list is not what it was. Texts don't change, so what was found holds; fresh pastes have yet to be
// looked through.
func (s *search) changed(fresh bool) {
	if fresh && s.query != "" {
		s.start()
	}
}

// pause is how long typing has to rest before texts are looked through.
const pause = 150 * time.Millisecond

func (s *search) start() {
	s.cancel()
	s.begun++
	mine, query := s.begun, s.query
	s.seen, s.over, s.failed = 0, query == "", nil
	s.found.Set("")
	if query == "" {
		return
	}
	lower := strings.ToLower(query) // once: somebody may have pasted a whole file here
	hits := map[string]bool{}
	living := map[string]bool{} // and may be read by looking
	for _, p := range s.list.pastes {
		if s.hits[p.ID] || words.Has(words.TitleOf(p), lower) {
			hits[p.ID] = true
		}
		living[p.ID] = !p.Burn
	}
	s.hits = hits
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(context.Background())
	go func() {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		drawn := time.Now()
		var p pace
		err := s.list.desk.service.Search(ctx, query, func(ids []string, seen int) {
			if mine != s.begun {
				return
			}
			for _, id := range ids {
				if living[id] {
					hits[id] = true
				}
			}
			if s.seen = seen; time.Since(drawn) > pause {
				s.list.render()
				drawn = time.Now()
			}
			p.rest()
		})
		if mine != s.begun {
			return
		}
		s.over, s.failed = err == nil, err
		s.list.render()
	}()
}

// tell says how far the search has got, or what it came to.
func (s *search) tell() {
	n, all, now := 0, s.list.living, time.Now()
	for _, p := range s.list.pastes {
		if s.hits[p.ID] && !p.ExpiredAt(now) {
			n++
		}
	}
	switch {
	case s.failed != nil:
		s.list.count.Set("")
		s.found.Set("The texts could not all be looked through: " + s.failed.Error() + ".")
	case s.over:
		s.list.count.Set("")
		s.found.Set(words.Found(s.query, n, all))
	default:
		s.list.count.Set(words.Searching(s.query, n, s.seen, all))
	}
}
