// run

package main

import (
	"bytes"
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

type P struct {
	Name  string         `json:"name"`
	Age   int            `json:",omitzero"`
	Tags  []string       `json:"tags,omitempty"`
	M     map[string]int `json:"m"`
	Any   any            `json:"any"`
	When  time.Time      `json:"when,omitzero"`
	S     int            `json:",string"`
	CI    string         `json:"ci,case:ignore"`
	Rest  map[string]any `json:",embed"`
	B     []byte
	Arr   [3]byte
	F     float64
	Inner struct{ X, Y int }
}

type Cnt struct{ n int }

func (c Cnt) MarshalJSONTo(e *jsontext.Encoder) error {
	e.WriteToken(jsontext.BeginArray)
	for i := range c.n {
		e.WriteToken(jsontext.Int(int64(i)))
	}
	return e.WriteToken(jsontext.EndArray)
}
func (c *Cnt) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		d.SkipValue()
		c.n++
	}
	_, err := d.ReadToken()
	return err
}

func show(what string, v any, err error) {
	s := fmt.Sprint(err)
	s = strings.Replace(s, "json: unable to", "json: cannot", 1)
	fmt.Printf("%s: %s | %s", what, v, s)
	var se *jsonv2.SemanticError
	if errors.As(err, &se) {
		fmt.Printf(" | %d %q %v %s %v %v", se.ByteOffset, se.JSONPointer, se.JSONKind, se.JSONValue, se.GoType, se.Err)
	}
	fmt.Println()
}

func main() {
	p := P{Name: "n<", M: nil, Any: map[string]any{"b": 1.5, "a": []any{nil, true}}, S: 5, CI: "c", Rest: map[string]any{"zz": 1, "yy": "s"}, B: []byte("hi"), Arr: [3]byte{1, 2, 3}, F: 1e300}
	b, err := jsonv2.Marshal(p, jsonv2.Deterministic(true))
	show("marshal", b, err)
	var q P
	show("back", "", jsonv2.Unmarshal(b, &q))
	fmt.Printf("%+v\n", q)
	b, err = jsonv2.Marshal(p, jsonv2.Deterministic(true), jsontext.WithIndent("  "), jsonv2.StringifyNumbers(true), jsonv2.FormatNilMapAsNull(true))
	show("opts", b, err)
	for _, v := range []any{math.NaN(), time.Second, make(chan int), struct {
		A int `json:"a"`
		B int `json:"a"`
	}{}, struct{ a int }{}, "\xff", []string{"ok", "\xfe"}, map[string]string{"\xff": "x"}, Cnt{3}, []Cnt{{1}, {2}}, map[int]Cnt{3: {1}}, struct {
		A int `json:"a,format:x"`
	}{}, struct {
		A string `json:",omitempty"`
		B []int  `json:",omitempty"`
		C *int   `json:",omitempty"`
		D struct {
			X int `json:",omitzero"`
		} `json:",omitempty"`
		E int `json:",omitempty"`
	}{}, []int(nil), map[string]int(nil), json.Number("1.5"), jsontext.Value(`{"a" : 1}`)} {
		b, err := jsonv2.Marshal(v)
		show(fmt.Sprintf("%T", v), b, err)
	}
	for _, s := range []string{`{"name":"x","Age":3,"tags":["a"],"m":{"k":1},"S":"7","CI":"up","unknown":[1],"Inner":{"X":1}}`, `{"NAME":"x"}`, `{"name":1}`, `{"name":"a","name":"b"}`, `{"m":{"a":1,"a":2}}`, `{"any":{"x":1,"x":2}}`, `{"S":7}`, `{"Age":1.5}`, `{"tags":[1]}`, `{"Arr":"AQI="}`, `{"B":"!!"}`, `{"Inner":{"X":"s"}}`, `[`, `{"name":"\ud800"}`, `{"F":1e999}`, `{"name":null,"m":null}`, `{} x`, ``} {
		q := P{Name: "old", M: map[string]int{"old": 1}}
		err := jsonv2.Unmarshal([]byte(s), &q)
		show(s, fmt.Sprintf("%+v", q), err)
	}
	show("reject", "", jsonv2.Unmarshal([]byte(`{"X":1,"q":2}`), &p.Inner, jsonv2.RejectUnknownMembers(true)))
	show("case", "", jsonv2.Unmarshal([]byte(`{"x":9}`), &p.Inner, jsonv2.MatchCaseInsensitiveNames(true)))
	fmt.Println(p.Inner)
	var c []Cnt
	show("cnt", "", jsonv2.Unmarshal([]byte(`[[1,2],[],[{}]]`), &c))
	fmt.Println(c)
	m := jsonv2.WithMarshalers(jsonv2.JoinMarshalers(
		jsonv2.MarshalFunc(func(b bool) ([]byte, error) { return []byte(`"yes"`), nil }),
		jsonv2.MarshalToFunc(func(e *jsontext.Encoder, s string) error {
			if s == "skip" {
				return errors.ErrUnsupported
			}
			return e.WriteToken(jsontext.String("<" + s + ">"))
		})))
	b, err = jsonv2.Marshal([]any{true, "a", "skip", map[string]string{"k": "v"}}, m)
	show("funcs", b, err)
	u := jsonv2.WithUnmarshalers(jsonv2.UnmarshalFunc(func(b []byte, p *int) error { *p = len(b); return nil }))
	var ints []int
	show("ufuncs", "", jsonv2.Unmarshal([]byte(`[1,"abc",{"a":1}]`), &ints, u))
	fmt.Println(ints)
	var w bytes.Buffer
	show("write", "", jsonv2.MarshalWrite(&w, []int{1, 2}))
	var r any
	show("read", "", jsonv2.UnmarshalRead(strings.NewReader(` {"a":[1,2,{"b":null}]} `), &r))
	fmt.Println(w.String(), r)
	v, ok := jsonv2.GetOption(jsonv2.JoinOptions(jsonv2.Deterministic(true), jsontext.WithIndent("x"[:0])), jsonv2.Deterministic)
	fmt.Println(v, ok)
	b, err = jsonv2.Marshal(struct{ D time.Duration }{5}, json.DefaultOptionsV1())
	show("v1", b, err)
}
