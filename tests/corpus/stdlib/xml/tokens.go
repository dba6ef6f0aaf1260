// run

// Tokens: name spaces, entities, positions, lenient reading, writing, and the texts of errors.
package main

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

func tokens(d *xml.Decoder, raw bool) {
	for {
		t, err := d.Token, d.RawToken
		next := t
		if raw {
			next = err
		}
		tok, e := next()
		line, column := d.InputPos()
		switch tok := tok.(type) {
		case xml.CharData:
			fmt.Printf("  text %q", tok)
		case xml.Comment:
			fmt.Printf("  comment %q", tok)
		case xml.Directive:
			fmt.Printf("  directive %q", tok)
		case xml.ProcInst:
			fmt.Printf("  inst %s %q", tok.Target, tok.Inst)
		default:
			fmt.Printf("  %T %v", tok, tok)
		}
		fmt.Println("", d.InputOffset(), line, column)
		if e != nil {
			fmt.Println(" ", e)
			return
		}
	}
}

// rot is a character set.
type rot struct{ r io.Reader }

func (r rot) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	for i := range b[:n] {
		if c := b[i] | 0x20; 'a' <= c && c <= 'z' {
			b[i] = b[i] - c + 'a' + (c-'a'+13)%26
		}
	}
	return n, err
}

type failing struct{ n int }

func (f *failing) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

func main() {
	const doc = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE a [<!-- x --><!ENTITY y "<z>">]>
<a xmlns="urn:one" xmlns:p="urn:two" p:k='1 "2"' xml:lang="de">
  t&lt;&#65;&#x1F600;<p:b/><c xmlns="">é</c><!-- c --><![CDATA[<&]] ]]>
</a>`
	tokens(xml.NewDecoder(strings.NewReader(doc)), false)
	tokens(xml.NewDecoder(bufio.NewReader(strings.NewReader(doc))), true)

	for _, bad := range []string{
		"<a>", "<a", "<", "<a></b>", "</a>", "<a b></a>", "<a b=c></a>", "<a b='<'/>", "<a b='x",
		"<a>&x;</a>", "<a>&x</a>", "<a>& </a>", "<a>&#x110000;</a>", "<a>&#1;</a>", "<a>\x01</a>",
		"<a>\xff</a>", "<a>]]></a>", "<![CDATA[x", "<![CDAT[", "<!-x", "<!-- a -- b -->", "<!-- a",
		"<?", "<?x", "<?x y?", "<1/>", "<a:b:c/>", "<a/ >", "</ a>", "</a b>", "<é·/>", "<·/>",
		"<a xmlns:p='u'></p:a>", "<p:a></q:a>", "<!d <", "<!d '>", "<?xml version='1.1'?>",
		"<?xml encoding='latin1'?>", "a\r\nb\rc", "\n\n<a>\n</b>", "<a\n", "<a>\ufffe</a>",
		"<a b='\r\n'>&#xD;</a>", "<:a/>", "<a:/>", "&amp;", "<a>&é;</a>",
	} {
		fmt.Printf("%q\n", bad)
		tokens(xml.NewDecoder(strings.NewReader(bad)), false)
	}

	fmt.Println("lenient")
	d := xml.NewDecoder(strings.NewReader(
		"<p class=big disabled>a<br>b&nbsp;c&who;<i>d</p></i><img src='x'>"))
	d.Strict = false
	d.AutoClose = xml.HTMLAutoClose
	d.Entity = xml.HTMLEntity
	d.DefaultSpace = "html"
	tokens(d, false)

	fmt.Println("character sets")
	d = xml.NewDecoder(strings.NewReader("<?xml version='1.0' encoding='rot13'?><uryyb>jbeyq</uryyb>"))
	d.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		fmt.Println(name)
		return rot{r}, nil
	}
	tokens(d, false)
	d = xml.NewDecoder(bytes.NewReader([]byte("<?xml encoding=\"x\"?>")))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, io.ErrNoProgress }
	_, err := d.Token()
	fmt.Println(err, errors.Is(err, io.ErrNoProgress))

	// What is behind an element stays in the reader.
	r := strings.NewReader("<a>1</a>rest")
	var n int
	fmt.Println(xml.NewDecoder(r).Decode(&n), n, r.Len())
	d = xml.NewDecoder(strings.NewReader("<a><b><c/></b>x</a>"))
	d.Token()
	d.Token()
	fmt.Println(d.Skip())
	tokens(d, false)
	t, err := xml.NewTokenDecoder(xml.NewDecoder(strings.NewReader("<a/>"))).Token()
	fmt.Println(t, err)

	fmt.Println("writing")
	var b bytes.Buffer
	e := xml.NewEncoder(&b)
	e.Indent("", " ")
	start := xml.StartElement{Name: xml.Name{Space: "u", Local: "a"}, Attr: []xml.Attr{
		{Name: xml.Name{Space: "http://x/y#z", Local: "k"}, Value: "\t<>&'\"\n"},
		{Name: xml.Name{Space: "http://x/xmlish", Local: "k"}, Value: "1"},
		{Name: xml.Name{Space: "http://y/xmlish/", Local: "k"}, Value: "2"},
		{Name: xml.Name{Space: "http://www.w3.org/XML/1998/namespace", Local: "lang"}, Value: "de"},
		{Name: xml.Name{Local: ""}, Value: "no"}}}
	for _, t := range []xml.Token{
		xml.ProcInst{Target: "xml", Inst: []byte(`version="1.0"`)}, xml.Directive("DOCTYPE <a '>'>"),
		start, xml.CharData("a\n\r\tb<\x00"), xml.Comment(" c "), start, start.End(),
		xml.StartElement{}, xml.EndElement{}, xml.EndElement{Name: xml.Name{Local: "b"}},
		xml.EndElement{Name: xml.Name{Local: "a"}}, xml.Comment("-->"), xml.Directive(">"),
		xml.ProcInst{Target: "xml"}, xml.ProcInst{Target: "1"},
		xml.ProcInst{Target: "x", Inst: []byte("?>")}, 7, nil,
	} {
		if err := e.EncodeToken(t); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(e.EncodeElement(1, xml.StartElement{}))
	fmt.Println(e.Close(), e.Close(), e.EncodeToken(xml.CharData("x")))
	fmt.Println(b.String())
	fmt.Println(xml.NewEncoder(&b).EncodeToken(start.End()))
	fmt.Println(xml.NewEncoder(&failing{3}).Encode(strings.Repeat("x", 5000)))
	fmt.Println(xml.EscapeText(&failing{1}, []byte("a<b")))
	b.Reset()
	xml.Escape(&b, []byte("a<b>\xff\x02'\"\n"))
	fmt.Println(b.String())
	c := xml.CopyToken(xml.CharData("x"))
	fmt.Printf("%T %s\n", c, c)
}
