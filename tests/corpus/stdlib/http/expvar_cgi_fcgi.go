// run

// expvar, net/http/cgi, net/http/fcgi and log/syslog over loopback.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"expvar"
	"fmt"
	"io"
	"log"
	"log/syslog"
	"maps"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/fcgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func variables() {
	n, f, s, m := expvar.NewInt("n"), expvar.NewFloat("f"), expvar.NewString("s"), expvar.NewMap("m")
	n.Add(2)
	n.Add(3)
	f.Set(1.5)
	f.Add(1e21)
	s.Set("a\"<é\u2028\x01\n")
	m.Add("b", 1)
	m.Add("a", 2)
	m.AddFloat("c", 0.5)
	m.Set("d", expvar.Func(func() any { return []int{1} }))
	m.Set("a", s)
	m.Set("nested", new(expvar.Map))
	m.AddFloat("b", 9)
	m.Delete("c")
	fmt.Println(n, f, s, m, n.Value(), f.Value(), s.Value(), m.Get("b"), m.Get("x"))
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", "/debug/vars", nil))
	var all map[string]json.RawMessage
	fmt.Println(w.Code, w.Header(), json.Unmarshal(w.Body.Bytes(), &all))
	fmt.Println(slices.Sorted(maps.Keys(all)))
	lines := strings.Split(w.Body.String(), "\n")
	fmt.Println(lines[0], lines[2], lines[len(lines)-3:])
	expvar.Do(func(kv expvar.KeyValue) { fmt.Print(kv.Key, " ") })
	log.SetOutput(io.Discard)
	func() {
		defer func() { fmt.Printf("%q\n", recover()) }()
		expvar.NewInt("n")
	}()
	m.Init()
	fmt.Println(m, expvar.Get("none"))
}

func requests() {
	for _, params := range []map[string]string{
		{}, {"REQUEST_METHOD": "GET"},
		{"REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1", "CONTENT_LENGTH": "x"},
		{"REQUEST_METHOD": "POST", "SERVER_PROTOCOL": "HTTP/1.0", "HTTP_HOST": "h:8", "REQUEST_URI": "/a?b=c",
			"CONTENT_LENGTH": "12", "CONTENT_TYPE": "t/u", "HTTP_X_Y": "z", "REMOTE_ADDR": "1.2.3.4", "REMOTE_PORT": "55"},
		{"REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "INCLUDED", "SCRIPT_NAME": "/s", "PATH_INFO": "/p", "QUERY_STRING": "q"},
		{"REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "a b"},
		{"REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1", "REQUEST_URI": "%zz"},
	} {
		r, err := cgi.RequestFromMap(params)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.Method, r.URL, r.Host, r.Proto, r.ProtoMajor, r.ProtoMinor, r.ContentLength, r.Header, r.RemoteAddr, r.Close)
	}
}

func programs() {
	dir, err := os.MkdirTemp("", "cgi")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var logged, stderr bytes.Buffer
	run := func(script string, set func(*cgi.Handler), r *http.Request) {
		path := filepath.Join(dir, "script")
		os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755)
		h := &cgi.Handler{Path: path, Root: "/cgi/", Logger: log.New(&logged, "", 0), Stderr: &stderr}
		if set != nil {
			set(h)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Printf("%d %v %q %q\n", w.Code, w.Header(), w.Body, strings.ReplaceAll(logged.String(), dir, "DIR"))
		fmt.Printf("%q\n", stderr.String())
		logged.Reset()
		stderr.Reset()
	}
	get := func(url string) *http.Request { return httptest.NewRequest("GET", url, nil) }
	r := httptest.NewRequest("POST", "http://h.example:99/cgi/x/y?q=1", strings.NewReader("the body"))
	r.Header.Add("X-A", "1")
	r.Header.Add("X-A", "2")
	r.Header.Add("Proxy", "evil")
	r.Header.Add("Cookie", "c=d")
	r.Header.Add("Content-Type", "a/b")
	run(`echo "Content-Type: text/plain"; echo "X-Out: 1"; echo; `+
		`env | grep -v -E "^(PATH|PWD|SHLVL|_|OLDPWD|LD_.*|SCRIPT_FILENAME)=" | LC_ALL=C sort; cat; echo "$1"; echo err >&2`,
		func(h *cgi.Handler) { h.Args = []string{"arg"}; h.Env = []string{"E=f", "SERVER_SOFTWARE=ours"} }, r)
	run("echo 'Status: 404 No'; echo 'Content-Type: a/b'; echo; echo x", nil, get("/cgi/"))
	run("echo 'Location: http://else/'; echo", nil, get("/cgi/"))
	run("echo 'Location: /local'; echo", func(h *cgi.Handler) {
		h.PathLocationHandler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "at ", r.URL) })
	}, get("/cgi/"))
	run("echo 'X: y'; echo", nil, get("/cgi/"))
	run("echo bogus; echo 'a b: c'; echo 'Content-Type: t/u'; echo; echo z", nil, get("/cgi/"))
	run("echo 'Status: x'; echo", nil, get("/cgi/"))
	run("echo 'Status: abc'; echo", nil, get("/cgi/"))
	run("exit 1", nil, get("/cgi/"))
	run("echo 'Content-Type: t/u'", nil, get("/cgi/"))
	run("head -c 3000 /dev/zero | tr '\\0' x", nil, get("/cgi/"))
	run("", func(h *cgi.Handler) { h.Path = dir + "/none" }, get("/cgi/"))
	chunked := get("/cgi/")
	chunked.TransferEncoding = []string{"chunked"}
	run("", nil, chunked)
}

