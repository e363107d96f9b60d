package pastebin_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stormbin/pastebin"
)

const someID = "2k8MnQzRtWxYpLhGfDsA34"

func TestParsePasteLink(t *testing.T) {
	for _, test := range []struct {
		fragment string
		want     pastebin.Link
		ignored  []string
	}{
		{"#p/" + someID, pastebin.Link{ID: someID}, nil},
		{"p/" + someID, pastebin.Link{ID: someID}, nil},
		{"%23p/" + someID, pastebin.Link{ID: someID}, nil},
		{"#%23p/" + someID, pastebin.Link{ID: someID}, nil},
		{"#%2523p%252F" + someID, pastebin.Link{ID: someID}, nil},
		{"#p/" + someID + ":L3", pastebin.Link{ID: someID, From: 3, To: 3}, nil},
		{"#p/" + someID + ":L3-9", pastebin.Link{ID: someID, From: 3, To: 9}, nil},
		{"#p/" + someID + ":L3-L9", pastebin.Link{ID: someID, From: 3, To: 9}, nil},
		{"#p/" + someID + ":L9-3", pastebin.Link{ID: someID, From: 3, To: 9}, nil},
		{"#p/" + someID + "%3AL3-9", pastebin.Link{ID: someID, From: 3, To: 9}, nil},
		{"#p/" + someID + ":L3-", pastebin.Link{ID: someID, From: 3, To: 3}, []string{"-"}},
		{"#p/" + someID + ":L0", pastebin.Link{ID: someID}, []string{":L0"}},
		{"#p/" + someID + ":L99999999999999999999", pastebin.Link{ID: someID}, []string{":L99999999999999999999"}},
		{"#p/" + someID + ".", pastebin.Link{ID: someID}, []string{"."}},
		{"#p/" + someID + ")>", pastebin.Link{ID: someID}, []string{")>"}},
		{"#p/" + someID + ":L3,", pastebin.Link{ID: someID, From: 3, To: 3}, []string{","}},
		{"#p/" + someID + "&utm_source=x&utm_medium=y", pastebin.Link{ID: someID}, []string{"&utm_source=x", "&utm_medium=y"}},
		{"#p/" + someID + "?fbclid=abc.", pastebin.Link{ID: someID}, []string{"?fbclid=abc."}},
		{"#p/" + someID + ":L3-9).&gclid=1", pastebin.Link{ID: someID, From: 3, To: 9}, []string{").", "&gclid=1"}},
	} {
		got, ignored, err := pastebin.ParseLink(test.fragment)
		if err != nil || got != test.want || !slices.Equal(ignored, test.ignored) {
			t.Errorf("%s is %+v without %q, error %v\nwant %+v without %q", test.fragment, got, ignored, err, test.want, test.ignored)
		}
	}
}

func TestLinksOfOthers(t *testing.T) {
	for _, fragment := range []string{"", "#", "#v1/two-service", "#v1z/abc.3.00000000", "#paste", "#pa/" + someID, "#P/" + someID, "#contents", "#c", "#p"} {
		_, _, err := pastebin.ParseLink(fragment)
		var bad *pastebin.BadLink
		if cut := fragment == "#c" || fragment == "#p"; cut && !errors.As(err, &bad) || !cut && !errors.Is(err, pastebin.ErrNotALink) {
			t.Errorf("%q: error %v", fragment, err)
		}
	}
	_, _, err := pastebin.ParseLink("#c9/12.00000000.abc")
	wantBad(t, "#c9", err, "This link has version 9, and this page reads version 1.")
}

func wantBad(t *testing.T, link string, err error, sentence string) {
	t.Helper()
	var bad *pastebin.BadLink
	if !errors.As(err, &bad) || !strings.Contains(bad.Reason, sentence) {
		t.Errorf("%s: error %v\nwant %s", link, err, sentence)
	}
}

func TestPasteLinkThatWasCutOrAltered(t *testing.T) {
	link := pastebin.PasteLink(someID)
	for n := len("#p/"); n < len(link); n++ {
		sentence := fmt.Sprintf("The link was cut: %d of the 22 letters of its id are missing.", len(link)-n)
		for _, after := range []string{"", ".", ").", "&utm_source=x"} {
			_, _, err := pastebin.ParseLink(link[:n] + after)
			wantBad(t, link[:n]+after, err, sentence)
		}
	}
	for n := len("#p/"); n < len(link); n++ {
		for _, letter := range []string{"0", "O", "l", "-", ".", "é"} {
			altered := link[:n] + letter + link[n+1:]
			if n == len(link)-1 && strings.ContainsAny(letter, ".") {
				continue // that is a link which was cut, at the end of a sentence
			}
			_, _, err := pastebin.ParseLink(altered)
			wantBad(t, altered, err, "The link was altered")
		}
	}
	_, _, err := pastebin.ParseLink(link + "a")
	wantBad(t, link+"a", err, "The link was altered")
}

