// run

// Edges of small functions all over the library: patterns, walks, rounding, dates, hexadecimal streams, addresses, variables in texts,
// places in files, compacting, wrapped errors, several readers and writers, sequences of parts.
package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type E1 struct{ n int }

func (e *E1) Error() string { return fmt.Sprint("e1 ", e.n) }

type asser struct{ no bool }

func (asser) Error() string { return "asser" }
func (a asser) As(t any) bool {
	if p, ok := t.(**E1); ok {
		*p = &E1{9}
		return !a.no
	}
	return false
}

type wr struct {
	b   *strings.Builder
	max int
	err error
}

func (w wr) Write(p []byte) (int, error) { n := min(len(p), w.max); w.b.Write(p[:n]); return n, w.err }
func main() {
	pats := []string{"a", "*", "a*b", "[a-c]x", "[^a-c]?", "[]a]", "[-]", "[a-]", "[", "[a", "[^", "\\", "\\*", "a\\", "?", "[\\]]", "[a-\\c]", "世*", "[世-界]", "*[", "a[", "[]", "x*[b-a]", "[^]a]", "*/[a-z]*", "a?c", "[a-c", "b[-", "*\\"}
	strs := []string{"", "a", "ab", "b", "axb", "ax", "]", "-", "*", "世界", "界", "a/b", "/", "c", "zz", "\xff", "x", "abc", "a/x"}
	for _, p := range pats {
		for _, s := range strs {
			a, e := path.Match(p, s)
			b, e2 := filepath.Match(p, s)
			fmt.Print(a, e, b, e2, " ")
		}
		fmt.Println(p)
	}
	d, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(d)
	for _, x := range []string{"a/b/c", "a/d", "e", "f/g/h", "f/i"} {
		os.MkdirAll(filepath.Join(d, x), 0755)
		os.WriteFile(filepath.Join(d, x, "file"), nil, 0644)
	}
	rets := []error{filepath.SkipDir, filepath.SkipAll, errors.New("stop")}
	for _, at := range []string{"a", "a/b", "a/b/c/file", "e", "f/g/h", "f/g/h/file", "", ".", "none"} {
		for _, ret := range rets {
			var log []string
			note := func(p string, err error) error {
				r, _ := filepath.Rel(d, p)
				log = append(log, fmt.Sprint(r, err != nil))
				if r == at || at == "" {
					return ret
				}
				return nil
			}
			root := d
			if at == "none" {
				root = filepath.Join(d, "none")
			}
			e := filepath.Walk(root, func(p string, i fs.FileInfo, err error) error { return note(p, err) })
			fmt.Println(at, ret, e, log)
			log = nil
			e = filepath.WalkDir(root, func(p string, i fs.DirEntry, err error) error { return note(p, err) })
			fmt.Println(at, ret, e, log)
		}
	}
	for _, x := range []time.Duration{0, 1, -1, 3, 5, -5, 15, -15, 1<<63 - 1, -1 << 63, 1<<63 - 6, -1<<63 + 5, 1e9 + 5e8, -1e9 - 5e8} {
		for _, m := range []time.Duration{0, -3, 1, 2, 3, 10, 1e9, 1 << 62, 1<<63 - 1} {
			fmt.Print(int64(x.Round(m)), " ")
		}
		fmt.Println()
	}
	for _, l := range []string{"15:04:05", "3:4:5 PM", "2006-01-02", "Jan _2 06", "2006 002", "02/1/2006 03:04", "2006-__2"} {
		for _, v := range []string{"1:2:3", "01:02:03", "12:34:56", "3:4:5 PM", "2020-2-3", "2020-02-03", "Feb  3 07", "2020 1", "2020 034", "2020 34", "02/3/2020 1:2", "02/13/2020 01:02", "x", "1", "2020-34", "2020- 34"} {
			t, e := time.Parse(l, v)
			fmt.Println(t, e)
		}
	}
	for _, in := range []string{"", "6", "61", "616", "6162", "61zz", "6z", "zz6", "6 ", strings.Repeat("41", 3000) + "4", strings.Repeat("41", 3000) + "g"} {
		for _, rd := range []io.Reader{strings.NewReader(in), iotest(in, 1), iotest(in, 3), iotest(in, 1000)} {
			b, e := io.ReadAll(hex.NewDecoder(rd))
			fmt.Println(len(b), e, string(b[:min(9, len(b))]))
			h := hex.NewDecoder(rd)
			n, e := h.Read(make([]byte, 0))
			fmt.Println(n, e)
		}
	}
	for _, s := range []string{"", "a", "a:1", ":", "[::1]:80", "[::1]", "::1:80", "[::1]80", "[::1:80", "a]:1", "[a]:1]", "[[a]:1", "a[:1", "[a]b:1", "[a]::1", "x:y:z", "[]:", "[a]:1:2", "]:1", "[a:1", "[:1]", "[a]x", "[a]:[1", "b:]"} {
		h, p, e := net.SplitHostPort(s)
		fmt.Printf("%q %q %v\n", h, p, e)
	}
	for _, n := range []string{"", "ip", "ip4", "ip6", "tcp"} {
		i, e := net.ResolveIPAddr(n, "127.0.0.1")
		fmt.Println(i, e)
	}
	for _, n := range []string{"", "tcp", "tcp4", "tcp6", "udp", "udp4", "udp6", "ip", "ip4", "ip6", "unix", "bad"} {
		for _, a := range []string{"127.0.0.1:80", "[::1]:80", ":http", "127.0.0.1", "::1", "nope", "1.2.3.4:99999"} {
			t, e := net.ResolveTCPAddr(n, a)
			u, e2 := net.ResolveUDPAddr(n, a)
			fmt.Println(n, a, t, e, u, e2)
		}
	}
	os.Setenv("A", "val")
	for _, s := range []string{"$A", "${A}", "$", "$$", "${", "${}", "${A", "$A$A", "x${A}y", "$1b", "${*}", "${*A}", "$*A", "${}}", "$-", "a$", "${ A}", "$世"} {
		fmt.Printf("%q %q\n", os.ExpandEnv(s), os.Expand(s, func(n string) string { return "<" + n + ">" }))
	}
	f, _ := os.Create(filepath.Join(d, "at"))
	n, e := f.WriteAt([]byte("hello"), 3)
	fmt.Println(n, e)
	b := make([]byte, 6)
	n, e = f.ReadAt(b, 4)
	fmt.Printf("%d %v %q\n", n, e, b)
	n, e = f.ReadAt(b, 2)
	fmt.Printf("%d %v %q\n", n, e, b)
	n, e = f.ReadAt(b[:0], 200)
	fmt.Println(n, e)
	n, e = f.ReadAt(b, 200)
	fmt.Println(n, e)
	_, e = f.ReadAt(b, -1)
	fmt.Println(e != nil)
	_, e = f.WriteAt(b, -1)
	fmt.Println(strings.HasSuffix(e.Error(), "negative offset"))
	f.Close()
	_, e = f.ReadAt(b, 0)
	fmt.Println(errors.Is(e, os.ErrClosed))
	_, e = f.WriteAt(b, 0)
	fmt.Println(errors.Is(e, os.ErrClosed))
	var nf *os.File
	_, e = nf.ReadAt(b, 0)
	fmt.Println(e)
	near := func(a, b int) bool { return a-b <= 1 && b-a <= 1 }
	for _, s := range [][]int{nil, {}, {1}, {1, 1}, {1, 2, 3}, {1, 3, 4, 5, 9, 9, 1}, {1, 5, 6, 7, 7, 20, 21, 30}, {5, 5, 5, 1, 1, 5}} {
		fmt.Println(slices.Compact(slices.Clone(s)), slices.CompactFunc(slices.Clone(s), near), slices.CompactFunc(slices.Clone(s), func(a, b int) bool { fmt.Print(a, b, ";"); return a == b }))
		c := slices.Clone(s)
		slices.CompactFunc(c, near)
		fmt.Println(c, slices.Compact(s) == nil)
	}
	for _, er := range []error{nil, &E1{1}, fmt.Errorf("x %w", &E1{2}), errors.Join(errors.New("a"), fmt.Errorf("b %w", &E1{3})), asser{}, asser{true}, fmt.Errorf("%w %w", asser{true}, &E1{4}), errors.New("q")} {
		x, ok := errors.AsType[*E1](er)
		fmt.Println(x, ok)
		y, ok := errors.AsType[asser](er)
		fmt.Println(y, ok)
	}
	m := io.MultiReader(strings.NewReader("ab"), io.MultiReader(strings.NewReader(""), strings.NewReader("cd")), strings.NewReader("e"))
	for {
		b := make([]byte, 2)
		n, e := m.Read(b)
		fmt.Println(n, e, string(b[:n]))
		if e != nil {
			break
		}
	}
	m = io.MultiReader(dataEOF("xy"), dataEOF("z"))
	for {
		b := make([]byte, 4)
		n, e := m.Read(b)
		fmt.Println(n, e, string(b[:n]))
		if e != nil {
			break
		}
	}
	var w1, w2 strings.Builder
	mw := io.MultiWriter(&w1, wr{&w2, 9, nil})
	n, e = io.WriteString(mw, "hello")
	fmt.Println(n, e, w1.String(), w2.String())
	mw = io.MultiWriter(wr{&w2, 2, nil}, &w1)
	n, e = io.WriteString(mw, "hello")
	fmt.Println(n, e, w1.String(), w2.String())
	n, e = mw.Write([]byte("zzz"))
	fmt.Println(n, e)
	mw = io.MultiWriter(&w1, wr{&w2, 2, errors.New("bad")})
	n, e = io.WriteString(mw, "hello")
	fmt.Println(n, e)
	for _, s := range []string{"", "a", "a,b", "a,,b,", ",", "世界", "  a b  c ", "\xff,\xfe", " "} {
		for _, sep := range []string{",", "", ",,", " ", "b"} {
			fmt.Printf("%q %q %q %q\n", slices.Collect(strings.SplitSeq(s, sep)), slices.Collect(strings.SplitAfterSeq(s, sep)), slices.Collect(bytes.SplitSeq([]byte(s), []byte(sep))), slices.Collect(bytes.SplitAfterSeq([]byte(s), []byte(sep))))
		}
		fmt.Printf("%q %q\n", slices.Collect(strings.FieldsSeq(s)), slices.Collect(bytes.FieldsSeq([]byte(s))))
		for p := range bytes.SplitAfterSeq([]byte(s), []byte(",")) {
			fmt.Print(cap(p), " ")
			if len(p) == 2 {
				break
			}
		}
		for p := range bytes.FieldsSeq([]byte(s)) {
			fmt.Print(cap(p), " ")
			break
		}
		for p := range strings.SplitSeq(s, "") {
			fmt.Print(p, " ")
			break
		}
		it := strings.SplitSeq(s, ",")
		for range it {
			break
		}
		fmt.Println(slices.Collect(it), slices.Collect(it))
	}
}

type rd struct {
	s string
	n int
}

func (r *rd) Read(p []byte) (int, error) {
	if r.s == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.n)], r.s)
	r.s = r.s[n:]
	return n, nil
}
func iotest(s string, n int) io.Reader { return &rd{s, n} }

type de struct{ s string }

func (d *de) Read(p []byte) (int, error) { n := copy(p, d.s); d.s = d.s[n:]; return n, io.EOF }
func dataEOF(s string) io.Reader         { return &de{s} }
