package http

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/http/internal/http2"
	"net/textproto"
	"strconv"
	"sync"
)

// Answers to a client, and their bodies.

// processHeaders processes a header of an answer, or what comes behind its body. The lock is not
// held, as functions of the program's are called.
func (c *h2client) processHeaders(f *http2.Frame) error {
	c.mu.Lock()
	x := c.stream(f.StreamID, true)
	c.mu.Unlock()
	if x == nil {
		return nil
	}
	fail := func(cause error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.failProtocol(cause)
	}
	if x.sawEnd {
		fail(errors.New("protocol error: headers after END_STREAM"))
		return nil
	}
	if !x.sawByte {
		x.sawByte = true
		if t := x.trace; t != nil && t.GotFirstResponseByte != nil {
			t.GotFirstResponseByte()
		}
	}
	if x.sawHead {
		return x.processTrailer(f)
	}
	resp, err := x.readHead(f)
	if err != nil {
		x.sawHead = true
		fail(err)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if resp == nil {
		return nil
	}
	x.sawHead = true
	x.resp = resp
	if x.late != nil {
		x.late.Stop()
	}
	close(x.gotHead)
	if f.Has(http2.EndStream) {
		x.end()
	}
	return nil
}

// readHead makes the answer; nil if it is none yet.
func (x *h2exchange) readHead(f *http2.Frame) (*Response, error) {
	if f.Truncated {
		return nil, errH2AnswerHeader
	}
	status := f.Pseudo("status")
	if status == "" {
		return nil, errors.New("malformed response from server: missing status pseudo header")
	}
	code, err := strconv.Atoi(status)
	if err != nil {
		return nil, errors.New("malformed response from server: " +
			"malformed non-numeric status pseudo header")
	}
	header := make(Header)
	resp := &Response{
		Status:        status + " " + StatusText(code),
		StatusCode:    code,
		Proto:         "HTTP/2.0",
		ProtoMajor:    2,
		Header:        header,
		ContentLength: -1,
	}
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		if name != "Trailer" {
			header[name] = append(header[name], field.Value)
			continue
		}
		if resp.Trailer == nil {
			resp.Trailer = make(Header)
		}
		eachElement(field.Value, func(v string) { resp.Trailer[CanonicalHeaderKey(v)] = nil })
	}
	ends := f.Has(http2.EndStream)
	if code >= 100 && code <= 199 {
		return nil, x.early1xx(f, code, header)
	}
	for _, name := range connectionFields {
		delete(header, name)
	}
	if lengths := header["Content-Length"]; len(lengths) > 0 {
		n, err := strconv.ParseUint(lengths[0], 10, 63)
		for _, again := range lengths[1:] {
			if again != lengths[0] {
				err = strconv.ErrSyntax
			}
		}
		if err != nil {
			delete(header, "Content-Length")
		} else {
			header["Content-Length"] = lengths[:1]
			resp.ContentLength = int64(n)
		}
	}
	if resp.ContentLength < 0 && ends && !x.isHead {
		resp.ContentLength = 0
	}
	switch {
	case x.isHead:
		resp.Body = NoBody
		return resp, nil
	case ends:
		resp.Body = NoBody
		if resp.ContentLength > 0 {
			resp.Body = missingBody{}
		}
		return resp, nil
	}
	x.c.mu.Lock()
	if x.body.err == nil && x.body.broken == nil {
		x.body.isOpen = true
	}
	x.c.mu.Unlock()
	x.left = resp.ContentLength
	resp.Body = h2reply{x}
	if x.wantsZip && takesZip(resp) {
		resp.Body = &h2unzipped{body: resp.Body}
	}
	return resp, nil
}

