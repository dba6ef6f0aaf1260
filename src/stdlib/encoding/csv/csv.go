// Package csv: records of fields separated by commas. RFC 4180.
package csv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	ErrBareQuote     = errors.New("bare \" in non-quoted-field")
	ErrQuote         = errors.New("extraneous or missing \" in quoted-field")
	ErrFieldCount    = errors.New("wrong number of fields")
	ErrTrailingComma = errors.New("extra delimiter at end of line")

	errDelimiter = errors.New("csv: invalid field or comment delimiter")
)

type ParseError struct {
	StartLine int // of the record
	Line      int
	Column    int // in bytes, from 1
	Err       error
}

func (e *ParseError) Error() string {
	text := "<nil>"
	if e.Err != nil {
		text = e.Err.Error()
	}
	place := "parse error on line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column)
	switch {
	case e.Err == ErrFieldCount:
		place = "record on line " + strconv.Itoa(e.Line)
	case e.StartLine != e.Line:
		place = "record on line " + strconv.Itoa(e.StartLine) + "; " + place
	}
	return place + ": " + text
}

func (e *ParseError) Unwrap() error { return e.Err }

// isDelimiter says whether r can be one.
func isDelimiter(r rune) bool {
	switch r {
	case 0, '"', '\r', '\n', utf8.RuneError:
		return false
	}
	return utf8.ValidRune(r)
}

type position struct{ line, column int }

type Reader struct {
	Comma            rune
	Comment          rune
	FieldsPerRecord  int
	LazyQuotes       bool
	TrimLeadingSpace bool
	ReuseRecord      bool
	TrailingComma    bool

	r      *bufio.Reader
	line   int // read last
	offset int64
	long   []byte // a line that the buffer does not hold

	// The fields of the record read last: their text, where each ends in it, where each began.
	text   []byte
	ends   []int
	starts []position
	last   []string
}

func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReader(r), Comma: ','} }

func (r *Reader) FieldPos(field int) (line, column int) {
	if field < 0 || field >= len(r.starts) {
		panic("out of range index passed to FieldPos")
	}
	at := r.starts[field]
	return at.line, at.column
}

func (r *Reader) InputOffset() int64 { return r.offset }

func (r *Reader) ReadAll() (records [][]string, err error) {
	for {
		record, err := r.record(nil)
		switch err {
		case nil:
			records = append(records, record)
		case io.EOF:
			return records, nil
		default:
			return nil, err
		}
	}
}

func (r *Reader) Read() (record []string, err error) {
	if !r.ReuseRecord {
		return r.record(nil)
	}
	r.last, err = r.record(r.last)
	return r.last, err
}

// next reads a line with its end, which becomes a single \n. The last one may have none.
func (r *Reader) next() ([]byte, error) {
	line, err := r.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = r.rest(line)
	}
	r.line++
	r.offset += int64(len(line))
	if err == io.EOF && len(line) > 0 {
		return bytes.TrimSuffix(line, []byte{'\r'}), nil
	}
	if text, ok := bytes.CutSuffix(line, []byte("\r\n")); ok {
		line = append(text, '\n')
	}
	return line, err
}

// rest reads a line on that is longer than the buffer.
func (r *Reader) rest(line []byte) (_ []byte, err error) {
	r.long = append(r.long[:0], line...)
	for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
		line, err = r.r.ReadSlice('\n')
		r.long = append(r.long, line...)
	}
	return r.long, err
}

// lineEnd is the length of the end of a line.
func lineEnd(line []byte) int {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return 1
	}
	return 0
}

func startsWith(line []byte, r rune) bool {
	first, _ := utf8.DecodeRune(line)
	return first == r
}

// first is the next line that is neither empty nor a comment.
func (r *Reader) first() (line []byte, err error) {
	for err == nil {
		line, err = r.next()
		isComment := r.Comment != 0 && startsWith(line, r.Comment)
		if !isComment && (err != nil || len(line) > lineEnd(line)) {
			return line, err
		}
		line = nil
	}
	return line, err
}

func (r *Reader) record(into []string) ([]string, error) {
	if !isDelimiter(r.Comma) || r.Comment != 0 && (r.Comment == r.Comma || !isDelimiter(r.Comment)) {
		return nil, errDelimiter
	}
	line, end := r.first()
	if end == io.EOF {
		return nil, end
	}
	r.text, r.ends, r.starts = r.text[:0], r.ends[:0], r.starts[:0]
	first := r.line
	p := parser{Reader: r, rest: line, end: end, first: first, at: position{first, 1}}
	p.width = utf8.RuneLen(r.Comma)
	err := p.fields()
	if err == nil {
		err = p.end
	}

	if into = into[:0]; cap(into) < len(r.ends) {
		into = make([]string, 0, len(r.ends))
	}
	text, from := string(r.text), 0
	for _, to := range r.ends {
		into = append(into, text[from:to])
		from = to
	}
	switch {
	case r.FieldsPerRecord == 0:
		r.FieldsPerRecord = len(into)
	case r.FieldsPerRecord > 0 && len(into) != r.FieldsPerRecord && err == nil:
		err = &ParseError{StartLine: first, Line: first, Column: 1, Err: ErrFieldCount}
	}
	return into, err
}

