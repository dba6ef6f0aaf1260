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

// A SyntaxError tells what is wrong with a text, and in which line.
type SyntaxError struct {
	Msg  string
	Line int
}

func (e *SyntaxError) Error() string {
	return "XML syntax error on line " + strconv.Itoa(e.Line) + ": " + e.Msg
}

// A Name is a local name in a name space; as RawToken gives it, behind a prefix.
type Name struct {
	Space, Local string
}

type Attr struct {
	Name  Name
	Value string
}

// A Token is a StartElement, EndElement, CharData, Comment, ProcInst, or Directive.
type Token any

type StartElement struct {
	Name Name
	Attr []Attr
}

func (e StartElement) Copy() StartElement {
	e.Attr = append(make([]Attr, 0, len(e.Attr)), e.Attr...)
	return e
}

func (e StartElement) End() EndElement { return EndElement{e.Name} }

type EndElement struct {
	Name Name
}

// CharData is text, with entities replaced.
type CharData []byte

func (c CharData) Copy() CharData { return bytes.Clone(c) }

// A Comment is what stands between <!-- and -->.
type Comment []byte

func (c Comment) Copy() Comment { return bytes.Clone(c) }

// A ProcInst is <?Target Inst?>.
type ProcInst struct {
	Target string
	Inst   []byte
}

func (p ProcInst) Copy() ProcInst {
	p.Inst = bytes.Clone(p.Inst)
	return p
}

// A Directive is what stands between <! and >.
type Directive []byte

func (d Directive) Copy() Directive { return bytes.Clone(d) }

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
