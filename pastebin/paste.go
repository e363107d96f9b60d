package pastebin

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"sort"
	"strings"
	"time"
)

// Limits of one paste, in bytes.
const (
	MaxSize  = 1 << 20
	MaxTitle = 256
)

// Paste is what is known of a paste without its text: its row in the primary.
//
// A paste that has come to its end leaves a tombstone: its row, with Deleted and End set and Key emptied. Once its bytes
// are removed the tombstone is bare, which is ID, Deleted and End. It keeps the id taken for ever, so that a link never
// comes to mean something else, and so that "deleted" can be told from "never was".
type Paste struct {
	ID string
	// Title is valid UTF-8 without a byte order mark in front; may be empty.
	Title string
	// Language is what the text is written in, by the names of [Languages]; "" is plain text.
	Language string
	// Size and Sum are of the text: its length in bytes and its CRC-32 (IEEE). They tell half a paste, or another's
	// text, from the one that was saved.
	Size int
	Sum  uint32
	// Binary says that its bytes are no text: see [IsText].
	Binary bool
	// Burn says that the paste may be read once.
	Burn bool
	// Key is of the draft that the paste was made from: two living pastes never have the same. "" is none, and many have it.
	Key string
	// Created, Expires and Deleted are UTC, in whole milliseconds. Expires is zero if the paste never does, Deleted while it
	// lives.
	Created time.Time
	Expires time.Time
	Deleted time.Time
	// End is why it was deleted, "" while it lives.
	End End
	// By is who read it, where End is Burned: a name that its reader made up, so that one who asks again for the same
	// reading gets it. "" else.
	By string
}

// End is why a paste lives no more.
type End string

const (
	Removed End = "removed" // its owner deleted it
	Expired End = "expired" // its time was over
	Burned  End = "burned"  // it was to be read once, and was
	Reaped  End = "reaped"  // its create never came to its end: there never was a paste of this id
)

// ExpiredAt says whether its time is over at t.
func (p Paste) ExpiredAt(t time.Time) bool { return !p.Expires.IsZero() && !t.Before(p.Expires) }

// Bare says whether a tombstone is bare: nothing is left to read or to bring back.
func (p Paste) Bare() bool { return !p.Deleted.IsZero() && p.Created.IsZero() }

// NewestFirst compares for the order of a list: by Created, and by ID where that is the same.
func NewestFirst(a, b *Paste) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}

// Sort sorts a list by NewestFirst.
func Sort(list []Paste) { sort.Sort(newestFirst(list)) }

// newestFirst is for sort.Sort, which is the same code for whatever is sorted: slices.SortFunc is compiled anew for each.
type newestFirst []Paste

func (l newestFirst) Len() int           { return len(l) }
func (l newestFirst) Less(i, j int) bool { return NewestFirst(&l[i], &l[j]) < 0 }
func (l newestFirst) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// describe is the row for text under title. The text is kept as it is.
func describe(title, language string, text []byte) Paste {
	return Paste{Title: cleanTitle(title), Language: language, Size: len(text), Sum: crc32.ChecksumIEEE(text), Binary: !IsText(text)}
}

// cleanTitle makes U+FFFD of bytes that are not UTF-8, and drops a byte order mark in front: not every store could give
// those back.
func cleanTitle(title string) string {
	return strings.TrimLeft(strings.ToValidUTF8(title, "\uFFFD"), "\uFEFF")
}

// YieldsTo says whether q may take the place of p, the row of its id: of a tombstone, unless that can be brought back yet
// and had another content.
func (p Paste) YieldsTo(q Paste) bool {
	if p.Deleted.IsZero() {
		return false
	}
	return p.End != Removed || p.Bare() || sameContent(p, q)
}

// sameContent says whether a reader of p and of q reads the same.
func sameContent(p, q Paste) bool {
	return p.Title == q.Title && p.Language == q.Language && p.Size == q.Size && p.Sum == q.Sum && p.Burn == q.Burn
}

// check says what is wrong with text as the text of p.
func (p Paste) check(text []byte) error {
	if len(text) != p.Size {
		return fmt.Errorf("%s bytes came back where %s were saved", count(len(text)), count(p.Size))
	}
	if sum := crc32.ChecksumIEEE(text); sum != p.Sum {
		return fmt.Errorf("the bytes that came back have checksum %08x, those that were saved %08x", sum, p.Sum)
	}
	return nil
}
