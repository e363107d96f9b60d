package view

import (
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// Opening is how a link to a run is to be opened. The zero value is: at the beginning, playing.
type Opening struct {
	Still   bool          // at At, and not playing
	At      time.Duration // to the millisecond
	Look    string        // storm, say; charts for chart. Empty: none is asked for
	Against string        // the id of the scenario whose rule is run A. Empty: there is none
	Ignored []string      // parameters that say nothing here, as they stand in the link
}

// Open reads the parameters of a link that are no part of its scenario. Those for an embed alone are done there by web/early.js
// and web/embed.js, and mean nothing in the whole page.
func Open(rest []scenario.Parameter) (o Opening) {
	for _, p := range rest {
		value := strings.TrimRight(p.Value, ".,;:!?)>]}'\"’”»… ") // of the sentence it stood in
		strange := p.Strange()
		switch p.Key {
		case "t":
			if at, ok := scenario.ParseInstant(value); ok {
				o.Still, o.At, strange = true, at, nil
			}
		case "view":
			if strange == nil {
				o.Look = value
			}
			if value == "chart" {
				o.Look = "charts"
			}
		case "against":
			if o.Against = value; value != "" {
				strange = nil // the page says why it has none of that name
			}
		}
		for _, word := range strange {
			o.Ignored = append(o.Ignored, p.Key+"="+word)
		}
	}
	return o
}

// Parameters are what Open reads.
func (o Opening) Parameters() (rest []scenario.Parameter) {
	if o.Still {
		rest = append(rest, scenario.Parameter{Key: "t", Value: o.At.String()})
	}
	if o.Look != "" {
		rest = append(rest, scenario.Parameter{Key: "view", Value: o.Look})
	}
	if o.Against != "" {
		rest = append(rest, scenario.Parameter{Key: "against", Value: o.Against})
	}
	return rest
}

// Embed is a figure for other people's pages.
type Embed struct {
	Site string // the address of the folder that the site is in, with a / at its end
	Link string // the fragment that names the run
	// Controls are any of play, scrub, policy, faults. None is as good as the first two.
	Controls []string
	Theme    string // light, dark, or empty: the reader's own
	Wait     bool   // until it is started
	Height   int    // in CSS pixels
	Title    string
	Shown    *scenario.Entry // whose still picture shows this very run, see StillOf; nil: whoever embeds it saves one
}

// OwnStill is what whoever embeds a run that the site has no picture of is to call theirs.
const OwnStill = "stormbin.png"

// StillOf is the built-in scenario that s is, with nothing changed, since the site has a picture of its run. nil: it is none.
func StillOf(s *scenario.Scenario) *scenario.Entry {
	if (scenario.Link{Scenario: *s}).String() != "#v1/"+s.ID {
		return nil
	}
	return scenario.Named(s.ID)
}

// Address is that of the figure itself.
func (e Embed) Address() string {
	link := e.Link
	add := func(parameter string) {
		if strings.ContainsRune(link, '?') {
			link += "&" + parameter
		} else {
			link += "?" + parameter
		}
	}
	switch controls := strings.Join(e.Controls, ","); controls {
	case "play,scrub":
	case "":
		add("controls=none")
	default:
		add("controls=" + controls)
	}
	if e.Theme != "" {
		add("theme=" + e.Theme)
	}
	if e.Wait {
		add("autoplay=0")
	}
	return e.Site + "embed.html" + link
}

// attribute makes a text safe within quotes in HTML.
var attribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;")

// Frame is the HTML that shows the figure.
func (e Embed) Frame() string {
	return `<iframe src="` + attribute.Replace(e.Address()) + `" title="` + attribute.Replace(e.Title) + `" width="100%" height="` + strconv.Itoa(e.Height) +
		`" loading="lazy" frameborder="0" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`
}

// Picture is the HTML for where no frame is allowed: a still that leads to the run in the whole page.
func (e Embed) Picture() string {
	still, shows := OwnStill, e.Title
	if e.Shown != nil {
		still, shows = e.Site+"stills/"+e.Shown.ID+".svg", e.Shown.Question+" "+e.Shown.Answer
	}
	return `<a href="` + attribute.Replace(e.Site+e.Link) + `"><img src="` + attribute.Replace(still) + `" alt="` + attribute.Replace(shows) + `" width="100%"></a>`
}