func TestLineLink(t *testing.T) {
	for want, lines := range map[string][2]int{"#p/" + someID + ":L3": {3, 3}, "#p/" + someID + ":L3-9": {3, 9}} {
		if got := pastebin.LineLink(someID, lines[0], lines[1]); got != want {
			t.Errorf("lines %v have the link %s, want %s", lines, got, want)
		}
	}
}

// reads checks that a link with content says what it should.
func reads(t testing.TB, link string, want pastebin.Content, ignored ...string) {
	t.Helper()
	got, left, err := pastebin.ParseLink(link)
	if err != nil {
		t.Errorf("%.40s…: %v", link, err)
		return
	}
	if got.ID != "" || got.Content == nil || got.Content.Title != want.Title || got.Content.Language != want.Language || !bytes.Equal(got.Content.Text, want.Text) {
		t.Errorf("%.40s… is %+v\nwant %+v", link, got.Content, want)
	}
	if !slices.Equal(left, ignored) {
		t.Errorf("%.40s… without %q, want %q", link, left, ignored)
	}
}

func TestContentLink(t *testing.T) {
	for name, text := range samples() {
		c := pastebin.Content{Title: name, Language: "markdown", Text: text}
		link, err := pastebin.ContentLink(c)
		if err != nil {
			if !errors.Is(err, pastebin.ErrTooLong) || len(text) < 1000 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if len(link) > 2000 {
			t.Errorf("%s: a link of %d characters", name, len(link))
		}
		reads(t, link, c)
		for _, after := range []string{".", ")", ">", "&utm_source=x", "?fbclid=abc", "\u201d"} {
			reads(t, link+after, c, after)
		}
		reads(t, "%23"+link[1:], c)
		reads(t, "#"+url.QueryEscape(link), c)
	}
}

func TestContentLinkOfAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := pastebin.Content{Title: anyTitle().Draw(rt, "title"), Language: anyLanguage().Draw(rt, "language"), Text: anyText().Draw(rt, "text")}
		link, err := pastebin.ContentLink(c)
		if err != nil {
			rt.Fatal(err)
		}
		reads(t, link, c)
	})
}

func TestContentThatIsTooLong(t *testing.T) {
	text := make([]byte, 1450)
	rand.NewChaCha8([32]byte{}).Read(text)
	for n := 1400; n < len(text); n++ { // random bytes can't be packed: each makes the link longer
		link, err := pastebin.ContentLink(pastebin.Content{Text: text[:n]})
		if err == nil && len(link) <= 2000 {
			continue
		}
		if link != "" || !errors.Is(err, pastebin.ErrTooLong) {
			t.Errorf("%d bytes: a link of %d characters, error %v", n, len(link), err)
		}
	}
	_, err := pastebin.ContentLink(pastebin.Content{Text: bytes.Repeat(text, 10)})
	wantError(t, err, 413, "A link with this content would have ")
	wantError(t, err, 413, " characters, and at most 2,000 are sure to arrive whole.")
}

