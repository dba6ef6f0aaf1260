// run

// What a MapFS hands out, by the names of the types.
package main

import (
	"fmt"
	"testing/fstest"
)

func main() {
	files := fstest.MapFS{"a/b": &fstest.MapFile{Data: []byte("b")}}
	for _, name := range []string{".", "a", "a/b"} {
		f, err := files.Open(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		info, err := f.Stat()
		fmt.Printf("%s: %T %T %v\n", name, f, info, err)
	}
	list, err := files.ReadDir("a")
	fmt.Printf("%T %v\n", list[0], err)
	below, err := files.Sub("a")
	fmt.Printf("%T %v\n", below, err)
}
