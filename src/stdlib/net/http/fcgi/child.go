package fcgi

// The program's side of a connection: a goroutine reads records, each request that is complete but
// for its body is answered in one of its own.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"slices"
	"strings"
	"time"
)

// ErrRequestAborted is what reading the body gives when the web server gives the request up.
var ErrRequestAborted = errors.New("fcgi: request aborted by web server")

// ErrConnClosed is what reading the body gives when the connection is closed.
var ErrConnClosed = errors.New("fcgi: connection to web server closed")

// Serve answers requests that come over l, or over standard input if that is nil. The handler is
// net/http's default mux if it is nil.
func Serve(l net.Listener, handler http.Handler) (err error) {
	if l == nil {
		if l, err = net.FileListener(os.Stdin); err == nil {
			defer l.Close()
		}
	}
	if handler == nil {
		handler = http.DefaultServeMux
	}
	for err == nil {
		var c net.Conn
		if c, err = l.Accept(); err == nil {
			started := &child{share(c), handler, make(map[uint16]*request)}
			go started.serve()
		}
	}
	return err
}

type envKey struct{}

// ProcessEnv has the variables of a request that are not in it otherwise, such as REMOTE_USER.
func ProcessEnv(r *http.Request) map[string]string {
	others, _ := r.Context().Value(envKey{}).(map[string]string)
	return others
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
	if r == nil && k != beginRecord && k != getValues {
		// It belongs to a request that has been aborted.
		return true
	}
	switch k {
	case beginRecord:
		if r != nil || len(rec.content) != 8 {
			return false
		}
		if role := int(rec.content[0])<<8 | int(rec.content[1]); role != responder {
			c.conn.end(id, unknownRole)
			return true
		}
		keeps := rec.content[2]&keepsFlag != 0
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
	case abortRecord:
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
	w := &response{header: make(http.Header), out: out.buffered()}
	asked, err := cgi.RequestFromMap(r.params)
	if err == nil {
		asked.Body = body
		ctx := context.WithValue(asked.Context(), envKey{}, r.leftOver())
		c.handler.ServeHTTP(w, asked.WithContext(ctx))
	} else {
		w.WriteHeader(http.StatusInternalServerError)
		c.conn.write(stderrRecord, r.id, []byte(err.Error()))
	}
	if !w.isBegun {
		w.begin(nil)
	}
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

// leftOver has the variables of which the request itself has made no use.
func (r *request) leftOver() map[string]string {
	left := maps.Clone(r.params)
	maps.DeleteFunc(left, func(name, _ string) bool { return isUsed(name) })
	return left
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

// ofBody are fields that only an answer with a body has.
var ofBody = [...]string{"Content-Type", "Content-Length", "Transfer-Encoding"}

func (w *response) WriteHeader(code int) {
	if w.code != 0 {
		return
	}
	w.code = code
	if w.header.Get("Date") == "" {
		w.header["Date"] = []string{time.Now().UTC().Format(http.TimeFormat)}
	}
	maps.DeleteFunc(w.header, func(name string, _ []string) bool {
		return code == http.StatusNotModified && slices.Contains(ofBody[:], name)
	})
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
	w.WriteHeader(http.StatusOK)
	if _, has := w.header["Content-Type"]; !has && w.code != http.StatusNotModified {
		w.header.Set("Content-Type", http.DetectContentType(part))
	}
	fmt.Fprintf(w.out, "Status: %d %s\r\n", w.code, http.StatusText(w.code))
	w.header.Write(w.out)
	w.out.WriteString("\r\n")
	w.out.Flush()
}

func (w *response) Flush() {
	w.WriteHeader(http.StatusOK)
	w.out.Flush()
}
