package words

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"stormbin/pastebin"
	"stormbin/wasm/internal/view"
)

// Order is what a list of pastes is sorted by.
type Order string

const (
	Newest   Order = "newest"
	Oldest   Order = "oldest"
	Title    Order = "title" // letter case aside; those without one last
	Largest  Order = "size"
	Expiring Order = "expiring" // soonest first; those that are kept for ever last
)

// Sort sorts pastes. Those that are alike are in the order of pastebin.NewestFirst.
func Sort(pastes []pastebin.Paste, by Order) {
	places := make([]place, len(pastes))
	from := slices.Clone(pastes)
	for i := range from {
		places[i].Paste = &from[i]
		if by == Title {
			places[i].lower = strings.ToLower(from[i].Title)
		}
	}
	sort.Sort(ordered{places, by})
	for i, p := range places {
		pastes[i] = *p.Paste
	}
}

// A place is where a paste is: one is large, and thousands are moved many times.
type place struct {
	*pastebin.Paste
	lower string // its title
}

// ordered is for sort.Sort.
type ordered struct {
	places []place
	by     Order
}

func (o ordered) Len() int      { return len(o.places) }
func (o ordered) Swap(i, j int) { o.places[i], o.places[j] = o.places[j], o.places[i] }

func (o ordered) Less(i, j int) bool {
	a, b, order := o.places[i], o.places[j], 0
	switch o.by {
	case Oldest:
		return pastebin.NewestFirst(b.Paste, a.Paste) < 0
	case Title:
		order = cmp.Or(last(a.Title == "", b.Title == ""), cmp.Compare(a.lower, b.lower))
	case Largest:
		order = cmp.Compare(b.Size, a.Size)
	case Expiring:
		order = cmp.Or(last(a.Expires.IsZero(), b.Expires.IsZero()), a.Expires.Compare(b.Expires))
	}
	return cmp.Or(order, pastebin.NewestFirst(a.Paste, b.Paste)) < 0
}

// last compares so that what is true comes last.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Has tells whether text contains lower, which is in lower case, letter case aside. Everything contains "".
func Has(text, lower string) bool { return strings.Contains(strings.ToLower(text), lower) }

// TitleOf is what a paste is called; how its id begins, if its title is empty or all blanks. Characters in it that can't be
// seen or that turn others around are named: "invoice[U+202E]gpj.exe" would else be read as a picture.
func TitleOf(p pastebin.Paste) string {
	if strings.TrimSpace(p.Title) == "" {
		return strings.TrimSpace("Untitled " + p.ID[:min(len(p.ID), 6)])
	}
	var seen strings.Builder
	at := 0
	marks, _ := Hidden(p.Title, len(p.Title))
	for _, m := range marks {
		code, _, _ := strings.Cut(m.Name, " ")
		seen.WriteString(p.Title[at:m.From] + "[" + code + "]")
		at = m.To
	}
	return seen.String() + p.Title[at:]
}

// Kind says what a paste is: its language, or that it is no text.
func Kind(p pastebin.Paste) string {
	if p.Binary {
		return "Binary"
	}
	return Label(p.Language)
}

// Label is what a language is called.
func Label(language string) string {
	for _, l := range pastebin.Languages {
		if l.Name == language {
			return l.Label
		}
	}
	if language == "" {
		return "Plain text"
	}
	return language
}

// Expiry says when a paste goes that has so long to live: "expires in 3 days". It is never negative.
func Expiry(left time.Duration) string {
	minutes := int(left.Round(time.Minute) / time.Minute)
	hours, days := (minutes+30)/60, (minutes+12*60)/(24*60)
	switch {
	case left <= 0:
		return "expires now"
	case left < time.Minute:
		return "expires in less than a minute"
	case minutes < 60:
		return "expires in " + some(minutes, "minute")
	case hours < 24:
		return "expires in " + some(hours, "hour")
	case days < 2*365:
		return "expires in " + some(days, "day")
	case left == math.MaxInt64: // and may be any longer
		return "expires in more than 290 years"
	}
	return "expires in " + some((days+182)/365, "year")
}

// some is so many of a thing: "1 paste", "1,200 pastes".
func some(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return view.Count(int64(n)) + " " + thing
}

// Shown says how many of the pastes that there are stand in the list.
func Shown(shown, all int) string {
	switch {
	case all == 0:
		return ""
	case shown == all:
		return some(all, "paste") + "."
	}
	return view.Count(int64(shown)) + " of " + some(all, "paste") + "."
}

// Searching says how far a search has got that has found so many.
func Searching(query string, found, seen, all int) string {
	return "Found " + view.Count(int64(found)) + " with " + quoted(query) + " so far, looked through " +
		view.Count(int64(min(seen, all))) + " of " + view.Count(int64(all)) + " …"
}

// Found says what a search that is over has found.
func Found(query string, found, all int) string {
	switch {
	case all == 0:
		return "There are no pastes yet, so none has " + quoted(query) + "."
	case found == 0:
		return "Nothing found: " + quoted(query) + " is in no title and no text of " + some(all, "paste") + "."
	case found == 1 && all == 1:
		return "Your one paste has " + quoted(query) + "."
	case found == 1:
		return "1 of " + some(all, "paste") + " has " + quoted(query) + "."
	}
	return view.Count(int64(found)) + " of " + some(all, "paste") + " have " + quoted(query) + "."
}

