package textproto

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	_ "unsafe"
)

var errMessageTooLarge = errors.New("message too large")

// Reader reads lines, header fields and answers.
type Reader struct {
	R *bufio.Reader
	// What is read until a line with a dot, if anything is.
	dot *dotReader
	// A line that is put together of several.
	buf []byte
}

func NewReader(r *bufio.Reader) *Reader { return &Reader{R: r} }

func (r *Reader) ReadLine() (string, error) {
	line, err := r.line(-1)
	return string(line), err
}

func (r *Reader) ReadLineBytes() ([]byte, error) {
	line, err := r.line(-1)
	return bytes.Clone(line), err
}

// line reads a line, which stays until the next read; it may be no longer than limit, if that is
// not negative.
func (r *Reader) line(limit int64) ([]byte, error) {
	r.finishDot()
	var whole []byte
	for {
		part, more, err := r.R.ReadLine()
		switch {
		case err != nil:
			return nil, err
		case limit >= 0 && int64(len(whole)+len(part)) > limit:
			return nil, errMessageTooLarge
		case whole == nil && !more:
			return part, nil
		}
		whole = append(whole, part...)
		if !more {
			return whole, nil
		}
	}
}

func (r *Reader) ReadContinuedLine() (string, error) {
	line, err := r.continuedLine(-1, nil)
	return string(line), err
}

func (r *Reader) ReadContinuedLineBytes() ([]byte, error) {
	line, err := r.continuedLine(-1, nil)
	return bytes.Clone(line), err
}

const blanks = " \t"

// continuedLine reads a line and those that continue it, which begin with white space. What check
// says of the first is an error.
func (r *Reader) continuedLine(limit int64, check func([]byte) error) ([]byte, error) {
	line, err := r.line(limit)
	if err != nil || len(line) == 0 {
		return line, err
	}
	if check != nil {
		if err := check(line); err != nil {
			return nil, err
		}
	}
	// Mostly the next line is there, and continues nothing: nothing need be copied.
	if r.R.Buffered() > 1 {
		if next, _ := r.R.Peek(2); len(next) > 0 {
			c := next[0]
			if 'a' <= c|0x20 && c|0x20 <= 'z' || c == '\n' || c == '\r' && len(next) == 2 && next[1] == '\n' {
				return bytes.Trim(line, blanks), nil
			}
		}
	}
	r.buf = append(r.buf[:0], bytes.Trim(line, blanks)...)
	if limit < 0 {
		limit = math.MaxInt64
	}
	limit -= int64(len(r.buf))
	for r.skipBlanks() {
		r.buf = append(r.buf, ' ')
		if int64(len(r.buf)) >= limit {
			return nil, errMessageTooLarge
		}
		line, err := r.line(limit - int64(len(r.buf)))
		if err != nil {
			return nil, err
		}
		r.buf = append(r.buf, bytes.Trim(line, blanks)...)
	}
	return r.buf, nil
}

// skipBlanks says whether there were any.
func (r *Reader) skipBlanks() (any bool) {
	for {
		c, err := r.R.ReadByte()
		if err != nil {
			return any
		}
		if c != ' ' && c != '\t' {
			r.R.UnreadByte()
			return any
		}
		any = true
	}
}

// answer reads a line with a number, and says whether more lines of it come.
func (r *Reader) answer(expect int) (code int, more bool, message string, err error) {
	line, err := r.ReadLine()
	if err != nil {
		return 0, false, "", err
	}
	return parseAnswer(line, expect)
}

func parseAnswer(line string, expect int) (code int, more bool, message string, err error) {
	if len(line) < 4 || line[3] != ' ' && line[3] != '-' {
		return 0, false, "", ProtocolError(fmt.Sprintf("short response: %q", line))
	}
	more = line[3] == '-'
	code, err = strconv.Atoi(line[:3])
	if err != nil || code < 100 {
		return code, more, "", ProtocolError(fmt.Sprintf("invalid response code: %q", line))
	}
	message = line[4:]
	// What is expected may be the first digits only.
	for begin := code; begin > 0; begin /= 10 {
		if expect <= 0 || expect >= 1000 || begin == expect {
			return code, more, message, nil
		}
	}
	return code, more, message, &Error{code, message}
}

func (r *Reader) ReadCodeLine(expectCode int) (code int, message string, err error) {
	code, more, message, err := r.answer(expectCode)
	if err == nil && more {
		err = ProtocolError(fmt.Sprintf("unexpected multi-line response: %q", message))
	}
	return code, message, err
}

