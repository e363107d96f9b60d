package lessons

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"stormbin/engine/scenario"
)

// A lesson is read as a browser without scripts reads it. Numbers in its prose are marked, in one of two ways:
//
//	<span data-is="bad_seconds" data-run="#f-storm">31</span>  what the run of a figure comes to; the nearest data-run
//	                                                           counts, and it may be a link to a scenario instead.
//	                                                           With data-within it may be off by so much: chance is in it.
//	<span data-given>20</span>                                 what is assumed, and no result
//
// A data-is without names is a sum, like 17400*0.2*3.
type lesson struct {
	name string
	tree *html.Node
}

func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	for name := range points {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tree, err := html.Parse(f)
		if err != nil {
			t.Fatal(name, err)
		}
		all = append(all, lesson{name, tree})
	}
	slices.SortFunc(all, func(a, b lesson) int { return strings.Compare(a.name, b.name) })
	return all
}

// points are the sections of each lesson in order; those that claim something about a run have a figure that shows it.
var points = map[string][]struct {
	id     string
	figure bool
}{
	"timeouts-and-retries.html": {
		{"attempt", false}, {"answer", true},
		{"facts", true},
		{"budgets", true}, {"matrix", true}, {"slow-cache", true}, {"insert", true}, {"purge", true}, {"jitter", true},
		{"multiplication", true}, {"cure", true}, {"exits", true},
		{"creates", true},
		{"breaker", true}, {"cache-breaker", true},
		{"sums", true}, {"deadline", true}, {"statement-timeout", true}, {"cap", true}, {"budget", true}, {"layers", true},
		{"hedging", true},
		{"users", true}, {"trade-offs", true}, {"ten-times", true}, {"paging", true},
		{"cards", false}, {"phrases", false},
		{"rule", false}, {"checklist", false}, {"log", false},
	},
	"try-again.html": {
		{"slow", true}, {"retries", true}, {"backoff", true}, {"budget", true}, {"recovery", true}, {"breaker", true},
		{"flaky", true}, {"lost", true}, {"key", true}, {"hidden", true}, {"decisions", true}, {"door", true},
	},
}

// given are the numbers that may stand there without being computed: the load and the thought that the lesson begins with.
var given = []string{"20", "17,400", "350", "200", "23", "300", "2", "174,000", "0.2", "3"}

// codes are numbers that count nothing.
var codes = regexp.MustCompile(`\b(404|500|503)s?\b`)

var digits = regexp.MustCompile(`[0-9]+(,[0-9]{3})*(\.[0-9]+)?`)

// Every number in the prose is what the engine, or the sum that stands there, comes to.
func TestNumbersAreWhatTheRunsComeTo(t *testing.T) {
	for _, l := range lessons(t) {
		links := l.figureLinks(t)
		marks := 0
		for n := range l.tree.Descendants() {
			what, marked := attribute(n, "data-is")
			if !marked {
				continue
			}
			marks++
			written := digits.FindString(text(n))
			want, err := strconv.ParseFloat(strings.ReplaceAll(written, ",", ""), 64)
			if err != nil || digits.ReplaceAllString(text(n), "") != "" {
				t.Errorf("%s: a mark must hold one number and nothing else: %q", l.name, text(n))
				continue
			}
			got, err := evaluate(n, what, links)
			if err != nil {
				t.Errorf("%s: %s: %v", l.name, around(n), err)
				continue
			}
			_, decimals, _ := strings.Cut(written, ".")
			within := 0.5 * math.Pow10(-len(decimals))
			if luck, ok := attribute(n, "data-within"); ok {
				if within, err = strconv.ParseFloat(luck, 64); err != nil {
					t.Errorf("%s: data-within: %v", l.name, err)
				}
			}
			if !(math.Abs(got-want) <= within+1e-9) {
				t.Errorf("%s: %s is written where %s is %.7g: %s", l.name, written, what, got, around(n))
			}
		}
		if marks < 50 {
			t.Errorf("%s has %d marked numbers; is this the lesson?", l.name, marks)
		}
	}
}

