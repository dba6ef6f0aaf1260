// Package embedded: the values of variables below //go:embed. Programs cannot import it.
package embedded

import "unsafe"

// file is laid out as package embed's.
type file struct {
	name string
	data string
}

// Value returns the value of a variable, from names of files and what these hold, in turn. T is a
// string, a slice of bytes, or embed.FS; the compiler has seen to that.
func Value[T any](list ...string) (v T) {
	switch unsafe.Sizeof(v) {
	case unsafe.Sizeof(""):
		*(*string)(unsafe.Pointer(&v)) = only(list)
	case unsafe.Sizeof([]byte{}):
		*(*[]byte)(unsafe.Pointer(&v)) = []byte(only(list))
	default:
		files := make([]file, len(list)/2)
		for i := range files {
			files[i] = file{list[2*i], list[2*i+1]}
		}
		*(**[]file)(unsafe.Pointer(&v)) = &files
	}
	return v
}

// only returns what the only file of a list holds; beside it there are the folders that it is in.
func only(list []string) string {
	for i := 0; ; i += 2 {
		if name := list[i]; name[len(name)-1] != '/' {
			return list[i+1]
		}
	}
}
