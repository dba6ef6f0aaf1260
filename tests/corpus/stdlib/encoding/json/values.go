// run

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

type Inner struct {
	X int     `json:"x"`
	Y float64 `json:"y,omitempty"`
}

type Color int

func (c Color) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("color-%d", int(c))), nil }
func (c *Color) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "color-%d", (*int)(c))
	return err
}

type Temp float64

func (t Temp) MarshalJSON() ([]byte, error) {
	if t < -273 {
		return nil, errors.New("too cold")
	}
	return []byte(fmt.Sprintf(`{"celsius": %.1f}`, float64(t))), nil
}
func (t *Temp) UnmarshalJSON(b []byte) error {
	var v struct{ Celsius float64 }
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*t = Temp(v.Celsius)
	return nil
}

type Base struct {
	ID   int
	Kind string `json:"kind"`
}

type All struct {
	Base
	*Inner
	Bool    bool            `json:"bool"`
	Int8    int8            `json:"int8,string"`
	Uint    uint64          `json:"uint"`
	Str     string          `json:"str"`
	Quoted  string          `json:"quoted,string"`
	Bytes   []byte          `json:"bytes"`
	Arr     [2]int          `json:"arr"`
	Sl      []string        `json:"sl"`
	NilSl   []int           `json:"nilsl"`
	Map     map[string]int  `json:"map"`
	IntMap  map[int]string  `json:"intmap,omitempty"`
	ColMap  map[Color]bool  `json:"colmap"`
	Ptr     *int            `json:"ptr"`
	Any     any             `json:"any"`
	Skip    string          `json:"-"`
	Dash    string          `json:"-,"`
	Empty   string          `json:"empty,omitempty"`
	Zero    time.Time       `json:"zero,omitzero"`
	When    time.Time       `json:"when"`
	Dur     time.Duration   `json:"dur"`
	Temp    Temp            `json:"temp"`
	Color   Color           `json:"color"`
	Raw     json.RawMessage `json:"raw"`
	Num     json.Number     `json:"num"`
	private int
	Nest    map[string][]Inner
}

func show(v any, err error) {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	fmt.Printf("%v | %v", v, err)
	switch e := err.(type) {
	case *json.SyntaxError:
		fmt.Printf(" | syntax %d", e.Offset)
	case *json.UnmarshalTypeError:
		fmt.Printf(" | %q %v %d %q %q %v", e.Value, e.Type, e.Offset, e.Struct, e.Field, e.Err)
	case *json.MarshalerError:
		fmt.Printf(" | %v %v", e.Type, e.Err)
	case nil:
	default:
		fmt.Printf(" | %T", err)
	}
	fmt.Println()
}

