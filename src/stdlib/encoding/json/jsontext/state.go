// Package jsontext reads and writes JSON as text: tokens and values, and no Go types.
package jsontext

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonwire"
)

// Errors that a SyntacticError has in it.
var (
	ErrDuplicateName = errors.New("duplicate object member name")
	ErrNonStringName = errors.New("object member name must be a string")

	errNoValue    = errors.New("missing value after object name")
	errWrongEnd   = errors.New("mismatching structural token for object or array")
	errTooDeep    = errors.New("exceeded max depth")
	errStaleNames = errors.New("object namespace is in an invalid state")
)

// Places of what should not be there.
const (
	atStart      = "at start of value"
	afterAll     = "after top-level value"
	afterName    = "after object name (expecting ':')"
	afterMember  = "after object value (expecting ',' or '}')"
	afterElement = "after array element (expecting ',' or ']')"
)

// afterValue is the place behind a value in what is open.
func afterValue(in level) string {
	if in.isObject() {
		return afterMember
	}
	return afterElement
}

// deepest is how deeply arrays and objects may be nested.
const deepest = 10000

// Pointer is a JSON Pointer (RFC 6901).
type Pointer string

// IsValid says whether p is well-formed.
func (p Pointer) IsValid() bool {
	for _, rest, more := strings.Cut(string(p), "~"); more; _, rest, more = strings.Cut(rest, "~") {
		if rest == "" || rest[0] != '0' && rest[0] != '1' {
			return false
		}
	}
	return (p == "" || p[0] == '/') && utf8.ValidString(string(p))
}

// LastToken gives the last token, unescaped.
func (p Pointer) LastToken() string {
	return plainToken(strings.TrimPrefix(string(p[len(p.Parent()):]), "/"))
}

// Tokens gives the tokens one by one.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		tok, rest := "", strings.TrimPrefix(string(p), "/")
		for more := p != ""; more; {
			if tok, rest, more = strings.Cut(rest, "/"); !yield(plainToken(tok)) {
				return
			}
		}
	}
}

// Contains says whether what pc points to is in what p points to, or is it.
func (p Pointer) Contains(pc Pointer) bool {
	rest, ok := strings.CutPrefix(string(pc), string(p))
	return ok && (rest == "" || rest[0] == '/')
}

func plainToken(tok string) string {
	if !strings.Contains(tok, "~") {
		return tok
	}
	return strings.ReplaceAll(strings.ReplaceAll(tok, "~1", "/"), "~0", "~")
}

// AppendToken adds a token.
func (p Pointer) AppendToken(tok string) Pointer {
	return Pointer(appendToken([]byte(p), tok))
}

// Parent leaves out the last token.
func (p Pointer) Parent() Pointer {
	return p[:max(strings.LastIndexByte(string(p), '/'), 0)]
}

