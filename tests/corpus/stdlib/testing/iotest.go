// run

// Readers and writers for tests, and what TestReader finds wrong.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"testing/iotest"
)

type wrong struct {
	*strings.Reader
	at string
}

func (w wrong) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if w.at == "data" && n > 0 {
		p[0]++
	}
	return n, err
}

func (w wrong) Seek(by int64, whence int) (int64, error) {
	n, err := w.Reader.Seek(by, whence)
	if w.at == "seek" {
		n++
	}
	return n, err
}

func (w wrong) ReadAt(p []byte, at int64) (int, error) {
	n, err := w.Reader.ReadAt(p, at)
	if w.at == "readat" && n > 0 {
		p[n-1] = '!'
	}
	return n, err
}

func reads(name string, r io.Reader) {
	var sizes []int
	p := make([]byte, 5)
	for range 20 {
		n, err := r.Read(p)
		sizes = append(sizes, n)
		if err != nil {
			fmt.Println(name, sizes, err)
			return
		}
	}
	fmt.Println(name, sizes)
}

func main() {
	text := "hello, world"
	reads("one", iotest.OneByteReader(strings.NewReader(text)))
	reads("half", iotest.HalfReader(strings.NewReader(text)))
	reads("dataerr", iotest.DataErrReader(strings.NewReader(text)))
	reads("timeout", iotest.TimeoutReader(strings.NewReader(text)))
	reads("err", iotest.ErrReader(errors.New("mine")))
	n, err := iotest.OneByteReader(strings.NewReader(text)).Read(nil)
	fmt.Println(n, err)

	var b bytes.Buffer
	w := iotest.TruncateWriter(&b, 7)
	for _, s := range []string{"abc", "defgh", "ijk"} {
		n, err := io.WriteString(w, s)
		fmt.Println(n, err, b.String())
	}

	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	io.Copy(iotest.NewWriteLogger("w:", io.Discard), iotest.NewReadLogger("r:", iotest.HalfReader(strings.NewReader("xy"))))
	iotest.NewReadLogger("r:", iotest.ErrReader(io.ErrClosedPipe)).Read(make([]byte, 3))

	for _, at := range []string{"", "data", "seek", "readat"} {
		fmt.Println(at, iotest.TestReader(wrong{strings.NewReader(text), at}, []byte(text)))
	}
	fmt.Println(iotest.TestReader(strings.NewReader("short"), []byte("shorter")))
	fmt.Println(iotest.TestReader(strings.NewReader(""), nil))
	fmt.Println(iotest.TestReader(iotest.TimeoutReader(strings.NewReader(text)), []byte(text)))
}
