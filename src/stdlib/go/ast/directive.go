package ast

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Directive is a comment of the form `//tool:name args`.
type Directive struct {
	Tool    string
	Name    string
	Args    string
	Slash   token.Pos
	ArgsPos token.Pos
}

// DirectiveArg is one of a directive's arguments, without its quotes.
type DirectiveArg struct {
	Arg string
	Pos token.Pos
}

// ParseDirective takes the directive c, which is at pos, apart.
func ParseDirective(pos token.Pos, c string) (Directive, bool) {
	text, ok := strings.CutPrefix(c, "//")
	colon := directiveColon(text)
	if !ok || colon == 0 {
		return Directive{}, false
	}
	d := Directive{Tool: text[:colon], Slash: pos}
	rest := text[colon+1:]
	d.Name, rest = word(rest)
	args := strings.TrimLeftFunc(rest, unicode.IsSpace)
	d.ArgsPos = pos + token.Pos(len(c)-len(args))
	d.Args = strings.TrimRightFunc(args, unicode.IsSpace)
	return d, true
}

// word cuts s before its first space.
func word(s string) (string, string) {
	i := strings.IndexFunc(s, unicode.IsSpace)
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

func (d *Directive) Pos() token.Pos { return d.Slash }
func (d *Directive) End() token.Pos { return d.ArgsPos + token.Pos(len(d.Args)) }

// ParseArgs splits the arguments, which may be quoted as Go's strings are.
func (d *Directive) ParseArgs() ([]DirectiveArg, error) {
	list := []DirectiveArg{}
	rest := d.Args
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return list, nil
		}
		arg := DirectiveArg{Pos: d.ArgsPos + token.Pos(len(d.Args)-len(rest))}
		if rest[0] != '`' && rest[0] != '"' {
			arg.Arg, rest = word(rest)
			list = append(list, arg)
			continue
		}
		wrong := func(text string) ([]DirectiveArg, error) {
			return nil, fmt.Errorf("invalid quoted string in //%s:%s: %s", d.Tool, d.Name, text)
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return wrong(rest)
		}
		arg.Arg, _ = strconv.Unquote(quoted)
		rest = rest[len(quoted):]
		if next, _ := utf8.DecodeRuneInString(rest); rest != "" && !unicode.IsSpace(next) {
			return wrong(rest)
		}
		list = append(list, arg)
	}
}
