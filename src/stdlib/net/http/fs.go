package http

import (
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"io/fs"
	"math"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FileSystem has files by names with slashes.
type FileSystem interface {
	Open(name string) (File, error)
}

// File is what a FileSystem opens.
type File interface {
	io.Closer
	io.Reader
	io.Seeker
	Readdir(count int) ([]fs.FileInfo, error)
	Stat() (fs.FileInfo, error)
}

// Dir is a folder as a FileSystem.
type Dir string

var errUnsafePath = errors.New("http: invalid or unsafe file path")

func (d Dir) Open(name string) (File, error) {
	local, err := filepath.Localize(orDefault(path.Clean("/" + name)[1:], "."))
	if err != nil {
		return nil, errUnsafePath
	}
	full := filepath.Join(orDefault(string(d), "."), local)
	f, err := os.Open(full)
	if err != nil {
		return nil, openError(err, full, os.Stat)
	}
	return f, nil
}

// openError makes "does not exist" of what is said of a file below one that is no folder.
func openError(err error, name string, stat func(string) (fs.FileInfo, error)) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	for i := range len(name) + 1 {
		if i == 0 || name[i-1] == '/' || i < len(name) && name[i] != '/' {
			continue
		}
		info, e := stat(name[:i])
		if e != nil {
			return err
		}
		if !info.IsDir() {
			return fs.ErrNotExist
		}
	}
	return err
}

// FS is an fs.FS as a FileSystem.
func FS(fsys fs.FS) FileSystem { return ioFS{fsys} }

type ioFS struct{ fsys fs.FS }

func (f ioFS) Open(name string) (File, error) {
	if name == "/" {
		name = "."
	} else {
		name = strings.TrimPrefix(name, "/")
	}
	file, err := f.fsys.Open(name)
	if err != nil {
		return nil, openError(err, name, func(name string) (fs.FileInfo, error) { return fs.Stat(f.fsys, name) })
	}
	return ioFile{file}, nil
}

type ioFile struct{ fs.File }

func (f ioFile) Seek(offset int64, whence int) (int64, error) {
	if s, ok := f.File.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.New("io.File missing Seek method")
}

func (f ioFile) ReadDir(count int) ([]fs.DirEntry, error) {
	if d, ok := f.File.(fs.ReadDirFile); ok {
		return d.ReadDir(count)
	}
	return nil, errors.New("io.File directory missing ReadDir method")
}

func (f ioFile) Readdir(count int) (infos []fs.FileInfo, err error) {
	for {
		entries, err := f.ReadDir(count - len(infos))
		for _, e := range entries {
			// What has gone meanwhile is not told.
			if info, err := e.Info(); err == nil {
				infos = append(infos, info)
			}
		}
		if err != nil || count < 0 || len(infos) >= count {
			return infos, err
		}
	}
}

// FileServer answers with the files of a FileSystem.
func FileServer(root FileSystem) Handler { return fileHandler{root} }

func FileServerFS(root fs.FS) Handler { return FileServer(FS(root)) }

type fileHandler struct{ root FileSystem }

func (h fileHandler) ServeHTTP(w ResponseWriter, r *Request) {
	if !strings.HasPrefix(r.URL.Path, "/") {
		r.URL.Path = "/" + r.URL.Path
	}
	serveFile(w, r, h.root, path.Clean(r.URL.Path), true)
}

// ServeFile answers with a file, or a folder.
func ServeFile(w ResponseWriter, r *Request, name string) {
	dir, file := filepath.Split(name)
	serveNamed(w, r, Dir(dir), file)
}

func ServeFileFS(w ResponseWriter, r *Request, fsys fs.FS, name string) {
	serveNamed(w, r, FS(fsys), name)
}

func serveNamed(w ResponseWriter, r *Request, root FileSystem, name string) {
	isSlash := func(c rune) bool { return c == '/' || c == '\\' }
	if slices.Contains(strings.FieldsFunc(r.URL.Path, isSlash), "..") {
		// The program may have made the name of the path.
		serveError(w, "invalid URL path", StatusBadRequest)
		return
	}
	serveFile(w, r, root, name, false)
}

