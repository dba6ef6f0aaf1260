package textproto

// Reading: lines, lines that others continue, numbered answers, and header fields. A line is lent
// until the next read, so that header fields are only copied when they are kept.

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

var errTooMuch = errors.New("message too large")

// Reader reads lines, header fields and answers.
type Reader struct {
	R *bufio.Reader
	// What is read until a line with a dot, if anything is.
	dot *dotReader
	// A line that is put together of several.
	buf []byte
}

// NewReader makes one that reads from r.
func NewReader(r *bufio.Reader) *Reader { return &Reader{R: r} }

const blanks = " \t"

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

const noLimit = math.MaxInt64

// ReadLine reads a line without its end.
func (r *Reader) ReadLine() (string, error) {
	line, err := r.line(noLimit)
	return string(line), err
}

// ReadLineBytes is ReadLine with bytes.
func (r *Reader) ReadLineBytes() ([]byte, error) {
	line, err := r.line(noLimit)
	return bytes.Clone(line), err
}

// line lends a line of so many bytes at most.
func (r *Reader) line(limit int64) ([]byte, error) {
	r.finishDot()
	line, more, err := r.R.ReadLine()
	if more && err == nil {
		line, err = r.longLine(line, limit)
	}
	if int64(len(line)) > limit && err == nil {
		return nil, errTooMuch
	}
	return line, err
}

// longLine reads on until a line has its end or too many bytes.
func (r *Reader) longLine(begin []byte, limit int64) ([]byte, error) {
	line := bytes.Clone(begin)
	for more := true; more && int64(len(line)) <= limit; {
		part, goesOn, err := r.R.ReadLine()
		if err != nil {
			return nil, err
		}
		line, more = append(line, part...), goesOn
	}
	return line, nil
}

// ReadContinuedLine reads a line and those that continue it, which begin with blanks.
func (r *Reader) ReadContinuedLine() (string, error) {
	line, err := r.continuedLine(noLimit, nil)
	return string(line), err
}

// ReadContinuedLineBytes is ReadContinuedLine with bytes.
func (r *Reader) ReadContinuedLineBytes() ([]byte, error) {
	line, err := r.continuedLine(noLimit, nil)
	return bytes.Clone(line), err
}

// continuedLine lends a line and those that continue it, without blanks around each. What check
// says of the first is an error.
func (r *Reader) continuedLine(limit int64, check func([]byte) error) ([]byte, error) {
	line, err := r.line(limit)
	if len(line) == 0 || err != nil {
		return line, err
	}
	if check != nil {
		if err := check(line); err != nil {
			return nil, err
		}
	}
	line = bytes.Trim(line, blanks)
	if r.R.Buffered() == 0 {
		// To look at the next one takes the buffer that this one lies in.
		r.buf = append(r.buf[:0], line...)
		line = r.buf
	}
	if c, _ := r.R.Peek(1); len(c) == 0 || !isBlank(c[0]) {
		return line, nil
	}
	r.buf = append(r.buf[:0], line...)
	limit -= int64(len(r.buf))
	for r.skipBlanks() {
		r.buf = append(r.buf, ' ')
		room := limit - int64(len(r.buf))
		if room <= 0 {
			return nil, errTooMuch
		}
		if line, err = r.line(room); err != nil {
			return nil, err
		}
		r.buf = append(r.buf, bytes.Trim(line, blanks)...)
	}
	return r.buf, nil
}

// skipBlanks says whether there were any.
func (r *Reader) skipBlanks() (any bool) {
	for {
		if c, _ := r.R.Peek(1); len(c) == 0 || !isBlank(c[0]) {
			return any
		}
		r.R.Discard(1)
		any = true
	}
}

// A reply is a line of an answer: a number, whether more lines of the answer come, and text.
type reply struct {
	code int
	more bool
	text string
}

// reply reads a line of an answer. That the number is not the expected one is an error, but the
// reply is there.
func (r *Reader) reply(expect int) (reply, error) {
	line, err := r.ReadLine()
	if err != nil {
		return reply{}, err
	}
	got, err := parseReply(line)
	// What is expected may be the first digits only.
	if err == nil && 0 < expect && expect < 1000 && !strings.HasPrefix(line[:3], strconv.Itoa(expect)) {
		err = &Error{got.code, got.text}
	}
	return got, err
}

