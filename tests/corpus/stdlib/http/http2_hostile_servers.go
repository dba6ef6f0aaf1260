// run

// What a client of HTTP/2 makes of servers that speak it badly, or in ways that are seldom seen: the
// frames are written by hand. Both what the caller is told and what the server gets is shown.

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
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
)

var kinds = []string{"DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE",
	"PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION"}

const (
	endStream  = 1
	endHeaders = 4
	padded     = 8
	both       = endStream | endHeaders
)

func frame(kind, flags byte, stream uint32, payload string) string {
	n := len(payload)
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	return string(binary.BigEndian.AppendUint32(head, stream)) + payload
}

func u32(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

func setting(id uint16, v uint32) string {
	return string(binary.BigEndian.AppendUint16(nil, id)) + u32(v)
}

func block(pairs ...string) (b string) {
	for i := 0; i < len(pairs); i += 2 {
		b += fmt.Sprintf("\x00%c%s%c%s", len(pairs[i]), pairs[i], len(pairs[i+1]), pairs[i+1])
	}
	return b
}

func head(flags byte, status string, more ...string) string {
	return frame(headers, flags, 1, block(append([]string{":status", status}, more...)...))
}

// wire is a server: it answers the first frame of a header with what it is to say, and notes what
// the client sends.
type wire struct {
	before, say, second string
	closes              bool

	mu   sync.Mutex
	got  []string
	done chan bool
}

func (w *wire) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = append(w.got, fmt.Sprintf(format, args...))
}

func (w *wire) serve(c net.Conn) {
	defer close(w.done)
	defer c.Close()
	preface := make([]byte, 24)
	io.ReadFull(c, preface)
	requests := 0
	for {
		var h [9]byte
		if _, err := io.ReadFull(c, h[:]); err != nil {
			w.note("end")
			return
		}
		payload := make([]byte, int(h[0])<<16|int(h[1])<<8|int(h[2]))
		io.ReadFull(c, payload)
		kind, stream := h[3], binary.BigEndian.Uint32(h[5:])
		switch kind {
		case headers:
			requests++
			if requests == 1 {
				io.WriteString(c, w.before+w.say)
			} else {
				w.note("another request")
				io.WriteString(c, w.second)
			}
			if w.closes {
				c.(*net.TCPConn).CloseWrite()
			}
		case reset:
			// Whether a client cancels before it closes the connection depends on who is first.
			if code := binary.BigEndian.Uint32(payload); code != 8 {
				w.note("RST_STREAM stream=%d code %d", stream, code)
			}
		case goAway:
			w.note("GOAWAY last=%d code=%d", binary.BigEndian.Uint32(payload),
				binary.BigEndian.Uint32(payload[4:]))
		case window:
			if stream != 0 {
				w.note("WINDOW_UPDATE stream=%d %d", stream, binary.BigEndian.Uint32(payload))
			}
		case ping:
			if h[4] == 1 {
				w.note("PING answered %q", payload)
			}
		}
	}
}

var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func clean(v any) string { return address.ReplaceAllString(fmt.Sprint(v), "SERVER") }

// A kase is what a server says to the first request, and to a second one.
type kase struct {
	name, before, say, second string
	closes                    bool
	method, body              string
	// The body cannot be had again.
	once bool
}

