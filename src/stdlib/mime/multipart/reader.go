// Package multipart takes apart, and puts together, bodies of several parts: RFC 2046, RFC 2388.
package multipart

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/textproto"
	"path/filepath"
	"strconv"
	"strings"
)

// Reader reads parts one after the other.
type Reader struct {
	in *bufio.Reader
	// The part that is being read, and how many there were.
	part  *Part
	count int
	// \r\n, or \n if the first boundary ended so.
	newline []byte
	// Two hyphens and the boundary.
	boundary []byte
}

// lastError gives the error of a reader again and again.
type lastError struct {
	r   io.Reader
	err error
}

func (r *lastError) Read(p []byte) (n int, err error) {
	if r.err == nil {
		n, r.err = r.r.Read(p)
	}
	return n, r.err
}

func NewReader(r io.Reader, boundary string) *Reader {
	return &Reader{
		in:       bufio.NewReaderSize(&lastError{r: r}, 4096),
		newline:  []byte("\r\n"),
		boundary: []byte("--" + boundary),
	}
}

// Part is one of them.
type Part struct {
	Header textproto.MIMEHeader

	r io.Reader
	// Of Content-Disposition, once it has been looked at.
	disposition string
	params      map[string]string
}

func (p *Part) lookAtDisposition() {
	if p.params != nil {
		return
	}
	var err error
	p.disposition, p.params, err = mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		p.params = map[string]string{}
	}
}

func (p *Part) FormName() string {
	p.lookAtDisposition()
	if p.disposition != "form-data" {
		return ""
	}
	return p.params["name"]
}

// FileName has no folders in it.
func (p *Part) FileName() string {
	p.lookAtDisposition()
	if name := p.params["filename"]; name != "" {
		return filepath.Base(name)
	}
	return ""
}

func (p *Part) Close() error {
	io.Copy(io.Discard, p)
	return nil
}

func (p *Part) Read(d []byte) (n int, err error) { return p.r.Read(d) }

const (
	maxHeaderBytes = 10 << 20
	fieldCost      = 200
)

// Settings in GODEBUG.
const (
	headersSetting = "multipartmaxheaders"
	partsSetting   = "multipartmaxparts"
	filesSetting   = "multipartfiles"
)

// limit is what GODEBUG says, or else the usual.
func limit(setting string, usual int64) int64 {
	if n, err := strconv.ParseInt(godebug.Value(setting), 10, 64); err == nil && n >= 0 {
		if n != usual {
			godebug.Count(setting)
		}
		return n
	}
	return usual
}

func (r *Reader) NextPart() (*Part, error) {
	return r.next(false, maxHeaderBytes, limit(headersSetting, 10000))
}

// NextRawPart leaves the encoding of the part as it is.
func (r *Reader) NextRawPart() (*Part, error) {
	return r.next(true, maxHeaderBytes, limit(headersSetting, 10000))
}

func textproto_readFields(r *textproto.Reader, maxMemory, maxFields int64) (textproto.MIMEHeader, error)

