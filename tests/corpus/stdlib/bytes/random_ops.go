// run

// Buffers and readers driven by random operations; what they return, and their sizes and capacities, go into a hash.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
)

var hash uint64 = 14695981039346656037

func note(args ...any) {
	for _, c := range []byte(fmt.Sprintln(args...)) {
		hash = (hash ^ uint64(c)) * 1099511628211
	}
}

func text(r *rand.Rand, n int) string {
	const alphabet = "ab\n té世🙂\xff\xe4"
	var b []byte
	for len(b) < n {
		i := r.Intn(len(alphabet))
		b = append(b, alphabet[i:i+1+r.Intn(min(4, len(alphabet)-i))]...)
	}
	return string(b[:n])
}

type limited struct{ n int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.n {
		return l.n, errors.New("full")
	}
	return len(p), nil
}

func buffer(seed int64) {
	r := rand.New(rand.NewSource(seed))
	var b bytes.Buffer
	switch r.Intn(3) {
	case 0:
		b = *bytes.NewBufferString(text(r, r.Intn(40)))
	case 1:
		b = *bytes.NewBuffer(make([]byte, r.Intn(10), 10+r.Intn(200)))
	}
	for range 80 {
		switch r.Intn(20) {
		case 0, 1:
			n, err := b.Write([]byte(text(r, r.Intn(90))))
			note("write", n, err)
		case 2, 3:
			n, err := b.WriteString(text(r, r.Intn(90)))
			note("string", n, err)
		case 4:
			note("byte", b.WriteByte('!'))
		case 5:
			n, err := b.WriteRune([]rune{'a', 'é', '世', '🙂', -1, 0x110000}[r.Intn(6)])
			note("rune", n, err)
		case 6:
			n, err := b.ReadFrom(strings.NewReader(text(r, r.Intn(700))))
			note("read from", n, err)
		case 7:
			n, err := b.WriteTo(&limited{r.Intn(100)})
			note("write to", n, err)
		case 8:
			p := make([]byte, r.Intn(60))
			n, err := b.Read(p)
			note("read", n, err, p[:n])
		case 9:
			c, err := b.ReadByte()
			note("read byte", c, err)
		case 10:
			c, n, err := b.ReadRune()
			note("read rune", c, n, err)
		case 11:
			note("unread byte", b.UnreadByte())
		case 12:
			note("unread rune", b.UnreadRune())
		case 13:
			line, err := b.ReadString('\n')
			note("line", line, err)
		case 14:
			line, err := b.ReadBytes('a')
			note("bytes", line, line == nil, err)
		case 15:
			note("next", b.Next(r.Intn(50)))
		case 16:
			p, err := b.Peek(r.Intn(50))
			note("peek", p, err)
		case 17:
			b.Grow(r.Intn(300))
		case 18:
			func() {
				defer func() { note("truncate", recover()) }()
				b.Truncate(r.Intn(60) - 2)
			}()
		case 19:
			p := b.AvailableBuffer()
			note("available", len(p), cap(p))
			b.Write(append(p, "0123456789"[:r.Intn(11)]...))
		}
		note(b.Len(), b.Cap(), b.Available(), b.String())
	}
	note(b)
}

// seeker is what strings.Reader and bytes.Reader have in common.
type seeker interface {
	io.ReadSeeker
	io.ReaderAt
	io.ByteScanner
	io.RuneScanner
	io.WriterTo
	Len() int
	Size() int64
}

func reader(seed int64, b seeker) {
	r := rand.New(rand.NewSource(seed))
	for range 60 {
		switch r.Intn(9) {
		case 0:
			p := make([]byte, r.Intn(20))
			n, err := b.Read(p)
			note("read", n, err, p[:n])
		case 1:
			p := make([]byte, r.Intn(20))
			n, err := b.ReadAt(p, int64(r.Intn(70)-5))
			note("read at", n, err, p[:n])
		case 2:
			c, err := b.ReadByte()
			note("byte", c, err)
		case 3:
			note("unread byte", b.UnreadByte())
		case 4, 5:
			c, n, err := b.ReadRune()
			note("rune", c, n, err)
		case 6:
			note("unread rune", b.UnreadRune())
		case 7:
			n, err := b.Seek(int64(r.Intn(100)-30), r.Intn(5)-1)
			note("seek", n, err)
		case 8:
			if r.Intn(5) == 0 {
				n, err := b.WriteTo(&limited{r.Intn(40)})
				note("write to", n, err)
			}
		}
		note(b.Len(), b.Size())
	}
	note(b)
}

func main() {
	for seed := range int64(300) {
		buffer(seed)
		t := text(rand.New(rand.NewSource(seed)), 50)
		reader(seed, strings.NewReader(t))
		reader(seed, bytes.NewReader([]byte(t)))
		if seed%30 == 29 {
			fmt.Printf("%3d %016x\n", seed, hash)
		}
	}
	fmt.Println(*bytes.NewBufferString("hi"), strings.NewReader("hi"), bytes.NewReader([]byte("hi")))
	var none *bytes.Buffer
	fmt.Println(none.String())
}
