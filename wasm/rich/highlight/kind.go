package highlight

import (
	"github.com/alecthomas/chroma/v2"

	"stormbin/wasm/internal/rich"
)

// kinds are what chroma's types are to us. A type that isn't here is what its subcategory is, or else its category, or
// else plain.
var kinds = map[chroma.TokenType]string{
	chroma.Keyword:         rich.Keyword,
	chroma.KeywordConstant: rich.Literal,
	chroma.KeywordType:     rich.Type,

	chroma.Name:              rich.Name,
	chroma.NameAttribute:     rich.Attribute,
	chroma.NameBuiltin:       rich.Function,
	chroma.NameBuiltinPseudo: rich.Name, // self, this
	chroma.NameClass:         rich.Type,
	chroma.NameConstant:      rich.Literal,
	chroma.NameDecorator:     rich.Attribute,
	chroma.NameEntity:        rich.Literal,
	chroma.NameException:     rich.Type,
	chroma.NameFunction:      rich.Function,
	chroma.NameKeyword:       rich.Keyword,
	chroma.NameOperator:      rich.Operator,
	chroma.NameProperty:      rich.Attribute,
	chroma.NameTag:           rich.Tag,

	chroma.Literal:       rich.Literal,
	chroma.LiteralString: rich.String,
	chroma.LiteralNumber: rich.Number,

	chroma.Operator:        rich.Operator,
	chroma.OperatorWord:    rich.Keyword,
	chroma.Punctuation:     rich.Punctuation,
	chroma.TextPunctuation: rich.Punctuation,

	chroma.Comment:        rich.Comment,
	chroma.CommentPreproc: rich.Directive,

	chroma.GenericDeleted:    rich.Deleted,
	chroma.GenericEmph:       rich.Emphasis,
	chroma.GenericHeading:    rich.Heading,
	chroma.GenericInserted:   rich.Inserted,
	chroma.GenericStrong:     rich.Strong,
	chroma.GenericSubheading: rich.Heading,
}

func kindOf(t chroma.TokenType) string {
	for _, as := range [...]chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if kind, ok := kinds[as]; ok {
			return kind
		}
	}
	return rich.Plain
}
