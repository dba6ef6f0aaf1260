// run

// What a server of HTTP/2 answers to clients that speak it badly, or in ways that are seldom seen:
// frames that are written by hand, over connections without TLS.

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	data = iota
	headers
	priority
	reset
	settings
	promise
	ping
	goAway
	window
	continuation
	priorityUpdate = 0x10
)

var names = map[byte]string{
	data: "DATA", headers: "HEADERS", reset: "RST_STREAM", settings: "SETTINGS",
	promise: "PUSH_PROMISE", ping: "PING", goAway: "GOAWAY", window: "WINDOW_UPDATE",
	continuation: "CONTINUATION",
}

func frame(kind, flags byte, stream uint32, payload string) string {
	n := len(payload)
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	return string(binary.BigEndian.AppendUint32(head, stream)) + payload
}

func u32(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

func setting(id uint16, v uint32) string {
	return string(binary.BigEndian.AppendUint16(nil, id)) + u32(v)
}

func field(name, value string) string {
	length := func(n int) string {
		if n < 127 {
			return string([]byte{byte(n)})
		}
		b := []byte{127}
		for n -= 127; n >= 128; n >>= 7 {
			b = append(b, byte(n)|0x80)
		}
		return string(append(b, byte(n)))
	}
	return "\x00" + length(len(name)) + name + length(len(value)) + value
}

func block(pairs ...string) (b string) {
	for i := 0; i < len(pairs); i += 2 {
		b += field(pairs[i], pairs[i+1])
	}
	return b
}

func get(path string, more ...string) string {
	return block(append([]string{":method", "GET", ":scheme", "http", ":authority", "a",
		":path", path}, more...)...)
}

func post(path string, more ...string) string {
	return block(append([]string{":method", "POST", ":scheme", "http", ":authority", "a",
		":path", path}, more...)...)
}

const (
	endStream  = 1
	endHeaders = 4
	padded     = 8
	hasPrio    = 0x20
	both       = endStream | endHeaders
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// wrote is what the server has logged and counted.
type wrote struct {
	mu    sync.Mutex
	lines []string
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func (w *wrote) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := strings.TrimSpace(port.ReplaceAllString(string(p), "CLIENT"))
	first, _, _ := strings.Cut(line, "\n")
	w.lines = append(w.lines, first)
	return len(p), nil
}

func (w *wrote) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.lines)
}

func (w *wrote) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	slices.Sort(lines)
	return lines
}

// A kase is what a client sends, and how many streams then end, or are reset.
type kase struct {
	name string
	send string
	ends int
}

// handlers says how many lines the handlers write; they may come late.
var handlers = map[string]int{
	"a reset of a request": 1, "a handler that panics": 1, "windows that are small": 1,
}

