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

// Files, and content in general. A fileSite finds what a path stands for: a file, a folder, or a
// redirection to how the path should be written. Content is served in steps: what the client has
// laid down is checked by a list of conditions, then it is seen what the content is, and how long,
// and last which ranges of it are wanted.

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

// Open opens a file below the folder; nothing above it can be named.
func (d Dir) Open(name string) (File, error) {
	full, err := d.locate(name)
	if err == nil {
		var f *os.File
		if f, err = os.Open(full); err == nil {
			return f, nil
		}
		err = openError(err, full, os.Stat)
	}
	return nil, err
}

// locate is where a file lies.
func (d Dir) locate(name string) (string, error) {
	below, err := filepath.Localize(orDefault(path.Clean("/" + name)[1:], "."))
	if err != nil {
		err = errUnsafePath
	}
	return filepath.Join(orDefault(string(d), "."), below), err
}

// openError makes "does not exist" of what is said of a file below one that is no folder.
func openError(err error, name string, stat func(string) (fs.FileInfo, error)) error {
	isKnown := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	for above := ""; !isKnown && len(above) < len(name); {
		rest := name[len(above):]
		part := strings.TrimLeft(rest, "/")
		end := len(above) + len(rest) - len(part)
		part, _, _ = strings.Cut(part, "/")
		above = name[:end+len(part)]
		if part == "" {
			break
		}
		if info, e := stat(above); e != nil {
			break
		} else if !info.IsDir() {
			return fs.ErrNotExist
		}
	}
	return err
}

// FS is an fs.FS as a FileSystem.
func FS(fsys fs.FS) FileSystem { return ioFS{fsys} }

type ioFS struct{ fsys fs.FS }

func (f ioFS) Open(name string) (File, error) {
	name = rooted(name)
	file, err := f.fsys.Open(name)
	if err != nil {
		return nil, openError(err, name, f.stat)
	}
	return ioFile{file}, nil
}

// rooted is the name as an fs.FS has it.
func rooted(name string) string {
	if name == "/" {
		return "."
	}
	return strings.TrimPrefix(name, "/")
}

func (f ioFS) stat(name string) (fs.FileInfo, error) { return fs.Stat(f.fsys, name) }

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
	for isFirst := true; err == nil && (isFirst || 0 <= count && len(infos) < count); isFirst = false {
		var entries []fs.DirEntry
		entries, err = f.ReadDir(count - len(infos))
		for _, e := range entries {
			// What has gone meanwhile is not told.
			if info, gone := e.Info(); gone == nil {
				infos = append(infos, info)
			}
		}
	}
	return infos, err
}

// FileServer answers with the files of a FileSystem.
func FileServer(root FileSystem) Handler { return fileHandler{root} }

func FileServerFS(root fs.FS) Handler { return FileServer(FS(root)) }

type fileHandler struct{ root FileSystem }

func (h fileHandler) ServeHTTP(w ResponseWriter, r *Request) {
	if !strings.HasPrefix(r.URL.Path, "/") {
		r.URL.Path = "/" + r.URL.Path
	}
	fileSite{w, r, h.root}.serve(path.Clean(r.URL.Path), true)
}

// ServeFile answers with a file, or a folder.
func ServeFile(w ResponseWriter, r *Request, name string) {
	folder, file := filepath.Split(name)
	fileSite{w, r, Dir(folder)}.serveNamed(file)
}

func ServeFileFS(w ResponseWriter, r *Request, fsys fs.FS, name string) {
	fileSite{w, r, FS(fsys)}.serveNamed(name)
}

// fileSite answers one request with what is in a FileSystem.
type fileSite struct {
	w    ResponseWriter
	r    *Request
	root FileSystem
}

