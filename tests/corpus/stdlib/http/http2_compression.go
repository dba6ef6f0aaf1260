// run

// How headers are compressed: requests that refer to what came before, as in the examples of RFC
// 7541, and the bytes of the answers, under tables of several sizes.

package main

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

func frame(kind, flags byte, stream uint32, payload string) string {
	n := len(payload)
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	return string(binary.BigEndian.AppendUint32(head, stream)) + payload
}

func bytesOf(text string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func literal(name, value string) string {
	return fmt.Sprintf("\x00%c%s%c%s", len(name), name, len(value), value)
}

// indexed is a field that is kept.
func indexed(name, value string) string { return "\x40" + literal(name, value)[1:] }

type client struct {
	net.Conn
	next uint32
}

// ask sends a block, and shows the answer.
func (c *client) ask(name, block string) {
	fmt.Println(name)
	stream := c.next
	c.next += 2
	for first := true; ; first = false {
		part := block[:min(len(block), 16000)]
		block = block[len(part):]
		kind, flags := byte(9), byte(0)
		if first {
			kind, flags = 1, 1
		}
		if block == "" {
			flags |= 4
		}
		io.WriteString(c, frame(kind, flags, stream, part))
		if block == "" {
			break
		}
	}
	for {
		var head [9]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			fmt.Println("  closed")
			return
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		io.ReadFull(c, payload)
		switch head[3] {
		case 0:
			if len(payload) > 0 {
				fmt.Printf("  %s\n", payload)
			}
		case 1, 9:
			if len(payload) > 200 {
				fmt.Printf("  %d %d bytes, %x… …%x\n", head[3], len(payload), payload[:30],
					payload[len(payload)-30:])
			} else {
				fmt.Printf("  %d %x\n", head[3], payload)
			}
		case 3, 7:
			fmt.Printf("  %d %x\n", head[3], payload)
			return
		}
		if head[3] < 2 && head[4]&1 != 0 {
			return
		}
	}
}

func (c *client) tableSize(n uint32) {
	io.WriteString(c, frame(4, 0, 0, "\x00\x01"+string(binary.BigEndian.AppendUint32(nil, n))))
}

func main() {
	s := &http.Server{
		Protocols: new(http.Protocols),
		ErrorLog:  log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h["Date"] = nil
			h["Content-Type"] = nil
			for name, values := range r.URL.Query() {
				for _, v := range values {
					if rest, ok := strings.CutPrefix(v, "x*"); ok {
						var n int
						fmt.Sscan(rest, &n)
						v = strings.Repeat("x", n)
					}
					h.Add(name, v)
				}
			}
			var lines []string
			for name, values := range r.Header {
				line := fmt.Sprint(name, "=", values)
				if len(line) > 60 {
					line = fmt.Sprint(line[:20], "… ", len(line))
				}
				lines = append(lines, line)
			}
			slices.Sort(lines)
			w.WriteHeader(map[string]int{"/": 200, "/404": 404, "/418": 418, "/500": 500}[r.URL.Path])
			fmt.Fprint(w, r.Method, " ", r.Host, " ", r.URL.Path, " ", lines)
		}),
	}
	s.Protocols.SetUnencryptedHTTP2(true)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go s.Serve(l)
	start := func() *client {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		c.SetDeadline(time.Now().Add(5 * time.Second))
		io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+frame(4, 0, 0, "")+frame(4, 1, 0, ""))
		return &client{c, 1}
	}

	c := start()
	c.ask("C.3.1", bytesOf("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"))
	c.ask("C.3.2", bytesOf("8286 84be 5808 6e6f 2d63 6163 6865"))
	c.ask("C.3.3", bytesOf("8287 84bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65"))
	c = start()
	c.ask("C.4.1", bytesOf("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"))
	c.ask("C.4.2", bytesOf("8286 84be 5886 a8eb 1064 9cbf"))
	c.ask("C.4.3", bytesOf("8287 84bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"))

	get := func(path string, more ...string) string {
		return "\x82\x86" + literal(":authority", "a") + literal(":path", path) +
			strings.Join(more, "")
	}
	c = start()
	c.ask("never kept", get("/", "\x10\x01a\x01b"))
	c.ask("kept", get("/", indexed("a", "b"), indexed("c", "d"), indexed("e", "f")))
	c.ask("by number", get("/", "\xbe\xbf\xc0"))
	c.ask("names by number", get("/", "\x7f\x00\x01x", "\x0f\x30\x01y", "\x1f\x31\x01z"))
	c.ask("the table is emptied", "\x20"+get("/", indexed("a", "b")))
	c.ask("the table is small", "\x20\x3f\x21"+get("/", indexed("a", "b"), indexed("c", "d")))
	c.ask("what has gone", get("/", "\xbf"))
	c = start()
	c.ask("too large to keep", get("/", "\x40\x01a\x7f\x81\x1f"+strings.Repeat("v", 4096), indexed("c", "d"), "\xbe"))
	c.ask("nothing is left", get("/", "\xbf"))

	c = start()
	c.ask("answers", get("/?A=b&Server=x"))
	c.ask("again", get("/?A=b&Server=x"))
	c.ask("other values", get("/404?A=c&Server=x&Set-Cookie=a&Set-Cookie=b"))
	c.ask("other statuses", get("/418?A=b"))
	c.ask("other statuses", get("/418?A=c"))
	c.ask("other statuses", get("/500?Location=/&Cache-Control=no-store"))
	c.ask("long values", get("/?A=x*3000&B=x*1100"))
	c.ask("long values", get("/?A=x*3000&B=x*1100"))
	c.ask("too long to keep", get("/?A=x*5000&B=b"))
	c.ask("more than a frame", get("/?A=x*40000"))
	c.ask("letters", get("/?A=%7e%7c%5c%5e%60%7b%7d%09&B=%C3%A4%E2%82%AC&C=0123456789&D=%22"))
	c.tableSize(0)
	c.ask("no table", get("/?A=b"))
	c.ask("no table", get("/?A=b"))
	c.tableSize(100)
	c.tableSize(4096)
	c.ask("a table again", get("/?A=b&B=c"))
	c.ask("a table again", get("/?A=b&B=c"))
	c.tableSize(70)
	c.ask("a small table", get("/?A=b&B=c&C=d"))
	c.tableSize(1 << 20)
	c.ask("a large table", get("/?A=b&B=c"))
}
