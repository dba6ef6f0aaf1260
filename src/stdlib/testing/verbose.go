package testing

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// A verboseFlag is -test.v, which may be test2json: the output is then for a program that makes
// JSON of it, and marked where it could be mistaken.
type verboseFlag struct{ on, json bool }

func (*verboseFlag) IsBoolFlag() bool { return true }

func (f *verboseFlag) Set(arg string) error {
	switch arg {
	case "true", "test2json":
		*f = verboseFlag{true, arg == "test2json"}
	case "false":
		*f = verboseFlag{}
	default:
		return fmt.Errorf("invalid flag -test.v=%s", arg)
	}
	return nil
}

func (f *verboseFlag) String() string {
	switch {
	case f.json:
		return "test2json"
	case f.on:
		return "true"
	}
	return "false"
}

func (f *verboseFlag) Get() any {
	if f.json {
		return "test2json"
	}
	return f.on
}

// prefix stands before a line that is the frame of others.
func (f *verboseFlag) prefix() string {
	if f.json {
		return string(frames)
	}
	return ""
}

// The marks, which are control characters.
const (
	endsError   byte = 'N' - '@' // ^N
	beginsError byte = 'O' - '@' // ^O
	frames      byte = 'V' - '@' // ^V
	escapes     byte = '[' - '@' // ^[, before what looks like a mark
)

// escaped has an escape before each byte that is like a mark.
func escaped(b []byte) []byte {
	var out []byte
	from := 0
	for i, one := range b {
		switch one {
		case endsError, beginsError, frames, escapes:
			out = append(append(out, b[from:i]...), escapes, one)
			from = i + 1
		}
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}

// A livePrinter prints at once what tests do, and says of which test it is.
type livePrinter struct {
	w    io.Writer
	json bool
	mu   sync.Mutex
	last string // the test that was printed of
}

func newLivePrinter(w io.Writer) *livePrinter {
	return &livePrinter{w: w, json: options.verbose.json}
}

func (p *livePrinter) prefix() string {
	if p != nil && p.json {
		return string(frames)
	}
	return ""
}

// update prints what has become of a test.
func (p *livePrinter) update(name string, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = name
	io.WriteString(p.w, p.prefix()+string(text))
}

// state prints a line that names a state of the test, and what belongs to it.
func (p *livePrinter) state(state, name string, more ...string) {
	if p != nil {
		words := append([]string{name}, more...)
		p.update(name, fmt.Appendf(nil, "=== %-5s %s\n", state, strings.Join(words, " ")))
	}
}

// print prints what a test says, below a line with its name if the last was another's.
func (p *livePrinter) print(name string, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	isOther := p.last != "" && p.last != name
	if p.last = name; isOther {
		io.WriteString(p.w, p.prefix()+"=== NAME  "+name+"\n")
	}
	p.w.Write(text)
}
