// run

// Types that change between writer and reader, and the errors of package gob.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unsafe"
)

type V1 struct {
	Name string
	Age  int
	Old  []string
	Deep struct {
		X, Y int
		M    map[string][]float64
	}
	Iface any
}

type V2 struct {
	Name  string
	New   int
	Age   int64
	Iface any
}

type Wrong struct{ Name int }

type Narrow struct{ A int8 }

type Wide struct{ A int }

type Unrelated struct{ Zzz int }

type NoFields struct{ a, b int }

type HasChan struct{ C chan int }

type Bad struct{ P unsafe.Pointer }

type Cycle *Cycle

type Failing struct{}

func (Failing) GobEncode() ([]byte, error) { return nil, errors.New("will not") }
func (*Failing) GobDecode([]byte) error    { return errors.New("cannot") }

type PtrOnly struct{ x int }

func (*PtrOnly) GobEncode() ([]byte, error) { return []byte("p"), nil }
func (*PtrOnly) GobDecode(b []byte) error {
	if string(b) != "p" {
		return fmt.Errorf("not p but %q", b)
	}
	return nil
}

type Unregistered struct{ A int }

type Stringer interface{ String() string }

type Registered struct{ A int }

type limited struct{ n int }

func (l *limited) Write(b []byte) (int, error) {
	if l.n -= len(b); l.n < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func encode(v any) []byte {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(v); err != nil {
		fmt.Printf("encoding %T: %v\n", v, err)
	}
	return buf.Bytes()
}

func try(name string, from any, to any) {
	err := gob.NewDecoder(bytes.NewReader(encode(from))).Decode(to)
	if err != nil {
		fmt.Printf("%s: %v\n", name, err)
		return
	}
	fmt.Printf("%s: %+v\n", name, reflect.Indirect(reflect.ValueOf(to)))
}

func panics(name string, f func()) {
	defer func() { fmt.Printf("%s: panic: %v\n", name, recover()) }()
	f()
}

func stream(name, text string, to any) {
	data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(to)
	fmt.Printf("%s: %v\n", name, err)
}

func main() {
	gob.Register(Registered{})
	gob.Register(V2{})

	v := V1{Name: "n", Age: 7, Old: []string{"a"}, Iface: Registered{5}}
	v.Deep.M = map[string][]float64{"k": {1, 2}}
	try("fields come and go", v, new(V2))
	try("skipped interface", struct{ Iface, Name any }{[]int{1}, "x"}, new(struct{ Name any }))
	try("wrong type", V1{Name: "n"}, new(Wrong))
	try("fits", Wide{100}, new(Narrow))
	try("too large", Wide{1000}, new(Narrow))
	try("too large, in slice", []int{1, 2, 300}, new([]int8))
	try("too large, in map", map[string]int{"a": 300}, new(map[string]int8))
	try("too large, uint", []uint{1 << 20}, new([]uint16))
	try("too large, float", 1e300, new(float32))
	try("too large, single", 1000, new(int8))
	try("no match", Unrelated{1}, new(Wide))
	try("empty to other", struct{}{}, new(Wide))
	try("int to string", 1, new(string))
	try("struct to int", Wide{1}, new(int))
	try("int to struct", 1, new(Wide))
	try("slice to array", []int{1}, new([1]int))
	try("array length", [2]int{1, 2}, new([3]int))
	try("slice of others", []int{1}, new([]string))
	try("map of others", map[string]int{"a": 1}, new(map[string]string))
	try("to interface", 5, new(any))
	try("struct to interface", Wide{1}, new(any))
	try("own to plain", PtrOnly{}, new(Wide))
	try("plain to own", Wide{1}, new(PtrOnly))
	try("own decode", &PtrOnly{}, new(Failing))
	try("bytes and slices", []byte("abc"), new([]int8))
	var deep ***int
	fmt.Println(gob.NewDecoder(bytes.NewReader(encode(3))).Decode(&deep), ***deep)
	try("named kinds", []struct{ A, B int }{{1, 2}}, new([]struct {
		B int32
		C string
	}))

	fmt.Println(gob.NewDecoder(bytes.NewReader(encode(5))).Decode(5))
	fmt.Println(gob.NewDecoder(bytes.NewReader(encode(5))).Decode((*int)(nil)))
	fmt.Println(gob.NewDecoder(bytes.NewReader(encode(5))).Decode(nil))
	fmt.Println(gob.NewDecoder(bytes.NewReader(encode(v))).Decode(nil))
	fmt.Println(gob.NewDecoder(bytes.NewReader(encode([]any{v.Old, nil}))).Decode(nil))
	fmt.Println(gob.NewDecoder(strings.NewReader("")).Decode(new(int)))

	encode(nil)
	encode(NoFields{})
	encode(HasChan{})
	encode(make(chan int))
	encode(func() {})
	encode(Bad{})
	encode(Bad{})
	encode([]Bad{{}})
	encode(new(Cycle))
	encode(Failing{})
	encode(PtrOnly{})
	encode([]PtrOnly{{}})
	encode(map[string]PtrOnly{"a": {}})
	encode([]any{Unregistered{}})
	encode([]any{(*Registered)(nil)})
	encode([]*int{nil})
	encode(map[string]*int{"a": nil})
	encode(struct{ A any }{NoFields{}})
	panics("nil pointer", func() { encode((*int)(nil)) })
	panics("empty name", func() { gob.RegisterName("", 1) })
	panics("duplicate name", func() { gob.RegisterName("main.Registered", 1.5) })
	panics("duplicate type", func() { gob.RegisterName("other", Registered{}) })
	panics("no panic", func() { gob.Register(Registered{}) })
	for n := 0; n < 40; n += 13 {
		fmt.Println(n, gob.NewEncoder(&limited{n}).Encode(Wide{1}))
	}

	// An interface that the registered type does not satisfy.
	var buf bytes.Buffer
	gob.NewEncoder(&buf).Encode(struct{ X any }{Registered{1}})
	fmt.Println(gob.NewDecoder(&buf).Decode(new(struct{ X Stringer })))

	// Streams cut at each place.
	whole := encode(v)
	seen := map[string]int{}
	for n := range whole {
		err := gob.NewDecoder(bytes.NewReader(whole[:n])).Decode(new(V1))
		seen[fmt.Sprint(err)]++
	}
	fmt.Println(seen)
	fmt.Println(errors.Is(gob.NewDecoder(bytes.NewReader(whole[:9])).Decode(new(V1)),
		io.ErrUnexpectedEOF))

	stream("length", "f7 ff ff ff ff ff ff ff ff", new(int))
	stream("long length", "f8 ff ff ff ff ff ff ff ff", new(int))
	stream("length past the end", "fc 7f ff ff ff 00", new(int))
	stream("empty message", "00", new(int))
	stream("id 0", "03 00 00 02", new(int))
	stream("unknown id", "03 ff 90 00", new(int))
	stream("unknown id, struct", "03 ff 90 00", new(Wide))
	stream("unknown id, skipped", "03 ff 90 00", nil)
	stream("non-zero delta", "03 04 01 02", new(int))
	stream("bad uint", "0c 04 00 f7 01 02 03 04 05 06 07 08 09", new(int))
	stream("short uint", "04 04 00 fe 01", new(int))
	stream("string size", "04 0c 00 7f 61", new(string))
	stream("bytes size", "04 0a 00 7f 61", new([]byte))
	stream("bytes size, skipped", "04 0a 00 7f 61", nil)
	stream("huge string", "0b 0c 00 f8 ff ff ff ff ff ff ff ff", new(string))
	stream("redefines", "03 7d 00 00", new(int))
	stream("definition, then end", "04 ff 81 00 00", new(int))
	stream("extra", "06 ff 81 00 00 01 02", new(int))
	stream("wire type", "03 20 00 00", new(Wide))
	stream("interface, skipped", "04 10 00 05 41", nil)
	stream("interface name", "05 10 00 02 41 42", new(any))
}
