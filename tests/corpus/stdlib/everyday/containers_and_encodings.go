// run

// Small packages: container/*, encoding/hex and base64, hash/*, unicode/utf16, log, io/ioutil, flag.
package main

import (
	"bytes"
	"container/heap"
	"container/list"
	"container/ring"
	"encoding"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"io"
	"io/ioutil"
	"log"
	"os"
	"strings"
	"time"
	"unicode/utf16"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func show(l *list.List) {
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	fmt.Println(l.Len())
}

func main() {
	h := &ints{5, 2, 8, 1, 9, 3}
	heap.Init(h)
	heap.Push(h, 4)
	(*h)[3] = 0
	heap.Fix(h, 3)
	fmt.Println(*h)
	fmt.Println(heap.Remove(h, 2))
	fmt.Println(*h)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(h), " ")
	}
	fmt.Println()

	var l list.List
	b := l.PushBack("b")
	a := l.PushFront("a")
	c := l.InsertAfter("c", b)
	l.InsertBefore("x", b)
	show(&l)
	l.MoveToFront(c)
	l.MoveToBack(a)
	show(&l)
	l.MoveBefore(a, b)
	l.MoveAfter(c, b)
	show(&l)
	fmt.Println(l.Remove(b), l.Remove(b), l.InsertAfter("no", b), l.Front().Prev(), l.Back().Next(), l.Back().Value)
	l.PushBackList(&l)
	m := list.New()
	m.PushFrontList(&l)
	m.PushFront(1)
	show(m)
	show(l.Init())

	r := ring.New(5)
	for i := range 5 {
		r.Value = i
		r = r.Next()
	}
	r.Do(func(v any) { fmt.Print(v, " ") })
	gone := r.Unlink(2)
	fmt.Println(r.Len(), gone.Len(), r.Move(2).Value, r.Prev().Value, gone.Value)
	r.Link(gone)
	r.Do(func(v any) { fmt.Print(v, " ") })
	fmt.Println(ring.New(0) == nil, (*ring.Ring)(nil).Len())

	fmt.Println(hex.EncodeToString([]byte("hi\xff")))
	for _, s := range []string{"68690A", "6", "6g", "zz", "", "aabbc", "aabbx"} {
		d, err := hex.DecodeString(s)
		fmt.Printf("%q %v\n", d, err)
	}
	fmt.Print(hex.Dump([]byte("0123456789abcdef\x00\x01 binary\xff and more")))
	d, err := io.ReadAll(hex.NewDecoder(strings.NewReader("48656c6c6f2")))
	fmt.Printf("%q %v\n", d, err)
	hex.NewEncoder(os.Stdout).Write([]byte("stream\n"))
	fmt.Println()

	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding.Strict(), base64.StdEncoding.WithPadding('*')} {
		for _, s := range []string{"", "f", "fo", "foo", "foob", "\xff\xfe\xfd"} {
			text := e.EncodeToString([]byte(s))
			back, err := e.DecodeString(text)
			fmt.Print(text, " ", string(back) == s, err, e.EncodedLen(len(s)), e.DecodedLen(len(text)), " ")
		}
		fmt.Println()
	}
	for _, s := range []string{"Zg", "Zg=", "Zg==", "Zg==\n", "Z\ng==", "Zm8=", "Zm9=", "Z===", "=", "Zg==Zg==", "!!!!", "Zm9v\r\nZm9v", "Zh==", "A", "AA*A", "Zg=A", "Zg\n==", "Zh", "Zm9", "Zg=\n="} {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.StdEncoding.Strict()} {
			d, err := e.DecodeString(s)
			fmt.Printf("%q %q %v; ", s, d, err)
		}
		fmt.Println()
	}
	var buf bytes.Buffer
	w := base64.NewEncoder(base64.StdEncoding, &buf)
	for _, s := range []string{"a", "bc", "defg", "h"} {
		w.Write([]byte(s))
	}
	w.Close()
	fmt.Println(buf.String())
	d, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, strings.NewReader("YWJj\nZGVm\nZ2g=\n")))
	fmt.Printf("%q %v\n", d, err)

	for _, f := range []func() hash.Hash{func() hash.Hash { return fnv.New32() }, func() hash.Hash { return fnv.New32a() }, func() hash.Hash { return fnv.New64() },
		func() hash.Hash { return fnv.New64a() }, fnv.New128, fnv.New128a, func() hash.Hash { return crc32.NewIEEE() },
		func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }, func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Koopman)) }} {
		x := f()
		io.WriteString(x, "hello ")
		state, err := x.(encoding.BinaryMarshaler).MarshalBinary()
		y := f()
		err2 := y.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
		io.WriteString(x, "world")
		io.WriteString(y, "world")
		fmt.Printf("%x %x %v %v %d %d\n", x.Sum(nil), y.Sum([]byte{1}), err, err2, x.Size(), x.BlockSize())
		fmt.Println(y.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte("bad")), y.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:5]))
	}
	fmt.Println(crc32.ChecksumIEEE([]byte("hello")), crc32.Checksum([]byte("hello"), crc32.IEEETable))

	u := utf16.Encode([]rune("a\U0001F600é"))
	fmt.Printf("%x %q %q %d %d %v\n", u, string(utf16.Decode(u)), string(utf16.Decode([]uint16{0xd800, 'x', 0xdc00, 0xd83d, 0xde00, 0xd800})), utf16.RuneLen('x'), utf16.RuneLen(0xd800),
		utf16.IsSurrogate(0xdfff))

	lg := log.New(os.Stdout, "pre ", log.Lmsgprefix)
	lg.Println("a", 1)
	lg.SetFlags(log.Lshortfile)
	lg.Printf("line %d\n", 2)
	lg.Output(1, "out")
	lg.SetFlags(log.LstdFlags | log.Lmicroseconds | log.LUTC)
	buf.Reset()
	lg.SetOutput(&buf)
	lg.Print("x")
	_, err = time.Parse("pre 2006/01/02 15:04:05.000000 x\n", buf.String())
	fmt.Println(err, lg.Prefix(), lg.Flags())
	log.SetOutput(os.Stdout)
	log.SetFlags(0)
	log.SetPrefix("std: ")
	log.Print("hello")
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		log.Panicf("bad %d", 7)
	}()

	dir, _ := ioutil.TempDir("", "x")
	defer os.RemoveAll(dir)
	ioutil.WriteFile(dir+"/f", []byte("data"), 0600)
	text, err := ioutil.ReadFile(dir + "/f")
	infos, _ := ioutil.ReadDir(dir)
	fmt.Println(string(text), err, len(infos), infos[0].Name(), infos[0].Size())

	fs := flag.NewFlagSet("prog", flag.ContinueOnError)
	fs.SetOutput(os.Stdout)
	n := fs.Int("n", 3, "how `many`")
	s := fs.String("name", "x", "the name")
	v := fs.Bool("v", false, "loud")
	dur := fs.Duration("d", time.Second, "how long")
	fl := fs.Float64("ratio", 0, "the ratio\nover two lines")
	u64 := fs.Uint64("u", 0, "")
	fs.Func("each", "called for each", func(s string) error {
		if s == "bad" {
			return errors.New("will not")
		}
		fmt.Println("each", s)
		return nil
	})
	fs.PrintDefaults()
	for _, args := range [][]string{{"-n", "5", "--name=y", "-v", "rest", "-n"}, {"-n=0x10", "-d=1m", "-ratio", "0.5", "-v=false", "--", "-x"}, {"-n", "abc"}, {"-zzz"}, {"-n"}, {"-v=maybe"},
		{"-each=1", "-each", "bad"}, {"-help"}, {"-=x"}, {"---n"}, {"-u", "-1"}, {"-n", "99999999999999999999"}, {"-"}} {
		err := fs.Parse(args)
		fmt.Println(err, *n, *s, *v, *dur, *fl, *u64, fs.Args(), fs.NArg(), fs.NFlag(), fs.Arg(0))
	}
	fs.Visit(func(f *flag.Flag) { fmt.Print(f.Name, "=", f.Value, " ") })
	fmt.Println(fs.Lookup("n").DefValue, fs.Set("n", "12"), *n, fs.Set("none", "1"))
	fmt.Println(flag.NArg(), flag.Parsed(), flag.CommandLine.Lookup("x") == nil)
}
