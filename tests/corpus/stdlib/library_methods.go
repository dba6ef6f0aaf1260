// errorcheck

// Methods of the standard library in messages: those that a program does not call as well.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"time"
)

type wrongWriter interface {
	Write(p string) (int, error)
}
type moreThanReader interface {
	io.Reader
	ReadX()
}

func F[T fmt.Stringer](t T) {}
func S[T interface {
	~[]E
	Len() int
}, E any](t T) {}

func main() {
	var _ wrongWriter = os.Stdout
	var _ moreThanReader = strings.NewReader("x")
	var _ io.Writer = bytes.Buffer{}
	F(time.Now)
	F(os.Stdout)
	S(sort.IntSlice{})
	S([]int{})
	os.Stdout.NoSuch()
	os.Stdout.name()
	var _ interface{ read() } = strings.NewReader("")
	_ = io.Reader(os.Stdout) == bytes.Buffer{}
}
