// run
//go:debug urlmaxqueryparams=2
//go:debug urlstrictcolons=0

// urlmaxqueryparams=N is how many parameters a query may have; with urlstrictcolons=0 a host may have
// several colons.
package main

import (
	"fmt"
	"net/url"
	"os"
)

func main() {
	for _, q := range []string{"a=1", "a=1&b=2", "a=1&b=2&c=3"} {
		fmt.Println(url.ParseQuery(q))
	}
	parse := func() {
		u, err := url.Parse("http://a:b:1/")
		fmt.Println(u, err)
	}
	parse()
	os.Setenv("GODEBUG", "urlstrictcolons=1,urlmaxqueryparams=0")
	parse()
	v, err := url.ParseQuery("a=1&b=2&c=3")
	fmt.Println(v, err)
}
