// Gallery makes the page that shows every scenario of the catalogue, and a still picture of each scenario's run.
//
//	gallery TOKENS TO [LESSON...]
//
// TOKENS is web/tokens.css. TO gets gallery.html and stills/ID.svg, which other people's pages may refer to; stills of
// what is no more go. A LESSON's figures that are no scenario of the catalogue have theirs in stills/f-ID.svg, for paper.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: gallery TOKENS TO [LESSON...]")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// A shot is a run to be drawn, by its name.
type shot struct {
	name   string
	of     scenario.Scenario
	report metrics.Report
}

func build(tokens, to string, lessons []string) error {
	css, err := os.ReadFile(tokens)
	if err != nil {
		return err
	}
	colors, err := colorsOf(css)
	if err != nil {
		return fmt.Errorf("%s: %w", tokens, err)
	}
	list := scenario.List()
	var shots []shot
	for _, e := range list {
		s, _ := scenario.Find(e.ID)
		shots = append(shots, shot{name: e.ID, of: s})
	}
	for _, lesson := range lessons {
		figures, err := figuresOf(lesson)
		if err != nil {
			return err
		}
		shots = append(shots, figures...)
	}
	if err := runAll(shots); err != nil {
		return err
	}
	folder := filepath.Join(to, "stills")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	for _, s := range shots {
		if err := os.WriteFile(filepath.Join(folder, s.name+".svg"), still(&s.report, s.of.Faults, colors), 0o644); err != nil {
			return err
		}
	}
	text, err := page(list, shots)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "gallery.html"), text, 0o644)
}

var figure = regexp.MustCompile(`<img [^>]*src="\.\./stills/(f-[a-z0-9-]+)\.svg"[^>]*>\s*<iframe [^>]*src="\.\./embed\.html(#[^"]*)"`)

// figuresOf are those figures of a lesson that want a picture of their own.
func figuresOf(lesson string) (shots []shot, err error) {
	text, err := os.ReadFile(lesson)
	if err != nil {
		return nil, err
	}
	for _, found := range figure.FindAllStringSubmatch(string(text), -1) {
		link, err := scenario.ParseLink(html.UnescapeString(found[2]))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", lesson, found[1], err)
		}
		shots = append(shots, shot{name: found[1], of: link.Scenario})
	}
	return shots, nil
}

// runAll runs each once, as many at a time as there are processors.
func runAll(shots []shot) error {
	failed := make([]error, len(shots))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range next {
				shots[i].report, failed[i] = run.Do(shots[i].of)
			}
		})
	}
	for i := range shots {
		next <- i
	}
	close(next)
	wait.Wait()
	return errors.Join(failed...)
}

//go:embed gallery.html
var text string

var layout = template.Must(template.New("gallery").Funcs(template.FuncMap{"unbroken": metrics.Unbroken}).Parse(text))

// A family is what stands under one heading.
type family struct {
	ID, Name string
	Cards    []card
}

type card struct {
	scenario.Entry
	Against    string // the title of the other
	Run, Both  string // links: to it, and to it beside the other
	Alt        string
	Wide, High int
}

// page is the page, of the catalogue in its order; shots begin with the run of each.
func page(list []scenario.Entry, shots []shot) ([]byte, error) {
	var families []family
	for i, e := range list {
		if len(families) == 0 || families[len(families)-1].ID != e.Family {
			families = append(families, family{ID: e.Family, Name: scenario.FamilyName(e.Family)})
		}
		c := card{Entry: e, Run: "./#v1/" + e.ID, Alt: alt(&shots[i].report), Wide: wide, High: high}
		if e.Against != "" {
			other := list[slices.IndexFunc(list, func(o scenario.Entry) bool { return o.ID == e.Against })]
			c.Against, c.Both = other.Title, c.Run+"?against="+other.ID
		}
		last := &families[len(families)-1]
		last.Cards = append(last.Cards, c)
	}
	var b bytes.Buffer
	err := layout.Execute(&b, struct {
		Count    int
		Families []family
	}{len(list), families})
	return b.Bytes(), err
}