// A parser goes through one record.
type parser struct {
	*Reader
	rest  []byte // of the line
	end   error  // of reading
	first int    // line
	at    position
	width int // of the delimiter
}

// fields takes the fields of the record apart.
func (p *parser) fields() error {
	for more := true; more; {
		if p.TrimLeadingSpace {
			p.trim()
		}
		var err error
		if len(p.rest) > 0 && p.rest[0] == '"' {
			more, err = p.quoted()
		} else {
			more, err = p.plain()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) trim() {
	n := bytes.IndexFunc(p.rest, func(r rune) bool { return !unicode.IsSpace(r) })
	if n < 0 {
		n = len(p.rest)
		p.at.column -= lineEnd(p.rest)
	}
	p.skip(n)
}

func (p *parser) skip(n int) {
	p.rest = p.rest[n:]
	p.at.column += n
}

// ends the field that began at start.
func (p *parser) close(start position) {
	p.ends = append(p.ends, len(p.text))
	p.starts = append(p.starts, start)
}

func (p *parser) fail(line, column int, err error) (bool, error) {
	return false, &ParseError{StartLine: p.first, Line: line, Column: column, Err: err}
}

// plain takes a field without quotes, and says whether another follows.
func (p *parser) plain() (more bool, err error) {
	n := bytes.IndexRune(p.rest, p.Comma)
	more = n >= 0
	if !more {
		n = len(p.rest) - lineEnd(p.rest)
	}
	field := p.rest[:n]
	if !p.LazyQuotes {
		if i := bytes.IndexByte(field, '"'); i >= 0 {
			return p.fail(p.line, p.at.column+i, ErrBareQuote)
		}
	}
	p.text = append(p.text, field...)
	p.close(p.at)
	if more {
		p.skip(n + p.width)
	}
	return more, nil
}

// quoted takes a field in quotes, which may go on for lines.
func (p *parser) quoted() (more bool, err error) {
	start := p.at
	p.skip(1)
	for {
		n := bytes.IndexByte(p.rest, '"')
		if n < 0 {
			if len(p.rest) == 0 {
				if !p.LazyQuotes && p.end == nil {
					return p.fail(p.at.line, p.at.column, ErrQuote)
				}
				p.close(start)
				return false, nil
			}
			p.text = append(p.text, p.rest...)
			if p.end != nil {
				return false, nil
			}
			p.at.column += len(p.rest)
			p.rest, p.end = p.next()
			if len(p.rest) > 0 {
				p.at = position{p.at.line + 1, 1}
			}
			if p.end == io.EOF {
				p.end = nil
			}
			continue
		}
		p.text = append(p.text, p.rest[:n]...)
		p.skip(n + 1)
		switch {
		case startsWith(p.rest, '"'):
			p.text = append(p.text, '"')
			p.skip(1)
		case startsWith(p.rest, p.Comma):
			p.skip(p.width)
			p.close(start)
			return true, nil
		case len(p.rest) == lineEnd(p.rest):
			p.close(start)
			return false, nil
		case p.LazyQuotes:
			p.text = append(p.text, '"')
		default:
			return p.fail(p.line, p.at.column-1, ErrQuote)
		}
	}
}

type Writer struct {
	Comma   rune
	UseCRLF bool
	w       *bufio.Writer
}

func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w), Comma: ','} }

// needsQuotes says whether a field would be taken for another without.
func (w *Writer) needsQuotes(field string) bool {
	switch field {
	case "":
		return false
	case `\.`:
		// The end of data to some databases.
		return true
	}
	if strings.ContainsAny(field, "\"\r\n") || strings.ContainsRune(field, w.Comma) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(field)
	return unicode.IsSpace(first)
}

func (w *Writer) Write(record []string) error {
	if !isDelimiter(w.Comma) {
		return errDelimiter
	}
	for i, field := range record {
		var err error
		if i > 0 {
			_, err = w.w.WriteRune(w.Comma)
		}
		if w.needsQuotes(field) {
			field = w.quote(field)
		}
		if err == nil {
			_, err = w.w.WriteString(field)
		}
		if err != nil {
			return err
		}
	}
	_, err := w.w.WriteString(w.lineEnd())
	return err
}

func (w *Writer) lineEnd() string {
	if w.UseCRLF {
		return "\r\n"
	}
	return "\n"
}

func (w *Writer) quote(field string) string {
	out := []byte{'"'}
	for _, c := range []byte(field) {
		switch {
		case c == '"':
			out = append(out, `""`...)
		case c == '\n':
			out = append(out, w.lineEnd()...)
		case c != '\r' || !w.UseCRLF:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

func (w *Writer) Error() error {
	_, err := w.w.Write(nil)
	return err
}

func (w *Writer) WriteAll(records [][]string) error {
	for _, record := range records {
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

func (w *Writer) Flush() { w.w.Flush() }
