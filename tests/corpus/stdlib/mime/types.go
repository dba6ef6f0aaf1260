// run
// Media types, words of headers, and quoted-printable text.
package main

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"strings"
)

func main() {
	for _, v := range []string{
		"text/html; charset=utf-8", "TEXT/HTML;Charset=\"a b\\\"c\"", "form-data", "", "a/", "a b", "a/b c", "/b",
		"text/plain;", "text/plain; ;", "text/plain; a", "text/plain; a=", "text/plain; a=b; a=b", "text/plain; a=b; A=c",
		"x/y; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A", "x/y; t*0*=us-ascii'en'This%20is; t*1*=%20fun; t*2=\"!\"",
		"x/y; t*0=a; t*2=b", "x/y; t*=latin1''a", "x/y; t*=utf-8''%zz", "x/y; t*1=b", `attachment; filename="C:\dev\go\foo.txt"`,
		`a; b="un`, "a; b=\"x\ny\"", "a; b = c ; d=e", "text/html; charset", "a; b*=c", "a; b*0*=utf-8''%E2%82; b*1*=%AC",
	} {
		t, p, err := mime.ParseMediaType(v)
		fmt.Printf("%q %q %v %v\n", v, t, p, err)
	}
	for _, p := range []map[string]string{nil, {"A": "b"}, {"a": "b c", "c": "d\"e\\"}, {"a": "ä*"}, {"a b": "c"}, {"a": ""}, {"a": "x'%\x00"}} {
		for _, t := range []string{"Text/HTML", "inline", "a/b/c", "", "a b"} {
			fmt.Printf("%q\n", mime.FormatMediaType(t, p))
		}
	}
	for _, e := range []string{".html", ".HTML", ".Png", ".nothing", "", ".JÄ", ".js", ".json"} {
		fmt.Printf("%q %q\n", e, mime.TypeByExtension(e))
	}
	fmt.Println(mime.AddExtensionType("abc", "text/x"), mime.AddExtensionType(".Abc", "text/x-abc"), mime.AddExtensionType(".q", "bad type"))
	fmt.Println(mime.TypeByExtension(".Abc"), mime.TypeByExtension(".ABC"))
	fmt.Println(mime.ExtensionsByType("text/x-abc"))
	fmt.Println(mime.ExtensionsByType("nothing/here"))
	fmt.Println(mime.ExtensionsByType("no type"))

	for _, s := range []string{"plain", "¡Hola, señor!", "a=b?c_d ä", strings.Repeat("ä", 60), strings.Repeat("x", 80) + "é", "\x80\xff", "tab\tä"} {
		for _, e := range []mime.WordEncoder{mime.BEncoding, mime.QEncoding} {
			for _, c := range []string{"UTF-8", "iso-8859-1"} {
				w := e.Encode(c, s)
				fmt.Println(w)
				fmt.Printf("%q\n", func() string { t, err := new(mime.WordDecoder).DecodeHeader(w); return fmt.Sprint(t, err) }())
			}
		}
	}
	d := &mime.WordDecoder{CharsetReader: func(c string, in io.Reader) (io.Reader, error) {
		if c == "bad" {
			return nil, fmt.Errorf("no %s", c)
		}
		b, _ := io.ReadAll(in)
		return bytes.NewReader(bytes.ToUpper(b)), nil
	}}
	for _, w := range []string{
		"=?UTF-8?q?caf=C3=A9?=", "=?UTF-8?B?Y2Fmw6k=?=", "=?utf-8?q??=", "=?ISO-8859-1?Q?=e9_x?=", "=?us-ascii?q?=e9?=", "=?odd?q?abc?=", "=?bad?q?abc?=",
		"=?utf-8?x?abc?=", "=?utf-8?q?=z1?=", "=?utf-8?q?=1?=", "=?utf-8?B?!?=", "=?utf-8?q?a?b?=", "=??q?a?=", "plain", "=?utf-8?q?a\x01?=", "=?utf-8?qq?a?=",
		"a =?utf-8?q?b?= =?utf-8?q?c?=  d", "=?utf-8?q?b?=x=?utf-8?q?c?=", "=?utf-8?q?b?= =?utf-8?z?c?= =?utf-8?q?d?=", "=?utf-8?q?b", "=?", "=?a?", "=?a?q?",
		"=?utf-8?q?b?=\r\n\t=?utf-8?q?c?=",
	} {
		a, err := d.Decode(w)
		b, err2 := d.DecodeHeader(w)
		fmt.Printf("%q: %q %v, %q %v\n", w, a, err, b, err2)
	}

	for _, s := range []string{
		"", "foo bar", "foo bar=3D", "foo bar=\n", "foo bar=\nbaz", "a  \nb\t\r\nc", "=", "=\n", "a=", "a=4", "a=4z", "a=zz", "x=\r\r\ny", "\x01", "é", "a= \nb", "a=  x\nb", "foo=\r\n\r\nbar", "=0", "= ", "a=3d b=3D\n",
	} {
		b, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(s)))
		fmt.Printf("%q %q %v\n", s, b, err)
	}
	for _, binary := range []bool{false, true} {
		for _, s := range []string{"", "a = b", "line\nline\r\nend \nx\t", strings.Repeat("abcdefg ", 24), strings.Repeat("=", 40), "\r\xff\n", "\r\r\n\n", "ä" + strings.Repeat("x", 74) + " "} {
			var b bytes.Buffer
			w := quotedprintable.NewWriter(&b)
			w.Binary = binary
			n, err := w.Write([]byte(s))
			fmt.Printf("%d %v %v %q\n", n, err, w.Close(), b.String())
		}
	}
}
