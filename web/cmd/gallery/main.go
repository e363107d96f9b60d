// Gallery makes the page that shows every scenario of the catalogue, and a still picture of each scenario's run.
//
//	gallery TOKENS TO
//
// TOKENS is web/tokens.css. TO gets gallery.html and stills/ID.svg, which other people's pages may refer to; stills of
// scenarios that are no more go.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gallery TOKENS TO")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func build(tokens, to string) error {
	css, err := os.ReadFile(tokens)
	if err != nil {
		return err
	}
	colors, err := colorsOf(css)
	if err != nil {
		return fmt.Errorf("%s: %w", tokens, err)
	}
	list := scenario.List()
	reports, err := runAll(list)
	if err != nil {
		return err
	}
	folder := filepath.Join(to, "stills")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	for i, e := range list {
		s, _ := scenario.Find(e.ID)
		if err := os.WriteFile(filepath.Join(folder, e.ID+".svg"), still(&reports[i], s.Faults, colors), 0o644); err != nil {
			return err
		}
	}
	html, err := page(list, reports)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "gallery.html"), html, 0o644)
}

// runAll runs every scenario once, as many at a time as there are processors.
func runAll(list []scenario.Entry) ([]metrics.Report, error) {
	reports, failed := make([]metrics.Report, len(list)), make([]error, len(list))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range next {
				s, _ := scenario.Find(list[i].ID)
				reports[i], failed[i] = run.Do(s)
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wait.Wait()
	return reports, errors.Join(failed...)
}

//go:embed gallery.html
var text string

var layout = template.Must(template.New("gallery").Parse(text))

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

// page is the page, of the catalogue in its order and the report of each.
func page(list []scenario.Entry, reports []metrics.Report) ([]byte, error) {
	var families []family
	for i, e := range list {
		if len(families) == 0 || families[len(families)-1].ID != e.Family {
			families = append(families, family{ID: e.Family, Name: scenario.FamilyName(e.Family)})
		}
		c := card{Entry: e, Run: "./#v1/" + e.ID, Alt: alt(&reports[i]), Wide: wide, High: high}
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