func (r *Reader) ReadResponse(expectCode int) (code int, message string, err error) {
	code, more, first, err := r.answer(expectCode)
	isLong := more
	var text strings.Builder
	text.WriteString(first)
	for more {
		line, err := r.ReadLine()
		if err != nil {
			return 0, "", err
		}
		text.WriteByte('\n')
		number, goesOn, rest, err := parseAnswer(line, 0)
		if err != nil || number != code {
			text.WriteString(strings.TrimRight(line, "\r\n"))
			continue
		}
		more = goesOn
		text.WriteString(rest)
	}
	message = text.String()
	if err != nil && isLong && message != "" {
		err = &Error{code, message}
	}
	return code, message, err
}

// dotReader reads lines until one that is a dot; a dot at the beginning of others goes.
type dotReader struct {
	r     *Reader
	state int
}

const (
	begins   = iota // at the beginning of a line
	hasDot          // behind its first dot
	hasDotCR        // behind that and \r
	hasCR           // behind \r
	inLine
	atEnd
)

func (r *Reader) DotReader() io.Reader {
	r.finishDot()
	r.dot = &dotReader{r: r}
	return r.dot
}

func (d *dotReader) Read(b []byte) (n int, err error) {
	in := d.r.R
	for n < len(b) && d.state != atEnd {
		c, e := in.ReadByte()
		if e != nil {
			if err = e; e == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			break
		}
		next := inLine
		switch d.state {
		case begins, inLine:
			switch {
			case c == '.' && d.state == begins:
				d.state = hasDot
				continue
			case c == '\r':
				d.state = hasCR
				continue
			case c == '\n' && d.state == inLine:
				next = begins
			}
		case hasDot:
			if c == '\r' {
				d.state = hasDotCR
				continue
			}
			if c == '\n' {
				d.state = atEnd
				continue
			}
		case hasDotCR, hasCR:
			switch {
			case c == '\n' && d.state == hasDotCR:
				d.state = atEnd
				continue
			case c == '\n':
				next = begins
			default:
				// That \r ended no line.
				in.UnreadByte()
				c = '\r'
			}
		}
		d.state = next
		b[n] = c
		n++
	}
	if err == nil && d.state == atEnd {
		err = io.EOF
	}
	if err != nil && d.r.dot == d {
		d.r.dot = nil
	}
	return n, err
}

// finishDot reads to its end what a DotReader has left.
func (r *Reader) finishDot() {
	if r.dot == nil {
		return
	}
	var waste [128]byte
	for r.dot != nil {
		r.dot.Read(waste[:])
	}
}

func (r *Reader) ReadDotBytes() ([]byte, error) { return io.ReadAll(r.DotReader()) }

func (r *Reader) ReadDotLines() (lines []string, err error) {
	for {
		line, err := r.ReadLine()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil || line == "." {
			return lines, err
		}
		lines = append(lines, strings.TrimPrefix(line, "."))
	}
}

func (r *Reader) ReadMIMEHeader() (MIMEHeader, error) {
	return readMIMEHeader(r, math.MaxInt64, math.MaxInt64)
}

// A field of the first value counts as so many bytes more than its text.
const fieldCost = 200

func malformed(what string, line []byte) error {
	return ProtocolError(fmt.Sprintf("malformed MIME header"+what+": %q", line))
}

// hasColon is what the first line of a field must pass.
func hasColon(line []byte) error {
	if bytes.IndexByte(line, ':') < 0 {
		return malformed(": missing colon", line)
	}
	return nil
}

// readMIMEHeader reads fields up to an empty line: so many, and so many bytes, at most.
func readMIMEHeader(r *Reader, maxMemory, maxFields int64) (MIMEHeader, error) {
	if maxMemory < 0 {
		return nil, errMessageTooLarge
	}
	h := make(MIMEHeader)
	if first, err := r.R.Peek(1); err == nil && (first[0] == ' ' || first[0] == '\t') {
		line, err := r.line(80)
		if err != nil {
			return h, err
		}
		return h, malformed(" initial line", line)
	}
	for {
		line, err := r.continuedLine(maxMemory, hasColon)
		if len(line) == 0 {
			return h, err
		}
		name, value, hasColon := bytes.Cut(line, []byte(":"))
		key, ok := canonical(string(name))
		switch {
		case !hasColon || !ok:
			return h, malformed(" line", line)
		case !isValue(value):
			return h, malformed(" line", append([]byte(key), line[len(name):]...))
		}
		if maxFields--; maxFields < 0 {
			return nil, errMessageTooLarge
		}
		text := string(bytes.TrimLeft(value, blanks))
		values, isKnown := h[key]
		if !isKnown {
			maxMemory -= int64(len(key)) + fieldCost
		}
		if maxMemory -= int64(len(text)); maxMemory < 0 {
			return h, errMessageTooLarge
		}
		h[key] = append(values, text)
		if err != nil {
			return h, err
		}
	}
}
