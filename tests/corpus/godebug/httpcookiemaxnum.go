// run
//go:debug httpcookiemaxnum=3

// httpcookiemaxnum=N is how many cookies there may be.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	for _, n := range []int{3, 4} {
		text := strings.Repeat("a=b; ", n-1) + "a=b"
		cookies, err := http.ParseCookie(text)
		fmt.Println(len(cookies), err)
		r := &http.Request{Header: http.Header{"Cookie": {text}}}
		fmt.Println(len(r.Cookies()))
	}
	for _, setting := range []string{"httpcookiemaxnum=0", ""} {
		os.Setenv("GODEBUG", setting)
		cookies, err := http.ParseCookie(strings.Repeat("a=b; ", 3001))
		fmt.Println(len(cookies), err)
	}
}