// evaluate is what a mark's expression comes to in the run that it names.
func evaluate(n *html.Node, what string, links map[string]string) (float64, error) {
	if _, err := strconv.ParseFloat(what, 64); err == nil {
		return 0, fmt.Errorf("%s proves nothing: say what it comes from", what)
	}
	if !regexp.MustCompile(`[a-z]`).MatchString(what) {
		return expression{}.value(what)
	}
	run := ""
	for up := n; up != nil && run == ""; up = up.Parent {
		run, _ = attribute(up, "data-run")
	}
	link, isFigure := links[run]
	if !isFigure {
		link = run
	}
	e, err := playing(link)
	if err != nil {
		return 0, fmt.Errorf("the run %s: %w", run, err)
	}
	return e.value(what)
}

// No number stands in the prose that nothing checks.
func TestNoNumberIsBare(t *testing.T) {
	for _, l := range lessons(t) {
		for n := range l.tree.Descendants() {
			if n.Type != html.TextNode || !digits.MatchString(codes.ReplaceAllString(n.Data, "")) || free(n) {
				continue
			}
			if _, assumed := nearest(n, "data-given"); assumed {
				if !slices.Contains(given, strings.TrimSpace(n.Data)) {
					t.Errorf("%s: %q is no given of the lesson, so that it needs data-is", l.name, n.Data)
				}
				continue
			}
			t.Errorf("%s: a number without data-is: %q", l.name, strings.Join(strings.Fields(n.Data), " "))
		}
	}
}

// free tells whether a text may have any numbers: it is marked, not prose, or a guess that the reader may make; or what the
// page's script says, as the timer does.
func free(n *html.Node) bool {
	for up := n.Parent; up != nil; up = up.Parent {
		if _, marked := attribute(up, "data-is"); marked {
			return true
		}
		if role, _ := attribute(up, "role"); role == "status" {
			return true
		}
		if slices.Contains([]string{"code", "script", "title", "label", "select", "textarea", "head"}, up.Data) {
			return true
		}
	}
	return false
}

// A figure shows the very run that its caption's link opens, and says what to see.
func TestFigures(t *testing.T) {
	views := []string{"path", "storm", "slots", "charts", "compare"}
	controls := []string{"play", "policy", "faults", "scrub"}
	for _, l := range lessons(t) {
		for n := range l.tree.Descendants() {
			if !is(n, "figure") || !strings.Contains(class(n), "run") {
				continue
			}
			id, _ := attribute(n, "id")
			frame, caption := first(n, "iframe"), first(n, "figcaption")
			if id == "" || caption == nil || len(strings.Fields(text(caption))) < 8 {
				t.Errorf("%s: a figure without an id, or whose caption doesn't say what to see: %s", l.name, id)
				continue
			}
			if frame == nil {
				if _, own := attribute(n, "data-own"); !own { // it is made when the reader has answered
					t.Errorf("%s: %s has no frame", l.name, id)
				}
				continue
			}
			src, _ := attribute(frame, "src")
			page, fragment, _ := strings.Cut(src, "#")
			if title, _ := attribute(frame, "title"); title == "" || page != "../embed.html" {
				t.Errorf("%s: %s: the frame has no title, or shows %s", l.name, id, page)
			}
			if lazy, _ := attribute(frame, "loading"); lazy != "lazy" {
				t.Errorf("%s: %s: the frame does not wait until it is in sight", l.name, id)
			}
			shown, err := scenario.ParseLink(fragment)
			if err != nil {
				t.Errorf("%s: %s: %v", l.name, id, err)
				continue
			}
			opened, err := scenario.ParseLink(l.figureLinks(t)["#"+id])
			if err != nil {
				t.Errorf("%s: %s: its link: %v", l.name, id, err)
				continue
			}
			if differs := scenario.Diff(shown.Scenario, opened.Scenario); len(differs) > 0 {
				t.Errorf("%s: %s: the frame and the link differ: %v", l.name, id, differs)
			}
			still := ""
			if img := first(n, "img"); img != nil {
				still, _ = attribute(img, "src")
			}
			want := "../stills/" + id + ".svg" // for paper; of a built-in scenario there is one anyway
			if fragment := (scenario.Link{Scenario: shown.Scenario}).String(); fragment == "#v1/"+shown.Scenario.ID {
				want = "../stills/" + shown.Scenario.ID + ".svg"
			}
			if still != want {
				t.Errorf("%s: %s has the picture %q, want %q", l.name, id, still, want)
			}
			for _, p := range shown.Rest {
				ok := p.Key == "view" && slices.Contains(views, p.Value) || p.Key == "autoplay" && p.Value == "0"
				if p.Key == "controls" {
					ok = true
					for _, c := range strings.Split(p.Value, ",") {
						ok = ok && slices.Contains(controls, c)
					}
				}
				if !ok {
					t.Errorf("%s: %s: an embed knows no %s=%s", l.name, id, p.Key, p.Value)
				}
			}
		}
	}
}