// contentLink is one of several hundred characters.
func contentLink(t *testing.T) string {
	text := make([]byte, 300)
	rand.NewChaCha8([32]byte{1}).Read(text)
	link, err := pastebin.ContentLink(pastebin.Content{Title: "title", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return link
}

func TestContentLinkThatWasCut(t *testing.T) {
	link := contentLink(t)
	readable := strings.Index(link, ".") + 1 // from there on its length is
	for n := len("#c"); n < len(link); n++ {
		_, _, err := pastebin.ParseLink(link[:n])
		sentence := "The link was cut: most of it is missing."
		if n >= readable {
			sentence = fmt.Sprintf("The link was cut: %d of its %d characters are missing.", len(link)-n, len(link))
		}
		wantBad(t, link[:n], err, sentence)
		if n >= readable {
			for _, after := range []string{"&utm_source=newsletter", "&fbclid=" + strings.Repeat("x", 500)} {
				_, _, err := pastebin.ParseLink(link[:n] + after)
				wantBad(t, link[:n]+after, err, sentence)
			}
		}
	}
}

func TestContentLinkThatWasAltered(t *testing.T) {
	link := contentLink(t)
	for n := len("#c1/"); n < len(link); n++ {
		for _, letter := range "0158abzAZ-_.&?%+ é" {
			altered := link[:n] + string(letter) + link[n+1:]
			if altered == link {
				continue
			}
			_, _, err := pastebin.ParseLink(altered)
			wantBad(t, altered, err, "The link was altered")
		}
	}
	for _, altered := range []string{link + "a", link[:50] + link[51:] + "a", strings.ToLower(link)} {
		_, _, err := pastebin.ParseLink(altered)
		wantBad(t, altered, err, "The link was altered")
	}
}

// No link is read that holds more than a paste can, wherever the reading of it would end: what is shown is all there is.
func TestContentThatIsTooMuch(t *testing.T) {
	for _, language := range []int{0, 2, 600, 1015, 1021, 1023, 1025, 3000} {
		for _, more := range []int{-600, -1, 0, 1, 300, 600} {
			var packed bytes.Buffer
			z, _ := flate.NewWriter(&packed, flate.BestCompression)
			z.Write([]byte{0})
			z.Write(binary.AppendUvarint(nil, uint64(language)))
			z.Write(bytes.Repeat([]byte("g"), language))
			z.Write(make([]byte, pastebin.MaxSize+more))
			z.Close()
			payload := base64.RawURLEncoding.EncodeToString(packed.Bytes())
			l, _, err := pastebin.ParseLink(fmt.Sprintf("#c1/%d.%08x.%s", len(payload), crc32.ChecksumIEEE([]byte(payload)), payload))
			switch {
			case err == nil && len(l.Content.Text) != pastebin.MaxSize+more:
				t.Errorf("a language of %d bytes: %d bytes of text, of %d", language, len(l.Content.Text), pastebin.MaxSize+more)
			case err == nil && more > 0, err != nil && more <= 0 && language < 1000:
				t.Errorf("a language of %d bytes, a text of %d: error %v", language, pastebin.MaxSize+more, err)
			}
		}
	}
}

// Whoever made a link is not given the page to write on.
func TestBadLinksAreToldInShort(t *testing.T) {
	long := strings.Repeat("1", 1e6)
	for _, fragment := range []string{"#p/" + long, "#c" + long, "#c" + long + "/", "#c1/" + long, "#c1/" + long + ".", "#c1/10." + long, "#p/" + someID + long} {
		_, _, err := pastebin.ParseLink(fragment)
		if wantBad(t, fragment[:10], err, "link"); err != nil && len(err.Error()) > 300 {
			t.Errorf("%.20s…: a sentence of %d bytes", fragment, len(err.Error()))
		}
	}
}

func FuzzParseLink(f *testing.F) {
	for name, text := range samples() {
		if link, err := pastebin.ContentLink(pastebin.Content{Title: name, Language: "go", Text: text}); err == nil {
			f.Add(link)
			f.Add(link[:len(link)/2])
			f.Add("%23" + link[1:] + "&utm_source=x")
		}
	}
	f.Add("#p/" + someID + ":L3-9).")
	f.Add("#p/%")
	f.Add("#c1/0.00000000.")
	f.Add("#c1/99999999999999999999.00000000.a")
	f.Fuzz(func(t *testing.T, fragment string) {
		l, ignored, err := pastebin.ParseLink(fragment)
		var bad *pastebin.BadLink
		switch {
		case errors.Is(err, pastebin.ErrNotALink):
		case errors.As(err, &bad):
			if !strings.HasSuffix(bad.Reason, ".") || l != (pastebin.Link{}) {
				t.Errorf("%q: %+v with %q", fragment, l, bad.Reason)
			}
		case err != nil:
			t.Errorf("%q: error %v", fragment, err)
		case l.Content != nil:
			// What could be read can be linked to again, unless another hand packed it better than we do.
			if link, err := pastebin.ContentLink(*l.Content); err == nil {
				reads(t, link, *l.Content)
			}
		default:
			link := pastebin.PasteLink(l.ID)
			if l.From > 0 {
				link = pastebin.LineLink(l.ID, l.From, l.To)
			}
			again, left, err := pastebin.ParseLink(link)
			if again != l || left != nil || err != nil {
				t.Errorf("%q (without %q) is %+v, and its own link %q is %+v, error %v", fragment, ignored, l, link, again, err)
			}
		}
	})
}
