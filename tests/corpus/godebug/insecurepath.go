// run
//go:debug tarinsecurepath=0
//go:debug zipinsecurepath=0

// With tarinsecurepath=0 and zipinsecurepath=0 names that lead outside are told of.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"runtime/metrics"
)

func main() {
	var t, z bytes.Buffer
	tw, zw := tar.NewWriter(&t), zip.NewWriter(&z)
	for _, name := range []string{"in", "../out"} {
		tw.WriteHeader(&tar.Header{Name: name})
		zw.Create(name)
	}
	tw.Close()
	zw.Close()
	read := func() {
		r := tar.NewReader(bytes.NewReader(t.Bytes()))
		for range 3 {
			h, err := r.Next()
			fmt.Println(h != nil, err)
		}
		zr, err := zip.NewReader(bytes.NewReader(z.Bytes()), int64(z.Len()))
		fmt.Println(len(zr.File), err)
	}
	read()
	os.Setenv("GODEBUG", "tarinsecurepath=1,zipinsecurepath=1")
	read()
	for _, name := range []string{"tar", "zip"} {
		sample := []metrics.Sample{{Name: "/godebug/non-default-behavior/" + name + "insecurepath:events"}}
		metrics.Read(sample)
		fmt.Println(sample[0].Value.Uint64())
	}
}