func parseReply(line string) (got reply, err error) {
	if len(line) < 4 || line[3] != '-' && line[3] != ' ' {
		return got, ProtocolError(fmt.Sprintf("short response: %q", line))
	}
	got.more = line[3] == '-'
	if got.code, err = strconv.Atoi(line[:3]); err != nil || got.code < 100 {
		return got, ProtocolError(fmt.Sprintf("invalid response code: %q", line))
	}
	got.text = line[4:]
	return got, nil
}

// ReadCodeLine reads an answer of one line; expectCode is what its number begins with, or 0.
func (r *Reader) ReadCodeLine(expectCode int) (code int, message string, err error) {
	got, err := r.reply(expectCode)
	if got.more && err == nil {
		err = ProtocolError(fmt.Sprintf("unexpected multi-line response: %q", got.text))
	}
	return got.code, got.text, err
}

// ReadResponse reads an answer of one line or of more; expectCode is what its number begins with,
// or 0.
func (r *Reader) ReadResponse(expectCode int) (code int, message string, err error) {
	begin, err := r.reply(expectCode)
	message = begin.text
	for last := begin; last.more; message += "\n" + last.text {
		line, failed := r.ReadLine()
		if failed != nil {
			return 0, "", failed
		}
		var bad error
		if last, bad = parseReply(line); bad != nil || last.code != begin.code {
			// It has no number of its own.
			last = reply{more: true, text: strings.TrimRight(line, "\r\n")}
		}
	}
	if err != nil && begin.more && message != "" {
		err = &Error{begin.code, message}
	}
	return begin.code, message, err
}

// DotReader reads a text up to a line of a dot, without the dots that stand before others.
func (r *Reader) DotReader() io.Reader {
	r.finishDot()
	r.dot = &dotReader{r: r, at: before}
	return r.dot
}

// finishDot reads to its end what a DotReader has left.
func (r *Reader) finishDot() {
	if r.dot != nil {
		io.Copy(io.Discard, r.dot)
	}
}

// ReadDotBytes reads what a DotReader gives.
func (r *Reader) ReadDotBytes() ([]byte, error) { return io.ReadAll(r.DotReader()) }

// ReadDotLines reads the lines of such a text.
func (r *Reader) ReadDotLines() (lines []string, err error) {
	var line string
	for {
		if line, err = r.ReadLine(); err != nil || line == "." {
			break
		}
		lines = append(lines, strings.TrimPrefix(line, "."))
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return lines, err
}

// ReadMIMEHeader reads header fields, and the empty line behind them.
func (r *Reader) ReadMIMEHeader() (MIMEHeader, error) {
	return readFields(r, noLimit, noLimit)
}

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

// parseField parses a line of a header.
func parseField(line []byte) (key, value string, err error) {
	colon := bytes.IndexByte(line, ':')
	if colon < 0 {
		return "", "", malformed(" line", line)
	}
	// Name and value share one string.
	text := string(line)
	key, ok := canonical(text[:colon])
	if !ok {
		return "", "", malformed(" line", line)
	}
	if !isValue(line[colon+1:]) {
		return "", "", malformed(" line", append([]byte(key), line[colon:]...))
	}
	return key, strings.TrimLeft(text[colon+1:], blanks), nil
}

// A field of the first value counts as so many bytes more than its text.
const fieldCost = 200

// readFields reads fields up to an empty line: so many, and so many bytes, at most.
func readFields(r *Reader, maxMemory, maxFields int64) (MIMEHeader, error) {
	if maxMemory < 0 {
		return nil, errTooMuch
	}
	h := make(MIMEHeader)
	if c, _ := r.R.Peek(1); len(c) > 0 && isBlank(c[0]) {
		line, err := r.line(80)
		if err == nil {
			err = malformed(" initial line", line)
		}
		return h, err
	}
	// The first values of fields lie side by side, as many together as a common header has.
	var free []string
	for {
		line, err := r.continuedLine(maxMemory, hasColon)
		if len(line) == 0 {
			return h, err
		}
		key, value, bad := parseField(line)
		if bad != nil {
			return h, bad
		}
		if maxFields--; maxFields < 0 {
			return nil, errTooMuch
		}
		maxMemory -= int64(len(value))
		values, isKnown := h[key]
		if !isKnown {
			maxMemory -= int64(len(key)) + fieldCost
			if len(free) == 0 {
				free = make([]string, 8)
			}
			values, free = free[:0:1], free[1:]
		}
		if maxMemory < 0 {
			return h, errTooMuch
		}
		h[key] = append(values, value)
		if err != nil {
			return h, err
		}
	}
}
