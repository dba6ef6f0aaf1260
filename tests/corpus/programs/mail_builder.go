// run

// Mails with attachments built part by part, read back, and addresses and words taken apart.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"slices"
	"strings"
	"unicode/utf8"
)

type attachment struct {
	name, typ string
	data      []byte
}

type message struct {
	from, subject string
	to            []string
	text, html    string
	files         []attachment
}

type wrapped struct {
	w io.Writer
	n int
}

func (l *wrapped) Write(b []byte) (int, error) {
	for i, c := range b {
		if l.n == 76 {
			io.WriteString(l.w, "\r\n")
			l.n = 0
		}
		if _, err := l.w.Write([]byte{c}); err != nil {
			return i, err
		}
		l.n++
	}
	return len(b), nil
}

func (m message) write(w io.Writer) error {
	head := textproto.MIMEHeader{}
	head.Set("from", m.from)
	head.Set("to", strings.Join(m.to, ", "))
	head.Set("subject", mime.QEncoding.Encode("utf-8", m.subject))
	head.Set("mime-version", "1.0")
	mixed := multipart.NewWriter(w)
	mixed.SetBoundary("mixed")
	head.Set("content-type", mime.FormatMediaType("multipart/mixed",
		map[string]string{"boundary": "mixed"}))
	keys := []string{}
	for k := range head {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(w, "%s: %s\r\n", k, head.Get(k))
	}
	io.WriteString(w, "\r\n")

	alt := multipart.NewWriter(nil)
	alt.SetBoundary("alt=er native")
	pw, err := mixed.CreatePart(textproto.MIMEHeader{"Content-Type": {mime.FormatMediaType("multipart/alternative", map[string]string{"boundary": alt.Boundary()})}})
	if err != nil {
		return err
	}
	alt = multipart.NewWriter(pw)
	alt.SetBoundary("alt=er native")
	for typ, text := range map[string]string{"text/plain": m.text} {
		if err := writeText(alt, typ, text); err != nil {
			return err
		}
	}
	if err := writeText(alt, "text/html", m.html); err != nil {
		return err
	}
	alt.Close()
	for _, f := range m.files {
		pw, err := mixed.CreatePart(textproto.MIMEHeader{
			"Content-Type":              {f.typ},
			"Content-Transfer-Encoding": {"base64"},
			"Content-Disposition": {mime.FormatMediaType("attachment",
				map[string]string{"filename": f.name})},
		})
		if err != nil {
			return err
		}
		enc := base64.NewEncoder(base64.StdEncoding, &wrapped{w: pw})
		enc.Write(f.data)
		enc.Close()
	}
	return mixed.Close()
}

func writeText(w *multipart.Writer, typ, text string) error {
	pw, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Type":              {typ + "; charset=utf-8"},
		"Content-Transfer-Encoding": {"quoted-printable"},
	})
	if err != nil {
		return err
	}
	qp := quotedprintable.NewWriter(pw)
	io.WriteString(qp, text)
	return qp.Close()
}

func walk(depth int, typ string, body io.Reader, encoding string) error {
	media, params, err := mime.ParseMediaType(typ)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(media, "multipart/") {
		if encoding == "base64" {
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		b, err := io.ReadAll(body)
		fmt.Printf("%*s%s %v %d %q %v\n", depth*2, "", media, params, len(b), string(b[:min(len(b),
			40)]), utf8.Valid(b))
		return err
	}
	fmt.Printf("%*s%s\n", depth*2, "", media)
	r := multipart.NewReader(body, params["boundary"])
	for {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if f := p.FileName(); f != "" {
			fmt.Printf("%*sfile %q\n", depth*2+2, "", f)
		}
		if err := walk(depth+1, p.Header.Get("Content-Type"), p,
			p.Header.Get("Content-Transfer-Encoding")); err != nil {
			return err
		}
	}
}

func main() {
	m := message{
		from: "Ann <ann@example.com>", to: []string{"bob@example.org", "c@d.e"},
		subject: "Grüße aus Köln: a rather long subject line with ünicode, 漢字 and so on, to be folded",
		text:    "Hello,\n\na line with = signs and trailing space \nand a very long line " + strings.Repeat("long ", 30) + "\n.\n",
		html:    "<p style=\"x\">Grüße</p>",
		files: []attachment{{"plain.bin", "application/octet-stream", bytes.Repeat([]byte{0, 1,
			254}, 50)}, {"näme with spaces.txt", "text/plain", []byte("t")}},
	}
	var buf bytes.Buffer
	fmt.Println(m.write(&buf))
	fmt.Printf("%s\n", strings.ReplaceAll(buf.String(), "\r", ""))
	r := textproto.NewReader(bufio.NewReader(&buf))
	h, err := r.ReadMIMEHeader()
	dec := new(mime.WordDecoder)
	subject, err2 := dec.DecodeHeader(h.Get("Subject"))
	fmt.Println(len(h), err, subject == m.subject, err2)
	fmt.Println(walk(0, h.Get("Content-Type"), r.R, ""))

	for _, s := range []string{"=?utf-8?q?caf=C3=A9?=", "=?ISO-8859-1?B?4Q==?= x",
		"=?utf-8?q?a?= =?utf-8?q?b?=", "=?x?q?y?=", "=?utf-8?z?y?=", "plain"} {
		a, err := dec.DecodeHeader(s)
		b, err2 := dec.Decode(s)
		fmt.Printf("%q %v %q %v\n", a, err, b, err2)
	}
	for _, s := range []string{`text/html; charset="utf-8"; x=y`,
		"a/b; filename*=UTF-8''na%C3%AFve.txt", "form-data; a=1; a=2", "bad/", "; x", "text/plain;",
		"a/b; x*0=ab; x*1=cd"} {
		t, p, err := mime.ParseMediaType(s)
		fmt.Println(t, p, err)
	}
	fmt.Println(mime.BEncoding.Encode("utf-8", "é"), mime.TypeByExtension(".html"),
		mime.FormatMediaType("a/b", map[string]string{"x": "a b", "y": "é"}))
	q, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader("a=3Db=\r\nc=ZZ")))
	fmt.Printf("%q %v\n", q, err)
}