func main() {
	seven := 7
	all := All{
		Base: Base{1, "b"}, Inner: &Inner{3, 0}, Int8: -5, Uint: math.MaxUint64, Str: "<a&b>\u2028\x01\"é\xff",
		Quoted: `q"`, Bytes: []byte("hello"), Sl: []string{"x", "y"}, Map: map[string]int{"b": 2, "a": 1},
		IntMap: map[int]string{10: "ten", 9: "nine"}, ColMap: map[Color]bool{3: true, 1: false}, Ptr: &seven,
		Any: []any{1, "s", nil, 2.5, map[string]any{"k": []int{1}}}, When: time.Date(2024, 2, 29, 1, 2, 3, 450, time.UTC),
		Dur: time.Second, Temp: 21.5, Color: 4, Raw: json.RawMessage(` { "r" : [ 1 ] } `), Num: "12.50",
		Nest: map[string][]Inner{"n": {{1, 2}, {3, 4}}},
	}
	b, err := json.Marshal(all)
	show(b, err)
	var back All
	show(nil, json.Unmarshal(b, &back))
	b2, err := json.Marshal(&back)
	fmt.Println(bytes.Equal(b, b2), err)
	show(json.MarshalIndent(map[string]any{"a": []int{1, 2}, "e": []int{}, "o": map[string]int{}, "s": struct{ A, B int }{1, 2}}, "> ", "--"))
	show(json.MarshalIndent([]any{1, []any{}, []any{2}}, "", "\t"))

	for _, v := range []any{
		nil, true, -3, uint8(200), 1.0, 1e21, 1e-7, float32(0.1), math.NaN(), math.Inf(-1), "x", []byte(nil), []byte{}, []int(nil), map[string]int(nil),
		make(chan int), func() {}, complex(1, 2), map[float64]int{1: 1}, map[bool]int{true: 1}, struct{ F func() }{}, &all.Map, [3]bool{true}, [2]byte{1, 2},
		Temp(-300), []Temp{1, -300}, map[string]any{"x": Temp(-300)}, struct{ A, b int }{1, 2}, Color(5), map[Color]int{2: 1}, time.Duration(5), json.Number("abc"), json.Number(""), json.RawMessage(`{bad`),
		struct {
			A int      `json:"a,omitempty"`
			B *int     `json:",omitempty"`
			C struct{} `json:"c,omitempty"`
			D [0]int   `json:"d,omitempty"`
			E any      `json:"e,omitempty"`
			F float64  `json:"f,string"`
			G bool     `json:"g,string"`
			H int      `json:"bad name!,omitempty"`
		}{}, struct {
			Inner
			X string
		}{Inner{1, 2}, "outer"}, errors.New("e"), struct{ E error }{io.EOF},
	} {
		show(json.Marshal(v))
	}
	type Node struct {
		V    int
		Next *Node
	}
	n := &Node{V: 1}
	n.Next = n
	_, err = json.Marshal(n)
	show(nil, err)

	type T struct {
		A int
		B string `json:"bee"`
		C []int
		D map[string]Inner
		E *Inner
		F any
		G [2]int
		H uint8
		I float32
		J bool
		K map[int]int
		L Inner
		M []byte
		N interface{ Foo() }
		O int `json:",string"`
	}
	for _, s := range []string{
		`{}`, `null`, `{"A":1,"bee":"x","C":[1,2,3],"D":{"k":{"x":5}},"E":{"x":1,"y":2.5},"F":{"z":[1,"a",null,true]},"G":[1,2,3],"H":255,"I":1.5,"J":true,"K":{"1":2},"M":"aGk="}`,
		`{"a":1,"BEE":"case"}`, `{"A":"x"}`, `{"A":1.5}`, `{"A":1e2}`, `{"A":99999999999999999999}`, `{"H":256}`, `{"H":-1}`, `{"I":1e100}`, `{"bee":1}`, `{"C":{}}`, `{"C":[1,"x",3]}`, `{"D":[]}`, `{"D":{"k":{"x":"bad"}}}`, `{"E":{"x":[]}}`, `{"G":[1]}`, `{"J":"true"}`, `{"J":1}`, `{"K":{"x":1}}`, `{"K":{"1":"x"}}`, `{"L":{"x":true}}`, `{"M":"!!"}`, `{"M":[104,105]}`, `{"M":1}`, `{"N":1}`, `{"N":null}`, `{"O":"12"}`, `{"O":12}`, `{"O":"x"}`, `{"O":"null"}`,
		`{"A":1`, `{"A":1}}`, `{"A" 1}`, `{A:1}`, `[1,2]`, `"s"`, `1`, ``, ` `, `nul`, `{"A":tru}`, `{"A":1,}`, `{"bee":"\x"}`, "{\"bee\":\"a\nb\"}", `{"bee":"\ud800"}`, "{\"bee\":\"\xff\"}", `{"A":1,"A":2}`, `{"F":null,"C":null,"A":null,"bee":null,"E":null}`, `{"unknown":{"deep":[1,2,{"x":null}]},"A":3}`,
	} {
		var t T
		err := json.Unmarshal([]byte(s), &t)
		e := t.E
		t.E = nil
		fmt.Printf("%s -> %+v %v ", s, t, e)
		show("", err)
	}
	t := T{A: 1, C: []int{9, 8, 7}, D: map[string]Inner{"old": {1, 1}}, E: &Inner{5, 6}, F: &Inner{7, 8}, G: [2]int{3, 4}}
	show("", json.Unmarshal([]byte(`{"C":[1],"D":{"new":{"x":2}},"E":{"y":1},"F":{"x":9},"G":[5]}`), &t))
	fmt.Println(t.C, cap(t.C), t.D, *t.E, t.F, t.G)

	var x any
	for _, s := range []string{`{"a":[1,2.5,"x",null,true,{"b":{}}]}`, `"A\u00e9\ud83d\ude00"`, `1e400`, `[`, `{"a":{"a":{"a":[[[1]]]}}}`, `12345678901234567890`} {
		x = nil
		err := json.Unmarshal([]byte(s), &x)
		fmt.Printf("%#v ", x)
		show("", err)
	}
	for _, v := range []any{nil, T{}, (*T)(nil), 5} {
		show("", json.Unmarshal([]byte("1"), v))
	}
	dec := json.NewDecoder(strings.NewReader(`{"a":1} {"a":2.5}[1,"x",{"k":null}] "s" tru`))
	dec.UseNumber()
	for {
		var v any
		if err := dec.Decode(&v); err != nil {
			show("", err)
			break
		}
		fmt.Printf("%v %T %d\n", v, v, dec.InputOffset())
	}
	dec = json.NewDecoder(strings.NewReader(`{"list":[1,{"x":2.5},"s",true,null],"o":{}} 5`))
	for {
		more := dec.More()
		tok, err := dec.Token()
		if err != nil {
			show(more, err)
			break
		}
		fmt.Printf("%v %T:%v %d\n", more, tok, tok, dec.InputOffset())
	}
	dec = json.NewDecoder(strings.NewReader(`{"A":1,"zzz":2}`))
	dec.DisallowUnknownFields()
	show("", dec.Decode(&t))
	dec = json.NewDecoder(strings.NewReader(`[{"A":1},{"A":2}] rest`))
	dec.Token()
	for dec.More() {
		var v T
		show(v.A, dec.Decode(&v))
		fmt.Println(v.A)
	}
	dec.Token()
	rest, _ := io.ReadAll(dec.Buffered())
	fmt.Printf("%q\n", rest)
	enc := json.NewEncoder(os.Stdout)
	enc.Encode(map[string]string{"h": "<&>"})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	enc.Encode(map[string]any{"h": "<&>", "l": []int{1}})
	show("", enc.Encode(make(chan int)))
	var buf bytes.Buffer
	show("", json.Compact(&buf, []byte(` { "a" : [ 1 , "<x>" ] } `)))
	show("", json.Indent(&buf, []byte(`{"a":[1,2],"b":{}}`+"\n"), "p", "i"))
	show("", json.Compact(&buf, []byte(`{"a":}`)))
	json.HTMLEscape(&buf, []byte(`{"a":"<b>&\u2028`+"\u2028\u2029"+`"}`))
	fmt.Println(buf.String())
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `[1,]`, "\"\xff\"", ``, `1 2`} {
		fmt.Print(json.Valid([]byte(s)), " ")
	}
	fmt.Println(json.Delim('{'), json.Number("1").String())
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	show("", json.Unmarshal([]byte(deep), &x))
	b, err = json.Marshal(x)
	fmt.Println(string(b) == deep, err)
	show("", json.Unmarshal([]byte(strings.Repeat("[", 10001)+strings.Repeat("]", 10001)), &x))
	big := make([]map[string]any, 3000)
	for i := range big {
		big[i] = map[string]any{"id": float64(i), "name": fmt.Sprint("n", i), "tags": []any{"a", "b", nil, true}, "in": map[string]any{"x": 1.5}}
	}
	b, err = json.Marshal(big)
	var again []map[string]any
	fmt.Println(len(b), err, json.Unmarshal(b, &again), len(again), again[2999])
	b2, _ = json.Marshal(again)
	fmt.Println(bytes.Equal(b, b2))
}
