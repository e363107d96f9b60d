package words

import (
	"math"
	"strings"
	"testing"
	"time"

	"stormbin/pastebin"
)

const day = 24 * time.Hour

func TestExpiry(t *testing.T) {
	for _, test := range []struct {
		left time.Duration
		want string
	}{
		{-3 * time.Second, "expires now"},
		{0, "expires now"},
		{time.Millisecond, "expires in less than a minute"},
		{59*time.Second + 999*time.Millisecond, "expires in less than a minute"},
		{time.Minute, "expires in 1 minute"},
		{10*time.Minute - time.Second, "expires in 10 minutes"},
		{time.Hour - time.Second, "expires in 1 hour"},
		{90*time.Minute + time.Second, "expires in 2 hours"},
		{day - time.Second, "expires in 1 day"},
		{7*day - time.Second, "expires in 7 days"},
		{10*365*day - time.Second, "expires in 10 years"},
		{math.MinInt64, "expires now"},
		{math.MaxInt64 - 1, "expires in 292 years"},
		{time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC).Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), "expires in more than 290 years"},
	} {
		if got := Expiry(test.left); got != test.want {
			t.Errorf("%v before its end it says %q, want %q", test.left, got, test.want)
		}
	}
}

func TestSort(t *testing.T) {
	at := func(n int) time.Time { return time.UnixMilli(int64(n)).UTC() }
	pastes := []pastebin.Paste{ // the newest first
		{ID: "e", Created: at(5), Size: 2},
		{ID: "d", Created: at(4), Title: "beta", Size: 9},
		{ID: "c", Created: at(3), Title: "Alpha", Size: 2, Expires: at(90)},
		{ID: "b", Created: at(2), Title: "Beta", Size: 1, Expires: at(80)},
		{ID: "a", Created: at(1), Title: "alpha", Size: 5},
	}
	for _, test := range []struct {
		by   Order
		want string
	}{{Newest, "edcba"}, {Oldest, "abcde"}, {Title, "cadbe"}, {Largest, "daecb"}, {Expiring, "bceda"}} {
		list := append([]pastebin.Paste(nil), pastes...)
		for turn := range list { // from whatever order
			list = append(list[1:], list[0])
			list[0], list[turn] = list[turn], list[0]
			Sort(list, test.by)
			var got strings.Builder
			for _, p := range list {
				got.WriteString(p.ID)
			}
			if got.String() != test.want {
				t.Errorf("by %s: %s, want %s", test.by, got.String(), test.want)
			}
		}
	}
}

func TestHas(t *testing.T) {
	for _, test := range []struct {
		text, lower string
		want        bool
	}{
		{"Notes on Raft", "raft", true}, {"Notes on Raft", "", true}, {"Notes on Raft", "paxos", false},
		{"ÉTÉ", "été", true}, {"", "a", false},
	} {
		if got := Has(test.text, test.lower); got != test.want {
			t.Errorf("%q has %q: %v, want %v", test.text, test.lower, got, test.want)
		}
	}
}