// quoted is a reader's words within a sentence, cut if they are long.
func quoted(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return "“" + s + "”"
}

// Deleted says how many pastes are gone.
func Deleted(n int) string { return some(n, "paste") + " deleted." }

// DeletedBefore says how many of several were deleted before one that wasn't.
func DeletedBefore(n, of int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " 1 of the " + some(of, "paste") + " was deleted before that."
	}
	return " " + view.Count(int64(n)) + " of the " + some(of, "paste") + " were deleted before that."
}

// Restored says how many of some pastes are there again, and why not the others.
func Restored(n, of int, why string) string {
	switch {
	case n == of:
		return some(n, "paste") + " brought back."
	case n == 0:
		return why
	}
	return view.Count(int64(n)) + " of " + some(of, "paste") + " brought back. " + why
}

// UndoFor says for how long pastes can be brought back that were deleted together; for late of them it is too late.
func UndoFor(left time.Duration, n, late int) string {
	s := "for " + Seconds(left)
	if late > 0 {
		s += ", the last " + view.Count(int64(n)) + " only"
	}
	return s
}

// Seconds is a wait, rounded up: "52 s".
func Seconds(left time.Duration) string {
	return strconv.Itoa(int((left+time.Second-1)/time.Second)) + " s"
}

// Burning says what becomes of pastes that burn after reading in a file of all; "" of none.
func Burning(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "The paste that burns after reading is in the file too, for anyone who has it to read."
	}
	return "The " + some(n, "paste") + " that burn after reading are in the file too, for anyone who has it to read."
}

// ExportName is the file for all pastes, exported on that day.
func ExportName(day time.Time) string {
	return "stormbin-pastes-" + day.Format(time.DateOnly) + ".jsonl"
}

// Exported begins a sentence about the file that holds all pastes.
func Exported(n int) string {
	if n == 0 {
		return "There are no pastes to export:"
	}
	return some(n, "paste") + " exported:"
}

// ImportStopped says why an import went no further, and what it did before.
func ImportStopped(so pastebin.Imported, why string) string {
	s := "The import stopped: " + why
	if so.Added == 0 {
		return s + " Nothing was added, and nothing that was here has changed."
	}
	return s + " Before that: " + Imported(so) + " Importing the same file again goes on from there."
}

// Imported says what became of the pastes of a file: "3 added, 2 were here already, 1 line damaged (line 7: …)."
func Imported(i pastebin.Imported) string {
	var parts []string
	if i.Added > 0 {
		parts = append(parts, view.Count(int64(i.Added))+" added")
	}
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, view.Count(int64(n))+" "+many)
		}
	}
	add(i.Had, "was here already", "were here already")
	add(i.Clashed, "clashes with another paste of the same id and was left out", "clash with other pastes of the same ids and were left out")
	add(i.Expired, "has expired and was left out", "have expired and were left out")
	add(i.Damaged, "line damaged", "lines damaged")
	missing := ""
	if i.Missing > 0 {
		missing = " The file begins by counting " + some(i.Missing, "paste") + " more than are in it: its end was cut off, or they could not be exported."
	}
	if len(parts) == 0 {
		return "There are no pastes in it." + missing
	}
	s := strings.Join(parts, ", ")
	if len(i.Problems) > 0 {
		const most = 3
		named := i.Problems[:min(len(i.Problems), most)]
		s += " (" + strings.Join(named, "; ")
		if n := len(i.Problems) - most; n > 0 {
			s += "; and " + view.Count(int64(n)) + " more"
		}
		s += ")"
	}
	return s + "." + missing
}

// Room says how much room pastes take up in a browser, and for how long it keeps them. Both are in bytes, as the browser
// estimates them; room is 0 if it doesn't say.
func Room(used, room int64, persistent bool) string {
	s := "By the browser’s own count, all that is stored here takes up about " + roughly(used)
	if room > 0 {
		s += " of the " + roughly(room) + " that it allows"
	}
	if persistent {
		return s + ". It is persistent: the browser removes it only when you tell it to."
	}
	s += ". It is kept as best the browser can: should the disk run full, the browser may remove it without asking. " +
		"Export what must not be lost."
	if room > 0 && room < little {
		s += " So little room is often that of a private window, which forgets everything once it is closed."
	}
	return s
}

// little is less room than a browser gives a site that it means to keep.
const little = 512e6

// roughly is a size to two digits or three: "1.2 MB", "340 kB".
func roughly(bytes int64) string {
	x, units := float64(bytes), []string{"bytes", "kB", "MB", "GB", "TB"}
	for ; x >= 999.5 && len(units) > 1; units = units[1:] {
		x /= 1000
	}
	decimals := 0
	if x < 9.95 && units[0] != "bytes" {
		decimals = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', decimals, 64), ".0") + " " + units[0]
}