// serveNamed serves what the program has named, perhaps by the path: then it must not lead upwards.
func (s fileSite) serveNamed(name string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(s.r.URL.Path, `\`, "/"), "/") {
		if part == ".." {
			answerError(s.w, "invalid URL path", StatusBadRequest)
			return
		}
	}
	s.serve(name, false)
}

const indexPage = "/index.html"

// serve serves a file, or a folder; only if isPath does the name stand for the path, and the path of
// a file must not end with a slash.
func (s fileSite) serve(name string, isPath bool) {
	at := s.r.URL.Path
	hasSlash := strings.HasSuffix(at, "/")
	if strings.HasSuffix(at, indexPage) {
		s.moveTo("./")
		return
	}
	err := s.open(name, func(f File, info fs.FileInfo) {
		base := path.Base(at)
		switch isFolder := info.IsDir(); {
		case isFolder && !hasSlash:
			s.moveTo(base + "/")
		case isFolder:
			page := strings.TrimSuffix(name, "/") + indexPage
			isServed := false
			s.open(page, func(f File, info fs.FileInfo) {
				isServed = true
				s.serveOpen(f, info)
			})
			if !isServed {
				s.serveOpen(f, info)
			}
		case !isPath || !hasSlash:
			s.serveOpen(f, info)
		case base == "/" || base == ".":
			answerError(s.w, "http: attempting to traverse a non-directory", StatusInternalServerError)
		default:
			s.moveTo("../" + base)
		}
	})
	if err != nil {
		text, code := fileError(err)
		answerError(s.w, text, code)
	}
}

// open hands a file to use, and closes it then.
func (s fileSite) open(name string, use func(f File, info fs.FileInfo)) error {
	f, err := s.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		use(f, info)
	}
	return err
}

// serveOpen serves what has been found to be meant.
func (s fileSite) serveOpen(f File, info fs.FileInfo) {
	d := document{
		data: f, name: info.Name(), modified: info.ModTime(),
		size: func() (int64, error) { return info.Size(), nil },
	}
	if !info.IsDir() {
		d.serve(s.w, s.r)
		return
	}
	if onlyReads(s.r) && d.isSameSince(s.r.Header.get("If-Modified-Since")) == isTrue {
		notModified(s.w)
		return
	}
	d.tellModified(s.w.Header())
	s.list(f)
}

// fileError is what is told of an error, which may name files.
func fileError(err error) (text string, code int) {
	switch {
	case errors.Is(err, errUnsafePath) || errors.Is(err, fs.ErrNotExist):
		return "404 page not found", StatusNotFound
	case errors.Is(err, fs.ErrPermission):
		code = StatusForbidden
	default:
		code = StatusInternalServerError
	}
	return strconv.Itoa(code) + " " + StatusText(code), code
}

// answerError answers with an error, for which what was set for the file does not hold.
func answerError(w ResponseWriter, text string, code int) {
	if !godebug.Is("httpservecontentkeepheaders", "1") {
		w.Header().drop("Cache-Control", "Content-Encoding", "Etag", "Last-Modified")
	}
	Error(w, text, code)
}

// drop is Del of canonical names.
func (h Header) drop(names ...string) {
	for _, name := range names {
		delete(h, name)
	}
}

// moveTo sends the client to where the file is found, seen from the path it has asked for.
func (s fileSite) moveTo(to string) {
	u := s.r.URL
	if hasHiddenSlash(u) {
		NotFound(s.w, s.r)
		return
	}
	query := url.URL{RawQuery: u.RawQuery}
	s.w.Header().Set("Location", to+query.String())
	s.w.WriteHeader(StatusMovedPermanently)
}

// hasHiddenSlash says whether a slash is escaped: what is seen from there would be another place.
func hasHiddenSlash(u *url.URL) bool {
	return strings.Contains(strings.ToLower(u.EscapedPath()), "%2f")
}

// list lists what is in a folder.
func (s fileSite) list(f File) {
	entries, err := entriesOf(f)
	if err != nil {
		logf(s.r, "http: error reading directory: %v", err)
		Error(s.w, "Error reading directory", StatusInternalServerError)
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	s.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(s.w, "<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n")
	for _, e := range entries {
		to := url.URL{Path: e.Name()}
		if e.IsDir() {
			to.Path += "/"
		}
		fmt.Fprintf(s.w, "<a href=\"%s\">%s</a>\n", &to, htmlEscapes.Replace(to.Path))
	}
	io.WriteString(s.w, "</pre>\n")
}

// entriesOf reads a folder by the newer way if there is one.
func entriesOf(f File) (entries []fs.DirEntry, err error) {
	if d, ok := f.(fs.ReadDirFile); ok {
		return d.ReadDir(-1)
	}
	infos, err := f.Readdir(-1)
	for _, info := range infos {
		entries = append(entries, fs.FileInfoToDirEntry(info))
	}
	return entries, err
}

// document is what is served, with what is known of it.
type document struct {
	data     io.ReadSeeker
	name     string
	modified time.Time
	size     func() (int64, error)
}

var (
	errSeek    = errors.New("seeker can't seek")
	errOutside = errors.New("invalid range: failed to overlap")
	errRange   = errors.New("invalid range")
)

// ServeContent answers with content, or what of it is asked for.
func ServeContent(w ResponseWriter, req *Request, name string, modtime time.Time, content io.ReadSeeker) {
	d := document{data: content, name: name, modified: modtime}
	d.size = d.sizeBySeeking
	d.serve(w, req)
}

func (d *document) sizeBySeeking() (n int64, err error) {
	if n, err = d.data.Seek(0, io.SeekEnd); err == nil {
		_, err = d.data.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, errSeek
	}
	return n, nil
}

func (d *document) serve(w ResponseWriter, r *Request) {
	h := w.Header()
	d.tellModified(h)
	switch code := d.refusal(h, r); code {
	case 0:
	case StatusNotModified:
		notModified(w)
		return
	default:
		w.WriteHeader(code)
		return
	}
	size := int64(0)
	kind, err := d.kind(h)
	if err == nil {
		size, err = d.size()
	}
	if err == nil && size < 0 {
		err = errors.New("negative content size computed")
	}
	if err != nil {
		answerError(w, err.Error(), StatusInternalServerError)
		return
	}
	ranges, err := rangesOf(d.asked(h, r), size)
	code, length := StatusPartialContent, size
	send := func() { io.CopyN(w, d.data, length) }
	switch len(ranges) {
	case 0:
		code = StatusOK
	case 1:
		length = ranges[0].length()
		if _, err = d.data.Seek(ranges[0].first, io.SeekStart); err == nil {
			h.Set("Content-Range", ranges[0].of(size))
		}
	default:
		parts := newByteParts(ranges, kind, size)
		length = parts.length()
		send = func() { parts.write(w, d.copyRange) }
		h.Set("Content-Type", "multipart/byteranges; boundary="+parts.boundary)
	}
	if err != nil {
		if err == errOutside {
			h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		}
		answerError(w, err.Error(), StatusRequestedRangeNotSatisfiable)
		return
	}
	h.Set("Accept-Ranges", "bytes")
	if code == StatusPartialContent || h.Get("Content-Encoding") == "" {
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	w.WriteHeader(code)
	if r.Method != MethodHead {
		send()
	}
}

// kind is the type as it was set, or as the name or the first bytes tell.
func (d *document) kind(h Header) (string, error) {
	if h.has("Content-Type") {
		return h.get("Content-Type"), nil
	}
	kind := mime.TypeByExtension(filepath.Ext(d.name))
	if kind == "" {
		begin := make([]byte, sniffed)
		n, _ := io.ReadFull(d.data, begin)
		kind = DetectContentType(begin[:n])
		if _, err := d.data.Seek(0, io.SeekStart); err != nil {
			return "", errSeek
		}
	}
	h.Set("Content-Type", kind)
	return kind, nil
}

func (d *document) copyRange(to io.Writer, b byteRange) error {
	_, err := d.data.Seek(b.first, io.SeekStart)
	if err == nil {
		_, err = io.CopyN(to, d.data, b.length())
	}
	return err
}

// byteRange is a part of content: from first, up to end, which is not in it.
type byteRange struct{ first, end int64 }

func (b byteRange) length() int64 { return b.end - b.first }

// of is the range as it is written.
func (b byteRange) of(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", b.first, b.end-1, size)
}

// rangesOf reads a Range field; there are none if all is wanted. RFC 9110, section 14.2.
func rangesOf(field string, size int64) (ranges []byteRange, err error) {
	list, ok := strings.CutPrefix(field, "bytes=")
	if !ok && field != "" {
		return nil, errRange
	}
	if !ok || strings.Count(list, ",") >= maxRanges() {
		return nil, nil
	}
	var total int64
	missed := false
	eachElement(list, func(text string) {
		b, e := rangeOf(text, size)
		switch e {
		case nil:
			total += b.length()
			ranges = append(ranges, b)
		case errOutside:
			missed = true
		default:
			err = e
		}
	})
	switch {
	case err != nil:
		return nil, err
	case missed && len(ranges) == 0 && size > 0:
		return nil, errOutside
	case total > size:
		// It is an attack, or a client that knows no better.
		return nil, nil
	}
	return ranges, nil
}

// maxRanges is how many are too many; GODEBUG may say so.
func maxRanges() int {
	n, err := strconv.Atoi(godebug.Value("httpservecontentmaxranges"))
	switch {
	case err != nil || n < 0:
		return 200
	case n == 0:
		return math.MaxInt
	}
	return n
}

// rangeOf reads first-last, first- or -count.
func rangeOf(text string, size int64) (b byteRange, err error) {
	from, to, hasDash := strings.Cut(text, "-")
	from, to = textproto.TrimString(from), textproto.TrimString(to)
	first, isFirst := parsePosition(from)
	last, isLast := parsePosition(to)
	switch {
	case !hasDash || !isFirst:
		return b, errRange
	case from != "" && first >= size:
		return b, errOutside
	case !isLast:
		return b, errRange
	case from == "" && (to == "" || to[0] == '-'):
		return b, errRange
	case from == "":
		return byteRange{size - min(last, size), size}, nil
	case to == "":
		return byteRange{first, size}, nil
	case last < first:
		return b, errRange
	}
	return byteRange{first, min(last, size-1) + 1}, nil
}

// parsePosition takes what is left out for 0.
func parsePosition(text string) (n int64, ok bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}

// byteParts are several ranges, each as a part of one body.
type byteParts struct {
	ranges   []byteRange
	kind     string
	size     int64
	boundary string
}

func newByteParts(ranges []byteRange, kind string, size int64) *byteParts {
	return &byteParts{ranges, kind, size, multipart.NewWriter(io.Discard).Boundary()}
}

// write writes the body; fill writes what is in a range.
func (p *byteParts) write(w io.Writer, fill func(w io.Writer, b byteRange) error) error {
	parts := multipart.NewWriter(w)
	parts.SetBoundary(p.boundary)
	for _, b := range p.ranges {
		part, err := parts.CreatePart(textproto.MIMEHeader{
			"Content-Range": {b.of(p.size)}, "Content-Type": {p.kind},
		})
		if err == nil {
			err = fill(part, b)
		}
		if err != nil {
			return err
		}
	}
	return parts.Close()
}

// length is how long that becomes.
func (p *byteParts) length() int64 {
	var n counter
	p.write(&n, func(_ io.Writer, b byteRange) error {
		n += counter(b.length())
		return nil
	})
	return int64(n)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// What a client may lay down for its request to be served: RFC 9110, section 13.

// conditions are looked at in this order. Each compares the content with what the client knows of
// it, by its tag or by the time when it was modified.
var conditions = [...]struct {
	field string
	// Where that is said, too, the condition does not count.
	unless string
	byTime bool
	// The content must be the same; or it must be another.
	isSame bool
}{
	{field: "If-Match", isSame: true},
	{field: "If-Unmodified-Since", unless: "If-Match", byTime: true, isSame: true},
	{field: "If-None-Match"},
	{field: "If-Modified-Since", unless: "If-None-Match", byTime: true},
}

// verdict is what comes of a comparison, which may not be possible.
type verdict int

const (
	isUnknown verdict = iota
	isTrue
	isFalse
)

func verdictOf(is bool) verdict {
	if is {
		return isTrue
	}
	return isFalse
}

func onlyReads(r *Request) bool { return r.Method == MethodGet || r.Method == MethodHead }

// refusal is the status by which a request is answered whose conditions do not hold; else it is 0.
func (d *document) refusal(h Header, r *Request) (status int) {
	for i := range conditions {
		cond := &conditions[i]
		text := r.Header.get(cond.field)
		if text == "" || cond.unless != "" && r.Header.get(cond.unless) != "" {
			continue
		}
		same := isUnknown
		switch {
		case !cond.byTime:
			same = verdictOf(hasTag(text, h.get("Etag"), cond.isSame))
		case cond.isSame || onlyReads(r):
			same = d.isSameSince(text)
		}
		switch {
		case same == isUnknown || same == verdictOf(cond.isSame):
		case same == isTrue && onlyReads(r):
			return StatusNotModified
		default:
			return StatusPreconditionFailed
		}
	}
	return 0
}

// asked is what the client says of ranges, if it still has the content of which it knows a part.
func (d *document) asked(h Header, r *Request) string {
	ranges, known := r.Header.get("Range"), r.Header.get("If-Range")
	if known == "" || !onlyReads(r) {
		return ranges
	}
	isSame := false
	if tag := tagAt(textproto.TrimString(known)); tag != "" {
		isSame = isSameTag(tag, h.get("Etag"), true)
	} else if t, err := ParseTime(known); err == nil && !d.modified.IsZero() {
		isSame = t.Unix() == d.modified.Unix()
	}
	if !isSame {
		return ""
	}
	return ranges
}

// isSameTag compares entity tags; weak ones are never the same for strict comparison.
func isSameTag(a, b string, isStrict bool) bool {
	if isStrict {
		return a == b && strings.HasPrefix(a, `"`)
	}
	return strings.TrimPrefix(a, "W/") == strings.TrimPrefix(b, "W/")
}

