package view

import (
	"encoding/xml"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

// opening is what the link asks for beside its scenario.
func opening(t *testing.T, query string) Opening {
	t.Helper()
	l, err := scenario.ParseLink("#v1/two-service?" + query)
	if err != nil {
		t.Fatal(err)
	}
	return Open(l.Rest)
}

func TestOpen(t *testing.T) {
	for query, want := range map[string]Opening{
		"":                           {},
		"policy.budget.percent=10":   {},
		"t=12s":                      {Still: true, At: 12 * time.Second},
		"t=12.3s":                    {Still: true, At: 12300 * time.Millisecond},
		"t=12.3":                     {Still: true, At: 12300 * time.Millisecond},
		"t=1m0.5s":                   {Still: true, At: 60500 * time.Millisecond},
		"t=0s":                       {Still: true},
		"t=12s).":                    {Still: true, At: 12 * time.Second},
		"view=storm":                 {Look: "storm"},
		"view=chart":                 {Look: "charts"},
		"view=storm”":                {Look: "storm"},
		"view=compare&against=queue": {Look: "compare", Against: "queue"},
		"controls=play,scrub,policy,faults&theme=dark&lang=en&autoplay=0": {},
		"controls=none&theme=light&autoplay=1":                            {},
		"t=soon":                                                          {Ignored: []string{"t=soon"}},
		"t=-1s":                                                           {Ignored: []string{"t=-1s"}},
		"t=":                                                              {Ignored: []string{"t="}},
		"view=":                                                           {Ignored: []string{"view="}},
		"controls=plai,scrub,all":                                         {Ignored: []string{"controls=plai", "controls=all"}},
		"theme=blue&lang=de&autoplay=no":                                  {Ignored: []string{"theme=blue", "lang=de", "autoplay=no"}},
		"utm_source=mail&t=1s&fbclid=x&view=x":                            {Still: true, At: time.Second, Ignored: []string{"utm_source=mail", "fbclid=x", "view=x"}},
	} {
		if diff := cmp.Diff(want, opening(t, query)); diff != "" {
			t.Errorf("%s:\n%s", query, diff)
		}
	}
}

func TestOpeningsAreReadBack(t *testing.T) {
	for _, o := range []Opening{
		{}, {Still: true}, {Still: true, At: 12_266_666_667}, {Still: true, At: 4 * time.Hour},
		{Look: "storm"}, {Still: true, At: time.Millisecond, Look: "compare", Against: "two-service"},
	} {
		s, _ := scenario.Find("pastebin")
		l, err := scenario.ParseLink(scenario.Link{Scenario: s, Rest: o.Parameters()}.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o, Open(l.Rest)); diff != "" {
			t.Error(diff)
		}
	}
}

// tags are the names and attributes of HTML that is XML, too.
func tags(t *testing.T, html string) (all []map[string]string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	for {
		token, err := d.Token()
		if token == nil {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", html, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			tag := map[string]string{"": start.Name.Local}
			for _, a := range start.Attr {
				tag[a.Name.Local] = a.Value
			}
			all = append(all, tag)
		}
	}
}

func TestEmbeds(t *testing.T) {
	e := Embed{Site: "https://example.org/a&b/", Link: "#v1/two-service?seed=7&view=storm", Controls: []string{"play", "scrub"}, Height: 1200, Title: `B "slow" & <gone>`}
	frame := tags(t, e.Frame())[0]
	if frame[""] != "iframe" || frame["src"] != "https://example.org/a&b/embed.html#v1/two-service?seed=7&view=storm" || frame["title"] != e.Title ||
		frame["width"] != "100%" || frame["height"] != "1200" || frame["loading"] != "lazy" || !strings.Contains(frame["sandbox"], "allow-scripts") {
		t.Errorf("the frame is %q", frame)
	}
	picture := tags(t, strings.Replace(e.Picture(), "></a>", "/></a>", 1))
	if picture[0]["href"] != "https://example.org/a&b/#v1/two-service?seed=7&view=storm" || picture[1]["src"] != OwnStill || picture[1]["alt"] != e.Title {
		t.Errorf("the picture is %q", picture)
	}
	e.Shown = &scenario.List()[0]
	picture = tags(t, strings.Replace(e.Picture(), "></a>", "/></a>", 1))
	if picture[1]["src"] != "https://example.org/a&b/stills/"+e.Shown.ID+".svg" || picture[1]["alt"] != e.Shown.Question+" "+e.Shown.Answer {
		t.Errorf("the site's picture is %q", picture)
	}
	for _, c := range []struct {
		embed Embed
		query string
	}{
		{Embed{Link: "#v1/queue"}, "controls=none"},
		{Embed{Link: "#v1/queue", Controls: []string{"play", "scrub"}}, ""},
		{Embed{Link: "#v1/queue", Controls: []string{"policy"}, Theme: "dark", Wait: true}, "controls=policy&theme=dark&autoplay=0"},
		{Embed{Link: "#v1/queue?seed=2", Theme: "light"}, "seed=2&controls=none&theme=light"},
	} {
		u, err := url.Parse(c.embed.Address())
		if err != nil {
			t.Fatal(err)
		}
		if _, query, _ := strings.Cut(u.Fragment, "?"); query != c.query || u.Path != "embed.html" {
			t.Errorf("%+v is at %s, want the parameters %s", c.embed, u, c.query)
		}
		if l, err := scenario.ParseLink(u.Fragment); err != nil || len(Open(l.Rest).Ignored) > 0 {
			t.Errorf("%s is not read as it was meant: %v", u, err)
		}
	}
}

// The site has a picture of each built-in scenario, and of none in which something was changed.
func TestStillOf(t *testing.T) {
	for _, e := range scenario.List() {
		s, _ := scenario.Find(e.ID)
		if got := StillOf(&s); got == nil || *got != e {
			t.Errorf("of %s it has %v", e.ID, got)
		}
		s.Seed++
		if got := StillOf(&s); got != nil {
			t.Errorf("of %s with another seed it has %v", e.ID, got)
		}
		s.Seed--
		s.ID = "mine"
		if got := StillOf(&s); got != nil {
			t.Errorf("of one's own it has %v", got)
		}
	}
}
