// Package rich colours a text and shows Markdown, by a program of its own in a worker: it is larger than the page's, and
// is loaded when a reader first needs it.
//
//	token.go   what a coloured text is made of
//	limit.go   how much is made rich
//	wire.go    how tokens come from the worker
//	client.go  the worker, seen from the page
package rich

// Token is a stretch of a text that has one colour.
type Token struct {
	// Kind is one of [Kinds]: what the stretch is to its language.
	Kind string
	// Length is in bytes of the text as it was given. It is never 0, and the lengths of a text's tokens add up to its
	// length. A token never ends within a character, and a byte that is part of none is taken for one.
	Length int
}

// The kinds of tokens. They are names of classes for style sheets too.
const (
	Plain       = "" // what has no colour: white space, words of prose, what the language has no word for
	Keyword     = "keyword"
	Name        = "name"
	Function    = "function"
	Type        = "type"
	Tag         = "tag"       // of HTML and XML; a key of JSON and YAML
	Attribute   = "attribute" // of a tag; a property of CSS; a decorator
	String      = "string"
	Number      = "number"
	Literal     = "literal" // true, nil, a date, &amp;
	Operator    = "operator"
	Punctuation = "punctuation"
	Comment     = "comment"
	Directive   = "directive" // to a preprocessor or a compiler
	Heading     = "heading"   // of Markdown; of a part of a diff
	Emphasis    = "emphasis"
	Strong      = "strong"
	Inserted    = "inserted" // a line of a diff
	Deleted     = "deleted"
)

// Kinds are all there are.
var Kinds = [...]string{Plain, Keyword, Name, Function, Type, Tag, Attribute, String, Number, Literal, Operator, Punctuation,
	Comment, Directive, Heading, Emphasis, Strong, Inserted, Deleted}
