// Package jsontext reads and writes JSON as text: tokens and values, and no Go types.
package jsontext

import (
	"errors"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"encoding/json/internal/jsonwire"
)

// Errors that a SyntacticError has in it.
var (
	ErrDuplicateName = errors.New("duplicate object member name")
	ErrNonStringName = errors.New("object member name must be a string")

	errMissingValue     = errors.New("missing value after object name")
	errMismatchDelim    = errors.New("mismatching structural token for object or array")
	errMaxDepth         = errors.New("exceeded max depth")
	errInvalidNamespace = errors.New("object namespace is in an invalid state")
)

// maxNestingDepth is how deeply arrays and objects may be nested.
const maxNestingDepth = 10000

// Pointer is a JSON Pointer (RFC 6901).
type Pointer string

// IsValid says whether p is well-formed.
func (p Pointer) IsValid() bool {
	if len(p) > 0 && p[0] != '/' || !utf8.ValidString(string(p)) {
		return false
	}
	for i := range len(p) {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return false
		}
	}
	return true
}

// Contains says whether what pc points to is in what p points to, or is it.
func (p Pointer) Contains(pc Pointer) bool {
	rest, ok := strings.CutPrefix(string(pc), string(p))
	return ok && (rest == "" || rest[0] == '/')
}

// Parent leaves out the last token.
func (p Pointer) Parent() Pointer {
	return p[:max(strings.LastIndexByte(string(p), '/'), 0)]
}

// LastToken gives the last token, unescaped.
func (p Pointer) LastToken() string {
	return plainToken(strings.TrimPrefix(string(p[len(p.Parent()):]), "/"))
}

// AppendToken adds a token.
func (p Pointer) AppendToken(tok string) Pointer {
	return Pointer(appendToken([]byte(p), tok))
}

// Tokens gives the tokens one by one.
func (p Pointer) Tokens() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := string(p); rest != ""; {
			rest = strings.TrimPrefix(rest, "/")
			i := strings.IndexByte(rest, '/')
			if i < 0 {
				i = len(rest)
			}
			if !yield(plainToken(rest[:i])) {
				return
			}
			rest = rest[i:]
		}
	}
}

func plainToken(tok string) string {
	if !strings.Contains(tok, "~") {
		return tok
	}
	return strings.ReplaceAll(strings.ReplaceAll(tok, "~1", "/"), "~0", "~")
}