// fileError is what is told of an error, which may name files.
func fileError(err error) (text string, code int) {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errUnsafePath):
		return "404 page not found", StatusNotFound
	case errors.Is(err, fs.ErrPermission):
		return "403 Forbidden", StatusForbidden
	}
	return "500 Internal Server Error", StatusInternalServerError
}

// serveError answers with an error, for which what was set for the file does not hold.
func serveError(w ResponseWriter, text string, code int) {
	if godebug.Value("httpservecontentkeepheaders") != "1" {
		for _, name := range []string{"Cache-Control", "Content-Encoding", "Etag", "Last-Modified"} {
			delete(w.Header(), name)
		}
	}
	Error(w, text, code)
}

// serveFile redirects to a path that ends with a slash if it is a folder's, and only then.
func serveFile(w ResponseWriter, r *Request, root FileSystem, name string, redirects bool) {
	const index = "/index.html"
	at := r.URL.Path
	if strings.HasSuffix(at, index) {
		moveTo(w, r, "./")
		return
	}
	f, info, err := openFile(root, name)
	if err != nil {
		text, code := fileError(err)
		serveError(w, text, code)
		return
	}
	defer f.Close()
	endsWithSlash := strings.HasSuffix(at, "/")
	if redirects && !info.IsDir() && endsWithSlash {
		base := path.Base(at)
		if base == "/" || base == "." {
			serveError(w, "http: attempting to traverse a non-directory", StatusInternalServerError)
			return
		}
		moveTo(w, r, "../"+base)
		return
	}
	if info.IsDir() {
		if !endsWithSlash {
			moveTo(w, r, path.Base(at)+"/")
			return
		}
		if page, pageInfo, err := openFile(root, strings.TrimSuffix(name, "/")+index); err == nil {
			defer page.Close()
			f, info = page, pageInfo
		}
	}
	if info.IsDir() {
		if modifiedSince(r, info.ModTime()) == isFalse {
			notModified(w)
			return
		}
		setModified(w, info.ModTime())
		serveFolder(w, r, f)
		return
	}
	serveContent(w, r, info.Name(), info.ModTime(), func() (int64, error) { return info.Size(), nil }, f)
}

func openFile(root FileSystem, name string) (File, fs.FileInfo, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func moveTo(w ResponseWriter, r *Request, to string) {
	if strings.Contains(strings.ToLower(r.URL.EscapedPath()), "%2f") {
		NotFound(w, r)
		return
	}
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	w.Header().Set("Location", to)
	w.WriteHeader(StatusMovedPermanently)
}

// serveFolder lists what is in a folder.
func serveFolder(w ResponseWriter, r *Request, f File) {
	var names []string
	add := func(name string, isFolder bool) {
		if isFolder {
			name += "/"
		}
		names = append(names, name)
	}
	var err error
	if d, ok := f.(fs.ReadDirFile); ok {
		var entries []fs.DirEntry
		entries, err = d.ReadDir(-1)
		for _, e := range entries {
			add(e.Name(), e.IsDir())
		}
	} else {
		var infos []fs.FileInfo
		infos, err = f.Readdir(-1)
		for _, i := range infos {
			add(i.Name(), i.IsDir())
		}
	}
	if err != nil {
		logf(r, "http: error reading directory: %v", err)
		Error(w, "Error reading directory", StatusInternalServerError)
		return
	}
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/"))
	})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, "<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n")
	for _, name := range names {
		to := url.URL{Path: name}
		fmt.Fprintf(w, "<a href=\"%s\">%s</a>\n", to.String(), htmlEscapes.Replace(name))
	}
	io.WriteString(w, "</pre>\n")
}

var (
	errSeeker    = errors.New("seeker can't seek")
	errNoOverlap = errors.New("invalid range: failed to overlap")
	errRange     = errors.New("invalid range")
)

