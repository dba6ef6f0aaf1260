// run
// Bodies of several parts, and forms.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"os"
	"slices"
	"strings"
)

func show(boundary, text string, raw bool) {
	r := multipart.NewReader(strings.NewReader(text), boundary)
	for {
		next := r.NextPart
		if raw {
			next = r.NextRawPart
		}
		p, err := next()
		if err != nil {
			fmt.Printf("end: %v\n", err)
			return
		}
		b, err := io.ReadAll(p)
		if len(b) > 60 {
			fmt.Printf("%v %q %q %d %v\n", p.Header, p.FormName(), p.FileName(), len(b), err)
			continue
		}
		fmt.Printf("%v %q %q %q %v\n", p.Header, p.FormName(), p.FileName(), b, err)
	}
}

func main() {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	fmt.Println(len(w.Boundary()), w.SetBoundary("a b"), w.SetBoundary("ends "), w.SetBoundary(""), w.SetBoundary(strings.Repeat("x", 71)), w.SetBoundary("ä"), w.SetBoundary("MyBound"))
	fmt.Println(w.FormDataContentType())
	w.WriteField("name", "value")
	w.WriteField(`qu"o\te`, "a\r\nb")
	f, _ := w.CreateFormFile("file", "x\r\ny.txt")
	io.WriteString(f, strings.Repeat("0123456789", 1000))
	p, _ := w.CreatePart(textproto.MIMEHeader{"X": {"1", "2"}, "A": {"b"}, "Content-Disposition": {`form-data; name=q; filename="../../etc/passwd"`}})
	_, err := f.Write(nil)
	fmt.Println(err, w.SetBoundary("late"))
	p.Write([]byte("end"))
	fmt.Println(w.Close())
	text := b.String()
	fmt.Printf("%q\n", strings.ReplaceAll(text, strings.Repeat("0123456789", 1000), "..."))
	show("MyBound", text, false)

	form, err := multipart.NewReader(strings.NewReader(text), "MyBound").ReadForm(100)
	fmt.Println(form.Value, err)
	for _, k := range []string{"file", "q"} {
		for _, h := range form.File[k] {
			f, err := h.Open()
			got, _ := io.ReadAll(f)
			at := make([]byte, 3)
			n, err2 := f.ReadAt(at, 1)
			fmt.Println(h.Filename, h.Size, len(got), err, n, err2, string(at))
			_, isFile := f.(*os.File)
			fmt.Println(isFile)
			f.Close()
		}
	}
	fmt.Println(form.RemoveAll())
	_, err = multipart.NewReader(strings.NewReader(text[:len(text)-20]), "MyBound").ReadForm(1 << 20)
	fmt.Println(err)

	for _, s := range []string{
		"--b\r\n\r\nx\r\n--b--", "--b\nA: b\n\nx\n--b\n\ny\n--b--\n", "pre\r\n--b\r\n\r\nx\r\n--b--\r\npost", "--b\r\n\r\nx", "", "--b--", "--b\r\n\r\nx\r\n--bc\r\n--b \t\r\n\r\ny\r\n--b-- ",
		"--b\r\n\r\n--b--", "--b\r\n\r\n--bx\r\n--b--", "--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na=3Db\r\n--b--", "--b\r\nbad\r\n\r\n--b--", "--b\r\n\r\nx\r\n--b-\r\n--b--",
		"--b\r\n\r\n" + strings.Repeat("long line\r\n-", 1000) + "\r\n--b--", "--b\r\n\r\n\r\n--b\r\n\r\n\r\n--b--", "x\n--b\r\n\r\ny\r\n--b\n\r\n",
	} {
		fmt.Printf("%.40q\n", s)
		show("b", s, false)
		show("b", s, true)
	}
	show("", "--\r\n\r\n", false)

	// Limits.
	var many bytes.Buffer
	w = multipart.NewWriter(&many)
	for range 1001 {
		w.WriteField("a", "b")
	}
	w.Close()
	_, err = multipart.NewReader(&many, w.Boundary()).ReadForm(1 << 20)
	fmt.Println(err, errors.Is(err, multipart.ErrMessageTooLarge))
	var big bytes.Buffer
	w = multipart.NewWriter(&big)
	w.WriteField("a", strings.Repeat("b", 11<<20))
	w.Close()
	_, err = multipart.NewReader(&big, w.Boundary()).ReadForm(0)
	fmt.Println(err)
	var heads bytes.Buffer
	w = multipart.NewWriter(&heads)
	h := textproto.MIMEHeader{}
	for i := range 10001 {
		h.Add(fmt.Sprintf("X-%d", i), "v")
	}
	w.CreatePart(h)
	w.Close()
	_, err = multipart.NewReader(&heads, w.Boundary()).NextPart()
	fmt.Println(err)

	names := []string{multipart.FileContentDisposition("a\"", "b\\"), multipart.FileContentDisposition("ä", "c")}
	slices.Sort(names)
	fmt.Println(names)
}
