// Package httputil shows messages as they are sent, and passes requests on.
//
// This file has the dumps. A message whose body is to be shown gets another body with the same
// bytes; apart from that nothing in it changes, since what is written is a copy of it. The proxy is
// in reverseproxy.go.
package httputil

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"internal/chunked"
	"io"
	"net"
	"net/http"
	"strings"
)

var ErrLineTooLong = chunked.ErrLineTooLong

func NewChunkedReader(r io.Reader) io.Reader      { return chunked.NewReader(r) }
func NewChunkedWriter(w io.Writer) io.WriteCloser { return chunked.NewWriter(w) }

// reread reads a body to its end, and puts one in its place that gives the same again.
func reread(body *io.ReadCloser) ([]byte, error) {
	if *body == nil || *body == http.NoBody {
		*body = http.NoBody
		return nil, nil
	}
	text, err := io.ReadAll(*body)
	if err == nil {
		err = (*body).Close()
	}
	if err != nil {
		return nil, err
	}
	*body = asBody(text)
	return text, nil
}

func asBody(text []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(text)) }

// DumpRequest shows a request as a server got it.
func DumpRequest(req *http.Request, body bool) ([]byte, error) {
	var content []byte
	if body = body && req.Body != nil; body {
		var err error
		if content, err = reread(&req.Body); err != nil {
			return nil, err
		}
	}
	target, host := req.RequestURI, req.Host
	if req.URL != nil {
		host = cmp.Or(host, req.URL.Host)
	}
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		host = ""
	}
	if target == "" {
		target = req.URL.RequestURI()
	}
	method := cmp.Or(req.Method, http.MethodGet)
	var dump bytes.Buffer
	fmt.Fprintf(&dump, "%s %s HTTP/%d.%d\r\n", method, target, req.ProtoMajor, req.ProtoMinor)
	if host != "" {
		dump.WriteString("Host: " + host + "\r\n")
	}
	codings := req.TransferEncoding
	if len(codings) > 0 {
		dump.WriteString("Transfer-Encoding: " + strings.Join(codings, ",") + "\r\n")
	}
	shown := map[string]bool{"Host": true, "Transfer-Encoding": true, "Trailer": true}
	if err := req.Header.WriteSubset(&dump, shown); err != nil {
		return nil, err
	}
	dump.WriteString("\r\n")
	if body && len(codings) > 0 && codings[0] == "chunked" {
		pieces := NewChunkedWriter(&dump)
		pieces.Write(content)
		pieces.Close()
		content = []byte("\r\n")
	}
	dump.Write(content)
	return dump.Bytes(), nil
}

var errTakenOut = errors.New("sentinel error value")

// noBody stands for a body that is not to be shown.
type noBody struct{}

func (noBody) Read([]byte) (int, error) { return 0, errTakenOut }
func (noBody) Close() error             { return nil }

// DumpResponse shows an answer.
func DumpResponse(resp *http.Response, body bool) ([]byte, error) {
	shown := *resp
	switch {
	case body && resp.Body != nil:
		content, err := reread(&resp.Body)
		if err != nil {
			return nil, err
		}
		shown.Body = asBody(content)
	case body || resp.ContentLength == 0:
		shown.Body = http.NoBody
	default:
		// The length is shown all the same.
		shown.Body = noBody{}
	}
	var dump bytes.Buffer
	if err := shown.Write(&dump); err != nil && err != errTakenOut {
		return nil, err
	}
	return dump.Bytes(), nil
}

// filler has as many bytes as anybody wants, which nobody looks at.
type filler struct{}

func (filler) Read(p []byte) (int, error) { return len(p), nil }

// DumpRequestOut shows a request as a client sends it, with what the transport adds.
func DumpRequestOut(req *http.Request, body bool) ([]byte, error) {
	sent := *req
	switch {
	case body:
		content, err := reread(&req.Body)
		if err != nil {
			return nil, err
		}
		if sent.Body = req.Body; sent.Body != http.NoBody {
			sent.Body = asBody(content)
		}
	case req.Body != nil && req.Body != http.NoBody:
		// A body without a length is empty.
		sent.Body = io.NopCloser(io.LimitReader(filler{}, cmp.Or(req.ContentLength, -1)))
	default:
		body = true
	}
	if req.URL.Scheme == "https" {
		// It is written the same.
		u := *req.URL
		u.Scheme = "http"
		sent.URL = &u
	}
	var dump bytes.Buffer
	client, server := net.Pipe()
	defer client.Close()
	go listen(server, &dump)
	t := &http.Transport{Dial: func(string, string) (net.Conn, error) { return client, nil }}
	defer t.CloseIdleConnections()
	if _, err := t.RoundTrip(&sent); err != nil {
		return nil, err
	}
	text := dump.Bytes()
	if head := bytes.Index(text, []byte("\r\n\r\n")); head >= 0 && !body {
		text = text[:head+4]
	}
	return text, nil
}

// listen is a server for one request, which it writes to dump before it answers.
func listen(conn net.Conn, dump io.Writer) {
	defer conn.Close()
	got, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, dump)))
	if err == nil {
		io.Copy(io.Discard, got.Body)
		io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	}
}
