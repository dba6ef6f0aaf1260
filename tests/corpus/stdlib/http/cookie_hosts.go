// run

// A jar knows a host by its letters and by how they are written in ASCII.
package main

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

func main() {
	for _, domain := range []string{"", "xn--bcher-kva.de", "bücher.de", ".XN--bcher-kva.DE", "de."} {
		for _, setter := range []string{"bücher.de", "shop.bücher.de.", "xn--bcher-kva.de:80"} {
			jar, _ := cookiejar.New(nil)
			jar.SetCookies(&url.URL{Scheme: "http", Host: setter},
				[]*http.Cookie{{Name: "a", Value: "b", Domain: domain}})
			for _, host := range []string{"bücher.de", "www.xn--bcher-kva.de", "shop.bücher.de"} {
				fmt.Println(domain, setter, host, jar.Cookies(&url.URL{Scheme: "http", Host: host}))
			}
		}
	}
}