// Whatever is linked to is there.
func TestLinks(t *testing.T) {
	for _, l := range lessons(t) {
		ids := map[string]bool{}
		for n := range l.tree.Descendants() {
			if id, ok := attribute(n, "id"); ok && ids[id] {
				t.Errorf("%s: two elements are called %s", l.name, id)
			} else if ok {
				ids[id] = true
			}
		}
		for n := range l.tree.Descendants() {
			for _, key := range []string{"href", "src", "data-run", "for", "aria-labelledby", "aria-describedby"} {
				to, ok := attribute(n, key)
				if !ok {
					continue
				}
				path, fragment, hasFragment := strings.Cut(to, "#")
				switch {
				case strings.HasPrefix(fragment, "v1"):
					if _, err := scenario.ParseLink(fragment); err != nil {
						t.Errorf("%s: %s: %v", l.name, to, err)
					}
				case key == "for" || strings.HasPrefix(key, "aria-"):
					for _, id := range strings.Fields(to) {
						if !ids[id] {
							t.Errorf("%s: %s=%s, and there is no such id", l.name, key, to)
						}
					}
				case path == "" && hasFragment:
					if !ids[fragment] {
						t.Errorf("%s: there is no %s", l.name, to)
					}
				case path == "../", path == "../gallery.html", strings.HasPrefix(path, "../stills/"): // the build makes them
				default:
					if _, err := os.Stat(filepath.FromSlash(path)); err != nil {
						t.Errorf("%s: %s: %v", l.name, to, err)
					}
				}
			}
		}
	}
}

// All that is to be taught is there, in the order in which it builds on itself.
func TestPoints(t *testing.T) {
	for _, l := range lessons(t) {
		var found []string
		for n := range l.tree.Descendants() {
			id, _ := attribute(n, "id")
			if !is(n, "section") || id == "" {
				continue
			}
			found = append(found, id)
			if first(n, "h2") == nil && first(n, "h3") == nil {
				t.Errorf("%s: %s has no heading", l.name, id)
			}
			for _, p := range points[l.name] {
				if p.id != id || !p.figure {
					continue
				}
				shows := false
				for m := range n.Descendants() {
					href, _ := attribute(m, "href")
					shows = shows || is(m, "figure") && strings.Contains(class(m), "run") || l.figureLinks(t)[href] != ""
				}
				if !shows {
					t.Errorf("%s: %s claims something, and neither has a figure nor links to one", l.name, id)
				}
			}
		}
		var want []string
		for _, p := range points[l.name] {
			want = append(want, p.id)
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s has the sections\n%v, want\n%v", l.name, found, want)
		}
	}
}

// What the reader bets is answered, whatever they bet.
func TestEachBetIsAnswered(t *testing.T) {
	for _, l := range lessons(t) {
		bets := 0
		for n := range l.tree.Descendants() {
			if !is(n, "section") {
				continue
			}
			var options, replies []string
			for m := range n.Descendants() {
				if kind, _ := attribute(m, "type"); is(m, "input") && kind == "radio" {
					if _, bet := nearest(m, "data-bet"); bet {
						value, _ := attribute(m, "value")
						options = append(options, value)
					}
				}
				if to, ok := attribute(m, "data-reply"); ok {
					replies = append(replies, to)
				}
			}
			if !slices.Equal(options, replies) {
				id, _ := attribute(n, "id")
				t.Errorf("%s: %s: one may bet %v, and what is answered is %v", l.name, id, options, replies)
			}
			if len(options) > 0 {
				bets++
			}
		}
		if l.name == "try-again.html" && bets != len(points[l.name])-1 { // decisions are filled in
			t.Errorf("%s has %d bets", l.name, bets)
		}
	}
}

