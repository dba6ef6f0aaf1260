// run

// Readers, writers and scanners over sources that give odd pieces and odd errors, driven by random operations: every result is printed,
// or goes into a hash.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"unicode/utf8"
)

var hash uint64 = 14695981039346656037

func note(args ...any) {
	for _, c := range []byte(fmt.Sprintln(args...)) {
		hash = (hash ^ uint64(c)) * 1099511628211
	}
}

var errOdd = errors.New("odd source")

// odd gives pieces of data of random sizes, sometimes nothing, sometimes an error, the last piece sometimes together with io.EOF.
type odd struct {
	r    *rand.Rand
	data []byte
}

func (o *odd) Read(p []byte) (int, error) {
	if len(o.data) == 0 {
		return 0, io.EOF
	}
	switch o.r.Intn(12) {
	case 0:
		return 0, nil
	case 1:
		if o.r.Intn(8) == 0 {
			return 0, errOdd
		}
	}
	n := min(len(p), len(o.data), 1+o.r.Intn(30))
	copy(p, o.data[:n])
	o.data = o.data[n:]
	if len(o.data) == 0 && o.r.Intn(2) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// sink takes everything but for a short or failed write now and then.
type sink struct {
	r   *rand.Rand
	got []byte
}

func (s *sink) Write(p []byte) (int, error) {
	switch s.r.Intn(40) {
	case 0:
		n := s.r.Intn(len(p) + 1)
		s.got = append(s.got, p[:n]...)
		return n, nil
	case 1:
		n := s.r.Intn(len(p) + 1)
		s.got = append(s.got, p[:n]...)
		return n, errOdd
	}
	s.got = append(s.got, p...)
	return len(p), nil
}

func text(r *rand.Rand, n int) []byte {
	const alphabet = "ab\n\r \té世🙂\xff\xe4\xb8"
	var b []byte
	for len(b) < n {
		i := r.Intn(len(alphabet))
		b = append(b, alphabet[i:i+1+r.Intn(min(4, len(alphabet)-i))]...)
	}
	return b[:n]
}

func reader(seed int64) {
	r := rand.New(rand.NewSource(seed))
	b := bufio.NewReaderSize(&odd{r, text(r, 300)}, 1+r.Intn(40))
	for range 60 {
		switch r.Intn(12) {
		case 0:
			c, err := b.ReadByte()
			note("byte", c, err)
		case 1:
			note("unread byte", b.UnreadByte())
		case 2:
			c, n, err := b.ReadRune()
			note("rune", c, n, err)
		case 3:
			note("unread rune", b.UnreadRune())
		case 4:
			p := make([]byte, r.Intn(50))
			n, err := b.Read(p)
			note("read", n, err, p[:n])
		case 5:
			p, err := b.Peek(r.Intn(50) - 1)
			note("peek", p, err)
		case 6:
			n, err := b.Discard(r.Intn(50) - 1)
			note("discard", n, err)
		case 7:
			line, err := b.ReadSlice('\n')
			note("slice", line, err)
		case 8:
			line, prefix, err := b.ReadLine()
			note("line", line, line == nil, prefix, err)
		case 9:
			line, err := b.ReadString('a')
			note("string", line, err)
		case 10:
			line, err := b.ReadBytes(' ')
			note("bytes", line, line == nil, err)
		case 11:
			if r.Intn(10) == 0 {
				var to strings.Builder
				n, err := b.WriteTo(struct{ io.Writer }{&to})
				note("write to", n, err, to.String())
			}
		}
		note(b.Buffered(), b.Size())
	}
}

func writer(seed int64) {
	r := rand.New(rand.NewSource(seed))
	to := &sink{r: r}
	b := bufio.NewWriterSize(to, 1+r.Intn(30))
	for range 60 {
		switch r.Intn(8) {
		case 0:
			n, err := b.Write(text(r, r.Intn(70)))
			note("write", n, err)
		case 1:
			n, err := b.WriteString(string(text(r, r.Intn(70))))
			note("string", n, err)
		case 2:
			note("byte", b.WriteByte('x'))
		case 3:
			n, err := b.WriteRune([]rune{'a', 'é', '世', '🙂', -1, utf8.MaxRune + 1}[r.Intn(6)])
			note("rune", n, err)
		case 4:
			note("flush", b.Flush())
		case 5:
			n, err := b.ReadFrom(&odd{r, text(r, r.Intn(80))})
			note("read from", n, err)
		case 6:
			room := b.AvailableBuffer()
			n, err := b.Write(append(room, "0123456"[:r.Intn(8)]...))
			note("available", len(room), cap(room), n, err)
		case 7:
			if r.Intn(6) == 0 {
				b.Reset(to)
			}
		}
		note(b.Buffered(), b.Available(), b.Size(), len(to.got))
	}
	note(to.got)
}

func scanner(seed int64) {
	r := rand.New(rand.NewSource(seed))
	s := bufio.NewScanner(&odd{r, text(r, 200)})
	splits := []bufio.SplitFunc{bufio.ScanLines, bufio.ScanWords, bufio.ScanRunes, bufio.ScanBytes,
		func(data []byte, atEOF bool) (int, []byte, error) {
			switch k := r.Intn(30); {
			case k == 0:
				return -1, nil, nil
			case k == 1:
				return len(data) + 1, nil, nil
			case k == 2:
				return 0, data[:0], bufio.ErrFinalToken
			case k == 3:
				return 0, nil, bufio.ErrFinalToken
			case k == 4:
				return 0, nil, errOdd
			case len(data) < 5 && !atEOF:
				return 0, nil, nil
			}
			n := min(5, len(data))
			if n == 0 {
				return 0, nil, nil
			}
			return n, data[:n], nil
		}}
	s.Split(splits[r.Intn(len(splits))])
	if r.Intn(2) == 0 {
		s.Buffer(make([]byte, r.Intn(20)), 5+r.Intn(60))
	}
	for range 250 {
		found := s.Scan()
		note(found, s.Bytes(), s.Err())
	}
}

func main() {
	for seed := range int64(400) {
		reader(seed)
		writer(seed)
		scanner(seed)
		if seed%40 == 39 {
			fmt.Printf("%3d %016x\n", seed, hash)
		}
	}
	s := bufio.NewScanner(strings.NewReader("x"))
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if !atEOF {
			return 0, nil, nil
		}
		return 0, data[:0], nil
	})
	defer func() { fmt.Println(recover()) }()
	for s.Scan() {
	}
}
