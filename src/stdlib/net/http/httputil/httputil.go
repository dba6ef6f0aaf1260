// Package httputil shows messages as they are sent, and passes requests on.
package httputil

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"internal/chunked"
	"io"
	"net"
	"net/http"

	"strings"
	"time"
)

var ErrLineTooLong = chunked.ErrLineTooLong

func NewChunkedReader(r io.Reader) io.Reader      { return chunked.NewReader(r) }
func NewChunkedWriter(w io.Writer) io.WriteCloser { return chunked.NewWriter(w) }

// copied reads a body, and gives two of it.
func copied(b io.ReadCloser) (one, other io.ReadCloser, err error) {
	if b == nil || b == http.NoBody {
		return http.NoBody, http.NoBody, nil
	}
	var all bytes.Buffer
	if _, err = all.ReadFrom(b); err != nil {
		return nil, b, err
	}
	if err = b.Close(); err != nil {
		return nil, b, err
	}
	return io.NopCloser(&all), io.NopCloser(bytes.NewReader(all.Bytes())), nil
}

// DumpRequest shows a request as a server got it.
func DumpRequest(req *http.Request, body bool) ([]byte, error) {
	save := req.Body
	defer func() { req.Body = save }()
	if !body || req.Body == nil {
		req.Body = nil
	} else {
		var err error
		if save, req.Body, err = copied(req.Body); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	target := req.RequestURI
	if target == "" {
		target = req.URL.RequestURI()
	}
	method := req.Method
	if method == "" {
		method = http.MethodGet
	}
	fmt.Fprintf(&b, "%s %s HTTP/%d.%d\r\n", method, target, req.ProtoMajor, req.ProtoMinor)
	if !strings.HasPrefix(req.RequestURI, "http://") && !strings.HasPrefix(req.RequestURI, "https://") {
		host := req.Host
		if host == "" && req.URL != nil {
			host = req.URL.Host
		}
		if host != "" {
			fmt.Fprintf(&b, "Host: %s\r\n", host)
		}
	}
	isChunked := len(req.TransferEncoding) > 0 && req.TransferEncoding[0] == "chunked"
	if len(req.TransferEncoding) > 0 {
		fmt.Fprintf(&b, "Transfer-Encoding: %s\r\n", strings.Join(req.TransferEncoding, ","))
	}
	without := map[string]bool{"Host": true, "Transfer-Encoding": true, "Trailer": true}
	if err := req.Header.WriteSubset(&b, without); err != nil {
		return nil, err
	}
	b.WriteString("\r\n")
	if req.Body != nil {
		var to io.Writer = &b
		if isChunked {
			to = NewChunkedWriter(to)
		}
		_, err := io.Copy(to, req.Body)
		if isChunked {
			to.(io.Closer).Close()
			b.WriteString("\r\n")
		}
		if err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

var errNoBody = errors.New("sentinel error value")

// noBody stands for a body that is not to be shown.
type noBody struct{}

func (noBody) Read([]byte) (int, error) { return 0, errNoBody }
func (noBody) Close() error             { return nil }

// DumpResponse shows an answer.
func DumpResponse(resp *http.Response, body bool) ([]byte, error) {
	save, length := resp.Body, resp.ContentLength
	defer func() { resp.Body, resp.ContentLength = save, length }()
	if !body {
		// The length is shown all the same.
		if resp.ContentLength == 0 {
			resp.Body = http.NoBody
		} else {
			resp.Body = noBody{}
		}
	} else if resp.Body == nil {
		resp.Body = http.NoBody
	} else {
		var err error
		if save, resp.Body, err = copied(resp.Body); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	if err := resp.Write(&b); err != nil && err != errNoBody {
		return nil, err
	}
	return b.Bytes(), nil
}

// many gives one byte for ever.
type many byte

func (c many) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// recorded is a connection to a server that says when it answers.
type recorded struct {
	io.Writer
	answer chan string
	rest   io.Reader
}

func (c *recorded) Read(p []byte) (int, error) {
	if c.rest == nil {
		text, ok := <-c.answer
		if !ok {
			return 0, io.EOF
		}
		c.rest = strings.NewReader(text)
	}
	return c.rest.Read(p)
}

func (c *recorded) Close() error                     { return nil }
func (c *recorded) LocalAddr() net.Addr              { return nil }
func (c *recorded) RemoteAddr() net.Addr             { return nil }
func (c *recorded) SetDeadline(time.Time) error      { return nil }
func (c *recorded) SetReadDeadline(time.Time) error  { return nil }
func (c *recorded) SetWriteDeadline(time.Time) error { return nil }

// DumpRequestOut shows a request as a client sends it, with what the transport adds.
func DumpRequestOut(req *http.Request, body bool) ([]byte, error) {
	save := req.Body
	defer func() { req.Body = save }()
	isDummy := false
	if body {
		var err error
		if save, req.Body, err = copied(req.Body); err != nil {
			return nil, err
		}
	} else if req.Body != nil && req.Body != http.NoBody {
		n := req.ContentLength
		if n == 0 {
			n = -1
		}
		req.Body = io.NopCloser(io.LimitReader(many('x'), n))
		isDummy = true
	}
	sent := req
	if req.URL.Scheme == "https" {
		// It is written the same.
		c, u := *req, *req.URL
		u.Scheme = "http"
		c.URL = &u
		sent = &c
	}
	var b bytes.Buffer
	out, in := io.Pipe()
	defer out.Close()
	defer in.Close()
	conn := &recorded{Writer: io.MultiWriter(&b, in), answer: make(chan string, 1)}
	t := &http.Transport{Dial: func(string, string) (net.Conn, error) { return conn, nil }}
	defer t.CloseIdleConnections()
	go func() {
		defer close(conn.answer)
		if r, err := http.ReadRequest(bufio.NewReader(out)); err == nil {
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
			conn.answer <- "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
		}
	}()
	if _, err := t.RoundTrip(sent); err != nil {
		out.Close()
		return nil, err
	}
	dump := b.Bytes()
	if isDummy {
		if i := bytes.Index(dump, []byte("\r\n\r\n")); i >= 0 {
			dump = dump[:i+4]
		}
	}
	return dump, nil
}