// appendToken appends a slash and an escaped name to a pointer.
func appendToken(b []byte, name string) []byte {
	if !utf8.ValidString(name) {
		name = string([]rune(name))
	}
	if strings.ContainsAny(name, "~/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	}
	return append(append(b, '/'), name...)
}

// state is where an encoder or decoder is: the levels of open arrays and objects, and the names in
// the objects. All tokens, read or written, are counted here.
type state struct {
	Tokens     grammar
	Names      nameStack
	Namespaces namespaceStack
}

// clear makes s as new, and keeps memory unless it is much.
func (s *state) clear() {
	s.Tokens = grammar{Stack: reuse(s.Tokens.Stack, 1<<10)}
	s.Names = reuse(s.Names, 1<<6)
	s.Namespaces = s.Namespaces[:0]
}

func reuse[S ~[]E, E any](s S, most int) S {
	if cap(s) > most {
		return nil
	}
	return s[:0]
}

// count takes a token that is no string.
func (s *state) count(k Kind, flags *jsonflags.Flags) (err error) {
	kind := inArray
	switch k {
	case '{', '}':
		kind = inObject
	case '[', ']':
	default:
		return s.Tokens.countOther()
	}
	opens := k == '{' || k == '['
	if opens {
		err = s.Tokens.push(kind)
	} else {
		err = s.Tokens.pop(kind)
	}
	if err != nil {
		return err
	}
	if opens {
		flags.Clear(jsonflags.StringTag)
	}
	if kind == inObject {
		unique := !flags.Get(jsonflags.AllowDuplicateNames)
		if opens {
			s.Names = append(s.Names, objectName{at: -1})
			if unique {
				s.Namespaces.push()
			}
		} else {
			s.Names = s.Names[:len(s.Names)-1]
			if unique {
				s.Namespaces = s.Namespaces[:len(s.Namespaces)-1]
			}
		}
	}
	return nil
}

// countString takes a string, which lies at a place of the buffer, and may be a name.
func (s *state) countString(quoted []byte, at int, isVerbatim bool, flags *jsonflags.Flags) error {
	if last := s.Tokens.Last; last.NeedObjectName() && last&staleNames == 0 {
		if last.keepsNames() && !flags.Get(jsonflags.AllowDuplicateNames) &&
			!s.Namespaces.Last().insert(quoted, isVerbatim) {
			return inMember(ErrDuplicateName, quoted)
		}
		s.Names.ReplaceLastQuotedOffset(at)
	}
	return s.Tokens.countAny()
}

// pointer appends the pointer to the value before (where < 0) or after (where > 0) the present
// position, or to what both are in. Names must have been settled.
func (s *state) pointer(b []byte, where int) []byte {
	name := 0
	step := func(at level, last int64) {
		if !at.isObject() {
			b = strconv.AppendInt(append(b, '/'), last, 10)
			return
		}
		b = appendToken(b, s.Names[name].text)
		name++
	}
	open := s.Tokens.Stack
	if len(open) == 0 {
		return b
	}
	for _, at := range open[1:] {
		step(at, at.Length()-1)
	}
	at := s.Tokens.Last
	switch last := at.Length() - 1; {
	case where < 0 && last >= 0, where == 0 && at.wantsValue():
		step(at, last)
	case where > 0 && !at.NeedObjectName():
		step(at, last+1)
	}
	return b
}

// grammar knows which tokens may come next.
type grammar struct {
	// Stack has what Last is in.
	Stack []level
	Last  level
}

// Depth is the number of open arrays and objects, and one for the top level.
func (m *grammar) Depth() int { return len(m.Stack) + 1 }

// index gives a level, the top one for 0.
func (m *grammar) index(i int) *level {
	if i != len(m.Stack) {
		return &m.Stack[i]
	}
	return &m.Last
}

// DepthLength gives the depth, and how many values there are in the innermost.
func (m *grammar) DepthLength() (depth int, length int64) { return m.Depth(), m.Last.Length() }

// countAny takes any value, and a name.
func (m *grammar) countAny() error {
	if m.Last&staleNames != 0 {
		return errStaleNames
	}
	m.Last++
	return nil
}

// countOther takes what can be no name: a literal or a number, or what is read as one.
func (m *grammar) countOther() error {
	if m.Last.NeedObjectName() {
		return ErrNonStringName
	}
	return m.countAny()
}

// countNested takes an array or object, read at once or not.
func (m *grammar) countNested() error {
	possible := !m.Last.NeedObjectName() && m.Last&staleNames == 0
	if possible && len(m.Stack) == deepest {
		return errTooDeep
	}
	return m.countOther()
}

func (m *grammar) push(kind level) error {
	err := m.countNested()
	if err == nil {
		m.Stack, m.Last = append(m.Stack, m.Last), kind
	}
	return err
}

func (m *grammar) pop(kind level) error {
	top := len(m.Stack) - 1
	if top < 0 || m.Last.isObject() != (kind == inObject) {
		return errWrongEnd
	}
	if m.Last.wantsValue() {
		return errNoValue
	}
	if m.Last&staleNames != 0 {
		return errStaleNames
	}
	m.Stack, m.Last = m.Stack[:top], m.Stack[top]
	return nil
}

// NeedIndent says by how many levels next is indented if it comes on a line of its own: 0 if not,
// and one more than the number of indents otherwise.
func (m *grammar) NeedIndent(next Kind) int {
	if len(m.Stack) == 0 || m.Last.wantsValue() {
		return 0
	}
	depth := m.Depth()
	if next == '}' || next == ']' {
		if m.Last.Length() == 0 {
			return 0
		}
		depth--
	}
	return depth
}

// MayAppendDelim appends the colon or comma that comes before next.
func (m *grammar) MayAppendDelim(b []byte, next Kind) []byte {
	if delim := m.delimBefore(next); delim != 0 {
		return append(b, delim)
	}
	return b
}

func (m *grammar) delimBefore(next Kind) byte {
	if m.Last.wantsValue() {
		return ':'
	}
	if len(m.Stack) > 0 && m.Last.Length() > 0 && next != '}' && next != ']' {
		return ','
	}
	return 0
}

// InvalidateDisabledNamespaces notes that the names of some objects are not known any more.
func (m *grammar) InvalidateDisabledNamespaces() {
	for i := range m.Depth() {
		if e := m.index(i); *e&noNames != 0 {
			*e |= staleNames
		}
	}
}

// level is an array or object and the number of values in it, names included.
type level uint64

const (
	inArray    level = 0
	inObject   level = 1 << 63
	noNames    level = 1 << 62
	staleNames level = 1 << 61
)

func (e level) Length() int64        { return int64(e & (staleNames - 1)) }
func (e level) isObject() bool       { return e&inObject != 0 }
func (e level) NeedObjectName() bool { return e&(inObject|1) == inObject }
func (e level) wantsValue() bool     { return e&(inObject|1) == inObject|1 }

func (e level) keepsNames() bool   { return e&noNames == 0 }
func (e *level) Increment()        { *e++ }
func (e *level) DisableNamespace() { *e |= noNames }

// nameStack has the last name of each open object.
type nameStack []objectName

type objectName struct {
	// at is where the quoted name lies in the buffer; -1: it is in text.
	at   int
	text string
}

// ReplaceLastQuotedOffset says where the name lies that has just been read or written.
func (n nameStack) ReplaceLastQuotedOffset(at int) { n[len(n)-1].at = at }

func (n nameStack) setLast(name string) { n[len(n)-1] = objectName{-1, name} }

// settle copies the names out of the buffer, which is about to change. Those that lie there are the
// innermost ones, but for the very last, which may be none yet.
func (n nameStack) settle(buf []byte) {
	for i := len(n) - 1; i >= 0 && (n[i].at >= 0 || i == len(n)-1); i-- {
		if n[i].at < 0 {
			continue
		}
		quoted := buf[n[i].at:]
		if quoted[0] == voidedByte {
			quoted[0] = '"'
		}
		text, _ := jsonwire.AppendUnquote(nil, quoted)
		n[i] = objectName{-1, string(text)}
	}
}

// namespaceStack has the names of each open object.
type namespaceStack []namespace

func (n *namespaceStack) push() { *n = append(*n, namespace{}) }

func (n namespaceStack) Last() *namespace { return &n[len(n)-1] }

// A namespace has the names of an object, in order while they are few.
type namespace struct {
	few  []string
	many map[string]bool
	last string
}

// insert adds a quoted name; false: it is there already.
func (n *namespace) insert(quoted []byte, isVerbatim bool) bool {
	return n.InsertUnquoted(jsonwire.UnquoteMayCopy(quoted, isVerbatim))
}

// InsertUnquoted adds a name; false: it is there already.
func (n *namespace) InsertUnquoted(b []byte) bool {
	const few = 16
	name := string(b)
	if n.many[name] || n.many == nil && slices.Contains(n.few, name) {
		return false
	}
	n.last = name
	if n.many != nil {
		n.many[name] = true
	} else if n.few = append(n.few, name); len(n.few) > few {
		n.many = make(map[string]bool)
		for _, name := range n.few {
			n.many[name] = true
		}
	}
	return true
}

// forget drops the name that was added last.
func (n *namespace) forget() {
	if n.many != nil {
		delete(n.many, n.last)
	} else {
		n.few = n.few[:len(n.few)-1]
	}
}
