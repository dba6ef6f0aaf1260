// run

// A short text is looked up in the dictionary at levels 7 to 9 only.
package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

func main() {
	text := []byte("A short text, which the dictionary has.")
	for _, level := range []int{6, 7, 8, 9} {
		var b bytes.Buffer
		w, _ := zlib.NewWriterLevelDict(&b, level, text)
		w.Write(text)
		w.Close()
		fmt.Println(level, b.Len())
		r, err := zlib.NewReaderDict(&b, text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		got, err := io.ReadAll(r)
		fmt.Printf("%s %v\n", got, err)
	}
}