func TestListSentences(t *testing.T) {
	long := strings.Repeat("é", 41)
	for _, test := range []struct{ got, want string }{
		{Shown(0, 0), ""}, {Shown(1, 1), "1 paste."}, {Shown(50, 5000), "50 of 5,000 pastes."},
		{Searching("x", 3, 1200, 5000), "Found 3 with “x” so far, looked through 1,200 of 5,000 …"},
		{Searching("x", 0, 7, 5), "Found 0 with “x” so far, looked through 5 of 5 …"}, // texts of pastes that are gone count too
		{Found("x", 0, 0), "There are no pastes yet, so none has “x”."},
		{Found("x", 0, 5000), "Nothing found: “x” is in no title and no text of 5,000 pastes."},
		{Found("x", 1, 1), "Your one paste has “x”."}, {Found("x", 1, 2), "1 of 2 pastes has “x”."}, {Found("x", 2, 2), "2 of 2 pastes have “x”."},
		{Found(long, 2, 3), "2 of 3 pastes have “" + long[:80] + "…”."},
		{Deleted(1), "1 paste deleted."}, {Deleted(3), "3 pastes deleted."},
		{DeletedBefore(0, 3), ""}, {DeletedBefore(1, 3), " 1 of the 3 pastes was deleted before that."}, {DeletedBefore(2, 3), " 2 of the 3 pastes were deleted before that."},
		{Restored(2, 2, ""), "2 pastes brought back."}, {Restored(1, 2, "Too late."), "1 of 2 pastes brought back. Too late."}, {Restored(0, 1, "Too late."), "Too late."},
		{UndoFor(time.Minute, 3, 0), "for 60 s"}, {UndoFor(time.Minute, 1200, 1), "for 60 s, the last 1,200 only"},
		{Seconds(time.Minute), "60 s"}, {Seconds(time.Millisecond), "1 s"},
		{ExportName(time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)), "stormbin-pastes-2026-11-30.jsonl"},
		{Kind(pastebin.Paste{}), "Plain text"}, {Kind(pastebin.Paste{Language: "go"}), "Go"}, {Kind(pastebin.Paste{Language: "go", Binary: true}), "Binary"},
		{Label(""), "Plain text"}, {Label("go"), "Go"}, {Label("of a later version"), "of a later version"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestImported(t *testing.T) {
	for _, test := range []struct {
		of   pastebin.Imported
		want string
	}{
		{pastebin.Imported{}, "There are no pastes in it."},
		{pastebin.Imported{Added: 1200}, "1,200 added."},
		{pastebin.Imported{Added: 3, Had: 2, Clashed: 1, Damaged: 1, Problems: []string{"line 7: it ends too early"}},
			"3 added, 2 were here already, 1 clashes with another paste of the same id and was left out, 1 line damaged (line 7: it ends too early)."},
		{pastebin.Imported{Had: 1, Clashed: 2, Expired: 1}, "1 was here already, 2 clash with other pastes of the same ids and were left out, 1 has expired and was left out."},
		{pastebin.Imported{Added: 9, Missing: 1}, "9 added. The file begins by counting 1 paste more than are in it: its end was cut off, or they could not be exported."},
		{pastebin.Imported{Missing: 1200}, "There are no pastes in it. The file begins by counting 1,200 pastes more than are in it: its end was cut off, or they could not be exported."},
		{pastebin.Imported{Damaged: 5, Problems: []string{"line 1: a", "line 2: b", "line 3: c", "line 4: d", "line 5: e"}},
			"5 lines damaged (line 1: a; line 2: b; line 3: c; and 2 more)."},
	} {
		if got := Imported(test.of); got != test.want {
			t.Errorf("%+v: %q, want %q", test.of, got, test.want)
		}
	}
}

func TestRoom(t *testing.T) {
	for _, test := range []struct {
		used, room int64
		persistent bool
		parts      []string
		not        string
	}{
		{1_234_567, 10_737_418_240, false, []string{"about 1.2 MB of the 11 GB", "may remove"}, "private"},
		{999, 0, false, []string{"about 999 bytes."}, "allows"},
		{340_000, 120_000_000, false, []string{"340 kB of the 120 MB", "private"}, "persistent"},
		{999_999, 120_000_000, true, []string{"1 MB of", "persistent"}, "private"},
	} {
		got := Room(test.used, test.room, test.persistent)
		for _, part := range test.parts {
			if !strings.Contains(got, part) {
				t.Errorf("%d of %d: %q, want it to say %q", test.used, test.room, got, part)
			}
		}
		if strings.Contains(got, test.not) {
			t.Errorf("%d of %d: %q, want no %q", test.used, test.room, got, test.not)
		}
	}
}

func TestBurning(t *testing.T) {
	if got := Burning(0); got != "" {
		t.Errorf("of none it says %q", got)
	}
	for n, begin := range map[int]string{1: "The paste that burns ", 1200: "The 1,200 pastes that burn "} {
		if got := Burning(n); !strings.HasPrefix(got, begin) {
			t.Errorf("of %d it says %q", n, got)
		}
	}
}

// A title says what it is made of, whatever it is made of.
func TestTitleOf(t *testing.T) {
	for title, want := range map[string]string{
		"":                        "Untitled abcdef",
		" ":                       "Untitled abcdef",
		"\r\n\t\u00a0\u3000":      "Untitled abcdef",
		"notes, 2 × €":            "notes, 2 × €",
		"عنوان and כותרת":         "عنوان and כותרת",
		"👨\u200d👩\u200d👧 at home": "👨\u200d👩\u200d👧 at home",
		"invoice\u202Egpj.exe":    "invoice[U+202E]gpj.exe",
		"a\u200b\u200bb\u2066":    "a[U+200B]b[U+2066]",
		"\x00\x1b[2Ja":            "[U+0000][U+001B][2Ja",
		"one\u2028two":            "one[U+2028]two",
		"as it is\u00a0with that": "as it is\u00a0with that",
	} {
		if got := TitleOf(pastebin.Paste{ID: "abcdefgh", Title: title}); got != want {
			t.Errorf("%q is shown as %q, want %q", title, got, want)
		}
	}
	if got := TitleOf(pastebin.Paste{}); got != "Untitled" {
		t.Errorf("one without an id is called %q", got)
	}
}
