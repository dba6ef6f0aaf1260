package http

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

// Response is what a client gets.
type Response struct {
	Status           string
	StatusCode       int
	Proto            string
	ProtoMajor       int
	ProtoMinor       int
	Header           Header
	Body             io.ReadCloser
	ContentLength    int64
	TransferEncoding []string
	Close            bool
	Uncompressed     bool
	Trailer          Header
	Request          *Request
	TLS              *tls.ConnectionState
}

func (r *Response) Cookies() []*Cookie { return setCookies(r.Header) }

func (r *Response) Location() (*url.URL, error) {
	to := r.Header.Get("Location")
	if to == "" {
		return nil, ErrNoLocation
	}
	if r.Request != nil && r.Request.URL != nil {
		return r.Request.URL.Parse(to)
	}
	return url.Parse(to)
}

func (r *Response) ProtoAtLeast(major, minor int) bool {
	return r.ProtoMajor > major || r.ProtoMajor == major && r.ProtoMinor >= minor
}

// ReadResponse reads the answer to a request; GET is meant if that is nil.
func ReadResponse(r *bufio.Reader, req *Request) (*Response, error) {
	in := textproto.NewReader(r)
	unexpected := func(err error) error {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	line, err := in.ReadLine()
	if err != nil {
		return nil, unexpected(err)
	}
	proto, status, ok := strings.Cut(line, " ")
	if !ok {
		return nil, badString("malformed HTTP response", line)
	}
	resp := &Response{Request: req, Proto: proto, Status: strings.TrimLeft(status, " ")}
	code, _, _ := strings.Cut(resp.Status, " ")
	resp.StatusCode, err = strconv.Atoi(code)
	if len(code) != 3 || err != nil || resp.StatusCode < 0 {
		return nil, badString("malformed HTTP status code", code)
	}
	if resp.ProtoMajor, resp.ProtoMinor, ok = ParseHTTPVersion(proto); !ok {
		return nil, badString("malformed HTTP version", proto)
	}
	h, err := in.ReadMIMEHeader()
	if err != nil {
		return nil, unexpected(err)
	}
	resp.Header = Header(h)
	resp.Header.fixPragma()
	if err := resp.readFraming(r); err != nil {
		return nil, err
	}
	return resp, nil
}

// Write writes it as a server does.
func (r *Response) Write(w io.Writer) error {
	text := strings.TrimPrefix(r.Status, strconv.Itoa(r.StatusCode)+" ")
	if r.Status == "" {
		text = orDefault(StatusText(r.StatusCode), "status code "+strconv.Itoa(r.StatusCode))
	}
	if _, err := fmt.Fprintf(w, "HTTP/%d.%d %03d %s\r\n", r.ProtoMajor, r.ProtoMinor, r.StatusCode, text); err != nil {
		return err
	}
	c := *r
	if c.ContentLength == 0 && c.Body != nil {
		// Is there really nothing?
		var first [1]byte
		n, err := c.Body.Read(first[:])
		if err != nil && err != io.EOF {
			return err
		}
		if n == 0 {
			c.Body = NoBody
		} else {
			c.ContentLength = -1
			c.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(first[:]), r.Body), r.Body}
		}
	}
	if c.ContentLength == -1 && !c.Close && c.ProtoAtLeast(1, 1) && !isChunked(c.TransferEncoding) && !c.Uncompressed {
		c.Close = true
	}
	out, err := c.framing()
	if err != nil {
		return err
	}
	if err = out.writeHeader(w, nil); err != nil {
		return err
	}
	if err = r.Header.WriteSubset(w, framingFields); err != nil {
		return err
	}
	if c.ContentLength == 0 && !isChunked(c.TransferEncoding) && !out.sendsLength() && hasBody(r.StatusCode) {
		if _, err = io.WriteString(w, "Content-Length: 0\r\n"); err != nil {
			return err
		}
	}
	if _, err = io.WriteString(w, "\r\n"); err != nil {
		return err
	}
	return out.writeBody(w)
}

var framingFields = map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Trailer": true}

func (r *Response) closeBody() {
	if r.Body != nil {
		r.Body.Close()
	}
}

// switches says whether another protocol is spoken from now on.
func switches(code int, h Header) bool {
	return code == StatusSwitchingProtocols && h.Get("Upgrade") != "" && listHas(h["Connection"], "Upgrade")
}
