package mail

// The grammar of addresses over tokens: RFC 5322, section 3.4. A method that reads something moves
// the parser behind it; one that finds something else leaves it where it cannot go on.

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"strings"
)

var (
	errComment         = errors.New("mail: misformatted parenthetical comment")
	errComma           = errors.New("mail: expected comma")
	errUnclosedQuote   = errors.New("mail: unclosed quoted-string")
	errUnclosedLiteral = errors.New("mail: unclosed domain-literal")
	errNoWord          = errors.New("mail: invalid string")
)

// A parser has the tokens of addresses; the first of them is the next one.
type parser struct {
	text  string
	next  []token
	words *mime.WordDecoder
}

func newParser(text string, words *mime.WordDecoder) *parser {
	return &parser{text, tokensOf(text), words}
}

func (p *parser) isAt(kind rune) bool { return p.next[0].kind == kind }

// take moves behind a token if it is of that kind and well formed.
func (p *parser) take(kind rune) bool {
	ok := p.isAt(kind) && p.next[0].err == nil && kind != end
	if ok {
		p.next = p.next[1:]
	}
	return ok
}

// takeAll moves behind all tokens of a kind.
func (p *parser) takeAll(kind rune) {
	for p.take(kind) {
	}
}

// skipComments moves behind comments.
func (p *parser) skipComments() error {
	if p.takeAll(comment); p.isAt(comment) {
		return errComment
	}
	return nil
}

// only reads one address, behind which there are but comments.
func (p *parser) only() (*Address, error) {
	found, err := p.address(true)
	if err == nil {
		err = p.skipComments()
	}
	if err != nil {
		return nil, err
	}
	if !p.isAt(end) {
		return nil, fmt.Errorf("mail: expected single address, got %q", p.text[p.next[0].at:])
	}
	switch len(found) {
	case 0:
		return nil, errors.New("mail: empty group")
	case 1:
		return found[0], nil
	}
	return nil, errors.New("mail: group with multiple addresses")
}

// list reads addresses and groups up to the end. There may be more commas than are needed.
func (p *parser) list() (found []*Address, err error) {
	for {
		p.takeAll(',')
		if found, err = p.add(found, true); err != nil {
			return nil, err
		}
		if !p.isAt(',') && !p.isAt(end) {
			return nil, errComma
		}
		if p.takeAll(','); p.isAt(end) {
			return found, nil
		}
	}
}

// add reads an address or group and the comments behind it, and adds to those found before.
func (p *parser) add(found []*Address, groups bool) ([]*Address, error) {
	more, err := p.address(groups)
	if err == nil {
		err = p.skipComments()
	}
	return append(found, more...), err
}

// address reads an address, or a group if groups is set.
func (p *parser) address(groups bool) ([]*Address, error) {
	if p.isAt(end) {
		return nil, errors.New("mail: no address")
	}
	// The plain form may have a name behind it: local@domain (name).
	before := p.next
	if spec, err := p.spec(); err == nil {
		name := ""
		if p.isAt(comment) {
			name, err = p.nameInComment()
		}
		return []*Address{{name, spec}}, err
	}
	// Others have it before: name <local@domain>, or name: addresses;
	p.next = before
	name := ""
	if !p.isAt('<') {
		var err error
		if name, err = p.phrase(); err != nil {
			return nil, err
		}
	}
	switch {
	case groups && p.take(':'):
		return p.group()
	case p.take('<'):
		spec, err := p.spec()
		if err == nil && (p.next[0].isApart || !p.take('>')) {
			err = errors.New("mail: unclosed angle-addr")
		}
		return []*Address{{name, spec}}, err
	case strings.ContainsFunc(name, isForeign):
		return nil, errors.New("mail: no angle-addr")
	}
	return nil, errors.New("mail: missing '@' or angle-addr")
}

// group reads the addresses of a group, up to its semicolon.
func (p *parser) group() (found []*Address, err error) {
	for !p.take(';') {
		if found != nil && !p.take(',') {
			return nil, errComma
		}
		if found, err = p.add(found, false); err != nil {
			return nil, err
		}
	}
	return found, p.skipComments()
}

// spec reads local@domain. There may be no blank before the @.
func (p *parser) spec() (string, error) {
	local, err := p.local()
	if err != nil {
		return "", err
	}
	if p.next[0].isApart || !p.take('@') {
		return "", errors.New("mail: missing @ in addr-spec")
	}
	domain, err := p.domain()
	return local + "@" + domain, err
}

