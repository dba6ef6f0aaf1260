// Package cgi: programs that answer HTTP requests, once each (RFC 3875), and a handler that starts
// them.
//
// child.go is the program's side, host.go the handler's.
package cgi

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// Request is the request that this program was started for.
func Request() (*http.Request, error) {
	given := environment{}
	for _, e := range os.Environ() {
		if name, value, ok := strings.Cut(e, "="); ok {
			given[name] = value
		}
	}
	req, err := RequestFromMap(given)
	if err == nil && req.ContentLength > 0 {
		body := io.LimitReader(os.Stdin, req.ContentLength)
		req.Body = io.NopCloser(body)
	}
	return req, err
}

// An environment has the variables that CGI gives. Each of its methods fills in a part of a request.
type environment map[string]string

// RequestFromMap makes a request, without its body, of the variables that CGI gives.
func RequestFromMap(params map[string]string) (*http.Request, error) {
	r := &http.Request{Header: http.Header{}, Trailer: http.Header{}, Close: true}
	env := environment(params)
	for _, part := range []func(*http.Request) error{env.line, env.length, env.fields, env.target} {
		if err := part(r); err != nil {
			return nil, errors.New("cgi: " + err.Error())
		}
	}
	port, _ := strconv.Atoi(env["REMOTE_PORT"])
	r.RemoteAddr = net.JoinHostPort(env["REMOTE_ADDR"], strconv.Itoa(port))
	return r, nil
}

// line is for what the first line of a request says, but for the URL.
func (env environment) line(r *http.Request) error {
	r.Method, r.Proto = env["REQUEST_METHOD"], env["SERVER_PROTOCOL"]
	if r.Method == "" {
		return errors.New("no REQUEST_METHOD in environment")
	}
	version := r.Proto
	if version == "INCLUDED" {
		// Apache's, for a page that another includes.
		version = "HTTP/1.0"
	}
	var ok bool
	if r.ProtoMajor, r.ProtoMinor, ok = http.ParseHTTPVersion(version); !ok {
		return errors.New("invalid SERVER_PROTOCOL version")
	}
	return nil
}

func (env environment) length(r *http.Request) (err error) {
	text := env["CONTENT_LENGTH"]
	if text == "" {
		return nil
	}
	if r.ContentLength, err = strconv.ParseInt(text, 10, 64); err != nil {
		return errors.New("bad CONTENT_LENGTH in environment: " + text)
	}
	return nil
}

func (env environment) fields(r *http.Request) error {
	if kind := env["CONTENT_TYPE"]; kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for name, value := range env {
		if field, ok := strings.CutPrefix(name, "HTTP_"); ok && field != "HOST" {
			r.Header.Add(strings.ReplaceAll(field, "_", "-"), value)
		}
	}
	return nil
}

// uri is the target as the client has sent it, or, if that is not told, put together.
func (env environment) uri() string {
	if uri := env["REQUEST_URI"]; uri != "" {
		return uri
	}
	path, query := env["SCRIPT_NAME"]+env["PATH_INFO"], env["QUERY_STRING"]
	if query != "" {
		query = "?" + query
	}
	return path + query
}

// target is for the URL, with the host, and for TLS.
func (env environment) target(r *http.Request) (err error) {
	scheme := "http://"
	if secure := env["HTTPS"]; secure == "on" || secure == "ON" || secure == "1" {
		scheme = "https://"
		r.TLS = &tls.ConnectionState{HandshakeComplete: true}
	}
	text, what := env.uri(), "REQUEST_URI"
	if r.Host = env["HTTP_HOST"]; r.Host != "" {
		text, what = scheme+r.Host+text, "host and REQUEST_URI"
	}
	if r.URL, err = url.Parse(text); err != nil {
		return errors.New("failed to parse " + what + " into a URL: " + text)
	}
	return nil
}

// Serve answers the request that this program was started for. The handler is net/http's default
// mux if it is nil.
func Serve(handler http.Handler) error {
	r, err := Request()
	if err != nil {
		return err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &response{request: r, header: make(http.Header), out: bufio.NewWriter(os.Stdout)}
	return w.from(handler)
}

// from is the whole answer, as a handler gives it.
func (w *response) from(handler http.Handler) error {
	if handler == nil {
		handler = http.DefaultServeMux
	}
	handler.ServeHTTP(w, w.request)
	w.Write(nil) // the header goes out even without a body
	return w.out.Flush()
}

// A response writes what CGI wants: the header when the body begins, whose type it may have to
// guess.
type response struct {
	request *http.Request
	header  http.Header
	code    int // 0 before WriteHeader
	isBegun bool
	out     *bufio.Writer
}

func (w *response) Flush()              { w.out.Flush() }
func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
		return
	}
	const text = "CGI attempted to write header twice on request for %s"
	fmt.Fprintf(os.Stderr, text, w.request.URL)
}

func (w *response) Write(p []byte) (int, error) {
	if !w.isBegun {
		w.begin(p)
	}
	return w.out.Write(p)
}

// begin writes the header, before the first part of the body.
func (w *response) begin(part []byte) {
	w.isBegun = true
	if w.code == 0 {
		w.code = http.StatusOK
	}
	fmt.Fprintf(w.out, "Status: %d %s\r\n", w.code, http.StatusText(w.code))
	if _, has := w.header["Content-Type"]; !has {
		w.header.Set("Content-Type", http.DetectContentType(part))
	}
	w.header.Write(w.out)
	io.WriteString(w.out, "\r\n")
	w.Flush()
}
