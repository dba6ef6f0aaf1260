// run
// Files over HTTP: folders, ranges, conditions; types of contents; what is dumped.
package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

func show(h http.Handler, method, path string, fields ...string) {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	resp := w.Result()
	b, _ := io.ReadAll(resp.Body)
	var names []string
	for k, v := range resp.Header {
		names = append(names, k+": "+strings.Join(v, ", "))
	}
	sort.Strings(names)
	text := fmt.Sprintf("%s %s %v\n  %s %d %q\n", method, path, fields, resp.Status, resp.ContentLength, names)
	if len(b) > 1000 {
		b = append(b[:1000], "..."...)
	}
	text += fmt.Sprintf("  %q\n", b)
	if _, rest, ok := strings.Cut(text, "boundary="); ok {
		text = strings.ReplaceAll(text, rest[:60], "BOUNDARY")
	}
	fmt.Print(text)
}

func main() {
	dir, _ := os.MkdirTemp("", "files")
	defer os.RemoveAll(dir)
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(name, text string) {
		full := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(full), 0o755)
		os.WriteFile(full, []byte(text), 0o644)
		os.Chtimes(full, at, at)
	}
	write("a.txt", "0123456789abcdefghij")
	write("sub/b.html", "<p>page</p>")
	write("sub/c & d.css", "p {}")
	write("site/index.html", "<!DOCTYPE html>index")
	write("none", "%PDF-1.4")
	write("empty", "")
	os.Mkdir(filepath.Join(dir, "sub", "e"), 0o755)
	os.Chtimes(filepath.Join(dir, "sub"), at, at)
	h := http.FileServer(http.Dir(dir))
	for _, p := range []string{"/a.txt", "/sub", "/sub/", "/sub/b.html", "/site/", "/site/index.html", "/none", "/empty", "/nothing", "/../a.txt", "/a.txt/", "/a.txt/x", "/sub/c%20&%20d.css"} {
		show(h, "GET", p)
	}
	show(h, "HEAD", "/a.txt")
	for _, r := range []string{"bytes=0-4", "bytes=5-", "bytes=-3", "bytes=100-", "bytes=2-1", "x=1", "bytes=0-0,5-6", "bytes=a-b", "bytes=", "bytes=--1", "bytes=0-99", "bytes=-100", "bytes=0-15,0-15"} {
		show(h, "GET", "/a.txt", "Range", r)
	}
	show(h, "GET", "/empty", "Range", "bytes=0-")
	day := "Thu, 02 Jan 2020 03:04:05 GMT"
	show(h, "GET", "/a.txt", "If-Modified-Since", day)
	show(h, "GET", "/a.txt", "If-Modified-Since", "Thu, 02 Jan 2020 03:04:04 GMT")
	show(h, "GET", "/a.txt", "If-Unmodified-Since", "Thu, 02 Jan 2020 03:04:04 GMT")
	show(h, "GET", "/a.txt", "If-Range", day, "Range", "bytes=1-2")
	show(h, "GET", "/a.txt", "If-Range", "Fri, 03 Jan 2020 03:04:05 GMT", "Range", "bytes=1-2")
	tagged := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Etag", `"v1"`)
		http.ServeContent(w, r, "x.json", time.Time{}, strings.NewReader(`{"a":1}`))
	})
	for _, tag := range []string{`"v1"`, `W/"v1"`, `"v2", "v1"`, `*`, `bad`, `"v2"`} {
		show(tagged, "GET", "/", "If-None-Match", tag)
		show(tagged, "PUT", "/", "If-None-Match", tag)
		show(tagged, "GET", "/", "If-Match", tag)
		show(tagged, "GET", "/", "If-Range", tag, "Range", "bytes=0-1")
	}
	show(http.FileServerFS(os.DirFS(dir)), "GET", "/sub/")
	show(http.FileServerFS(os.DirFS(dir)), "GET", "/a.txt", "Range", "bytes=1-3")
	show(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(dir, "a.txt")) }), "GET", "/x")
	show(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(dir, "a.txt")) }), "GET", "/x/../y")
	show(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, os.DirFS(dir), "sub/b.html") }), "GET", "/x")
	f, err := http.Dir(dir).Open("/sub")
	infos, err2 := f.Readdir(-1)
	sort.Slice(infos, func(i, j int) bool { return infos[i].Name() < infos[j].Name() })
	for _, i := range infos {
		fmt.Println(i.Name(), i.IsDir())
	}
	fmt.Println(err, err2)
	_, err = http.Dir(dir).Open("/a.txt/b")
	fmt.Println(err == fs.ErrNotExist, err)
	t := &http.Transport{}
	t.RegisterProtocol("file", http.NewFileTransport(http.Dir(dir)))
	resp, err := (&http.Client{Transport: t}).Get("file:///a.txt")
	b, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.Status, resp.Proto, resp.ContentLength, string(b), err)
	resp, err = (&http.Client{Transport: t}).Get("file:///zzz")
	fmt.Println(resp.Status, err)

	for _, s := range []string{
		"", "plain", "<html>", " \n<BODY >", "<!-- x", "<!--x>", "<a>", "<ab>", "<?xml", "%PDF-", "%!PS-Adobe-", "\xfe\xff\x00\x00", "\xff\xfe12", "\xef\xbb\xbfx", "GIF89a", "GIF88a",
		"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "RIFF1234WEBPVP", "RIFF1234WAVE", "RIFF1234AVI ", "FORM1234AIFF", "OggS\x00", "ID3", "MThd\x00\x00\x00\x06", "\x00\x00\x00\x10ftypmp42",
		"\x00\x00\x00\x14ftypisom\x00\x00\x00\x00mp41", "\x1a\x45\xdf\xa3", "wOFF", "OTTO", "\x1f\x8b\x08", "PK\x03\x04", "Rar!\x1a\x07\x00", "\x00asm", "\x00\x00\x01\x00", "BM", "a\x00b", "a\x1bb",
		strings.Repeat("x", 34) + "LP", "\x00\x01\x00\x00",
	} {
		fmt.Printf("%q %s\n", s, http.DetectContentType([]byte(s)))
	}

	r, _ := http.NewRequest("POST", "http://example.com/a?b=c", strings.NewReader("the body"))
	r.Header.Set("X-Y", "z")
	for _, body := range []bool{true, false} {
		d, err := httputil.DumpRequest(r, body)
		fmt.Printf("%q %v\n", d, err)
		d, err = httputil.DumpRequestOut(r, body)
		fmt.Printf("%q %v\n", d, err)
	}
	w := httptest.NewRecorder()
	w.Header().Set("A", "b")
	fmt.Fprint(w, "text")
	for _, body := range []bool{true, false} {
		d, err := httputil.DumpResponse(w.Result(), body)
		fmt.Printf("%q %v\n", d, err)
	}
	var buf bytes.Buffer
	c := httputil.NewChunkedWriter(&buf)
	c.Write([]byte("hello"))
	c.Write([]byte(" world"))
	c.Close()
	fmt.Printf("%q\n", buf.String())
	b, err = io.ReadAll(httputil.NewChunkedReader(&buf))
	fmt.Printf("%q %v\n", b, err)
	for _, s := range []string{"", "x\r\n", "5\r\nhel", "5\r\nhelloX", "5;a=b\r\nhello\r\n0\r\n", "5\nhello", "\r\n", "11111111111111111\r\n", "1\rx\r\n", strings.Repeat("0", 5000) + "\r\n"} {
		b, err := io.ReadAll(httputil.NewChunkedReader(strings.NewReader(s)))
		fmt.Printf("%.20q %q %v\n", s, b, err)
	}
}