func talk(addr string, k kase, out *wrote) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	send := k.send
	if !strings.HasPrefix(send, "raw:") {
		send = preface + frame(settings, 0, 0, "") + frame(settings, 1, 0, "") + send
	}
	if send, isRaw := strings.CutPrefix(send, "raw:"); isRaw {
		io.WriteString(c, send)
	} else {
		io.WriteString(c, send+frame(ping, 0, 0, "the last"))
	}
	fmt.Println(k.name)
	ended, ponged, total := 0, false, 0
	// What is pushed, and what pushes it, come at the same time.
	var lines []string
	say := func(text string) {
		if lines = append(lines, text); !strings.HasPrefix(k.name, "push") {
			fmt.Println(text)
		}
	}
	for ended < k.ends || !ponged {
		var head [9]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				fmt.Println("  nothing comes")
			} else {
				fmt.Println("  closed")
			}
			break
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		io.ReadFull(c, payload)
		kind, flags := head[3], head[4]
		stream := binary.BigEndian.Uint32(head[5:])
		text := fmt.Sprintf("  %s flags=%x stream=%d", names[kind], flags, stream)
		switch kind {
		case settings:
			continue
		case ping:
			if string(payload) == "the last" {
				ponged = true
				continue
			}
			text += fmt.Sprintf(" %q", payload)
		case window:
			if stream == 0 && binary.BigEndian.Uint32(payload) == 983041 {
				continue
			}
			text += fmt.Sprint(" ", binary.BigEndian.Uint32(payload))
		case data:
			// How much comes at a time depends on how fast the windows are told.
			total += len(payload)
			if total > 100 {
				if flags&endStream == 0 {
					continue
				}
				text += fmt.Sprint(" ", total, " bytes")
			} else {
				text += fmt.Sprintf(" %q", payload)
			}
		case promise:
			text += fmt.Sprintf(" %d %x", binary.BigEndian.Uint32(payload), payload[4:6])
		case headers:
			// The status comes first: as a number of the table, or spelt out.
			n := 4
			if payload[0] >= 0x80 {
				n = 1
			}
			text += fmt.Sprintf(" %x", payload[:n])
		case reset:
			text += fmt.Sprint(" code ", binary.BigEndian.Uint32(payload))
			ended++
		case goAway:
			text += fmt.Sprintf(" last=%d code=%d %q", binary.BigEndian.Uint32(payload),
				binary.BigEndian.Uint32(payload[4:]), payload[8:])
			// Nothing need come behind it.
			ended, ponged = k.ends, true
		}
		if (kind == data || kind == headers) && flags&endStream != 0 {
			ended++
		}
		say(text)
	}
	if strings.HasPrefix(k.name, "push") {
		byStream := func(a, b string) int {
			stream := func(s string) string { return s[strings.Index(s, "stream="):][:8] }
			return strings.Compare(stream(a), stream(b))
		}
		slices.SortStableFunc(lines, byStream)
		fmt.Println(strings.Join(lines, "\n"))
	}
	for out.size() < handlers[k.name] {
		time.Sleep(time.Millisecond)
	}
	for _, line := range out.take() {
		fmt.Println("  #", line)
	}
}

