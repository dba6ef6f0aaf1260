// run

// net/mail: messages, addresses, dates, and what is wrong with them.
package main

import (
	"fmt"
	"io"
	"mime"
	"net/mail"
	"strings"
)

func main() {
	for _, text := range []string{
		"From: A <a@b.c>\r\nSubject: x\r\n y\r\nto: p@q, R <r@s>\r\nDate: Fri, 21 Nov 1997 09:55:06 -0600\r\n\r\nbody\r\n",
		"From: a@b.c\n\nunix", "A: b", "", "\r\nbody", " bad\r\n\r\n", "no colon\r\n\r\n", "A: b\r\nbad\r\n\r\n",
		": v\r\nA: b\r\n\r\n", "A b: c\r\n\r\n",
	} {
		m, err := mail.ReadMessage(strings.NewReader(text))
		if err != nil {
			fmt.Printf("%q: %v\n", text, err)
			continue
		}
		body, err := io.ReadAll(m.Body)
		fmt.Printf("%q %q %v\n", m.Header, body, err)
		fmt.Println(m.Header.Date())
		fmt.Println(m.Header.AddressList("To"))
		fmt.Println(m.Header.Get("subject"))
	}
	for _, a := range []string{
		"a@b.c", "<a@b.c>", "A B <a@b.c>", `"A \"B\"" <a@b.c>`, "a@b.c (A (x) B)", "=?utf-8?q?J=C3=B6rg?= <j@x>",
		"=?utf-8?q?J?= =?utf-8?b?w7Y=?= K <j@x>", "=?iso-8859-1?q?J=F6?= <j@x>", "=?koi8-r?q?x?= <j@x>",
		`"a b"@c.d`, `""@c.d`, "a@[127.0.0.1]", "a@[IPv6:::1]", "a@[IPv6:1.2.3.4]", "a@[x]", "a@[1", "a@[\xff]",
		"", " ", "a", "a b", "a@", "@b", "a..b@c", ".a@b", "a.@b", "a@b.", "A <a@b", "A <a>", "<>", "a@b c@d",
		"G: a@b, c@d;", "G:;", "G: a@b;", "A (c <a@b>", `"open <a@b>`, "\"a\x01\" <b@c>", "a\xff@b", "é@ü.de",
		"a@b (x", "A.B. <a@b.c>", "A (c) B <a@b.c>", "x:y", `"\` + "\x01" + `"@b`, "a@b(=?utf-8?q?=C3=A9?=)", "a@b (=?z?q?x?=)",
	} {
		got, err := mail.ParseAddress(a)
		if err != nil {
			fmt.Printf("%q: %v\n", a, err)
			continue
		}
		fmt.Printf("%q: %q %q %s\n", a, got.Name, got.Address, got)
	}
	for _, l := range []string{
		"a@b, C <c@d>,, e@f,", "G: a@b, H <h@i>; , c@d", "a@b c@d", "a@b (x) , (y) c@d", ",", "a@b;", "G: a@b c@d;", "G: (x) ;",
	} {
		got, err := mail.ParseAddressList(l)
		fmt.Printf("%q: %v %v\n", l, got, err)
	}
	for _, a := range []mail.Address{
		{"", "a@b"}, {"A B", "a@b"}, {`q"\`, "a@b"}, {"é", "a@b"}, {"é, x", "a@b"}, {"", "a b@c"}, {"", "a.b@c"},
		{"", ".a@c"}, {"", "a@b@c"}, {"", "nodomain"}, {"\x01", "a@b"},
	} {
		fmt.Println(&a)
	}
	for _, d := range []string{
		"Fri, 21 Nov 1997 09:55:06 -0600", "21 Nov 97 09:55 GMT", "Fri, 21 Nov 1997 09:55:06 -0600 (CST (x))",
		"Thu, 20 Nov 1997 09:55:06 MDT (MDT)", "Fri, 21 Nov 1997 09:55:06 UT", "Fri, 21 Nov 1997", "x\ry", "",
		"Fri, 21 Nov 1997\r\n 09:55:06 +0000 (open", "  1 Jan 2020 00:00 +0100", "Tue, 1 Jan 2020 00:00 EST",
	} {
		t, err := mail.ParseDate(d)
		fmt.Printf("%q: %v %v\n", d, t.UTC(), err)
	}
	p := mail.AddressParser{WordDecoder: &mime.WordDecoder{
		CharsetReader: func(charset string, r io.Reader) (io.Reader, error) {
			b, _ := io.ReadAll(r)
			return strings.NewReader(charset + ":" + string(b)), nil
		}}}
	fmt.Println(p.Parse("=?koi8-r?q?x?= <j@x>"))
	fmt.Println(p.ParseList("a@b, =?z?q?x?= <j@x>"))
	fmt.Println(mail.Header{}.Date())
}