// Nothing needs a script to be read, and nothing is in the page that its policy refuses.
func TestReadableWithoutScripts(t *testing.T) {
	for _, l := range lessons(t) {
		policy := ""
		for n := range l.tree.Descendants() {
			if name, _ := attribute(n, "http-equiv"); name == "Content-Security-Policy" {
				policy, _ = attribute(n, "content")
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s>, which the page's policy refuses", l.name, n.Data, a.Key)
				}
				if _, tool := nearest(n, "data-tool"); a.Key == "hidden" && !tool {
					t.Errorf("%s: <%s hidden> can't be read without a script: %s", l.name, n.Data, around(n))
				}
			}
			if is(n, "style") || is(n, "script") && n.FirstChild != nil {
				t.Errorf("%s: an inline <%s>, which the page's policy refuses", l.name, n.Data)
			}
		}
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-src 'self'"} {
			if !slices.Contains(strings.Split(policy, "; "), part) {
				t.Errorf("%s: the policy lacks %s", l.name, part)
			}
		}
	}
}

// A mark that is wrong is found.
func TestAWrongNumberIsFound(t *testing.T) {
	links := map[string]string{"#f": "#v1/lost-order"}
	tree, err := html.Parse(strings.NewReader(`<p data-run="#f"><b data-is="dependencies.b.stored">4</b>`))
	if err != nil {
		t.Fatal(err)
	}
	mark := first(tree, "b")
	if got, err := evaluate(mark, "dependencies.b.stored", links); err != nil || got != 4 {
		t.Errorf("a lost order with four attempts is stored %v times (%v); want 4", got, err)
	}
	for _, bad := range []string{"4", "dependencies.b.storde", "mean(3, 99, ok)", "dependencies.b", "stored ^ 2", "4 +"} {
		if got, err := evaluate(mark, bad, links); err == nil {
			t.Errorf("%q comes to %v; want an error", bad, got)
		}
	}
	if _, err := evaluate(mark, "bad_seconds", map[string]string{"#f": "#v1/lots-order"}); !errors.As(err, new(*scenario.BadLink)) {
		t.Errorf("a run of a bad link: %v", err)
	}
}

// figureLinks are the links that the figures' captions open, by #id.
func (l lesson) figureLinks(t *testing.T) map[string]string {
	t.Helper()
	links := map[string]string{}
	for n := range l.tree.Descendants() {
		id, _ := attribute(n, "id")
		if !is(n, "figure") || id == "" {
			continue
		}
		for m := range n.Descendants() {
			if href, _ := attribute(m, "href"); strings.HasPrefix(href, "../#v1") {
				links["#"+id] = strings.TrimPrefix(href, "../")
			}
		}
	}
	return links
}

func is(n *html.Node, name string) bool { return n.Type == html.ElementNode && n.Data == name }

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// nearest is an attribute of n, or of what it stands in.
func nearest(n *html.Node, key string) (string, bool) {
	for ; n != nil; n = n.Parent {
		if value, ok := attribute(n, key); ok {
			return value, true
		}
	}
	return "", false
}

func class(n *html.Node) string {
	c, _ := attribute(n, "class")
	return c
}

func first(n *html.Node, name string) *html.Node {
	for m := range n.Descendants() {
		if is(m, name) {
			return m
		}
	}
	return nil
}

func text(n *html.Node) string {
	var b strings.Builder
	for m := range n.Descendants() {
		if m.Type == html.TextNode {
			b.WriteString(m.Data)
		}
	}
	return b.String()
}

// around is the words that n stands among, to find it by.
func around(n *html.Node) string {
	if n.Parent != nil {
		n = n.Parent
	}
	words := strings.Fields(text(n))
	return strings.Join(words[:min(len(words), 30)], " ")
}
