package net

import (
	"errors"
	"internal/godebug"
	"slices"
	"strings"
)

// The messages of the domain name system: RFC 1035, with the larger ones of RFC 6891. They are read
// by a cursor, which remembers that it has met nonsense, so that only its user's last step asks.

const (
	typeA     = 1
	typeNS    = 2
	typeCNAME = 5
	typePTR   = 12
	typeMX    = 15
	typeTXT   = 16
	typeAAAA  = 28
	typeSRV   = 33
	typeOPT   = 41

	classInternet  = 1
	largestMessage = 1232 // bytes that we take over UDP
)

// Bits of the second word of a message.
const (
	flagReply         = 0x8000
	flagAuthoritative = 0x0400
	flagCut           = 0x0200
	flagWantRecursion = 0x0100
	flagRecursive     = 0x0080
	flagAuthentic     = 0x0020
	codeMask          = 0x000f
)

var (
	lameServer       = errors.New("lame referral")
	malformed        = errors.New("cannot unmarshal DNS message")
	unspeakable      = errors.New("cannot marshal DNS message")
	otherReply       = errors.New("invalid DNS response")
	misbehaving      = errors.New("server misbehaving")
	misbehavesForNow = &temporaryError{"server misbehaving"}
)

// fitsDNS tells whether DNS software takes s as a name: labels of letters, digits, hyphens and
// underscores. One of digits only would be an address.
func fitsDNS(s string) bool {
	if s == "." {
		return true
	}
	name := strings.TrimSuffix(s, ".")
	worded := false
	for label := range strings.SplitSeq(name, ".") {
		digits := 0
		for i := range len(label) {
			switch c := label[i]; {
			case c-'0' <= 9:
				digits++
			case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_':
			case c == '-' && i > 0 && i < len(label)-1:
			default:
				return false
			}
		}
		if label == "" || len(label) > 63 {
			return false
		}
		worded = worded || digits < len(label)
	}
	return worded && len(name) <= 253
}

// A wire is a place in a message, from which things are read.
type wire struct {
	message []byte
	at      int
	broken  bool // it made no sense; all that is read from now on is nothing
}

// take reads n bytes, or none.
func (w *wire) take(n int) []byte {
	if w.broken || n > len(w.message)-w.at {
		w.broken = true
		return nil
	}
	w.at += n
	return w.message[w.at-n : w.at]
}

// number reads a number of some bytes.
func (w *wire) number(bytes int) (n int) {
	for _, b := range w.take(bytes) {
		n = n<<8 | int(b)
	}
	return n
}

func (w *wire) word() int { return w.number(2) }

// name reads a domain name. It may end with a pointer to the rest of it, elsewhere in the message.
func (w *wire) name() string {
	const mostPointers, pointer = 10, 0xc0
	var text []byte
	in := w
	for pointers := 0; ; {
		size := in.number(1)
		switch {
		case size >= pointer:
			target := size&^pointer<<8 | in.number(1)
			pointers++
			in = &wire{w.message, target, in.broken || pointers > mostPointers || target > len(w.message)}
		case size >= 64:
			in.broken = true
		case size > 0:
			label := in.take(size)
			in.broken = in.broken || slices.Contains(label, '.')
			text = append(append(text, label...), '.')
		}
		switch {
		case in.broken || len(text) > 255:
			w.broken = true
			return ""
		case size == 0 && len(text) == 0:
			return "."
		case size == 0:
			return string(text)
		}
	}
}

// A record is one of an answer.
type record struct {
	owner string
	kind  int
	data  []byte
	body  wire // where the data begin: names in them may continue elsewhere
}

// wordsBefore tells how many words stand before the name in records of a kind that has one.
var wordsBefore = [...]int{typeMX: 1, typeSRV: 3}

// A pointing is what is in a record that names a host.
type pointing struct {
	host  string
	words [3]uint16
}

// pointing reads such a record. It is not ok if it makes no sense.
func (a *record) pointing() (p pointing, ok bool) {
	w := a.body
	if a.kind < len(wordsBefore) {
		for i := range wordsBefore[a.kind] {
			p.words[i] = uint16(w.word())
		}
	}
	within := w.at < a.body.at+len(a.data)
	p.host = w.name()
	return p, within && !w.broken
}

// text joins the strings of a record that has them.
func (a *record) text() string {
	w := wire{message: a.data}
	var text []byte
	for !w.broken && w.at < len(a.data) {
		text = append(text, w.take(w.number(1))...)
	}
	return string(text)
}

// A query is a question to a server.
type query struct {
	id   int
	name string
	kind int
}

// encode writes the question as a message.
func (q *query) encode(flags int) ([]byte, error) {
	var m []byte
	words := func(list ...int) {
		for _, n := range list {
			m = append(m, byte(n>>8), byte(n))
		}
	}
	const questions, answers, authorities = 1, 0, 0
	others := 1
	if godebug.Is("netedns0", "0") {
		others = 0
	}
	words(q.id, flags|flagWantRecursion, questions, answers, authorities, others)
	if name := strings.TrimSuffix(q.name, "."); name != "" {
		for label := range strings.SplitSeq(name, ".") {
			if label == "" || len(label) > 63 {
				return nil, unspeakable
			}
			m = append(append(m, byte(len(label))), label...)
		}
	}
	m = append(m, 0)
	words(q.kind, classInternet)
	if others > 0 {
		// The record that says how large an answer may be: of the root, with no flags and no data.
		m = append(m, 0)
		words(typeOPT, largestMessage, 0, 0, 0)
	}
	return m, nil
}

// A reply is read as far as its answers.
type reply struct {
	flags   int
	answers []record
	more    int // records of other sections, but for typeOPT
}

// decode reads the reply to a question: otherReply if it answers another one.
func (q *query) decode(message []byte) (*reply, error) {
	w := &wire{message: message}
	id := w.word()
	r := &reply{flags: w.word()}
	questions, answers := w.word(), w.word()
	others := w.word() + w.word()
	asked, kind, class := w.name(), w.word(), w.word()
	isOurs := id == q.id && r.flags&flagReply != 0 && questions == 1 &&
		strings.EqualFold(asked, q.name) && kind == q.kind && class == classInternet
	if w.broken || !isOurs {
		return nil, otherReply
	}
	for range answers {
		a := w.record()
		if w.broken {
			return r, malformed
		}
		r.answers = append(r.answers, a)
	}
	for range others {
		if a := w.record(); !w.broken && a.kind != typeOPT {
			r.more++
		}
	}
	return r, nil
}

func (w *wire) record() (a record) {
	a.owner, a.kind = w.name(), w.word()
	w.take(6) // class, and how long it may be kept
	size := w.word()
	a.body = *w
	a.data = w.take(size)
	return a
}

// judge tells what is wrong with a reply, if anything.
func (r *reply) judge() error {
	const noError, serverFailure, nameError = 0, 2, 3
	switch r.flags & codeMask {
	case noError:
		if r.flags&(flagAuthoritative|flagRecursive) == 0 && len(r.answers)+r.more == 0 {
			return lameServer
		}
		return nil
	case nameError:
		return unknownHost
	case serverFailure:
		return misbehavesForNow
	}
	return misbehaving
}

// has tells whether there is an answer of the kind.
func (r *reply) has(kind int) bool {
	return slices.ContainsFunc(r.answers, func(a record) bool { return a.kind == kind })
}
