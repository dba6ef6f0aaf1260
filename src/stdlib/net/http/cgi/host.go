package cgi

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Handler starts the program at Path for each request. Root is the part of the URL's path that
// names the program. Dir is the program's folder, or where Path lies. Env are variables name=value,
// InheritEnv names of those to pass on. PathLocationHandler, if not nil, answers what the program
// redirects to a path on this server.
type Handler struct {
	Path                string
	Root                string
	Dir                 string
	Env                 []string
	InheritEnv          []string
	Logger              *log.Logger
	Args                []string
	Stderr              io.Writer
	PathLocationHandler http.Handler
}

func (h *Handler) logf(format string, args ...any) {
	printf := log.Printf
	if h.Logger != nil {
		printf = h.Logger.Printf
	}
	printf(format, args...)
}

// portOf is the port at the end of a host, if there is one.
func portOf(host, otherwise string) string {
	rest := strings.TrimRight(host, "0123456789")
	if port := host[len(rest):]; port != "" && strings.HasSuffix(rest, ":") {
		return port
	}
	return otherwise
}

// variables are what the program is told of a request.
func (h *Handler) variables(r *http.Request) []string {
	root := strings.TrimRight(h.Root, "/")
	env := []string{
		"SERVER_SOFTWARE=go",
		"SERVER_PROTOCOL=HTTP/1.1",
		"HTTP_HOST=" + r.Host,
		"GATEWAY_INTERFACE=CGI/1.1",
		"REQUEST_METHOD=" + r.Method,
		"QUERY_STRING=" + r.URL.RawQuery,
		"REQUEST_URI=" + r.URL.RequestURI(),
		"PATH_INFO=" + strings.TrimPrefix(r.URL.Path, root),
		"SCRIPT_NAME=" + root,
		"SCRIPT_FILENAME=" + h.Path,
		"SERVER_PORT=" + portOf(r.Host, "80"),
	}
	remote, port, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		remote = r.RemoteAddr
	}
	env = append(env, "REMOTE_ADDR="+remote, "REMOTE_HOST="+remote)
	if err == nil {
		env = append(env, "REMOTE_PORT="+port)
	}
	server, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		server = r.Host
	}
	env = append(env, "SERVER_NAME="+server)
	for name, values := range r.Header {
		name = strings.Map(variableName, name)
		between := ", "
		switch name {
		case "PROXY":
			// Programs would take it for the name of their own proxy.
			continue
		case "COOKIE":
			between = "; "
		}
		env = append(env, "HTTP_"+name+"="+strings.Join(values, between))
	}
	if r.ContentLength > 0 {
		env = append(env, fmt.Sprintf("CONTENT_LENGTH=%d", r.ContentLength))
	}
	if ct := r.Header.Get("Content-Type"); ct != "" {
		env = append(env, "CONTENT_TYPE="+ct)
	}
	path := os.Getenv("PATH")
	if path == "" {
		path = "/bin:/usr/bin:/usr/ucb:/usr/bsd:/usr/local/bin"
	}
	env = append(env, "PATH="+path)
	for _, name := range append(slices.Clone(h.InheritEnv), "LD_LIBRARY_PATH") {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return lastOfEach(append(env, h.Env...))
}

func variableName(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return r - 'a' + 'A'
	case r == '-' || r == '=':
		return '_'
	}
	return r
}

// lastOfEach leaves out variables that are set again further on.
func lastOfEach(env []string) (kept []string) {
	for i, e := range env {
		name, _, ok := strings.Cut(e, "=")
		again := func(e string) bool { return strings.HasPrefix(e, name+"=") }
		if !ok || !slices.ContainsFunc(env[i+1:], again) {
			kept = append(kept, e)
		}
	}
	return kept
}

// ServeHTTP starts the program and passes its answer on.
func (h *Handler) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	if codings := req.TransferEncoding; len(codings) > 0 && codings[0] == "chunked" {
		rw.WriteHeader(http.StatusBadRequest)
		rw.Write([]byte("Chunked request bodies are not supported by CGI."))
		return
	}
	fail := func(format string, args ...any) {
		rw.WriteHeader(http.StatusInternalServerError)
		h.logf(format, args...)
	}
	dir, path := h.Dir, h.Path
	if dir == "" {
		dir, path = filepath.Split(h.Path)
	}
	cmd := &exec.Cmd{
		Dir:    cmp.Or(dir, "."),
		Path:   path,
		Args:   append([]string{h.Path}, h.Args...),
		Env:    h.variables(req),
		Stderr: h.Stderr,
	}
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	if req.ContentLength != 0 {
		cmd.Stdin = req.Body
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fail("CGI error: %v", err)
		return
	}
	defer cmd.Wait()
	defer out.Close()

	lines := bufio.NewReaderSize(out, 1024)
	header := http.Header{}
	code, n := 0, 0
	for {
		line, isPart, err := lines.ReadLine()
		if isPart {
			fail("cgi: long header line from subprocess.")
			return
		}
		if err != nil && err != io.EOF {
			fail("cgi: error reading headers: %v", err)
			return
		}
		if err == io.EOF || len(line) == 0 && n == 0 {
			fail("cgi: no headers")
			return
		}
		if len(line) == 0 {
			break
		}
		n++
		name, value, ok := strings.Cut(string(line), ":")
		switch value = textproto.TrimString(value); {
		case !ok:
			h.logf("cgi: bogus header line: %s", line)
		case !isToken(name):
			h.logf("cgi: invalid header name: %q", name)
		case name != "Status":
			header.Add(name, value)
		case len(value) < 3:
			h.logf("cgi: bogus status (short): %q", value)
			return
		default:
			if code, err = strconv.Atoi(value[:3]); err != nil {
				h.logf("cgi: bogus status: %q", value)
				h.logf("cgi: line was %q", line)
				return
			}
		}
	}
	if to := header.Get("Location"); to != "" {
		if strings.HasPrefix(to, "/") && h.PathLocationHandler != nil {
			h.redirect(rw, req, to)
			return
		}
		if code == 0 {
			code = http.StatusFound
		}
	}
	if code == 0 && header.Get("Content-Type") == "" {
		fail("cgi: missing required Content-Type in headers")
		return
	}
	if code == 0 {
		code = http.StatusOK
	}
	for name, values := range header {
		for _, value := range values {
			rw.Header().Add(name, value)
		}
	}
	rw.WriteHeader(code)
	if _, err := io.Copy(rw, lines); err != nil {
		h.logf("cgi: copy error: %v", err)
		// It would wait for somebody to read on.
		cmd.Process.Kill()
	}
}

// redirect has another handler answer.
func (h *Handler) redirect(rw http.ResponseWriter, req *http.Request, path string) {
	r := &http.Request{Method: http.MethodGet, Header: make(http.Header), RemoteAddr: req.RemoteAddr}
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	var err error
	if r.URL, err = req.URL.Parse(path); err == nil {
		r.Host = r.URL.Host
		h.PathLocationHandler.ServeHTTP(rw, r)
		return
	}
	rw.WriteHeader(http.StatusInternalServerError)
	h.logf("cgi: error resolving local URI path %q: %v", path, err)
}

// isToken says whether s can be the name of a field.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !isLetter && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}
