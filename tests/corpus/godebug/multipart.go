// run
//go:debug multipartmaxheaders=3
//go:debug multipartmaxparts=2

// multipartmaxheaders=N and multipartmaxparts=N are how many headers and parts a form may have.
package main

import (
	"fmt"
	"mime/multipart"
	"os"
	"strings"
)

func form(parts, headers int) {
	var text strings.Builder
	for i := range parts {
		fmt.Fprintf(&text, "--b\r\nContent-Disposition: form-data; name=\"a%d\"\r\n", i)
		for j := range headers - 1 {
			fmt.Fprintf(&text, "X-%d: y\r\n", j)
		}
		text.WriteString("\r\nv\r\n")
	}
	text.WriteString("--b--\r\n")
	f, err := multipart.NewReader(strings.NewReader(text.String()), "b").ReadForm(1000)
	if f != nil {
		fmt.Println(f.Value)
	}
	fmt.Println(parts, headers, err)
}

func main() {
	form(1, 1)
	form(2, 1)
	form(3, 1)
	form(1, 3)
	form(1, 4)
	os.Setenv("GODEBUG", "multipartmaxheaders=100,multipartmaxparts=100")
	form(3, 4)
}