// ServeContent answers with content, or what of it is asked for.
func ServeContent(w ResponseWriter, req *Request, name string, modtime time.Time, content io.ReadSeeker) {
	size := func() (int64, error) {
		n, err := content.Seek(0, io.SeekEnd)
		if err == nil {
			_, err = content.Seek(0, io.SeekStart)
		}
		if err != nil {
			return 0, errSeeker
		}
		return n, nil
	}
	serveContent(w, req, name, modtime, size, content)
}

func serveContent(w ResponseWriter, r *Request, name string, modified time.Time, sizeOf func() (int64, error), content io.ReadSeeker) {
	setModified(w, modified)
	asked, isDone := preconditions(w, r, modified)
	if isDone {
		return
	}
	contentType := ""
	if types, ok := w.Header()["Content-Type"]; !ok {
		contentType = mime.TypeByExtension(filepath.Ext(name))
		if contentType == "" {
			begin := make([]byte, sniffed)
			n, _ := io.ReadFull(content, begin)
			contentType = DetectContentType(begin[:n])
			if _, err := content.Seek(0, io.SeekStart); err != nil {
				serveError(w, "seeker can't seek", StatusInternalServerError)
				return
			}
		}
		w.Header().Set("Content-Type", contentType)
	} else if len(types) > 0 {
		contentType = types[0]
	}
	size, err := sizeOf()
	if err == nil && size < 0 {
		err = errors.New("negative content size computed")
	}
	if err != nil {
		serveError(w, err.Error(), StatusInternalServerError)
		return
	}
	spans, err := parseRange(asked, size)
	if err == errNoOverlap && size == 0 {
		// Some clients ask so for all of everything.
		spans, err = nil, nil
	}
	if err != nil {
		if err == errNoOverlap {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		}
		serveError(w, err.Error(), StatusRequestedRangeNotSatisfiable)
		return
	}
	var total int64
	for _, s := range spans {
		total += s.length
	}
	if total > size {
		// An attack, or a client that knows no better.
		spans = nil
	}
	code, length := StatusOK, size
	var from io.Reader = content
	switch len(spans) {
	case 0:
	case 1:
		code, length = StatusPartialContent, spans[0].length
		if _, err := content.Seek(spans[0].start, io.SeekStart); err != nil {
			serveError(w, err.Error(), StatusRequestedRangeNotSatisfiable)
			return
		}
		w.Header().Set("Content-Range", spans[0].of(size))
	default:
		code, length = StatusPartialContent, partsLength(spans, contentType, size)
		out, in := io.Pipe()
		defer out.Close()
		parts := multipart.NewWriter(in)
		w.Header().Set("Content-Type", "multipart/byteranges; boundary="+parts.Boundary())
		from = out
		go func() { in.CloseWithError(writeSpans(parts, spans, contentType, size, content)) }()
	}
	w.Header().Set("Accept-Ranges", "bytes")
	if len(spans) > 0 || w.Header().Get("Content-Encoding") == "" {
		w.Header().Set("Content-Length", strconv.FormatInt(length, 10))
	}
	w.WriteHeader(code)
	if r.Method != MethodHead {
		io.CopyN(w, from, length)
	}
}

func writeSpans(parts *multipart.Writer, spans []span, contentType string, size int64, content io.ReadSeeker) error {
	for _, s := range spans {
		part, err := parts.CreatePart(s.header(contentType, size))
		if err != nil {
			return err
		}
		if _, err = content.Seek(s.start, io.SeekStart); err != nil {
			return err
		}
		if _, err = io.CopyN(part, content, s.length); err != nil {
			return err
		}
	}
	return parts.Close()
}

