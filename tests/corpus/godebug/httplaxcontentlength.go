// run
//go:debug httplaxcontentlength=1

// With httplaxcontentlength=1 a Content-Length may be empty.
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	const text = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nabc"
	read := func() {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err == nil {
			fmt.Println(r.ContentLength, r.Header)
		}
		fmt.Println(err)
	}
	read()
	os.Setenv("GODEBUG", "httplaxcontentlength=0")
	read()
}
