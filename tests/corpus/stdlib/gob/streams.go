// run

// Streams of package gob, byte for byte, and what is read from them.
package main

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/big"
	"net/url"
	"reflect"
	"strings"
	"time"
)

type Inner struct {
	A int
	B string
}

type Shape interface{ Area() float64 }

type Square struct{ Side float64 }

func (s Square) Area() float64 { return s.Side * s.Side }

type Circle struct{ R int }

func (c *Circle) Area() float64 { return math.Pi * float64(c.R*c.R) }

type Names []string

func (n Names) Area() float64 { return float64(len(n)) }

type Tree struct {
	Left, Right *Tree
	Value       int
}

type Everything struct {
	Bool       bool
	Int        int
	Int8       int8
	Int16      int16
	Int32      int32
	Int64      int64
	Uint       uint
	Uint8      uint8
	Uint16     uint16
	Uint32     uint32
	Uint64     uint64
	Uintptr    uintptr
	Float32    float32
	Float64    float64
	Complex64  complex64
	Complex128 complex128
	String     string
	Bytes      []byte
	Ints       []int
	Int8s      []int8
	Uint16s    []uint16
	Floats     []float64
	Float32s   []float32
	Complexes  []complex128
	Bools      []bool
	Strings    []string
	Array      [3]int
	ByteArray  [2]byte
	Inner      Inner
	Pointer    *Inner
	Pointers   **int
	Slice      []Inner
	SliceP     []*Inner
	Map        map[string]int
	MapOf      map[int]Inner
	MapP       map[string]*Inner
	Nested     [][]string
	Any        any
	Shape      Shape
	Shapes     []Shape
	Func       func()
	Chan       chan int
	private    int
}

// Temperature writes itself, by a method of the value.
type Temperature struct{ degrees float64 }

func (t Temperature) GobEncode() ([]byte, error) {
	return fmt.Appendf(nil, "%g°", t.degrees), nil
}

func (t *Temperature) GobDecode(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%g°", &t.degrees)
	return err
}

// Secret writes itself, by a method of the pointer.
type Secret struct{ text string }

func (s *Secret) MarshalBinary() ([]byte, error) {
	return []byte(strings.ToUpper(s.text)), nil
}

func (s *Secret) UnmarshalBinary(b []byte) error {
	if len(b) > 20 {
		return errors.New("secret too long")
	}
	s.text = strings.ToLower(string(b))
	return nil
}

type Own struct {
	T  Temperature
	TP *Temperature
	S  *Secret
	Ss []Secret
	D  time.Time
	B  *big.Int
	M  map[string]Temperature
}

type Embedded struct {
	Inner
	*Square
	C color.RGBA
}

// text is what %+v prints, with what pointers point to.
func text(v reflect.Value) string {
	if v.IsValid() && v.CanInterface() {
		if s, ok := v.Interface().(fmt.Stringer); ok && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			return s.String()
		}
	}
	var parts []string
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return v.Elem().Type().String() + "(" + text(v.Elem()) + ")"
	case reflect.Struct:
		for i := range v.NumField() {
			parts = append(parts, v.Type().Field(i).Name+": "+text(v.Field(i)))
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return "nil"
		}
		for i := range v.Len() {
			parts = append(parts, text(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			return "nil"
		}
		for k, x := range v.Seq2() {
			parts = append(parts, text(k)+": "+text(x))
		}
	default:
		return fmt.Sprintf("%v", v)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func show(name string, values ...any) {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			fmt.Printf("%s: %v\n", name, err)
		}
	}
	fmt.Printf("%s: %x\n", name, buf.Bytes())
	dec := gob.NewDecoder(&buf)
	for _, v := range values {
		t := reflect.TypeOf(v)
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		p := reflect.New(t)
		if err := dec.DecodeValue(p); err != nil {
			fmt.Printf("\tdecoding: %v\n", err)
			continue
		}
		fmt.Printf("\t%s\n", text(p.Elem()))
	}
}

