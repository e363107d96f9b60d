package scenario_test

import (
	"cmp"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

func full(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	text, err := s.Full()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLinksAreReadable(t *testing.T) {
	tuned := func(id string, changes ...scenario.Change) scenario.Scenario {
		s := find(t, id)
		for _, c := range changes {
			if err := scenario.Set(&s, c.Path, c.Value); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	quiet := find(t, "two-service")
	quiet.Faults = nil
	played := find(t, "two-service")
	played.Faults = append(played.Faults,
		scenario.Fault{Target: "b", Kind: "flaky", Factor: 1, P: .2, At: scenario.Duration(12 * time.Second)},
		scenario.Fault{Target: "b", Kind: "stall", Factor: 1, At: scenario.Duration(20 * time.Second), For: scenario.Duration(2 * time.Second)})
	played.Changes = []scenario.Change{
		{At: scenario.Duration(7 * time.Second), Path: "policy.calls.b.attempts", Value: 1.},
		{At: scenario.Duration(9 * time.Second), Path: "policy.calls.b.retry_on", Value: []any{"error", "refused"}},
	}
	for link, s := range map[string]scenario.Scenario{
		"#v1/two-service":             find(t, "two-service"),
		"#v1/two-service?faults=none": quiet,
		"#v1/two-service?seed=7&policy.calls.b.attempts=1": tuned("two-service",
			scenario.Change{Path: "policy.calls.b.attempts", Value: 1}, scenario.Change{Path: "seed", Value: 7}),
		"#v1/two-service?policy.calls.b.timeout=200ms&policy.calls.b.retry_on=error,refused": tuned("two-service",
			scenario.Change{Path: "policy.calls.b.retry_on", Value: []string{"error", "refused"}}, scenario.Change{Path: "policy.calls.b.timeout", Value: "200ms"}),
		"#v1/two-service?fault=b,slow*8,3s,3s&fault=b,flaky*0.2,12s&fault=b,stall,20s,2s&7s@policy.calls.b.attempts=1&9s@policy.calls.b.retry_on=error,refused": played,
	} {
		linked(t, link, s)
	}
}

// linked holds a scenario to its link, both ways.
func linked(t *testing.T, link string, s scenario.Scenario) {
	t.Helper()
	if got := (scenario.Link{Scenario: s}).String(); got != link {
		t.Errorf("written as\n\t%s, want\n\t%s", got, link)
	}
	read, err := scenario.ParseLink(link)
	if err != nil {
		t.Errorf("%s: %v", link, err)
	} else if full(t, read.Scenario) != full(t, s) {
		t.Errorf("%s is read as another scenario", link)
	}
}

// A built-in with changes on its timeline is linked like any other: as it is, with other changes, with none of them, and
// with what else is tuned.
func TestLinksOfABuiltInWithChanges(t *testing.T) {
	own := find(t, "two-service")
	own.ID = "two-rules"
	own.Changes = []scenario.Change{{At: scenario.Duration(5 * time.Second), Path: "policy.calls.b.attempts", Value: 1.}}
	defer scenario.Offer(own)()
	tuned, played, bare := own.Clone(), own.Clone(), own.Clone()
	tuned.Seed = 7
	played.Changes = append(played.Changes, scenario.Change{At: scenario.Duration(9 * time.Second), Path: "policy.budget.percent", Value: 10.})
	bare.Changes = nil
	for link, s := range map[string]scenario.Scenario{
		"#v1/two-rules":        own,
		"#v1/two-rules?seed=7": tuned,
		"#v1/two-rules?5s@policy.calls.b.attempts=1&9s@policy.budget.percent=10": played,
		"#v1/two-rules?changes=none": bare,
	} {
		linked(t, link, s)
	}
}

// A fault whose kind has a number does nothing without it, in every link that was ever given out: the link says so, and what
// would do something. What has its number, or has none, is no doubt, and nor is what is written of any of them.
func TestAFaultWithoutItsNumber(t *testing.T) {
	for _, c := range []struct {
		short string
		want  scenario.Fault
		usual string // what the doubt proposes. Empty: there is none
	}{
		{"b,slow", scenario.Fault{Target: "b", Kind: "slow", Factor: 1}, "b,slow*10"},
		{"b,flaky", scenario.Fault{Target: "b", Kind: "flaky", Factor: 1}, "b,flaky*0.2"},
		{"b,lose", scenario.Fault{Target: "b", Kind: "lose", Factor: 1}, "b,lose*0.2"},
		{"b,capacity", scenario.Fault{Target: "b", Kind: "capacity", Factor: 1}, "b,capacity*0.5"},
		{"call,surge", scenario.Fault{Target: "call", Kind: "surge", Factor: 1}, "call,surge*2"},
		{"b,stall", scenario.Fault{Target: "b", Kind: "stall", Factor: 1}, ""},
		{"b,down", scenario.Fault{Target: "b", Kind: "down", Factor: 1}, ""},
		{"b,blackhole", scenario.Fault{Target: "b", Kind: "blackhole", Factor: 1}, ""},
		{"b,slow*1", scenario.Fault{Target: "b", Kind: "slow", Factor: 1}, ""},
		{"b,slow*8", scenario.Fault{Target: "b", Kind: "slow", Factor: 8}, ""},
		{"b,lose*0", scenario.Fault{Target: "b", Kind: "lose", Factor: 1}, ""},
	} {
		for _, times := range []string{"", ",3s", ",3s,2s"} {
			given := "fault=" + c.short + times
			l, err := scenario.ParseLink("#v1/two-service?" + given)
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			if times != "" {
				want.At = scenario.Duration(3 * time.Second)
			}
			if times == ",3s,2s" {
				want.For = scenario.Duration(2 * time.Second)
			}
			if !slices.Equal(l.Scenario.Faults, []scenario.Fault{want}) {
				t.Errorf("%s is %+v, want %+v", given, l.Scenario.Faults, want)
			}
			again, err := scenario.ParseLink(l.String())
			if err != nil || !slices.Equal(again.Scenario.Faults, l.Scenario.Faults) || again.Bare != nil || again.Doubts() != nil {
				t.Errorf("%s is written as %s, and read as %+v: %v, %v", given, l, again, err, again.Doubts())
			}
			if c.usual == "" {
				if l.Bare != nil {
					t.Errorf("%s is said to do nothing: %v", given, l.Bare)
				}
				continue
			}
			usual := "fault=" + c.usual + cmp.Or(times, ",0s")
			if !slices.Equal(l.Bare, []scenario.Bare{{Given: given, Usual: usual}}) || l.Doubts() != nil {
				t.Errorf("of %s is said %v, want that %s does something; it is doubted: %v", given, l.Bare, usual, l.Doubts())
			}
			proposed, err := scenario.ParseLink("#v1/two-service?" + usual)
			if err != nil || proposed.Bare != nil || slices.Equal(proposed.Scenario.Faults, l.Scenario.Faults) {
				t.Errorf("%s is proposed, which does nothing, either: %v, %v", usual, err, proposed.Bare)
			}
		}
	}
}

// Every built-in's link is short, and whatever a valid scenario is, its link is read as the same.
func TestLinksAreReadBack(t *testing.T) {
	for _, e := range scenario.List() {
		link := (scenario.Link{Scenario: find(t, e.ID)}).String()
		if t.Logf("%3d characters: %s", len(link), link); len(link) > 200 {
			t.Errorf("the link of %s has %d characters", e.ID, len(link))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		if rapid.Bool().Draw(t, "built in") {
			list := scenario.List()
			near, _ := scenario.Find(list[rapid.IntRange(0, len(list)-1).Draw(t, "which")].ID)
			near.Seed, near.Duration, near.Policy.Budget, near.Policy.Breaker, near.Processes.Count = s.Seed, s.Duration, s.Policy.Budget, s.Policy.Breaker, s.Processes.Count
			near.Policy.Breaker.Targets = nil
			s = near
		}
		if s.Validate() != nil {
			t.Skip("not valid")
		}
		l := scenario.Link{Scenario: s, Rest: []scenario.Parameter{{Key: "view", Value: rapid.String().Draw(t, "rest")}}}
		link := l.String()
		if strings.ContainsFunc(link, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"<>`{}|\\^", r) }) {
			t.Errorf("%s has something in it that an address may not have", link)
		}
		for _, passed := range []string{link, strings.TrimPrefix(link, "#"), link + "&utm_source=chat", strings.ReplaceAll(link, "&", "&amp;"), "%23" + url.PathEscape(link[1:]), "#" + strings.ReplaceAll(url.QueryEscape(link[1:]), "%2F", "/")} {
			read, err := scenario.ParseLink(passed)
			if err != nil {
				t.Fatalf("%s: %v", passed, err)
			}
			was, _ := s.Full()
			is, _ := read.Scenario.Full()
			if string(was) != string(is) {
				t.Fatalf("%s is read as another scenario:\n%s\nwant\n%s", passed, is, was)
			}
			if len(read.Rest) == 0 || read.Rest[0] != (scenario.Parameter{Key: "view", Value: strings.ToValidUTF8(l.Rest[0].Value, "\ufffd")}) {
				t.Errorf("%s: the rest is %q, want %q first", passed, read.Rest, l.Rest)
			}
		}
	})
}

// A link is liberal in what surrounds it.
func TestLinksInSentences(t *testing.T) {
	want := full(t, find(t, "pastebin"))
	for _, link := range []string{"#v1/pastebin", "v1/pastebin", "##v1/pastebin", "%23v1/pastebin", "%23v1%2Fpastebin", "#v1%2Fpastebin", "#v1/pastebin.", "#v1/pastebin)", "#v1/pastebin?", "#v1/pastebin?&", "#v1/pastebin&view=storm", "#v1/pastebin>"} {
		l, err := scenario.ParseLink(link)
		if err != nil || full(t, l.Scenario) != want {
			t.Errorf("%s: %v", link, err)
		}
	}
	for _, link := range []string{"#v1/pastebin?seed=7.", "#v1/pastebin?seed=7),", "#v1/pastebin?duration=30s&seed=7”", "#v1/pastebin%3Fseed%3D7", "#v1/pastebin%26seed%3D7", "#v1/pastebin%253Fseed%253D7%2526view%253Dstorm"} {
		l, err := scenario.ParseLink(link)
		if err != nil || l.Scenario.Seed != 7 {
			t.Errorf("%s: %v, seed %d", link, err, l.Scenario.Seed)
		}
	}
}

// What can't be followed says why, and is never another scenario.
func TestBadLinks(t *testing.T) {
	own := find(t, "two-service")
	own.ID = "mine"
	packed := (scenario.Link{Scenario: own}).String()
	if !strings.HasPrefix(packed, "#v1z/") {
		t.Fatalf("one of the reader's own is written as %s", packed)
	}
	for _, c := range []struct{ link, says string }{
		{"#v2/pastebin", "version v2"},
		{"#v1", "cut"},
		{"#v1/", "cut"},
		{"#v1/pastbin", "one of pastebin,"},
		{"#v1/pastebin?policy.calls.primary_read.atempts=1", "attempts"},
		{"#v1/pastebin?policy.calls.primary_read.attempts=0", "attempts"},
		{"#v1/pastebin?seed=", "seed"},
		{"#v1/pastebin?sede.x=1", "sede"},
		{"#v1/pastebin?fault=primary", "like b,slow*8,3s,3s"},
		{"#v1/pastebin?fault=primary,slow*x,3s", "number"},
		{"#v1/pastebin?fault=primary,slow*NaN,3s", "number"},
		{"#v1/pastebin?fault=primary,flaky*nan,3s", "number"},
		{"#v1/pastebin?fault=primary,slow*-Inf,3s", "number"},
		{"#v1/pastebin?fault=primary,slow*1e999,3s", "number"},
		{"#v1/pastebin?fault=primary,slow*1e308,3s", "factor"},
		{"#v1/pastebin?fault=primary,slow*2,soon", "duration"},
		{"#v1/pastebin?fault=nobody,stall,3s", `fault=nobody,stall,3s: target: "nobody": must be one of dependencies: `},
		{"#v1/pastebin?fault=primary,stall,3s&fault=primary,slow*-2,5h", `(1) fault=primary,slow*-2,5h0m0s: at: "5h0m0s": must be "0s" to "4h0m0s"; (2) fault=primary,slow*-2,5h0m0s: factor: -2: must be`},
		{"#v1/pastebin?seed=x&sed=7&view=storm&t=5s", `(2) "sed=7": means nothing in a link; must be left out, or one of seed, `},
		{"#v1/pastebin?seed=x&t=5x", `(2) t: "5x": must be a time, like 5s`},
		{"#v1/pastebin?seed=1&bad_share=2&seed=2", `(2) seed=2: is given more than once, and differently; must be given once`},
		{"#v1/pastebin?5s@policy.calls.primary_read.attempts=none", "attempts"},
		{"#v1/pastebin?soon@policy.calls.primary_read.attempts=1", "duration"},
		{packed[:len(packed)-1], "cut"},
		{packed[:len(packed)-20], "cut"},
		{packed[:7], "cut"},
		{strings.Replace(packed, packed[20:22], "__", 1), "altered"},
		{packed[:len(packed)-1] + "!", "cut"},
		{packed + "0", "altered"},
		{packed + ".0", "altered"},
		{"#v1/pastebin?seed=1&" + strings.Repeat("x=1&", scenario.MaxLink/4), "characters"},
	} {
		_, err := scenario.ParseLink(c.link)
		var bad *scenario.BadLink
		if !errors.As(err, &bad) || !strings.Contains(bad.Reason, c.says) || len(bad.Reason) > 500 {
			t.Errorf("%.80s: %v, want something of %q", c.link, err, c.says)
		}
	}
	for _, link := range []string{"", "#", "#p/abc", "#c1/12.x", "#h-paste", "#vx/1", "#v", "#very/much"} {
		if _, err := scenario.ParseLink(link); !errors.Is(err, scenario.ErrNotALink) {
			t.Errorf("%q: %v, want %v", link, err, scenario.ErrNotALink)
		}
	}
	// Every letter of a packed link matters.
	for i := len("#v1z/"); i < len(packed); i++ {
		for _, other := range []byte{'A', 'b', '7', '.'} {
			if packed[i] == other {
				continue
			}
			if l, err := scenario.ParseLink(packed[:i] + string(other) + packed[i+1:]); err == nil && full(t, l.Scenario) != full(t, own) {
				t.Fatalf("with %q in place of %q at %d it is another scenario", other, packed[i], i)
			}
		}
	}
}

// By its t a link is opened at a time; the last holds.
func TestTheInstantOfALink(t *testing.T) {
	for query, want := range map[string]time.Duration{
		"": -1, "view=storm": -1, "t=": -1, "t=soon": -1, "t=-1s": -1, "t=NaN": -1,
		"t=0s": 0, "t=12.3": 12300 * time.Millisecond, "t=1m0.5s": 60500 * time.Millisecond, "t=12s).": 12 * time.Second, "t=1s&t=2s&t=soon": 2 * time.Second,
	} {
		l, err := scenario.ParseLink("#v1/queue?" + query)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := l.Instant()
		if !ok {
			at = -1
		}
		if at != want {
			t.Errorf("%s: %v, want %v", query, at, want)
		}
	}
}

// Of a setting that a link gives more than once the last value holds, and the link tells which are so; what may stand there
// several times is not among them.
func TestSettingsThatALinkGivesTwice(t *testing.T) {
	for query, want := range map[string][]string{
		"":                                nil,
		"seed=7&policy.budget.percent=10": nil,
		"seed=7&seed=7":                   nil,
		"seed=7&seed=8":                   {"seed=8"},
		"seed=7&seed=8&seed=9).":          {"seed=9"},
		"policy.calls.b.attempts=4&seed=7&seed=8&policy.calls.b.attempts=2": {"seed=8", "policy.calls.b.attempts=2"},
		"fault=b,down,3s,1s&fault=b,down,5s,1s":                             nil,
		"5s@policy.calls.b.attempts=2&7s@policy.calls.b.attempts=1":         nil,
		"5s@policy.calls.b.attempts=2&5s@policy.calls.b.attempts=1":         {"5s@policy.calls.b.attempts=1"},
		"view=storm&view=slots&against=queue&against=":                      {"view=slots"},
		"utm_source=a&utm_source=b":                                         nil,
	} {
		l, err := scenario.ParseLink("#v1/two-service?" + query)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(l.Twice, want) {
			t.Errorf("%s: %q, want %q", query, l.Twice, want)
		}
		for _, holds := range l.Twice {
			if link := l.String(); !strings.HasPrefix(holds, "view") && !strings.Contains(holds, "@") && !strings.Contains(strings.ReplaceAll(link, "?", "&")+"&", "&"+holds+"&") {
				t.Errorf("%s: %s is said to hold, and it is read as %s", query, holds, link)
			}
		}
	}
}

// A small link does not become a large thing.
func TestALinkThatIsABomb(t *testing.T) {
	own := find(t, "two-service")
	own.ID = strings.Repeat("a", 5<<20)
	if _, err := scenario.ParseLink((scenario.Link{Scenario: own}).String()); err == nil {
		t.Error("five megabytes were taken in")
	}
}

// Links that have been given out work for ever: a line is added to the file with every version, and none is taken away.
func TestGoldenLinks(t *testing.T) {
	text, err := os.ReadFile("testdata/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" || line[0] == '%' {
			continue
		}
		link, says, _ := strings.Cut(line, "\t")
		l, err := scenario.ParseLink(link)
		if err != nil {
			t.Errorf("%s: %v", link, err)
			continue
		}
		for _, setting := range strings.Fields(says) {
			path, value, _ := strings.Cut(setting, "=")
			set := l.Scenario.Clone()
			if err := scenario.SetText(&set, path, value); err != nil {
				t.Fatalf("%s: %v", setting, err)
			}
			if full(t, set) != full(t, l.Scenario) {
				t.Errorf("%s no longer says %s", link, setting)
			}
		}
	}
}

func FuzzParseLink(f *testing.F) {
	for _, link := range []string{"#v1/pastebin?seed=7&fault=primary,slow*10,3s,2s&5s@policy.budget.percent=10", "#v1z/abc.3.00000000", "%23v1%2Ftwo-service", "#v1/two-service?faults=[]&x=%E2%80%AE", "#v1/two-service?fault=b,slow*Inf,3s"} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		l, err := scenario.ParseLink(link)
		if err != nil {
			return
		}
		if err := l.Scenario.Validate(); err != nil {
			t.Fatalf("%q is taken in and not valid: %v", link, err)
		}
		again, err := scenario.ParseLink(l.String())
		if err != nil {
			t.Fatalf("%q is written again as %q: %v", link, l.String(), err)
		}
		if full(t, again.Scenario) != full(t, l.Scenario) {
			t.Errorf("%q is another scenario when written again as %q", link, l.String())
		}
	})
}