// hasTag looks for a tag in a list, up to what is none; a star matches whatever there is.
func hasTag(list, tag string, isStrict bool) bool {
	for {
		if list = textproto.TrimString(list); strings.HasPrefix(list, ",") {
			list = list[1:]
			continue
		}
		t := tagAt(list)
		switch {
		case t == "":
			return strings.HasPrefix(list, "*")
		case isSameTag(t, tag, isStrict):
			return true
		}
		list = list[len(t):]
	}
}

// tagAt is the entity tag with which a text begins.
func tagAt(s string) string {
	quoted := strings.TrimPrefix(s, "W/")
	if !strings.HasPrefix(quoted, `"`) {
		return ""
	}
	inner, _, isClosed := strings.Cut(quoted[1:], `"`)
	if !isClosed || !consistsOf(inner, func(c byte) bool { return c > ' ' && c != 0x7f }) {
		return ""
	}
	return s[:len(s)-len(quoted)+len(inner)+2]
}

// hasTime says whether it is known when the content was modified.
func (d *document) hasTime() bool { return !d.modified.IsZero() && !d.modified.Equal(time.Unix(0, 0)) }

// isSameSince says whether the content was not modified after a time as it is written.
func (d *document) isSameSince(text string) verdict {
	t, err := ParseTime(text)
	if err != nil || !d.hasTime() {
		return isUnknown
	}
	return verdictOf(!d.modified.Truncate(time.Second).After(t))
}

func (d *document) tellModified(h Header) {
	if d.hasTime() {
		h.Set("Last-Modified", d.modified.UTC().Format(TimeFormat))
	}
}

// notModified answers that the client has the content already.
func notModified(w ResponseWriter) {
	h := w.Header()
	h.drop("Content-Type", "Content-Length", "Content-Encoding")
	if h.get("Etag") != "" {
		h.drop("Last-Modified")
	}
	w.WriteHeader(StatusNotModified)
}

// NewFileTransport answers requests of a scheme such as file with files.
func NewFileTransport(fs FileSystem) RoundTripper { return fileTransport{fileHandler{fs}} }

func NewFileTransportFS(fsys fs.FS) RoundTripper { return NewFileTransport(FS(fsys)) }

type fileTransport struct{ handler fileHandler }

func (t fileTransport) RoundTrip(r *Request) (*Response, error) {
	out, in := io.Pipe()
	resp := &Response{Request: r, Body: out, Header: make(Header), Close: true}
	resp.Proto, resp.ProtoMajor = "HTTP/1.0", 1
	w := &fileAnswer{body: in, sent: make(chan *Response), resp: resp}
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
