// Package xml: XML as tokens, and as values of Go.
package xml

import (
	"bytes"
	"strconv"
)

// Header can stand before what Marshal gives.
const Header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

const (
	xmlSpace = "http://www.w3.org/XML/1998/namespace"
	nsWord   = "xmlns"
	xmlWord  = "xml"
)

// A Name is a local name in a name space; as RawToken gives it, behind a prefix.
type Name struct {
	Space, Local string
}

type Attr struct {
	Name  Name
	Value string
}

// A Token is a StartElement, EndElement, CharData, Comment, ProcInst, or Directive. Most of them
// lie where the next one will, unless they are copied.
type Token any

type (
	StartElement struct {
		Name Name
		Attr []Attr
	}

	EndElement struct {
		Name Name
	}

	// A ProcInst is <?Target Inst?>.
	ProcInst struct {
		Target string
		Inst   []byte
	}

	// CharData is text, with entities replaced.
	CharData []byte

	// A Comment is what stands between <!-- and -->.
	Comment []byte

	// A Directive is what stands between <! and >.
	Directive []byte
)

// End is what ends the element.
func (start StartElement) End() EndElement { return EndElement{start.Name} }

func (start StartElement) Copy() StartElement {
	start.Attr = append(make([]Attr, 0, len(start.Attr)), start.Attr...)
	return start
}

func (p ProcInst) Copy() ProcInst {
	return ProcInst{p.Target, bytes.Clone(p.Inst)}
}

func (text CharData) Copy() CharData   { return bytes.Clone(text) }
func (text Comment) Copy() Comment     { return bytes.Clone(text) }
func (text Directive) Copy() Directive { return bytes.Clone(text) }

// CopyToken gives a token that stays as it is when the next one is read.
func CopyToken(t Token) Token {
	switch t := t.(type) {
	case StartElement:
		return t.Copy()
	case CharData:
		return t.Copy()
	case Comment:
		return t.Copy()
	case ProcInst:
		return t.Copy()
	case Directive:
		return t.Copy()
	}
	return t
}

// A TokenReader gives tokens; at the end io.EOF, with the last one or after it.
type TokenReader interface {
	Token() (Token, error)
}

// isAllowed says whether XML allows the character r.
func isAllowed(r rune) bool {
	switch {
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xE000:
		return r < 0xD800
	}
	return r <= 0xFFFD || 0x10000 <= r && r <= 0x10FFFF
}

// A SyntaxError tells what is wrong with a text, and in which line.
type SyntaxError struct {
	Msg  string
	Line int
}

func (why *SyntaxError) Error() string {
	return "XML syntax error on line " + strconv.Itoa(why.Line) + ": " + why.Msg
}
