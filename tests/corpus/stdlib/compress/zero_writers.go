// run

// Writers and readers that nobody made: those of compress and archive/zip, and a strings.Replacer.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"strings"
)

func try(what string, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("%s: panic %v\n", what, e)
		}
	}()
	fmt.Printf("%s: %v\n", what, f())
}

func main() {
	abc := []byte("abc")
	try("flate", func() any { var w flate.Writer; n, err := w.Write(abc); return fmt.Sprint(n, err) })
	try("flate", func() any { var w flate.Writer; n, err := w.Write(nil); return fmt.Sprint(n, err) })
	try("flate", func() any { var w flate.Writer; return w.Flush() })
	try("flate", func() any { var w flate.Writer; return w.Close() })
	try("flate", func() any { var w flate.Writer; w.Reset(&bytes.Buffer{}); return 1 })
	try("gzip", func() any { var w gzip.Writer; n, err := w.Write(abc); return fmt.Sprint(n, err) })
	try("gzip", func() any { var w gzip.Writer; return w.Flush() })
	try("gzip", func() any { var w gzip.Writer; return w.Close() })
	try("gzip", func() any { var r gzip.Reader; n, err := r.Read(make([]byte, 3)); return fmt.Sprint(n, err) })
	try("gzip", func() any { var r gzip.Reader; return r.Close() })
	try("zlib", func() any { var w zlib.Writer; n, err := w.Write(abc); return fmt.Sprint(n, err) })
	try("zlib", func() any { var w zlib.Writer; return w.Flush() })
	try("zlib", func() any { var w zlib.Writer; return w.Close() })
	for _, name := range []string{"x", ".", "../x", "a/b"} {
		try("zip", func() any { var r zip.Reader; f, err := r.Open(name); return fmt.Sprint(f != nil, err) })
	}
	try("zip", func() any { var r zip.ReadCloser; return r.Close() })
	try("zip", func() any { var w zip.Writer; _, err := w.Create("x"); return err })
	try("zip", func() any { var w zip.Writer; return w.Close() })
	try("zip", func() any { var w zip.Writer; return w.Flush() })
	try("zip", func() any { var f zip.File; _, err := f.Open(); return err })
	try("zip", func() any { var f zip.File; _, err := f.DataOffset(); return err })
	try("strings", func() any { var r strings.Replacer; return r.Replace("abc") })
	try("strings", func() any {
		var r strings.Replacer
		var b bytes.Buffer
		n, err := r.WriteString(&b, "abc")
		return fmt.Sprint(n, err, b.String())
	})
	try("strings", func() any { var r *strings.Replacer; return r.Replace("abc") })
	try("strings", func() any { return strings.NewReplacer("", "x", "b", "y").Replace("abc") })
}