func try(k kase) {
	fmt.Println(k.name)
	var logged bytes.Buffer
	log.SetOutput(&logged)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	w := &wire{before: k.before, say: k.say, second: k.second, closes: k.closes,
		done: make(chan bool)}
	if w.before == "" {
		w.before = frame(settings, 0, 0, "")
	}
	go func() {
		c, err := l.Accept()
		if err == nil {
			l.Close()
			w.serve(c)
		}
	}()
	var counted []string
	var mu sync.Mutex
	t := &http.Transport{
		Protocols:              new(http.Protocols),
		MaxResponseHeaderBytes: 2000,
		HTTP2: &http.HTTP2Config{CountError: func(what string) {
			mu.Lock()
			defer mu.Unlock()
			if what != "read_frame_eof" && what != "read_frame_other" {
				counted = append(counted, what)
			}
		}},
	}
	t.Protocols.SetUnencryptedHTTP2(true)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
			fmt.Println("  early", code, h)
			if code == 199 {
				return errors.New("no more")
			}
			return nil
		},
	})
	r, _ := http.NewRequestWithContext(ctx, k.method, "http://"+l.Addr().String()+"/", nil)
	if k.body != "" {
		r, _ = http.NewRequestWithContext(ctx, "POST", r.URL.String(), strings.NewReader(k.body))
		if k.once {
			r.GetBody = nil
		}
	}
	resp, err := t.RoundTrip(r)
	if err != nil {
		fmt.Printf("  error %T: %s\n", err, clean(err))
		var e interface{ Timeout() bool }
		if errors.As(err, &e) {
			fmt.Println("  timeout", e.Timeout())
		}
	} else {
		body, err := io.ReadAll(resp.Body)
		fmt.Printf("  %s %d %v %v %q %v\n", resp.Status, resp.ContentLength, resp.Header,
			resp.Trailer, body, err)
		if err != nil {
			fmt.Printf("  %T\n", err)
		}
		resp.Body.Close()
	}
	for isOpen := true; isOpen; {
		t.CloseIdleConnections()
		select {
		case <-w.done:
			isOpen = false
		case <-time.After(5 * time.Millisecond):
		}
	}
	for _, line := range w.got {
		fmt.Println("  server:", line)
	}
	for line := range strings.Lines(logged.String()) {
		fmt.Println("  log:", strings.TrimSpace(clean(line)))
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(counted)
	if counted != nil {
		fmt.Println("  counted", counted)
	}
}

