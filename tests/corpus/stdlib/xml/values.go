// run gcstress=500

// Values of Go as XML and back: tags, name spaces, embedded structs, Marshalers, and what is wrong.
package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"
)

type Base struct {
	ID   int    `xml:"id,attr"`
	Note string `xml:",comment"`
}

type Item struct {
	XMLName xml.Name `xml:"urn:shop item"`
	Base
	Name   string     `xml:"name"`
	Price  float64    `xml:"price,omitempty"`
	Tags   []string   `xml:"tags>tag"`
	First  *string    `xml:"who>name>first"`
	Last   string     `xml:"who>name>last,omitempty"`
	When   time.Time  `xml:"when,attr"`
	Data   []byte     `xml:"data"`
	Flag   *bool      `xml:"flag,attr,omitempty"`
	Rest   []xml.Attr `xml:",any,attr"`
	hidden int
	Skip   int `xml:"-"`
}

type Temp float64

func (t Temp) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%.1fC", float64(t)), nil }
func (t *Temp) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%fC", (*float64)(t))
	return err
}

type Color struct{ R, G, B int }

func (c Color) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return e.EncodeElement(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), start)
}

func (c *Color) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var s string
	if err := d.DecodeElement(&s, &start); err != nil {
		return err
	}
	_, err := fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return err
}

type Mode int

func (m Mode) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	if m < 0 {
		return xml.Attr{}, errors.New("no such mode")
	}
	return xml.Attr{Name: name, Value: strings.Repeat("m", int(m))}, nil
}

func (m *Mode) UnmarshalXMLAttr(a xml.Attr) error {
	*m = Mode(len(a.Value))
	return nil
}

type Room struct {
	Temp  Temp    `xml:"temp"`
	Limit *Temp   `xml:"limit,attr"`
	Walls []Color `xml:"wall"`
	Mode  Mode    `xml:"mode,attr"`
	Text  string  `xml:",chardata"`
}

type Doc struct {
	Inner string `xml:",innerxml"`
	CD    string `xml:",cdata"`
}

type CD struct {
	Body string `xml:",cdata"`
}

type Any struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Kids    []Any      `xml:",any"`
}

type lazy struct{}

func (lazy) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error { return nil }

type open struct{}

func (open) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return e.EncodeToken(start)
}

func show(v any) {
	b, err := xml.Marshal(v)
	fmt.Printf("%s %v\n", b, err)
}

func read(text string, v any) {
	fmt.Println(xml.Unmarshal([]byte(text), v))
}

func main() {
	first, yes := "Ann", true
	item := Item{Base: Base{7, " n "}, Name: "a<b&\"c\"\n", Tags: []string{"x", "y"}, First: &first,
		When: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Data: []byte("\x01é"), Flag: &yes,
		Rest: []xml.Attr{{Name: xml.Name{Space: "urn:other", Local: "k"}, Value: "v"}}}
	b, err := xml.MarshalIndent(item, ">", "  ")
	fmt.Printf("%s %v\n", b, err)
	var back Item
	read(strings.ReplaceAll(string(b), ">", ">"), &back)
	fmt.Println(back.ID, back.Name, back.Tags, *back.First, back.When, *back.Flag, back.Rest, back.Note)

	limit := Temp(30)
	room := Room{21.5, &limit, []Color{{1, 2, 3}, {255, 0, 16}}, 3, "t"}
	show(room)
	show(&room)
	var r Room
	read(`<Room limit="9.5C" mode="xx">a<temp>-3.0C</temp>b<wall>#0a0b0c</wall></Room>`, &r)
	fmt.Println(float64(r.Temp), float64(*r.Limit), r.Walls, r.Mode, r.Text)
	show(Room{Limit: &limit, Mode: -1})
	show(CD{"a]]>b<c>"})
	show(Doc{Inner: "<raw/>"})
	var d Doc
	read("<Doc>x<a b='c'>y</a><!-- z --></Doc>", &d)
	fmt.Printf("%q %q\n", d.Inner, d.CD)
	var whole Any
	read(`<a:x xmlns:a="u" xmlns="v" a:p="1" q="2">t<y><z/></y>u</a:x>`, &whole)
	fmt.Printf("%+v\n", whole)
	show(whole)
	show([]int{1, 2})
	show([2]string{"a", "b"})
	show(map[string]int{})
	show(make(chan int))
	show(struct{ A int }{1})
	show(nil)
	show((*int)(nil))
	show(complex(1, 2))
	show(open{})
	show(struct {
		XMLName xml.Name `xml:"e"`
		C       string   `xml:",comment"`
	}{C: "a--b"})
	show(struct {
		XMLName xml.Name `xml:"e"`
		C       []byte   `xml:",comment"`
		P       *int     `xml:"a>p"`
		I       any      `xml:"a>i"`
		B       [3]byte  `xml:"b,attr"`
		F       func()   `xml:"f"`
	}{C: []byte("a-"), I: 3.5})
	type Cell[T any] struct{ V T }
	show(Cell[int]{3})

	// What is wrong with values.
	var n int
	read("<a>1</a>", n)
	read("<a>1</a>", (*int)(nil))
	read("<a>x</a>", &n)
	read("<a> 12 </a>", &n)
	fmt.Println(n)
	read("<a></a>", &n)
	fmt.Println(n)
	var u8 uint8
	read("<a>256</a>", &u8)
	var f bool
	read("<a>maybe</a>", &f)
	var fl float32
	read("<a>1e99</a>", &fl)
	var m map[string]int
	read("<a/>", &m)
	var i any
	read("<a/>", &i)
	var ch struct {
		C chan int `xml:"c,attr"`
	}
	read("<a c='1'/>", &ch)
	read("<a/>", &lazy{})
	read("<a><b/></a>", &lazy{})
	var wrong struct {
		XMLName xml.Name `xml:"n e"`
	}
	read("<f/>", &wrong)
	read("<e/>", &wrong)
	read("<e xmlns='m'/>", &wrong)
	read("<e xmlns='n'/>", &wrong)
	read("", &wrong)
	read("<!-- only -->", &wrong)
	show(struct {
		A int `xml:"a,attr,chardata"`
	}{})
	show(struct {
		A int `xml:"n "`
	}{})
	show(struct {
		A int `xml:"a>"`
	}{})
	show(struct {
		A int `xml:"a>b,attr"`
	}{})
	type dup struct {
		A int `xml:"x"`
		B int `xml:"x"`
	}
	show(dup{})
	type path struct {
		A int `xml:"x>y"`
		B int `xml:"x"`
	}
	show(path{})
	show(struct {
		A Item `xml:"other"`
	}{})
	read("<a>"+strings.Repeat("<a>", 3), &i)
	var nested struct {
		N []Any `xml:",any"`
	}
	read(strings.Repeat("<a>", 20000)+strings.Repeat("</a>", 20000), &nested)
}