// early1xx tells of an answer that is none yet.
func (x *h2exchange) early1xx(f *http2.Frame, code int, header Header) error {
	if f.Has(http2.EndStream) {
		return errors.New("1xx informational response with END_STREAM flag")
	}
	t := x.trace
	if t != nil && t.Got1xxResponse != nil {
		if err := t.Got1xxResponse(code, textproto.MIMEHeader(header)); err != nil {
			return err
		}
	} else {
		limit := max(int64(x.c.t.maxList()), x.c.t.t.MaxResponseHeaderBytes)
		for _, field := range f.Fields {
			x.early += int64(field.Size())
		}
		if x.early > limit {
			return errors.New("header list too large")
		}
	}
	if code == StatusContinue {
		if t != nil && t.Got100Continue != nil {
			t.Got100Continue()
		}
		select {
		case x.go100 <- struct{}{}:
		default:
		}
	}
	return nil
}

func (x *h2exchange) processTrailer(f *http2.Frame) error {
	if x.sawTrailer || !f.Has(http2.EndStream) ||
		len(f.Fields) > 0 && f.Fields[0].IsPseudo() {
		return http2.ConnectionError(http2.ProtocolError)
	}
	x.sawTrailer = true
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	if f.Truncated {
		x.failProtocol(errH2AnswerHeader)
		return nil
	}
	x.trailer = make(Header)
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		x.trailer[name] = append(x.trailer[name], field.Value)
	}
	x.end()
	return nil
}

// missingBody is a body that should have come, and has not.
type missingBody struct{}

func (missingBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
func (missingBody) Close() error             { return nil }

// h2reply is the body of an answer.
type h2reply struct{ x *h2exchange }

func (b h2reply) Read(p []byte) (n int, err error) {
	x := b.x
	if x.bodyErr != nil {
		return 0, x.bodyErr
	}
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	read, err := x.read(p)
	if n, err = b.count(read, err); x.bodyErr != nil || n == 0 {
		return n, err
	}
	if x.isOver || x.sawEnd {
		x.c.consumed(nil, n)
	} else {
		x.c.consumed(&x.h2half, n)
	}
	return n, err
}

// count sees whether as much comes as was told; what is more is cut off.
func (b h2reply) count(n int, err error) (int, error) {
	x := b.x
	if x.left == -1 {
		return n, err
	}
	more := int64(n) - x.left
	switch {
	case more > 0:
		n -= int(more)
		if err == nil {
			err = errors.New("net/http: server replied with more than declared " +
				"Content-Length; truncated")
			x.abort(err)
		}
		x.bodyErr = err
		return n, err
	case more < 0 && err == io.EOF:
		err = io.ErrUnexpectedEOF
		x.bodyErr = err
	}
	x.left = -more
	return n, err
}

func (b h2reply) Close() error {
	b.forget()
	x := b.x
	select {
	case <-x.r.Cancel:
		return errGivenUp
	case <-x.ctx.Done():
	case <-x.done:
	}
	return nil
}

// forget does without what has come, and is to come.
func (b h2reply) forget() {
	x := b.x
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	x.body.drop(errH2AnswerClosed)
	if left := x.body.size(); left > 0 {
		x.body.unread = 0
		x.c.consumed(nil, left)
	}
	x.abort(errH2AnswerClosed)
}

// h2unzipped is the body of an answer that came as gzip.
type h2unzipped struct {
	body io.ReadCloser

	mu     sync.Mutex
	zip    *gzip.Reader
	err    error
	isBusy bool
}

func (u *h2unzipped) Read(p []byte) (n int, err error) {
	u.mu.Lock()
	if u.isBusy && u.err == nil {
		u.mu.Unlock()
		return 0, errH2ReadAtOnce
	}
	if err := u.err; err != nil {
		u.mu.Unlock()
		return 0, err
	}
	u.isBusy = true
	zip := u.zip
	u.mu.Unlock()
	if zip == nil {
		zip, err = gzip.NewReader(u.body)
	}
	if err == nil {
		n, err = zip.Read(p)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.isBusy = false
	if u.zip == nil {
		if u.zip = zip; zip == nil && u.err == nil {
			u.err = err
		}
	}
	return n, err
}

func (u *h2unzipped) Close() error {
	u.mu.Lock()
	u.err = fs.ErrClosed
	u.mu.Unlock()
	return u.body.Close()
}