func main() {
	log.SetFlags(0)
	ok := frame(settings, 0, 0, "")
	for _, k := range []kase{
		{name: "plain", say: head(both, "200", "a", "b")},
		{name: "a body", say: head(endHeaders, "200") + frame(data, 0, 1, "he") +
			frame(data, padded|endStream, 1, "\x01llo\x00")},
		{name: "a body with a length", say: head(endHeaders, "200", "content-length", "5") +
			frame(data, endStream, 1, "hello")},
		{name: "trailers", say: head(endHeaders, "200", "trailer", "t") +
			frame(data, 0, 1, "x") + frame(headers, both, 1, block("t", "1", "u", "2"))},
		{name: "early answers", say: head(endHeaders, "103", "link", "x") +
			head(endHeaders, "100") + head(both, "204")},
		{name: "a header in pieces", say: frame(headers, endStream, 1, block(":status", "200")[:5]) +
			frame(continuation, endHeaders, 1, block(":status", "200")[5:])},
		{name: "HEAD", method: "HEAD", say: head(both, "200", "content-length", "5")},
		{name: "a ping", say: frame(ping, 0, 0, "12345678") + head(both, "200")},
		{name: "fields of the connection", say: head(both, "200", "connection", "close",
			"keep-alive", "x", "upgrade", "y", "transfer-encoding", "chunked")},
		{name: "lengths that differ", say: head(both, "200", "content-length", "0",
			"content-length", "1")},
		{name: "a length that is none", say: head(both, "200", "content-length", "x")},

		{name: "no settings", before: frame(ping, 0, 0, "12345678")},
		{name: "HTTP/1", before: "HTTP/1.1 400 Bad Request\r\n\r\n"},
		{name: "nothing", closes: true},
		{name: "an end behind the header", closes: true, say: head(endHeaders, "200")},
		{name: "an end in the body", closes: true, say: head(endHeaders, "200", "content-length",
			"5") + frame(data, 0, 1, "he")},
		{name: "a body too short", say: head(endHeaders, "200", "content-length", "5") +
			frame(data, endStream, 1, "he")},
		{name: "no body", say: head(both, "200", "content-length", "5")},
		{name: "a body too long", say: head(endHeaders, "200", "content-length", "2") +
			frame(data, endStream, 1, "hello")},
		{name: "a reset", say: frame(reset, 0, 1, u32(2))},
		{name: "a reset of an unknown kind", say: frame(reset, 0, 1, u32(0x99))},
		{name: "a reset in the body", say: head(endHeaders, "200") + frame(data, 0, 1, "x") +
			frame(reset, 0, 1, u32(8))},
		{name: "a reset that wants less", say: frame(reset, 0, 1, u32(11))},
		{name: "a reset: protocol", say: frame(reset, 0, 1, u32(1))},
		{name: "no status", say: frame(headers, both, 1, block("a", "b"))},
		{name: "a status that is none", say: head(both, "2x0")},
		{name: "two statuses", say: head(both, "200", ":status", "200")},
		{name: "a field in upper case", say: head(both, "200", "A", "b")},
		{name: "a value with a newline", say: head(both, "200", "a", "b\nc")},
		{name: "a request's field", say: head(both, "200", ":path", "/")},
		{name: "a pseudo field late", say: head(both, "200", "a", "b", ":x", "y")},
		{name: "a header too long", say: head(both, "200", "a", strings.Repeat("b", 100), "c",
			strings.Repeat("b", 100)) + ""},
		{name: "a header much too long", say: frame(headers, both, 1, block(":status", "200")+
			strings.Repeat(block("a", strings.Repeat("b", 100)), 30))},
		{name: "early and no more", say: head(endHeaders, "199")},
		{name: "early at the end", say: head(both, "103")},
		{name: "data first", say: frame(data, endStream, 1, "x")},
		{name: "data in answer to HEAD", method: "HEAD", say: head(endHeaders, "200") +
			frame(data, endStream, 1, "x")},
		{name: "data of no stream", say: frame(data, endStream, 0, "x")},
		{name: "data of a stream that is not", say: frame(data, endStream, 3, "x")},
		{name: "trailers without end", say: head(endHeaders, "200") +
			frame(headers, endHeaders, 1, block("a", "b"))},
		{name: "trailers with a status", say: head(endHeaders, "200") + head(both, "200")},
		{name: "a promise", say: frame(promise, endHeaders, 1, u32(2))},
		{name: "unknown frames", say: frame(0x77, 0, 1, "x") + head(both, "200")},
		{name: "priority", say: frame(priority, 0, 1, "\x00\x00\x00\x03\x01") + head(both, "200")},
		{name: "compression", say: frame(headers, both, 1, "\x80")},
		{name: "a continuation of nothing", say: frame(continuation, endHeaders, 1, "")},
		{name: "a frame too large", say: "\xff\xff\xff\x00\x00\x00\x00\x00\x01"},
		{name: "a window of nothing", say: frame(window, 0, 0, u32(0))},
		{name: "a window of nothing, of the stream", say: frame(window, 0, 1, u32(0))},
		{name: "a window too large", say: frame(window, 0, 0, u32(1<<31-1))},
		{name: "a window too large, of the stream", say: frame(window, 0, 1, u32(1<<31-1))},
		{name: "settings: too large a window", before: frame(settings, 0, 0, setting(4, 1<<31))},
		{name: "settings: too small a frame", before: frame(settings, 0, 0, setting(5, 1))},
		{name: "settings: pushes", before: frame(settings, 0, 0, setting(2, 3))},
		{name: "settings: an answer too many", say: frame(settings, 1, 0, "") +
			frame(settings, 1, 0, "")},
		{name: "settings: short headers", before: frame(settings, 0, 0, setting(6, 10)),
			say: head(both, "200")},
		{name: "GOAWAY of what is done", say: frame(goAway, 0, 0, u32(1)+u32(0)) + head(both, "200")},
		{name: "GOAWAY and an end", closes: true, say: frame(goAway, 0, 0, u32(1)+u32(11)+"enough")},
		{name: "a reset: refused", say: frame(reset, 0, 1, u32(7)),
			second: frame(headers, both, 3, block(":status", "200"))},
		{name: "a reset: refused, with a body", body: "text", say: frame(reset, 0, 1, u32(7)),
			second: frame(headers, endHeaders, 3, block(":status", "200")) +
				frame(data, endStream, 3, "again")},
		{name: "a reset: refused, with a body that has gone", body: "text", once: true,
			say: frame(reset, 0, 1, u32(7))},
		{name: "GOAWAY before the request", say: frame(goAway, 0, 0, u32(0)+u32(0))},
		{name: "GOAWAY with an error", say: frame(goAway, 0, 0, u32(0)+u32(1))},
	} {
		if k.before == "" {
			k.before = ok
		}
		try(k)
	}
	os.Exit(0)
}
