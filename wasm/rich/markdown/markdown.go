// Package markdown makes safe HTML of Markdown.
//
//	markdown.go  Markdown to HTML
//	defuse.go    images become links, no box can be ticked, headings go below the page's; nothing swallows text
//	policy.go    what HTML may come out
package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// converter knows tables, tasks, struck words and bare links besides CommonMark. It lets HTML through as it is written: the
// policy judges that with all the rest.
var converter = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.TaskList,
		extension.Strikethrough,
		extension.Linkify,
	),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// HTML is text as HTML that can go into any page, under a heading h3: it runs nothing, loads nothing, styles nothing, has no
// id, and its links lead out of the page.
func HTML(text string) (string, error) {
	var made bytes.Buffer
	if err := converter.Convert([]byte(text), &made); err != nil {
		return "", err
	}
	return safe.SanitizeReader(defuse(&made)).String(), nil
}