// partsLength is how long that becomes.
func partsLength(spans []span, contentType string, size int64) (n int64) {
	var count counter
	parts := multipart.NewWriter(&count)
	for _, s := range spans {
		parts.CreatePart(s.header(contentType, size))
		n += s.length
	}
	parts.Close()
	return n + int64(count)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// span is a part of content.
type span struct{ start, length int64 }

func (s span) of(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", s.start, s.start+s.length-1, size)
}

func (s span) header(contentType string, size int64) textproto.MIMEHeader {
	return textproto.MIMEHeader{"Content-Range": {s.of(size)}, "Content-Type": {contentType}}
}

// parseRange reads a Range field. RFC 9110, section 14.2.
func parseRange(s string, size int64) ([]span, error) {
	if s == "" {
		return nil, nil
	}
	list, ok := strings.CutPrefix(s, "bytes=")
	if !ok {
		return nil, errRange
	}
	most := 200
	if n, err := strconv.Atoi(godebug.Value("httpservecontentmaxranges")); err == nil && n >= 0 {
		if most = n; n == 0 {
			most = math.MaxInt
		}
	}
	if strings.Count(list, ",") >= most {
		return nil, nil
	}
	var spans []span
	missed := false
	for text := range strings.SplitSeq(list, ",") {
		if text = textproto.TrimString(text); text == "" {
			continue
		}
		s, err := parseSpan(text, size)
		switch {
		case err == errNoOverlap:
			missed = true
		case err != nil:
			return nil, err
		default:
			spans = append(spans, s)
		}
	}
	if missed && len(spans) == 0 {
		return nil, errNoOverlap
	}
	return spans, nil
}

func parseSpan(text string, size int64) (span, error) {
	first, last, ok := strings.Cut(text, "-")
	if !ok {
		return span{}, errRange
	}
	first, last = textproto.TrimString(first), textproto.TrimString(last)
	if first == "" {
		// So many bytes from the end.
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < 0 || last[0] == '-' {
			return span{}, errRange
		}
		n = min(n, size)
		return span{size - n, n}, nil
	}
	start, err := strconv.ParseInt(first, 10, 64)
	if err != nil || start < 0 {
		return span{}, errRange
	}
	if start >= size {
		return span{}, errNoOverlap
	}
	end := size - 1
	if last != "" {
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < start {
			return span{}, errRange
		}
		end = min(end, n)
	}
	return span{start, end - start + 1}, nil
}

// Conditions of a request. RFC 9110, section 13.

type verdict int

const (
	isUnsaid verdict = iota
	isTrue
	isFalse
)

func verdictOf(b bool) verdict {
	if b {
		return isTrue
	}
	return isFalse
}

// preconditions answers if the content is not to be sent; else it says what of it is asked for.
func preconditions(w ResponseWriter, r *Request, modified time.Time) (asked string, isDone bool) {
	tag := w.Header().get("Etag")
	strong := func(t string) bool { return t == tag && t != "" && t[0] == '"' }
	weak := func(t string) bool { return strings.TrimPrefix(t, "W/") == strings.TrimPrefix(tag, "W/") }
	isRead := r.Method == MethodGet || r.Method == MethodHead

	match := tagMatches(r.Header.Get("If-Match"), strong)
	if match == isUnsaid {
		match = unmodifiedSince(r, modified)
	}
	if match == isFalse {
		w.WriteHeader(StatusPreconditionFailed)
		return "", true
	}
	switch tagMatches(r.Header.get("If-None-Match"), weak) {
	case isTrue:
		if isRead {
			notModified(w)
		} else {
			w.WriteHeader(StatusPreconditionFailed)
		}
		return "", true
	case isUnsaid:
		if modifiedSince(r, modified) == isFalse {
			notModified(w)
			return "", true
		}
	}
	asked = r.Header.get("Range")
	if cond := r.Header.get("If-Range"); asked != "" && cond != "" && isRead {
		if t, _ := scanTag(cond); t != "" {
			if !strong(t) {
				asked = ""
			}
		} else if t, err := ParseTime(cond); err != nil || modified.IsZero() || t.Unix() != modified.Unix() {
			asked = ""
		}
	}
	return asked, false
}

// tagMatches looks for a tag in a list; a star matches whatever there is.
func tagMatches(list string, is func(tag string) bool) verdict {
	if list == "" {
		return isUnsaid
	}
	for {
		list = textproto.TrimString(list)
		switch {
		case list == "":
			return isFalse
		case list[0] == ',':
			list = list[1:]
			continue
		case list[0] == '*':
			return isTrue
		}
		tag, rest := scanTag(list)
		if tag == "" {
			return isFalse
		}
		if is(tag) {
			return isTrue
		}
		list = rest
	}
}

// scanTag cuts off an entity tag.
func scanTag(s string) (tag, rest string) {
	s = textproto.TrimString(s)
	at := 0
	if strings.HasPrefix(s, "W/") {
		at = 2
	}
	if len(s)-at < 2 || s[at] != '"' {
		return "", ""
	}
	for i := at + 1; i < len(s); i++ {
		c := s[i]
		if c == '"' {
			return s[:i+1], s[i+1:]
		}
		if c < 0x21 || c == 0x7f {
			return "", ""
		}
	}
	return "", ""
}

// isNoTime says whether a time means that none is known.
func isNoTime(t time.Time) bool { return t.IsZero() || t.Equal(time.Unix(0, 0)) }

func setModified(w ResponseWriter, t time.Time) {
	if !isNoTime(t) {
		w.Header().Set("Last-Modified", t.UTC().Format(TimeFormat))
	}
}

// changedAfter says whether it was modified after the time in a field.
func changedAfter(r *Request, field string, modified time.Time) verdict {
	text := r.Header.Get(field)
	if text == "" || isNoTime(modified) {
		return isUnsaid
	}
	t, err := ParseTime(text)
	if err != nil {
		return isUnsaid
	}
	return verdictOf(modified.Truncate(time.Second).After(t))
}

func modifiedSince(r *Request, modified time.Time) verdict {
	if r.Method != MethodGet && r.Method != MethodHead {
		return isUnsaid
	}
	return changedAfter(r, "If-Modified-Since", modified)
}

func unmodifiedSince(r *Request, modified time.Time) verdict {
	switch changedAfter(r, "If-Unmodified-Since", modified) {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return isUnsaid
}

func notModified(w ResponseWriter) {
	h := w.Header()
	delete(h, "Content-Type")
	delete(h, "Content-Length")
	delete(h, "Content-Encoding")
	if h.Get("Etag") != "" {
		delete(h, "Last-Modified")
	}
	w.WriteHeader(StatusNotModified)
}

// NewFileTransport answers requests of a scheme such as file with files.
func NewFileTransport(fs FileSystem) RoundTripper { return fileTransport{fileHandler{fs}} }

func NewFileTransportFS(fsys fs.FS) RoundTripper { return NewFileTransport(FS(fsys)) }

type fileTransport struct{ handler fileHandler }

func (t fileTransport) RoundTrip(r *Request) (*Response, error) {
	out, in := io.Pipe()
	w := &fileAnswer{body: in, sent: make(chan *Response), resp: &Response{
		Proto: "HTTP/1.0", ProtoMajor: 1, Header: make(Header), Close: true, Body: out, Request: r,
	}}
	go func() {
		t.handler.ServeHTTP(w, r)
		if w.resp.StatusCode == 0 {
			w.WriteHeader(StatusInternalServerError)
		}
		w.send()
		in.Close()
	}()
	return <-w.sent, nil
}

// fileAnswer gives an answer away with the first of its body.
type fileAnswer struct {
	resp *Response
	body *io.PipeWriter
	sent chan *Response
}

func (w *fileAnswer) Header() Header { return w.resp.Header }

func (w *fileAnswer) WriteHeader(code int) {
	if w.resp.StatusCode == 0 {
		w.resp.StatusCode = code
		w.resp.Status = fmt.Sprintf("%d %s", code, StatusText(code))
	}
}

// send gives it away once.
func (w *fileAnswer) send() {
	if w.sent != nil {
		w.sent <- w.resp
		w.sent = nil
	}
}

func (w *fileAnswer) Write(p []byte) (int, error) {
	w.WriteHeader(StatusOK)
	if w.sent != nil {
		w.resp.ContentLength = -1
	}
	w.send()
	return w.body.Write(p)
}