func main() {
	gob.Register(Square{})
	gob.Register(&Circle{})
	gob.Register(Names(nil))
	gob.RegisterName("the.inner", Inner{})
	gob.Register(map[string]any{})
	gob.Register([]any{})

	show("bool", true, false)
	show("ints", 0, 1, -1, 63, 64, -64, -65, 127, 128, 1<<31, -1<<63, 1<<63-1)
	show("uints", uint(0), uint8(127), uint16(128), uint64(math.MaxUint64))
	show("floats", 0.0, 1.0, -2.5, math.Inf(1), 17.0, float32(0.1), math.MaxFloat64)
	show("complex", complex(1, -1), complex64(2))
	show("strings", "", "héllo", strings.Repeat("x", 200))
	show("bytes", []byte("abc"), []byte{})
	show("slices", []int{}, []int{1, -2, 300}, []string{"a", ""}, []bool{true, false})
	show("arrays", [2]string{"a", "b"}, [0]int{}, [3]bool{true})
	show("maps", map[string]int{}, map[string]int{"one": 1}, map[Inner][]int{{1, "x"}: {1}})
	show("structs", Inner{}, Inner{1, "b"}, &Inner{A: -5})
	show("tree", &Tree{&Tree{nil, nil, 1}, &Tree{nil, &Tree{Value: 4}, 3}, 2})
	show("anonymous", struct {
		X int
		Y struct{ Z string }
	}{1, struct{ Z string }{"z"}})
	show("embedded", Embedded{Inner{1, "i"}, &Square{2}, color.RGBA{1, 2, 3, 255}})
	seven := 7
	p := &seven
	show("everything", Everything{})
	show("everything, filled", Everything{
		true, -1, -2, -3, -4, -5, 1, 2, 3, 4, 5, 6, 1.5, 2.5, 1 + 2i, 3 - 4i, "s", []byte("b"),
		[]int{1}, []int8{-1}, []uint16{500}, []float64{0, 1}, []float32{0.5}, []complex128{1i},
		[]bool{true}, []string{"x", "y"}, [3]int{0, 0, 9}, [2]byte{1, 200}, Inner{1, "in"},
		nil, &p, []Inner{{}, {2, "two"}}, []*Inner{{3, "three"}},
		map[string]int{"k": 0}, map[int]Inner{1: {}}, nil,
		[][]string{{"a"}, {}}, "any", Square{3}, []Shape{Square{1}, nil, &Circle{2}, Names{"n"}},
		func() {}, make(chan int), 5,
	}.withoutPointers())
	show("interfaces", []any{1, "two", 3.0, nil, Inner{4, "four"}, []byte("five"), Square{6},
		map[string]any{"k": []any{int8(1), uint(2), true}}})
	show("same interfaces again", []any{Inner{1, "x"}}, []any{Inner{2, "y"}, Square{1}})
	d := time.Date(2024, 2, 29, 12, 30, 0, 5, time.UTC)
	show("own", Own{T: Temperature{36.6}, TP: &Temperature{-4}, S: &Secret{"psst"},
		Ss: []Secret{{"a"}, {"b"}}, D: d, B: big.NewInt(-1 << 40),
		M: map[string]Temperature{"x": {1}}})
	show("own, alone", Temperature{1.25}, &Temperature{2}, &Secret{"s"}, d, big.NewInt(77))
	u, _ := url.Parse("http://example.com/p?q=1")
	show("url", u)
	show("pointers", &p)

	// Several decoders on one stream, read by pieces.
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	for i := range 3 {
		enc.Encode(Inner{i, "n"})
	}
	dec := gob.NewDecoder(io.MultiReader(bytes.NewReader(buf.Bytes()[:7]),
		bytes.NewReader(buf.Bytes()[7:])))
	for {
		var in Inner
		if err := dec.Decode(&in); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(in)
	}
	// What is there stays, where the stream has no value.
	in := Inner{5, "stays"}
	buf.Reset()
	gob.NewEncoder(&buf).Encode(Inner{A: 6})
	fmt.Println(gob.NewDecoder(&buf).Decode(&in), in)
	s := make([]int, 1, 10)
	buf.Reset()
	gob.NewEncoder(&buf).Encode([]int{1, 2, 3})
	fmt.Println(gob.NewDecoder(&buf).Decode(&s), s, cap(s))
	m := map[string]int{"old": 1}
	buf.Reset()
	gob.NewEncoder(&buf).Encode(map[string]int{"new": 2})
	fmt.Println(gob.NewDecoder(&buf).Decode(&m), m)
	big := make([]byte, 3<<20)
	big[len(big)-1] = 9
	buf.Reset()
	gob.NewEncoder(&buf).Encode(big)
	var back []byte
	fmt.Println(buf.Len(), gob.NewDecoder(&buf).Decode(&back), bytes.Equal(big, back))
}

func (e Everything) withoutPointers() Everything {
	e.Pointers = nil
	e.SliceP = nil
	e.Func = nil
	e.Chan = nil
	e.Shapes = []Shape{e.Shapes[0], e.Shapes[3]}
	return e
}