func record(kind byte, id uint16, content string) string {
	b := binary.BigEndian.AppendUint16([]byte{1, kind}, id)
	b = binary.BigEndian.AppendUint16(b, uint16(len(content)))
	return string(append(b, 0, 0)) + content
}

func params(pairs ...string) string {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		for _, s := range pairs[i : i+2] {
			if len(s) > 127 {
				b = binary.BigEndian.AppendUint32(b, uint32(len(s))|1<<31)
			} else {
				b = append(b, byte(len(s)))
			}
		}
		b = append(b, pairs[i]+pairs[i+1]...)
	}
	return string(b)
}

var dates = regexp.MustCompile("Date: .* GMT")

func fast() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go fcgi.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		w.Header().Set("Date", "now")
		fmt.Fprint(w, r.Method, r.URL, string(body), err, fcgi.ProcessEnv(r))
		if r.URL.Path == "/304" {
			w.WriteHeader(304)
		}
	}))
	talk := func(text string, records int) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		defer c.Close()
		io.WriteString(c, text)
		for range records {
			var h [8]byte
			if _, err := io.ReadFull(c, h[:]); err != nil {
				fmt.Println("end")
				return
			}
			content := make([]byte, int(binary.BigEndian.Uint16(h[4:]))+int(h[6]))
			io.ReadFull(c, content)
			content = dates.ReplaceAll(content, []byte("Date: now"))
			fmt.Printf("%d %d %q\n", h[1], binary.BigEndian.Uint16(h[2:]), content)
		}
	}
	begin := "\x00\x01\x00\x00\x00\x00\x00\x00"
	ps := params("REQUEST_METHOD", "POST", "SERVER_PROTOCOL", "HTTP/1.1", "REQUEST_URI", "/x", "REMOTE_USER", "me", "LONG", strings.Repeat("l", 200))
	talk(record(1, 5, begin)+record(4, 5, ps)+record(4, 5, "")+record(5, 5, "in")+record(5, 5, ""), 9)
	talk(record(1, 5, begin)+record(4, 5, "")+record(5, 5, ""), 9)
	talk(record(1, 1, "\x00\x02\x00\x00\x00\x00\x00\x00")+record(9, 0, ""), 3)
	talk(record(1, 1, begin)+record(77, 1, "?")+record(2, 1, ""), 9)
	talk(record(1, 1, "short"), 9)
	talk("\x02nonsense", 9)
	l.Close()
}

func system() {
	dir, _ := os.MkdirTemp("", "syslog")
	defer os.RemoveAll(dir)
	at, err := net.ListenPacket("unixgram", filepath.Join(dir, "log"))
	if err != nil {
		panic(err)
	}
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	digits := regexp.MustCompile(`\[\d+\]|^(<\d+>)\S+ +\S+( \d\d:\d\d:\d\d)?`)
	receive := func(c net.PacketConn) {
		b := make([]byte, 999)
		n, _, _ := c.ReadFrom(b)
		fmt.Printf("%q\n", digits.ReplaceAllString(string(b[:n]), "$1*"))
	}
	w, err := syslog.Dial("unixgram", filepath.Join(dir, "log"), syslog.LOG_LOCAL3|syslog.LOG_WARNING, "tag")
	fmt.Println(err)
	fmt.Fprint(w, "hello")
	receive(at)
	for _, f := range []func(string) error{w.Emerg, w.Alert, w.Crit, w.Err, w.Warning, w.Notice, w.Info, w.Debug} {
		fmt.Println(f("m\n"))
		receive(at)
	}
	fmt.Println(w.Close(), w.Close(), w.Info("again"))
	receive(at)
	w, err = syslog.Dial("udp", udp.LocalAddr().String(), syslog.LOG_USER, "t")
	fmt.Println(err, w.Info("over udp"))
	receive(udp)
	_, err = syslog.Dial("", "", -1, "")
	fmt.Println(err)
}

func main() {
	variables()
	requests()
	programs()
	fast()
	system()
}