// next finds the next part; its header may have so many bytes and fields.
func (r *Reader) next(isRaw bool, maxBytes, maxFields int64) (*Part, error) {
	if r.part != nil {
		r.part.Close()
	}
	if len(r.boundary) == len("--") {
		return nil, errors.New("multipart: boundary is empty")
	}
	for sawBlank := false; ; {
		line, err := r.in.ReadSlice('\n')
		rest, isBoundary := bytes.CutPrefix(line, r.boundary)
		end, isLast := bytes.CutPrefix(rest, []byte("--"))
		end = bytes.TrimLeft(end, " \t")
		switch endsLine := len(end) == 0 || bytes.Equal(end, r.newline); {
		case isBoundary && isLast && endsLine && (err == nil || err == io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("multipart: NextPart: %w", err)
		}
		if isBoundary && r.endsLine(bytes.TrimLeft(rest, " \t")) {
			r.count++
			return r.begin(isRaw, maxBytes, maxFields)
		}
		switch {
		case sawBlank:
			return nil, fmt.Errorf("multipart: expecting a new Part; got line %q", line)
		case r.count == 0:
			// What comes before the first part is for nobody.
		case bytes.Equal(line, r.newline):
			sawBlank = true
		default:
			return nil, fmt.Errorf("multipart: unexpected line in Next(): %q", line)
		}
	}
}

// endsLine says whether a boundary's line ends with this. The first decides how others do.
func (r *Reader) endsLine(rest []byte) bool {
	if r.count == 0 && string(rest) == "\n" {
		r.newline = []byte("\n")
	}
	return bytes.Equal(rest, r.newline)
}

func (r *Reader) begin(isRaw bool, maxBytes, maxFields int64) (*Part, error) {
	header, err := textproto_readFields(textproto.NewReader(r.in), maxBytes, maxFields)
	if err != nil {
		if err.Error() == "message too large" {
			err = ErrMessageTooLarge
		}
		return nil, err
	}
	p := &Part{Header: header, r: &body{in: r}}
	const encoding = "Content-Transfer-Encoding"
	if !isRaw && strings.EqualFold(header.Get(encoding), "quoted-printable") {
		header.Del(encoding)
		p.r = quotedprintable.NewReader(p.r)
	}
	r.part = p
	return p, nil
}

// body is what lies between two boundaries.
type body struct {
	in *Reader
	// So many bytes at the front of the buffer belong to the part, and then comes this.
	ready int
	err   error
	// Some have been read; then a boundary begins with a newline.
	hasBegun bool
	// What ended the input.
	failure error
}

func (b *body) Read(d []byte) (n int, err error) {
	for b.ready == 0 && b.err == nil {
		b.look()
	}
	if b.ready > 0 {
		n, _ = b.in.in.Read(d[:min(len(d), b.ready)])
		b.ready -= n
		b.hasBegun = b.hasBegun || n > 0
	}
	if b.ready == 0 {
		err = b.err
	}
	return n, err
}

// look scans the buffer, and has more read into it if that does not tell.
func (b *body) look() {
	in := b.in.in
	have, _ := in.Peek(in.Buffered())
	b.ready, b.err = b.scan(have)
	if b.ready > 0 || b.err != nil {
		return
	}
	if _, b.failure = in.Peek(len(have) + 1); b.failure == io.EOF {
		b.failure = io.ErrUnexpectedEOF
	}
}

// scan says how many bytes at the front belong to the part, and io.EOF if the boundary follows; no
// bytes and no error if more must be read to tell.
func (b *body) scan(have []byte) (n int, err error) {
	boundary := b.in.boundary
	if !b.hasBegun {
		if bytes.HasPrefix(have, boundary) {
			return b.judge(have, 0, len(boundary))
		}
		if bytes.HasPrefix(boundary, have) {
			return 0, b.failure
		}
	}
	line := append(bytes.Clone(b.in.newline), boundary...)
	if at := bytes.Index(have, line); at >= 0 {
		return b.judge(have, at, at+len(line))
	}
	n = len(have)
	// The end may be the beginning of a boundary.
	if at := bytes.LastIndexByte(have, line[0]); at >= 0 && bytes.HasPrefix(line, have[at:]) {
		n = at
	}
	if n == 0 || n == len(have) {
		err = b.failure
	}
	return n, err
}

// judge is scan where something stands from at to end that looks like a boundary.
func (b *body) judge(have []byte, at, end int) (n int, err error) {
	switch b.follows(have[end:]) {
	case isBoundary:
		return at, io.EOF
	case isText:
		return end, nil
	}
	return at, nil
}

const (
	isUnknown = iota
	isBoundary
	isText
)

// follows says, by what comes behind it, whether that was a boundary.
func (b *body) follows(rest []byte) int {
	isOver := b.failure != nil
	switch {
	case len(rest) == 0 && isOver:
		return isBoundary
	case len(rest) == 0:
		return isUnknown
	case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
		return isBoundary
	case rest[0] != '-':
		return isText
	case len(rest) == 1 && !isOver:
		return isUnknown
	case len(rest) > 1 && rest[1] == '-':
		return isBoundary
	}
	return isText
}