func main() {
	out := new(wrote)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q %d %q %v", r.Method, r.Host, r.RequestURI, r.ContentLength, body, err)
		for _, name := range []string{"Cookie", "X", "Te"} {
			if v, ok := r.Header[name]; ok {
				fmt.Fprintf(w, " %q", v)
			}
		}
		if r.Trailer != nil {
			fmt.Fprint(w, " ", r.Trailer)
		}
	})
	mux.HandleFunc("/done", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") })
	mux.HandleFunc("/long", func(w http.ResponseWriter, r *http.Request) {
		_, err := w.Write(make([]byte, 20000))
		fmt.Fprintln(out, "long:", err)
	})
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		if r.URL.RawQuery != "" {
			_, err := r.Body.Read(make([]byte, 1))
			fmt.Fprintln(out, "wait:", r.Context().Err(), err)
		}
	})
	mux.HandleFunc("/push", func(w http.ResponseWriter, r *http.Request) {
		err := w.(http.Pusher).Push("/pushed", &http.PushOptions{Header: http.Header{"X": {"y"}}})
		fmt.Fprintln(out, "push:", err)
		io.WriteString(w, "page")
	})
	mux.HandleFunc("/pushed", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintln(out, "pushed:", r.Method, r.URL, r.Host, r.Header, body, err, r.ContentLength,
			w.(http.Pusher).Push("/more", nil))
		io.WriteString(w, "style")
	})
	mux.HandleFunc("/block", func(w http.ResponseWriter, r *http.Request) { select {} })
	mux.HandleFunc("/panic", func(w http.ResponseWriter, r *http.Request) { panic("oh") })
	s := &http.Server{
		Handler:        mux,
		ErrorLog:       log.New(out, "", 0),
		MaxHeaderBytes: 2000,
		Protocols:      new(http.Protocols),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: 3,
			MaxReadFrameSize:     20000,
			CountError:           func(what string) { fmt.Fprintln(out, what) },
		},
	}
	s.Protocols.SetUnencryptedHTTP2(true)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go s.Serve(l)

	h := func(stream uint32, flags byte, b string) string { return frame(headers, flags, stream, b) }
	ok := h(1, both, get("/"))
	rapid := ""
	for id := uint32(1); id < 100; id += 2 {
		rapid += h(id, both, get("/block")) + frame(reset, 0, id, u32(8))
	}
	for _, k := range []kase{
		{"one request", ok, 1},
		{"a body", h(1, endHeaders, post("/", "content-length", "5")) +
			frame(data, 0, 1, "he") + frame(data, endStream, 1, "llo"), 1},
		{"a body with padding", h(1, endHeaders, post("/")) +
			frame(data, padded|endStream, 1, "\x03abc\x00\x00\x00"), 1},
		{"a header with padding", h(1, both|padded, "\x04"+get("/")+"\x00\x00\x00\x00"), 1},
		{"a header with priority", h(1, both|hasPrio, u32(0x80000003)+"\x10"+get("/")), 1},
		{"a header in pieces", h(1, endStream, get("/")[:10]) +
			frame(continuation, 0, 1, get("/")[10:20]) +
			frame(continuation, endHeaders, 1, get("/")[20:]), 1},
		{"fields", h(1, both, get("/", "cookie", "a=b", "cookie", "c=d", "x", "1", "x", "2")), 1},
		{"trailers", h(1, endHeaders, post("/", "trailer", "t, u")) + frame(data, 0, 1, "b") +
			h(1, both, block("t", "1", "v", "2")), 1},
		{"expects to continue", h(1, endHeaders, post("/", "expect", "100-continue")) +
			frame(data, endStream, 1, "b"), 1},
		{"host in the header", h(1, both, block(":method", "GET", ":scheme", "http",
			":path", "/", "host", "b")), 1},
		{"OPTIONS *", h(1, both, block(":method", "OPTIONS", ":scheme", "http", ":path", "*")), 1},
		{"CONNECT", h(1, both, block(":method", "CONNECT", ":authority", "c:1")), 1},
		{"unknown frames", frame(0x77, 0xff, 0, "x") + frame(0x78, 0, 5, "") + ok, 1},
		{"pings", frame(ping, 0, 0, "12345678") + frame(ping, 1, 0, "87654321"), 0},
		{"priorities", frame(priority, 0, 7, u32(3)+"\x01") +
			frame(priorityUpdate, 0, 0, u32(1)+"u=1, i") + ok, 1},
		{"a reset of a request", h(1, endHeaders, post("/wait?say")) + frame(reset, 0, 1, u32(8)) +
			h(3, both, get("/done")), 1},
		{"an answer before the body", h(1, endHeaders, post("/done")), 2},
		{"a handler that panics", h(1, both, get("/panic")), 1},

		{"push", h(1, both, get("/push")), 2},
		{"push that is not wanted", frame(settings, 0, 0, setting(2, 0)) +
			h(1, both, get("/push")), 1},
		{"push of too many", frame(settings, 0, 0, setting(3, 0)) + h(1, both, get("/push")), 1},

		{"no preface", "raw:GET / HTTP/1.1\r\nHost: a\r\n\r\n", 0},
		{"no settings", "raw:" + preface + frame(ping, 0, 0, "12345678"), 0},
		{"header before settings", "raw:" + preface + ok, 0},
		{"a frame too large", frame(data, 0, 1, strings.Repeat("x", 20001)), 0},
		{"a frame that looks like HTTP/1", "HTTP/1.1 200 OK\r\n", 0},
		{"data on stream 0", frame(data, 0, 0, "x"), 0},
		{"data on a stream that is idle", frame(data, 0, 1, "x"), 0},
		{"data on a stream that is closed", h(1, both, get("/wait")) +
			frame(data, endStream, 1, "x"), 1},
		{"data with too much padding", h(1, endHeaders, post("/")) +
			frame(data, padded, 1, "\x05abc"), 0},
		{"data with padding of no length", h(1, endHeaders, post("/")) +
			frame(data, padded, 1, ""), 0},
		{"a body too long", h(1, endHeaders, post("/wait", "content-length", "2")) +
			frame(data, 0, 1, "abc"), 1},
		{"a body too short", h(1, endHeaders, post("/", "content-length", "5")) +
			frame(data, endStream, 1, "abc"), 1},
		{"a length without a body", h(1, both, post("/", "content-length", "5")), 1},
		{"two lengths", h(1, endHeaders, post("/", "content-length", "5",
			"content-length", "6")), 1},
		{"header on stream 0", h(0, both, get("/")), 0},
		{"header on an even stream", h(2, both, get("/")), 0},
		{"streams that go down", h(5, both, get("/wait")) + h(3, both, get("/wait")), 0},
		{"header that depends on itself", h(1, both|hasPrio, u32(1)+"\x10"+get("/")), 1},
		{"header with too much padding", h(1, both|padded, "\xff"+get("/")), 1},
		{"header with half a priority", h(1, both|hasPrio, "\x00\x00"), 0},
		{"a frame between parts of a header", h(1, endStream, get("/")) +
			frame(ping, 0, 0, "12345678"), 0},
		{"a continuation of another stream", h(1, endStream, get("/")) +
			frame(continuation, endHeaders, 3, ""), 0},
		{"a continuation of nothing", frame(continuation, endHeaders, 1, ""), 0},
		{"compression: an index too large", h(1, both, "\xff\xff\xff\xff\x0f"), 0},
		{"compression: index 0", h(1, both, "\x80"), 0},
		{"compression: half a field", h(1, both, get("/")+"\x00\x05abc"), 0},
		{"compression: bad Huffman", h(1, both, get("/")+"\x00\x81\x00\x01x"), 0},
		{"compression: too large a table", h(1, both, "\x3f\xe2\x1f"+get("/")), 0},
		{"compression: a table's size late", h(1, both, get("/")+"\x41\x01a\x20"), 0},
		{"a name in upper case", h(1, both, get("/", "Abc", "x")), 1},
		{"a name with a blank", h(1, both, get("/", "a b", "x")), 1},
		{"an empty name", h(1, both, get("/", "", "x")), 1},
		{"a value with a newline", h(1, both, get("/", "a", "x\ny")), 1},
		{"an unknown pseudo field", h(1, both, get("/", ":x", "y")), 1},
		{"a pseudo field twice", h(1, both, get("/", ":path", "/")), 1},
		{"a pseudo field late", h(1, both, get("/", "a", "b", ":x", "y")), 1},
		{"a status in a request", h(1, both, get("/", ":status", "200")), 1},
		{"no method", h(1, both, block(":scheme", "http", ":path", "/")), 1},
		{"no path", h(1, both, block(":method", "GET", ":scheme", "http")), 1},
		{"no scheme", h(1, both, block(":method", "GET", ":path", "/")), 1},
		{"a bad path", h(1, both, get("x")), 1},
		{"a path that is no URL", h(1, both, get("/%zz")), 1},
		{"CONNECT with a path", h(1, both, block(":method", "CONNECT", ":authority", "a",
			":path", "/", ":scheme", "http")), 1},
		{"CONNECT with a protocol", h(1, both, block(":method", "CONNECT", ":authority", "a",
			":path", "/", ":scheme", "http", ":protocol", "websocket")), 1},
		{"a user in the authority", h(1, both, block(":method", "GET", ":scheme", "http",
			":path", "/", ":authority", "u@b")), 1},
		{"a field of the connection", h(1, both, get("/", "connection", "close")), 1},
		{"a field TE", h(1, both, get("/", "te", "gzip")), 1},
		{"a header too long", h(1, both, get("/", "x", strings.Repeat("x", 2000))), 1},
		{"a header much too long", h(1, endStream, get("/", "x", strings.Repeat("x", 2290))) +
			frame(continuation, endHeaders, 1, "x"), 0},
		{"a header without end", h(1, endStream, "") +
			strings.Repeat(frame(continuation, 0, 1, field("x", strings.Repeat("y", 500))), 9), 0},
		{"continuations of what is wrong", h(1, endStream, get("/", "A", "x")) +
			frame(continuation, endHeaders, 1, field("b", "x")), 0},
		{"trailers without end", h(1, endHeaders, post("/wait")) + h(1, endHeaders, ""), 1},
		{"trailers with pseudo fields", h(1, endHeaders, post("/wait")) +
			h(1, both, block(":path", "/")), 1},
		{"trailers that may not be", h(1, endHeaders, post("/wait", "trailer", "a")) +
			h(1, both, block("content-length", "5")), 1},
		{"header on a stream half closed", h(1, both, get("/wait")) + h(1, both, get("/")), 1},
		{"too many streams", h(1, both, get("/wait")) + h(3, both, get("/wait")) +
			h(5, both, get("/wait")) + h(7, both, get("/done")), 1},
		{"streams that are reset at once", rapid, 0},
		{"priority on stream 0", frame(priority, 0, 0, u32(3)+"\x01"), 0},
		{"priority of a wrong length", frame(priority, 0, 1, "\x01"), 0},
		{"priority on itself", frame(priority, 0, 1, u32(1)+"\x01"), 1},
		{"reset on stream 0", frame(reset, 0, 0, u32(1)), 0},
		{"reset of a wrong length", frame(reset, 0, 1, "x"), 0},
		{"reset of an idle stream", frame(reset, 0, 1, u32(1)), 0},
		{"settings on a stream", frame(settings, 0, 1, ""), 0},
		{"settings of a wrong length", frame(settings, 0, 0, "12345"), 0},
		{"settings: an answer with content", frame(settings, 1, 0, setting(1, 1)), 0},
		{"settings: an answer to nothing", frame(settings, 1, 0, ""), 0},
		{"settings: push is 2", frame(settings, 0, 0, setting(2, 2)), 0},
		{"settings: too large a window", frame(settings, 0, 0, setting(4, 1<<31)), 0},
		{"settings: too small a frame", frame(settings, 0, 0, setting(5, 100)), 0},
		{"settings: protocols of CONNECT", frame(settings, 0, 0, setting(8, 2)), 0},
		{"settings: priorities", frame(settings, 0, 0, setting(9, 2)), 0},
		{"settings: one twice", frame(settings, 0, 0, setting(3, 2)+setting(3, 2)), 0},
		{"settings: unknown ones", frame(settings, 0, 0, setting(0x99, 2)) + ok, 1},
		{"a promise", frame(promise, endHeaders, 1, u32(2)+get("/")), 0},
		{"a ping of a wrong length", frame(ping, 0, 0, "short"), 0},
		{"a ping on a stream", frame(ping, 0, 1, "12345678"), 0},
		{"GOAWAY", frame(goAway, 0, 0, u32(0)+u32(0)), 0},
		{"GOAWAY with an error", frame(goAway, 0, 0, u32(0)+u32(2)+"why"), 0},
		{"GOAWAY on a stream", frame(goAway, 0, 1, u32(0)+u32(0)), 0},
		{"GOAWAY too short", frame(goAway, 0, 0, "x"), 0},
		{"a window of nothing", frame(window, 0, 0, u32(0)), 0},
		{"a window of nothing, on a stream", h(1, both, get("/wait")) + frame(window, 0, 1, u32(0)), 1},
		{"a window of a wrong length", frame(window, 0, 0, "x"), 0},
		{"a window of an idle stream", frame(window, 0, 1, u32(1)), 0},
		{"a window too large", frame(window, 0, 0, u32(1<<31-1)), 0},
		{"a window too large, on a stream", h(1, both, get("/wait")) +
			frame(window, 0, 1, u32(1<<31-1)), 1},
		{"windows that are small", frame(settings, 0, 0, setting(4, 110)) +
			h(1, both, get("/long")) + frame(window, 0, 1, u32(15000)) +
			frame(window, 0, 1, u32(4890)), 1},
		{"a window that shrinks", frame(settings, 0, 0, setting(4, 0)) +
			h(1, both, get("/done")) + frame(settings, 0, 0, setting(4, 1)), 1},
		{"priority update: unreadable", frame(priorityUpdate, 0, 0, u32(1)+"u=1,"), 1},
		{"priority update: on a stream", frame(priorityUpdate, 0, 1, u32(1)+"u=1"), 0},
		{"priority update: too short", frame(priorityUpdate, 0, 0, "x"), 0},
		{"priority update: of nothing", frame(priorityUpdate, 0, 0, u32(0)+"u=1"), 0},
	} {
		talk(l.Addr().String(), k, out)
	}
}
