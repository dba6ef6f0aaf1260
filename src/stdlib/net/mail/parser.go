package mail

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"strings"
	"unicode/utf8"
)

// A parser has what is still to be read of addresses.
type parser struct {
	rest string
	dec  *mime.WordDecoder
}

var (
	errComment = errors.New("mail: misformatted parenthetical comment")
	errComma   = errors.New("mail: expected comma")
)

func (p *parser) blanks() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *parser) isAt(c byte) bool { return p.rest != "" && p.rest[0] == c }

func (p *parser) take(c byte) bool {
	if !p.isAt(c) {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// comment reads the rest of a comment, which may have others in it.
func (p *parser) comment() (string, bool) {
	var text strings.Builder
	for depth := 1; p.rest != ""; p.rest = p.rest[1:] {
		switch c := p.rest[0]; {
		case c == '\\' && len(p.rest) > 1:
			p.rest = p.rest[1:]
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 {
				p.rest = p.rest[1:]
				return text.String(), true
			}
		}
		text.WriteByte(p.rest[0])
	}
	return "", false
}

// skipComments reads over white space and comments.
func (p *parser) skipComments() bool {
	for p.blanks(); p.take('('); p.blanks() {
		if _, ok := p.comment(); !ok {
			return false
		}
	}
	return true
}

func (p *parser) single() (*Address, error) {
	all, err := p.address(true)
	switch {
	case err != nil:
		return nil, err
	case !p.skipComments():
		return nil, errComment
	case p.rest != "":
		return nil, fmt.Errorf("mail: expected single address, got %q", p.rest)
	case len(all) == 0:
		return nil, errors.New("mail: empty group")
	case len(all) > 1:
		return nil, errors.New("mail: group with multiple addresses")
	}
	return all[0], nil
}

func (p *parser) list() (all []*Address, err error) {
	for {
		for p.blanks(); p.take(','); {
			p.blanks()
		}
		some, err := p.address(true)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if !p.skipComments() {
			return nil, errComment
		}
		if p.rest != "" && !p.isAt(',') {
			return nil, errComma
		}
		for p.take(',') {
			p.blanks()
		}
		if p.rest == "" {
			return all, nil
		}
	}
}

// address reads an address, or a group if groups is set.
func (p *parser) address(groups bool) ([]*Address, error) {
	p.blanks()
	if p.rest == "" {
		return nil, errors.New("mail: no address")
	}
	// local@domain (name)
	if spec, err := p.spec(); err == nil {
		name := ""
		p.blanks()
		if p.take('(') {
			if name, err = p.nameComment(); err != nil {
				return nil, err
			}
		}
		return []*Address{{name, spec}}, nil
	}
	// name <local@domain>, or name: addresses;
	name := ""
	if !p.isAt('<') {
		var err error
		if name, err = p.phrase(); err != nil {
			return nil, err
		}
	}
	p.blanks()
	if groups && p.take(':') {
		return p.group()
	}
	if !p.take('<') {
		if strings.IndexFunc(name, func(r rune) bool { return !isAtomic(r, true) }) < 0 {
			return nil, errors.New("mail: missing '@' or angle-addr")
		}
		return nil, errors.New("mail: no angle-addr")
	}
	spec, err := p.spec()
	if err != nil {
		return nil, err
	}
	if !p.take('>') {
		return nil, errors.New("mail: unclosed angle-addr")
	}
	return []*Address{{name, spec}}, nil
}

// group reads the addresses of a group, up to its semicolon.
func (p *parser) group() (all []*Address, err error) {
	p.blanks()
	for isFirst := true; !p.take(';'); isFirst = false {
		if !isFirst && !p.take(',') {
			return nil, errComma
		}
		p.blanks()
		some, err := p.address(false)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if !p.skipComments() {
			return nil, errComment
		}
	}
	if !p.skipComments() {
		return nil, errComment
	}
	return all, nil
}

// spec reads local@domain, or nothing.
func (p *parser) spec() (spec string, err error) {
	defer func(before string) {
		if err != nil {
			p.rest = before
		}
	}(p.rest)
	p.blanks()
	var local string
	switch {
	case p.rest == "":
		return "", errors.New("mail: no addr-spec")
	case p.isAt('"'):
		local, err = p.quoted()
		if local == "" {
			err = errors.New("mail: empty quoted string in addr-spec")
		}
	default:
		local, err = p.atom(false)
	}
	if err != nil {
		return "", err
	}
	if !p.take('@') {
		return "", errors.New("mail: missing @ in addr-spec")
	}
	p.blanks()
	var domain string
	switch {
	case p.rest == "":
		return "", errors.New("mail: no domain in addr-spec")
	case p.isAt('['):
		domain, err = p.literal()
	default:
		domain, err = p.atom(false)
	}
	if err != nil {
		return "", err
	}
	return local + "@" + domain, nil
}

// phrase reads words. Encoded ones that follow one another are one word.
func (p *parser) phrase() (string, error) {
	var words []string
	wasEncoded := false
	var err error
	for {
		if len(words) > 0 && !(len(words) == 1 && wasEncoded) && !p.skipComments() {
			return "", errComment
		}
		p.blanks()
		if p.rest == "" {
			break
		}
		var word string
		isEncoded := false
		if p.isAt('"') {
			word, err = p.quoted()
		} else if word, err = p.atom(true); err == nil {
			word, isEncoded, err = p.decode(word)
		}
		if err != nil {
			break
		}
		if isEncoded && !wasEncoded && word == "" {
			continue
		}
		if isEncoded && wasEncoded {
			words[len(words)-1] += word
		} else {
			words = append(words, word)
		}
		wasEncoded = isEncoded
	}
	if err != nil && len(words) == 0 {
		return "", fmt.Errorf("mail: missing word in phrase: %v", err)
	}
	return strings.Join(words, " "), nil
}

// quoted reads a string between quotes.
func (p *parser) quoted() (string, error) {
	var text []rune
	isEscaped := false
	for i := 1; ; {
		r, size := utf8.DecodeRuneInString(p.rest[i:])
		isText := isVisible(r) || isBlank(r)
		switch {
		case size == 0:
			return "", errors.New("mail: unclosed quoted-string")
		case size == 1 && r == utf8.RuneError:
			return "", fmt.Errorf("mail: invalid utf-8 in quoted-string: %q", p.rest)
		case !isText:
			return "", fmt.Errorf("mail: bad character in quoted-string: %q", r)
		case !isEscaped && r == '"':
			p.rest = p.rest[i+1:]
			return string(text), nil
		case !isEscaped && r == '\\':
			isEscaped = true
		default:
			text = append(text, r)
			isEscaped = false
		}
		i += size
	}
}

// atom reads an atom with dots. Where it is loose, dots may stand anywhere.
func (p *parser) atom(loose bool) (string, error) {
	i := 0
	for i < len(p.rest) {
		r, size := utf8.DecodeRuneInString(p.rest[i:])
		if size == 1 && r == utf8.RuneError {
			return "", fmt.Errorf("mail: invalid utf-8 in address: %q", p.rest)
		}
		if !isAtomic(r, true) {
			break
		}
		i += size
	}
	if i == 0 {
		return "", errors.New("mail: invalid string")
	}
	atom := p.rest[:i]
	p.rest = p.rest[i:]
	switch {
	case loose:
	case atom[0] == '.':
		return "", errors.New("mail: leading dot in atom")
	case strings.Contains(atom, ".."):
		return "", errors.New("mail: double dot in atom")
	case atom[i-1] == '.':
		return "", errors.New("mail: trailing dot in atom")
	}
	return atom, nil
}

// literal reads the address of a host between brackets.
func (p *parser) literal() (string, error) {
	p.take('[')
	text := p.rest
	for !p.isAt(']') {
		if p.rest == "" {
			return "", errors.New("mail: unclosed domain-literal")
		}
		r, size := utf8.DecodeRuneInString(p.rest)
		if size == 1 && r == utf8.RuneError {
			return "", fmt.Errorf("mail: invalid utf-8 in domain-literal: %q", p.rest)
		}
		if !isVisible(r) || r == '[' || r == '\\' {
			return "", fmt.Errorf("mail: bad character in domain-literal: %q", r)
		}
		p.rest = p.rest[size:]
	}
	text = text[:len(text)-len(p.rest)]
	p.take(']')
	if ip, ok := strings.CutPrefix(text, "IPv6:"); ok {
		if len(net.ParseIP(ip)) != net.IPv6len {
			return "", fmt.Errorf("mail: invalid IPv6 address in domain-literal: %q", text)
		}
	} else if net.ParseIP(text).To4() == nil {
		return "", fmt.Errorf("mail: invalid IP address in domain-literal: %q", text)
	}
	return "[" + text + "]", nil
}

// nameComment reads the rest of a comment that stands for a name.
func (p *parser) nameComment() (string, error) {
	text, ok := p.comment()
	if !ok {
		return "", errComment
	}
	words := strings.FieldsFunc(text, isBlank)
	for i, word := range words {
		decoded, _, err := p.decode(word)
		if err != nil {
			return "", err
		}
		words[i] = decoded
	}
	return strings.Join(words, " "), nil
}

type charsetError string

func (e charsetError) Error() string { return fmt.Sprintf("charset not supported: %q", string(e)) }

// decode decodes a word if it is encoded. That its character set is not known is an error, that it
// is malformed is not.
func (p *parser) decode(word string) (text string, isEncoded bool, err error) {
	var dec mime.WordDecoder
	if p.dec != nil {
		dec = *p.dec
	}
	given := dec.CharsetReader
	isUnknown := false
	dec.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		r, err := io.Reader(nil), error(charsetError(charset))
		if given != nil {
			r, err = given(charset, input)
		}
		isUnknown = isUnknown || err != nil
		return r, err
	}
	text, err = dec.Decode(word)
	switch {
	case err == nil:
		return text, true, nil
	case isUnknown:
		return word, true, err
	}
	return word, false, nil
}