// appendToken appends a slash and an escaped name to a pointer.
func appendToken(b []byte, name string) []byte {
	b = append(b, '/')
	for _, r := range name {
		switch r {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// state is where an encoder or decoder is.
type state struct {
	Tokens     stateMachine
	Names      nameStack
	Namespaces namespaceStack
}

func (s *state) reset() {
	s.Tokens.Stack, s.Tokens.Last = s.Tokens.Stack[:0], 0
	if cap(s.Tokens.Stack) > 1<<10 {
		s.Tokens.Stack = nil
	}
	s.Names = s.Names[:0]
	if cap(s.Names) > 1<<6 {
		s.Names = nil
	}
	s.Namespaces = s.Namespaces[:0]
}

// appendStackPointer appends the pointer to the value before (where < 0) or after (where > 0) the
// present position, or to what both are in. Names must have been settled.
func (s *state) appendStackPointer(b []byte, where int) []byte {
	objects := 0
	depth := s.Tokens.Depth()
	for i := 1; i < depth; i++ {
		e := *s.Tokens.index(i)
		last := e.Length() - 1
		if i == depth-1 {
			if where < 0 && e.Length() == 0 || where == 0 && !e.needObjectValue() ||
				where > 0 && e.NeedObjectName() {
				return b
			}
			if where > 0 && !e.isObject() {
				last++
			}
		}
		if e.isObject() {
			b = appendToken(b, s.Names[objects].text)
			objects++
		} else {
			b = strconv.AppendInt(append(b, '/'), last, 10)
		}
	}
	return b
}

// stateMachine knows which tokens may come next.
type stateMachine struct {
	// Stack has what Last is in.
	Stack []stateEntry
	Last  stateEntry
}

// Depth is the number of open arrays and objects, and one for the top level.
func (m *stateMachine) Depth() int { return len(m.Stack) + 1 }

func (m *stateMachine) index(i int) *stateEntry {
	if i == len(m.Stack) {
		return &m.Last
	}
	return &m.Stack[i]
}

// DepthLength gives the depth, and how many values there are in the innermost.
func (m *stateMachine) DepthLength() (int, int64) { return m.Depth(), m.Last.Length() }

func (m *stateMachine) appendString() error {
	if m.Last&badNamespace != 0 {
		return errInvalidNamespace
	}
	m.Last++
	return nil
}

// appendOther takes a literal or a number, or what is read as one: a whole array or object.
func (m *stateMachine) appendOther() error {
	if m.Last.NeedObjectName() {
		return ErrNonStringName
	}
	return m.appendString()
}

// appendNested takes an array or object that is written at once.
func (m *stateMachine) appendNested() error {
	if !m.Last.NeedObjectName() && m.Last&badNamespace == 0 && len(m.Stack) == maxNestingDepth {
		return errMaxDepth
	}
	return m.appendOther()
}

func (m *stateMachine) push(kind stateEntry) error {
	if err := m.appendNested(); err != nil {
		return err
	}
	m.Stack = append(m.Stack, m.Last)
	m.Last = kind
	return nil
}

func (m *stateMachine) pop(kind stateEntry) error {
	switch {
	case m.Last.isObject() != (kind == inObject) || len(m.Stack) == 0:
		return errMismatchDelim
	case m.Last.needObjectValue():
		return errMissingValue
	case m.Last&badNamespace != 0:
		return errInvalidNamespace
	}
	m.Last = m.Stack[len(m.Stack)-1]
	m.Stack = m.Stack[:len(m.Stack)-1]
	return nil
}

// NeedIndent says by how many levels next is indented if it comes on a line of its own: 0 if not,
// and one more than the number of indents otherwise.
func (m *stateMachine) NeedIndent(next Kind) int {
	ends := next == '}' || next == ']'
	switch {
	case len(m.Stack) == 0 || m.Last.Length() == 0 && ends:
		return 0
	case ends && !m.Last.needObjectValue():
		return m.Depth() - 1
	case m.Last.Length() == 0 || m.Last.needImplicitComma(next):
		return m.Depth()
	}
	return 0
}

// MayAppendDelim appends the colon or comma that comes before next.
func (m *stateMachine) MayAppendDelim(b []byte, next Kind) []byte {
	if delim := m.needDelim(next); delim != 0 {
		return append(b, delim)
	}
	return b
}

func (m *stateMachine) needDelim(next Kind) byte {
	switch {
	case m.Last.needObjectValue():
		return ':'
	case len(m.Stack) != 0 && m.Last.needImplicitComma(next):
		return ','
	}
	return 0
}

// InvalidateDisabledNamespaces notes that the names of some objects are not known any more.
func (m *stateMachine) InvalidateDisabledNamespaces() {
	for i := range m.Depth() {
		if e := m.index(i); *e&noNamespace != 0 {
			*e |= badNamespace
		}
	}
}

// stateEntry is an array or object and the number of values in it, names included.
type stateEntry uint64

const (
	inArray      stateEntry = 0
	inObject     stateEntry = 1 << 63
	noNamespace  stateEntry = 1 << 62
	badNamespace stateEntry = 1 << 61
)

func (e stateEntry) Length() int64         { return int64(e & (badNamespace - 1)) }
func (e stateEntry) isObject() bool        { return e&inObject != 0 }
func (e stateEntry) NeedObjectName() bool  { return e&(inObject|1) == inObject }
func (e stateEntry) needObjectValue() bool { return e&(inObject|1) == inObject|1 }

func (e stateEntry) needImplicitComma(next Kind) bool {
	return e.Length() > 0 && next != '}' && next != ']' && !e.needObjectValue()
}

func (e stateEntry) isActiveNamespace() bool { return e&noNamespace == 0 }
func (e *stateEntry) Increment()             { *e++ }
func (e *stateEntry) DisableNamespace()      { *e |= noNamespace }

// nameStack has the last name of each open object.
type nameStack []objectName

type objectName struct {
	// at is where the quoted name lies in the buffer; -1: it is in text.
	at   int
	text string
}

func (n *nameStack) push() { *n = append(*n, objectName{at: -1}) }
func (n *nameStack) pop()  { *n = (*n)[:len(*n)-1] }

// ReplaceLastQuotedOffset says where the name lies that has just been read or written.
func (n nameStack) ReplaceLastQuotedOffset(at int) { n[len(n)-1].at = at }

func (n nameStack) setLast(name string) { n[len(n)-1] = objectName{-1, name} }

// settle copies the names out of the buffer, which is about to change.
func (n nameStack) settle(buf []byte) {
	for i := len(n) - 1; i >= 0; i-- {
		if n[i].at < 0 {
			if i == len(n)-1 {
				// The innermost object may have no name yet.
				continue
			}
			break
		}
		quoted := buf[n[i].at:]
		if quoted[0] == voidedByte {
			quoted[0] = '"'
		}
		name, _ := jsonwire.AppendUnquote(nil, quoted)
		n[i] = objectName{-1, string(name)}
	}
}

// namespaceStack has the names of each open object.
type namespaceStack []namespace

func (n *namespaceStack) push() {
	if cap(*n) > len(*n) {
		*n = (*n)[:len(*n)+1]
		*n.Last() = namespace{}
		return
	}
	*n = append(*n, namespace{})
}

func (n *namespaceStack) pop()            { *n = (*n)[:len(*n)-1] }
func (n namespaceStack) Last() *namespace { return &n[len(n)-1] }

type namespace struct {
	few  []string
	many map[string]struct{}
	last string
}

// insert adds a quoted name; false: it is there already.
func (n *namespace) insert(quoted []byte, isVerbatim bool) bool {
	return n.InsertUnquoted(jsonwire.UnquoteMayCopy(quoted, isVerbatim))
}

// InsertUnquoted adds a name; false: it is there already.
func (n *namespace) InsertUnquoted(b []byte) bool {
	name := string(b)
	if n.many != nil {
		if _, ok := n.many[name]; ok {
			return false
		}
		n.many[name] = struct{}{}
		n.last = name
		return true
	}
	for _, other := range n.few {
		if other == name {
			return false
		}
	}
	n.few = append(n.few, name)
	n.last = name
	if len(n.few) > 16 {
		n.many = make(map[string]struct{})
		for _, name := range n.few {
			n.many[name] = struct{}{}
		}
	}
	return true
}

func (n *namespace) removeLast() {
	if n.many != nil {
		delete(n.many, n.last)
	} else {
		n.few = n.few[:len(n.few)-1]
	}
}
