package scenario

import (
	"fmt"
	"slices"
	"time"
)

const (
	us  = Duration(time.Microsecond)
	ms  = Duration(time.Millisecond)
	sec = Duration(time.Second)
)

// Entry is one scenario of the catalogue, for people to choose from.
type Entry struct {
	ID       string // what links name it by: neither it nor what it stands for ever changes
	Title    string // a few words
	Family   string // experiment, pastebin, classics or queueing
	Question string // the one that it is there to answer
	Answer   string // in short, with the figures of its run
	// Against is the id of another on the very same traffic, to see beside it: one of them has the rule that the other lacks.
	// Empty: none.
	Against string
}

// built is a scenario of the catalogue and how it is made: by a function, or from another of the catalogue by what differs,
// as a link has it.
type built struct {
	id, title, question, answer, against string
	by                                   func() Scenario
	from, differs                        string
}

var families = []struct {
	id, name string
	all      []built
}{
	{"experiment", "The experiment: A calls B", experiment},
	{"pastebin", "A pastebin at its peak", pastes},
	{"classics", "Classics", classics},
	{"queueing", "Queueing", queueing},
}

// FamilyName is an [Entry]'s Family for people to read. Empty if there is none of that id.
func FamilyName(id string) string {
	for _, f := range families {
		if f.id == id {
			return f.name
		}
	}
	return ""
}

// List is the catalogue, in the order to show it in, each family together.
func List() []Entry {
	var list []Entry
	for _, f := range families {
		for _, b := range f.all {
			list = append(list, Entry{b.id, b.title, f.id, b.question, b.answer, b.against})
		}
	}
	return list
}

// Named is the entry of the built-in scenario of that id; nil if there is none. Inlined it would make the page's program larger
// by 3 KB.
//
//go:noinline
func Named(id string) *Entry {
	for _, e := range List() {
		if e.ID == id {
			return &e
		}
	}
	return nil
}

// Find is the built-in scenario of that id, as the caller's own copy. false if there is none.
func Find(id string) (Scenario, bool) {
	for _, f := range families {
		if i := slices.IndexFunc(f.all, func(b built) bool { return b.id == id }); i >= 0 {
			return f.all[i].build(), true
		}
	}
	return Scenario{}, false
}

func (b built) build() Scenario {
	var l Link
	if b.by != nil {
		l.Scenario = b.by()
	} else {
		l.Scenario, _ = Find(b.from)
		if _, err := l.read(b.differs); err != nil || len(l.Rest) > 0 {
			panic(fmt.Sprint("scenario: ", b.id, " of the catalogue: ", err, l.Rest))
		}
	}
	l.Scenario.ID = b.id
	return l.Scenario
}
