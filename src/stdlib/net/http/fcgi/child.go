package fcgi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"strings"
	"time"
)

// ErrRequestAborted is what reading the body gives when the web server gives the request up.
var ErrRequestAborted = errors.New("fcgi: request aborted by web server")

// ErrConnClosed is what reading the body gives when the connection is closed.
var ErrConnClosed = errors.New("fcgi: connection to web server closed")

// Serve answers requests that come over l, or over standard input if that is nil. The handler is
// net/http's default mux if it is nil.
func Serve(l net.Listener, handler http.Handler) error {
	if l == nil {
		var err error
		if l, err = net.FileListener(os.Stdin); err != nil {
			return err
		}
		defer l.Close()
	}
	if handler == nil {
		handler = http.DefaultServeMux
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go (&child{newConn(c), handler, map[uint16]*request{}}).serve()
	}
}

type envKey struct{}

// ProcessEnv has the variables of a request that are not in it otherwise, such as REMOTE_USER.
func ProcessEnv(r *http.Request) map[string]string {
	env, _ := r.Context().Value(envKey{}).(map[string]string)
	return env
}

// isUsed says whether a variable is in the request.
func isUsed(name string) bool {
	switch name {
	case "CONTENT_LENGTH", "CONTENT_TYPE", "HTTPS", "PATH_INFO", "QUERY_STRING", "REMOTE_ADDR",
		"REMOTE_HOST", "REMOTE_PORT", "REQUEST_METHOD", "REQUEST_URI", "SCRIPT_NAME",
		"SERVER_PROTOCOL":
		return true
	}
	return strings.HasPrefix(name, "HTTP_")
}

// A child is the program's side of a connection.
type child struct {
	conn     *conn
	handler  http.Handler
	requests map[uint16]*request
}

// A request is one whose body has not come to its end.
type request struct {
	id       uint16
	keeps    bool // the connection is to stay open
	rawPairs []byte
	params   map[string]string
	body     *io.PipeWriter
}

func (c *child) serve() {
	defer c.conn.close()
	defer func() {
		for _, r := range c.requests {
			if r.body != nil {
				r.body.CloseWithError(ErrConnClosed)
			}
		}
	}()
	var r record
	for r.read(c.conn) == nil && c.take(&r) {
	}
}

// take deals with a record. False: the connection is to be closed.
func (c *child) take(rec *record) bool {
	id := rec.id()
	r := c.requests[id]
	k := rec.kind()
	if r == nil && k != beginRequest && k != getValues {
		// It belongs to a request that has been aborted.
		return true
	}
	switch k {
	case beginRequest:
		if r != nil || len(rec.content) != 8 {
			return false
		}
		if role := int(rec.content[0])<<8 | int(rec.content[1]); role != responder {
			c.conn.end(id, unknownRole)
			return true
		}
		keeps := rec.content[2]&keepConn != 0
		c.requests[id] = &request{id: id, keeps: keeps, params: map[string]string{}}
	case paramsRecord:
		if len(rec.content) > 0 {
			r.rawPairs = append(r.rawPairs, rec.content...)
		} else {
			readPairs(r.rawPairs, r.params)
			r.rawPairs = nil
		}
	case stdinRecord:
		c.takeBody(r, rec.content)
	case getValues:
		pair := append(appendLength(appendLength(nil, len(manyConns)), 1), manyConns+"1"...)
		c.conn.write(getValuesResult, 0, pair)
		c.conn.write(getValuesResult, 0, nil)
	case dataRecord:
	case abortRequest:
		delete(c.requests, id)
		c.conn.end(id, isComplete)
		if r.body != nil {
			r.body.CloseWithError(ErrRequestAborted)
		}
		return r.keeps
	default:
		c.conn.write(unknownKind, 0, []byte{byte(k), 0, 0, 0, 0, 0, 0, 0})
	}
	return true
}

// manyConns is the one value that we tell: whether there may be many connections.
const manyConns = "FCGI_MPXS_CONNS"

// takeBody takes a part of the body; the handler is called when the first one comes, and an empty
// one is the end.
func (c *child) takeBody(r *request, part []byte) {
	if r.body == nil {
		var body io.ReadCloser = http.NoBody
		if len(part) > 0 {
			body, r.body = io.Pipe()
		}
		go c.answer(r, body)
	}
	if len(part) > 0 {
		r.body.Write(part)
		return
	}
	delete(c.requests, r.id)
	if r.body != nil {
		r.body.Close()
	}
}

// answer calls the handler.
func (c *child) answer(r *request, body io.ReadCloser) {
	out := &stream{c.conn, stdoutRecord, r.id}
	w := &response{header: http.Header{}, out: out.buffered()}
	if hr, err := cgi.RequestFromMap(r.params); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		c.conn.write(stderrRecord, r.id, []byte(err.Error()))
	} else {
		env := map[string]string{}
		for name, value := range r.params {
			if !isUsed(name) {
				env[name] = value
			}
		}
		hr.Body = body
		c.handler.ServeHTTP(w, hr.WithContext(context.WithValue(hr.Context(), envKey{}, env)))
	}
	w.Write(nil)
	w.Flush()
	out.end()
	c.conn.end(r.id, isComplete)
	// The web server may still write the body; a long one is cut off.
	io.CopyN(io.Discard, body, 100<<20)
	body.Close()
	if !r.keeps {
		c.conn.close()
	}
}

// A response writes what CGI wants: the header when the body begins, whose type it may have to
// guess.
type response struct {
	header  http.Header
	code    int // 0 before WriteHeader
	isBegun bool
	out     *bufio.Writer
}

func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(code int) {
	if w.code != 0 {
		return
	}
	w.code = code
	if code == http.StatusNotModified {
		// It has no body.
		w.header.Del("Content-Type")
		w.header.Del("Content-Length")
		w.header.Del("Transfer-Encoding")
	}
	if w.header.Get("Date") == "" {
		w.header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
}

func (w *response) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.isBegun {
		w.isBegun = true
		fmt.Fprintf(w.out, "Status: %d %s\r\n", w.code, http.StatusText(w.code))
		if _, ok := w.header["Content-Type"]; !ok && w.code != http.StatusNotModified {
			w.header.Set("Content-Type", http.DetectContentType(p))
		}
		w.header.Write(w.out)
		w.out.WriteString("\r\n")
		w.out.Flush()
	}
	return w.out.Write(p)
}

func (w *response) Flush() {
	if w.code == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.out.Flush()
}
