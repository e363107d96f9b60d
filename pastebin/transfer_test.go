package pastebin_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"stormbin/pastebin"
	"stormbin/pastebin/memory"
)

// shelf is a service without a storm before it, on a clock that stands still.
func shelf() *pastebin.Service {
	return &pastebin.Service{Stores: memory.New(), Rand: rand.Reader, Now: func() time.Time { return noon }}
}

// keep puts a paste on the shelf.
func keep(t testing.TB, s *pastebin.Service, d pastebin.Draft) pastebin.Paste {
	t.Helper()
	p, err := s.Create(t.Context(), calm(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func exported(t testing.TB, s *pastebin.Service) string {
	t.Helper()
	var file strings.Builder
	if _, err := s.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// imported takes in a file, and checks the counts.
func imported(t testing.TB, s *pastebin.Service, file string, want pastebin.Imported, problems ...string) {
	t.Helper()
	got, err := s.Import(t.Context(), strings.NewReader(file), func(pastebin.Imported) {})
	if err != nil {
		t.Fatal(err)
	}
	if got.Added != want.Added || got.Had != want.Had || got.Clashed != want.Clashed || got.Expired != want.Expired || got.Damaged != want.Damaged || got.Missing != want.Missing {
		t.Errorf("imported %+v\nwant     %+v", got, want)
	}
	if len(got.Problems) != len(problems) {
		t.Fatalf("problems %q\nwant %q", got.Problems, problems)
	}
	for i, p := range problems {
		if !strings.HasPrefix(got.Problems[i], p) || len(got.Problems[i]) > 400 {
			t.Errorf("problem %.500q\nwant    %q, and no more than a reader reads", got.Problems[i], p)
		}
	}
}

func TestExportAndImport(t *testing.T) {
	from, to := shelf(), shelf()
	texts := map[string][]byte{} // by id
	for name, text := range samples() {
		p := keep(t, from, pastebin.Draft{Title: name, Text: text, Key: name, Language: "go", Lives: time.Hour, Burn: name == "markup"})
		texts[p.ID] = text
	}
	file := exported(t, from)
	imported(t, to, file, pastebin.Imported{Added: len(texts)})
	sameShelves(t, from, to)
	list, err := to.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		text, err := to.Bucket.Get(t.Context(), p.ID)
		if err != nil || !bytes.Equal(text, texts[p.ID]) {
			t.Errorf("%s: %d bytes came back, error %v; want the %d that were saved", p.Title, len(text), err, len(texts[p.ID]))
		}
	}
	if again := exported(t, to); again != file {
		t.Error("exported again it is another file")
	}
	imported(t, to, file, pastebin.Imported{Had: len(texts)})
	if _, err := (pastebin.Worker{Stores: to.Stores}).Run(t.Context(), noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := (pastebin.Worker{Stores: to.Stores}).Run(t.Context(), noon.Add(3*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if list, err := to.Primary.List(t.Context()); len(list) != 0 || err != nil {
		t.Errorf("%d imported pastes never expire, error %v", len(list), err)
	}
}

// sameShelves checks that two have the same pastes, but for their keys.
func sameShelves(t testing.TB, a, b *pastebin.Service) {
	t.Helper()
	has, err := a.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.List(t.Context())
	if err != nil || len(got) != len(has) {
		t.Fatalf("%d pastes and %d, error %v", len(has), len(got), err)
	}
	for i, p := range has {
		if p.Key = ""; p != got[i] {
			t.Errorf("paste %+v\nwas   %+v", got[i], p)
		}
	}
}

func TestExportAndImportOfAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		from, to := shelf(), shelf()
		n := rapid.IntRange(0, 5).Draw(rt, "pastes")
		for range n {
			keep(t, from, pastebin.Draft{Title: anyTitle().Draw(rt, "title"), Language: anyLanguage().Draw(rt, "language"), Text: anyText().Draw(rt, "text")})
		}
		file := exported(t, from)
		if rapid.Bool().Draw(rt, "through Windows") {
			file = "\uFEFF" + strings.ReplaceAll(file, "\n", "\r\n")
		}
		imported(t, to, file, pastebin.Imported{Added: n})
		sameShelves(t, from, to)
	})
}

func TestImportBesideWhatIsThere(t *testing.T) {
	from, to := shelf(), shelf()
	had, clash, dead, burned := keep(t, from, draft("had")), keep(t, from, draft("clash")), keep(t, from, draft("dead")), keep(t, from, draft("burned"))
	brief := draft("brief")
	brief.Lives = time.Hour
	keep(t, from, brief)
	file := exported(t, from)
	imported(t, to, file, pastebin.Imported{Added: 5})

	// What was deleted comes back with the file, whether its bytes are gone or not.
	for _, id := range []string{dead.ID, burned.ID} {
		if err := to.Delete(t.Context(), calm(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Primary.Clear(t.Context(), burned.ID, noon); err != nil {
		t.Fatal(err)
	}
	other := clash
	other.Title = "of the same id"
	if err := to.Delete(t.Context(), calm(), clash.ID); err != nil {
		t.Fatal(err)
	}
	if err := to.Primary.Clear(t.Context(), clash.ID, noon); err != nil {
		t.Fatal(err)
	}
	if err := to.Primary.Restore(t.Context(), other, []byte("clash")); err != nil {
		t.Fatal(err)
	}
	to.Now = func() time.Time { return noon.Add(2 * time.Hour) }
	imported(t, to, file, pastebin.Imported{Added: 2, Had: 1, Clashed: 1, Expired: 1},
		"line "+lineOf(file, clash.ID)+": paste "+clash.ID+" is here with another content")
	for id, want := range map[string]string{had.ID: "had", dead.ID: "dead", burned.ID: "burned"} {
		if _, text, err := to.Read(t.Context(), calm(), id); string(text) != want || err != nil {
			t.Errorf("read %q, error %v; want %q", text, err, want)
		}
	}
	if p, err := to.Primary.Get(t.Context(), clash.ID); p != other || err != nil {
		t.Errorf("what was there is %+v, error %v; want it as it was", p, err)
	}
	if _, err := (pastebin.Worker{Stores: to.Stores}).Run(t.Context(), noon.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, text, err := to.Read(t.Context(), calm(), dead.ID); string(text) != "dead" || err != nil {
		t.Errorf("after the worker: read %q, error %v", text, err)
	}
}

// A delete can be undone until its minute is over, whatever is imported in it: what comes back is what was deleted.
func TestImportBeforeUndo(t *testing.T) {
	from, to := shelf(), shelf()
	p := keep(t, from, draft("of the file"))
	file := exported(t, from)
	here := p
	here.Title = "deleted here"
	for _, row := range []pastebin.Paste{p, here} {
		if err := to.Primary.Restore(t.Context(), row, []byte("of the file")); err != nil {
			t.Fatal(err)
		}
		if err := to.Delete(t.Context(), calm(), p.ID); err != nil {
			t.Fatal(err)
		}
		undone := error(nil)
		if row == p {
			imported(t, to, file, pastebin.Imported{Added: 1})
			wantError(t, to.Undelete(t.Context(), p.ID), 409, "This paste is there already.")
		} else {
			imported(t, to, file, pastebin.Imported{Clashed: 1}, "line 2: paste "+p.ID+" was deleted here just now, with another content")
			undone = to.Undelete(t.Context(), p.ID)
		}
		if got, text, err := to.Read(t.Context(), calm(), p.ID); undone != nil || got != row || string(text) != "of the file" || err != nil {
			t.Errorf("read %+v with %q, errors %v and %v; want %+v", got, text, undone, err, row)
		}
		if err := to.Delete(t.Context(), calm(), p.ID); err != nil {
			t.Fatal(err)
		}
		if err := to.Primary.Clear(t.Context(), p.ID, noon); err != nil {
			t.Fatal(err)
		}
	}
	imported(t, to, file, pastebin.Imported{Added: 1}) // its minute is over
}

// What can't be read any more is not said to be here, and is added once it is cleared away.
func TestImportOfWhatHasExpiredHere(t *testing.T) {
	from, to := shelf(), shelf()
	p := keep(t, from, draft("text"))
	file := exported(t, from)
	p.Expires = noon.Add(time.Hour)
	if err := to.Primary.Restore(t.Context(), p, []byte("text"), pastebin.Job{Kind: pastebin.Expire, Paste: p.ID, RunAt: p.Expires}); err != nil {
		t.Fatal(err)
	}
	imported(t, to, file, pastebin.Imported{Had: 1})
	to.Now = func() time.Time { return noon.Add(2 * time.Hour) }
	imported(t, to, file, pastebin.Imported{Expired: 1}, "line 2: paste "+p.ID+" has expired here")
	for _, later := range []time.Duration{2 * time.Hour, 4 * time.Hour} {
		if _, err := (pastebin.Worker{Stores: to.Stores}).Run(t.Context(), noon.Add(later)); err != nil {
			t.Fatal(err)
		}
	}
	imported(t, to, file, pastebin.Imported{Added: 1})
}

// lineOf is the number of the line of a file that has s.
func lineOf(file, s string) string {
	before, _, _ := strings.Cut(file, s)
	return fmt.Sprint(1 + strings.Count(before, "\n"))
}

func TestImportOfDamage(t *testing.T) {
	from := shelf()
	a := keep(t, from, draft("text a"))
	file := exported(t, from)
	header, line, _ := strings.Cut(strings.TrimSpace(file), "\n")
	other := strings.Replace(line, a.ID, "22222222222222222222aa", 1)
	for name, test := range map[string]struct{ line, problem string }{
		"cut":                 {line[:len(line)-5], "line 2: it is no JSON object of a paste"},
		"not JSON":            {"hello", "line 2: it is no JSON object of a paste: not JSON"},
		"another object":      {`{"a": 1}`, `line 2: "" is no id of a paste`},
		"text altered":        {strings.Replace(line, "text a", "tent a", 1), "line 2: its text has 6 bytes with checksum"},
		"text cut":            {strings.Replace(line, "text a", "text", 1), "line 2: its text has 4 bytes with checksum"},
		"half a character":    {strings.Replace(line, "text a", `text \ud83d`, 1), "line 2: its text has 8 bytes with checksum"},
		"id altered":          {strings.Replace(line, a.ID, a.ID[:20]+"0O", 1), "line 2: \"" + a.ID[:20] + "0O\" is no id of a paste"},
		"title too long":      {strings.Replace(line, `"title":"title"`, `"title":"`+strings.Repeat("x", 257)+`"`, 1), "line 2: its title has 257 bytes, and at most 256 fit"},
		"text too long":       {strings.Replace(line, "text a", strings.Repeat("x", pastebin.MaxSize+1), 1), "line 2: its text has 1,048,577 bytes, and at most 1,048,576 fit"},
		"longer still":        {strings.Replace(line, "text a", strings.Repeat("x", 8<<20), 1), "line 2: it is longer than any paste’s"},
		"without a time":      {strings.Replace(line, `"created"`, `"creation"`, 1), "line 2: it does not say when the paste was created"},
		"before all years":    {strings.Replace(line, `"created":"`, `"created":"0000-12-31T23:59:59Z","was":"`, 1), "line 2: its created is \"0000-12-31T23:59:59Z\", and must be"},
		"after all years":     {strings.Replace(line, `"created"`, `"expires":"9999-12-31T23:59:59-01:00","created"`, 1), "line 2: its expires is \"9999-12-31T23:59:59-01:00\", and must be"},
		"a long id":           {strings.Replace(line, a.ID, strings.Repeat("x", 3<<20), 1), "line 2: \"" + strings.Repeat("x", 40) + "…\" is no id"},
		"a long number":       {strings.Replace(line, `"size":6`, `"size":6`+strings.Repeat("0", 3<<20), 1), "line 2: its size is 6" + strings.Repeat("0", 39) + "…, and must be"},
		"a long time":         {strings.Replace(line, `"created":"`, `"created":"`+strings.Repeat("2", 3<<20), 1), "line 2: its created is \"" + strings.Repeat("2", 40) + "…\", and"},
		"a long name":         {`{"` + strings.Repeat("x", 3<<20) + `":1,"id":true}`, "line 2: its id is not a string"},
		"not JSON, at length": {`{"id":` + strings.Repeat("x", 3<<20), "line 2: it is no JSON object of a paste"},
		"both ways at once":   {strings.Replace(line, `"text":`, `"base64":"AAAA","text":`, 1), "line 2: it has both text and base64"},
	} {
		t.Run(name, func(t *testing.T) {
			to := shelf()
			imported(t, to, header+"\n"+test.line+"\n\n"+other+"\n", pastebin.Imported{Added: 1, Damaged: 1}, test.problem)
			imported(t, shelf(), header+"\n"+other+"\n"+test.line, pastebin.Imported{Added: 1, Damaged: 1}, strings.Replace(test.problem, "line 2", "line 3", 1))
		})
	}
}

// Wherever a file was cut, what is whole of it is imported, and it is said how many pastes of it there were to be. An earlier
// version's file doesn't know.
func TestImportOfWhatWasCut(t *testing.T) {
	from := shelf()
	for _, name := range []string{"a", "b", "c"} {
		keep(t, from, draft(name))
	}
	file := exported(t, from)
	end := strings.Index(file, "\n") + 1 // of the first line
	for n := end; n <= len(file); n++ {
		got, err := shelf().Import(t.Context(), strings.NewReader(file[:n]), func(pastebin.Imported) {})
		if whole := strings.Count(file[end:n]+"\n", "}\n"); err != nil || got.Added != whole || got.Added+got.Damaged+got.Missing != 3 {
			t.Fatalf("of %d bytes of %d: %+v, error %v; want %d added", n, len(file), got, err, whole)
		}
	}
	for n := range end - 1 {
		_, err := shelf().Import(t.Context(), strings.NewReader(file[:n]), func(pastebin.Imported) {})
		wantError(t, err, 400, "This is not a file of pastes")
	}
	imported(t, shelf(), strings.Replace(file, `,"count":3`, "", 1), pastebin.Imported{Added: 3})
	imported(t, shelf(), strings.Replace(file, `:3}`, ":2}", 1), pastebin.Imported{Added: 3})
	_, err := shelf().Import(t.Context(), strings.NewReader(strings.Replace(file, `:3}`, ":-3}", 1)), func(pastebin.Imported) {})
	wantError(t, err, 400, "This is not a file of pastes")
}

func TestImportOfOtherFiles(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"empty":        {"", "This is not a file of pastes"},
		"text":         {"hello\n", "This is not a file of pastes"},
		"other JSON":   {"{}\n", "This is not a file of pastes"},
		"another kind": {`{"stormbin":1,"kind":"report"}`, "This is not a file of pastes"},
		"newer":        {`{"stormbin":2,"kind":"pastes"}`, "This file was written by a newer Stormbin: it has version 2, and this one reads version 1."},
		"huge":         {strings.Repeat("x", 8<<20), "This is not a file of pastes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := shelf().Import(t.Context(), strings.NewReader(test.file), func(pastebin.Imported) {})
			wantError(t, err, 400, test.want)
		})
	}
}

// A file that can't be read to its end keeps what came before.
func TestImportThatBreaks(t *testing.T) {
	from, to := shelf(), shelf()
	keep(t, from, draft("a"))
	keep(t, from, draft("b"))
	file := exported(t, from)
	broken := errors.New("the disk was pulled out")
	r := io.MultiReader(strings.NewReader(file[:len(file)-10]), iotest.ErrReader(broken))
	told := 0
	got, err := to.Import(t.Context(), r, func(i pastebin.Imported) { told = i.Added })
	if !errors.Is(err, broken) || got.Added != 1 || told != 1 {
		t.Errorf("imported %+v (told of %d), error %v; want one, and the reader's error", got, told, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := to.Import(ctx, strings.NewReader(file), func(pastebin.Imported) {}); !errors.Is(err, context.Canceled) || got.Added != 0 {
		t.Errorf("imported %+v, error %v; want nothing, and context.Canceled", got, err)
	}
	if n, err := from.Export(ctx, io.Discard); !errors.Is(err, context.Canceled) || n != 0 {
		t.Errorf("exported %d, error %v; want none, and context.Canceled", n, err)
	}
}

func TestExportOfDamage(t *testing.T) {
	s := shelf()
	damaged := keep(t, s, draft("damaged"))
	keep(t, s, draft("whole"))
	keep(t, s, draft("and sound"))
	if err := s.Bucket.Put(t.Context(), damaged.ID, []byte("dam")); err != nil {
		t.Fatal(err)
	}
	if err := s.Primary.Insert(t.Context(), pastebin.Paste{ID: "of no text", Size: 3, Created: noon}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	n, err := s.Export(t.Context(), &file)
	if n != 2 || err == nil || !strings.Contains(err.Error(), "paste "+damaged.ID+" is left out: 3 bytes came back where 7 were saved") ||
		!strings.Contains(err.Error(), "paste of no text is left out") {
		t.Errorf("exported %d, error %v; want the two that are whole, and the names of the others", n, err)
	}
	imported(t, shelf(), file.String(), pastebin.Imported{Added: 2, Missing: 2})
}

func FuzzImport(f *testing.F) {
	s := shelf()
	for _, text := range samples() {
		if len(text) < 2000 {
			keep(f, s, pastebin.Draft{Title: "title", Text: text, Lives: time.Hour})
		}
	}
	file := exported(f, s)
	f.Add([]byte(file))
	f.Add([]byte(file[:len(file)/2]))
	f.Add([]byte(strings.ReplaceAll(file, "a", "b")))
	f.Add([]byte("{\"stormbin\":1,\"kind\":\"pastes\"}\nnull\n[]\n{\"id\":null}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s := shelf()
		lines := bytes.Count(file, []byte("\n"))
		got, err := s.Import(t.Context(), bytes.NewReader(file), func(pastebin.Imported) {})
		if n := got.Added + got.Had + got.Clashed + got.Expired + got.Damaged; n > lines {
			t.Errorf("%d pastes in %d lines, error %v", n, lines, err)
		}
		// Whatever was taken can be read, and given away again.
		list, err := s.List(t.Context())
		if err != nil || len(list) != got.Added {
			t.Fatalf("listed %d, error %v; want the %d added", len(list), err, got.Added)
		}
		imported(t, shelf(), exported(t, s), pastebin.Imported{Added: len(list)})
	})
}

// However many there are, each is in the file once; and no text that is nobody's or of a paste that was deleted.
func TestExportOfWhatLives(t *testing.T) {
	from, to := shelf(), shelf()
	const n = 100
	for i := range n {
		p := keep(t, from, draft(fmt.Sprint("lives ", i)))
		gone := keep(t, from, draft(fmt.Sprint("gone ", i)))
		if err := from.Delete(t.Context(), calm(), gone.ID); err != nil {
			t.Fatal(err)
		}
		if err := from.Bucket.Put(t.Context(), p.ID[:10], []byte("of a create that never came to its end")); err != nil {
			t.Fatal(err)
		}
	}
	imported(t, to, exported(t, from), pastebin.Imported{Added: n})
	sameShelves(t, from, to)
}