func (p *parser) local() (string, error) {
	switch t := p.next[0]; {
	case t.kind == end:
		return "", errors.New("mail: no addr-spec")
	case t.kind != quoted:
		return p.dotted()
	case t.text == "":
		return "", errors.New("mail: empty quoted string in addr-spec")
	default:
		p.take(quoted)
		return t.text, nil
	}
}

func (p *parser) domain() (string, error) {
	switch t := p.next[0]; t.kind {
	case end:
		return "", errors.New("mail: no domain in addr-spec")
	case literal:
		if t.err == nil {
			t.err = checkHost(t.text)
		}
		p.take(literal)
		return "[" + t.text + "]", t.err
	}
	return p.dotted()
}

// checkHost checks what is between the brackets of a domain: the address of a host.
func checkHost(text string) error {
	version := ""
	ip, isLong := strings.CutPrefix(text, "IPv6:")
	addr := net.ParseIP(ip)
	switch {
	case isLong && addr == nil:
		version = "v6"
	case isLong || addr.To4() != nil:
		return nil
	}
	return fmt.Errorf("mail: invalid IP%s address in domain-literal: %q", version, text)
}

// anyAtom reads an atom, in which dots may stand anywhere.
func (p *parser) anyAtom() (string, error) {
	switch t := p.next[0]; {
	case t.kind != atom:
		return "", errNoWord
	default:
		p.take(atom)
		return t.text, t.err
	}
}

// dotted reads an atom, in which dots may only stand between others.
func (p *parser) dotted() (string, error) {
	text, err := p.anyAtom()
	switch {
	case err != nil:
	case text[0] == '.':
		err = errors.New("mail: leading dot in atom")
	case strings.Contains(text, ".."):
		err = errors.New("mail: double dot in atom")
	case strings.HasSuffix(text, "."):
		err = errors.New("mail: trailing dot in atom")
	}
	return text, err
}

// phrase reads words, as many as there are. Encoded ones that follow one another are one word; an
// empty one is none. A comment may stand behind every word but an encoded one that is the first.
func (p *parser) phrase() (string, error) {
	var words []string
	for wasEncoded := false; ; {
		if len(words) > 1 || len(words) == 1 && !wasEncoded {
			if err := p.skipComments(); err != nil {
				return "", err
			}
		}
		if p.isAt(end) {
			break
		}
		word, isEncoded, err := p.word()
		switch {
		case err != nil && len(words) == 0:
			return "", fmt.Errorf("mail: missing word in phrase: %v", err)
		case err != nil:
			return strings.Join(words, " "), nil
		case isEncoded && wasEncoded:
			words[len(words)-1] += word
		case !isEncoded || word != "":
			words = append(words, word)
			wasEncoded = isEncoded
		}
	}
	return strings.Join(words, " "), nil
}

// word reads one word of a phrase, and says whether it was an encoded one.
func (p *parser) word() (string, bool, error) {
	if t := p.next[0]; t.kind == quoted {
		p.take(quoted)
		return t.text, false, t.err
	}
	text, err := p.anyAtom()
	if err != nil {
		return "", false, err
	}
	return p.decode(text)
}

// nameInComment reads a comment that stands for a name.
func (p *parser) nameInComment() (name string, err error) {
	text := p.next[0].text
	if !p.take(comment) {
		return "", errComment
	}
	var words []string
	isBlank := func(r rune) bool { return strings.ContainsRune(blanks, r) }
	for word := range strings.FieldsFuncSeq(text, isBlank) {
		if word, _, err = p.decode(word); err != nil {
			return "", err
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), nil
}

// decode decodes a word if it is encoded. That its character set is not known is an error, that it
// is malformed is not.
func (p *parser) decode(word string) (text string, isEncoded bool, err error) {
	if !strings.HasPrefix(word, "=?") {
		return word, false, nil
	}
	reader := func(charset string, _ io.Reader) (io.Reader, error) { return nil, charsetError(charset) }
	if p.words != nil && p.words.CharsetReader != nil {
		reader = p.words.CharsetReader
	}
	var unknown error
	decoder := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (out io.Reader, err error) {
		out, err = reader(charset, in)
		if err != nil {
			unknown = err
		}
		return out, err
	}}
	text, err = decoder.Decode(word)
	if err == nil {
		return text, true, nil
	}
	if unknown != nil {
		return word, true, err
	}
	return word, false, nil
}

// charsetError is the name of a character set that is not known.
type charsetError string

func (e charsetError) Error() string { return fmt.Sprintf("charset not supported: %q", string(e)) }
