package markdown

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// swallow are the elements that take all that follows for their own, up to an end that may never come. Who writes "use
// <script>" doesn't expect the rest to be gone.
var swallow = map[string]bool{
	"script": true, "style": true, "title": true, "textarea": true, "xmp": true, "plaintext": true, "iframe": true,
	"noembed": true, "noframes": true, "noscript": true, "nostyle": true, "frame": true, "frameset": true, "object": true,
}

// defuse does what the policy, which can only leave things out, can't: a link to an image takes its place, a check box can't
// be ticked, headings go below those of the page, and the tags of what would swallow text become text themselves.
func defuse(r io.Reader) *bytes.Buffer {
	var out bytes.Buffer
	links := 0                                                    // open around here
	for z := html.NewTokenizer(r); z.Next() != html.ErrorToken; { // reading from memory, it ends at the end and nowhere else
		as := string(z.Raw())
		switch token := z.Token(); token.Type {
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			opens := token.Type != html.EndTagToken
			switch {
			case swallow[token.Data]:
				as = html.EscapeString(as)
				z.NextIsNotRawText()
			case token.Data == "img" && opens:
				as = imageLink(token.Attr, links > 0)
			case token.Data == "input":
				as = box(token.Attr)
			case isHeading(token.Data):
				token.Data, token.Attr = lower(token.Data), nil
				as = token.String()
			case token.Data == "a" && opens:
				links++
			case token.Data == "a":
				links = max(links-1, 0)
			}
		}
		out.WriteString(as)
	}
	return &out
}

func isHeading(tag string) bool {
	return len(tag) == 2 && tag[0] == 'h' && '1' <= tag[1] && tag[1] <= '6'
}

// lower is the heading that stands for another under the title of the paste, which is an h3. There is nothing below h6.
func lower(heading string) string { return "h" + string(min(heading[1]+3, '6')) }

// box is the check box of a task, ticked or not; nothing for any other control. It has a name to be read aloud by, since
// there is no label around it.
func box(attributes []html.Attribute) string {
	isBox, named := false, `aria-label="to do"`
	for _, a := range attributes {
		switch a.Key {
		case "type":
			isBox = strings.EqualFold(a.Val, "checkbox")
		case "checked":
			named = `checked aria-label="done"`
		}
	}
	if !isBox {
		return ""
	}
	return `<input type="checkbox" disabled ` + named + `>`
}

// imageLink is a link to an image: to show one from elsewhere would tell its host who reads. Within a link, and where the
// image is nowhere on the web, only the words for it are left.
func imageLink(attributes []html.Attribute, linked bool) string {
	var source, words string
	for _, a := range attributes {
		switch a.Key {
		case "src":
			source = strings.TrimSpace(a.Val)
		case "alt":
			words = strings.TrimSpace(a.Val)
		}
	}
	if words == "" {
		words = "image"
	}
	words = html.EscapeString(words)
	if linked || !starts(source, "http:") && !starts(source, "https:") {
		return words
	}
	return `<a href="` + html.EscapeString(source) + `">` + words + `</a>`
}

// starts tells whether an address has a scheme.
func starts(address, scheme string) bool {
	return len(address) >= len(scheme) && strings.EqualFold(address[:len(scheme)], scheme)
}
