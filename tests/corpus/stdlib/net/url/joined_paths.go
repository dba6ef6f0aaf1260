// run

// Paths that are joined to a URL: empty elements and dots, folders, and bases without a root.
package main

import (
	"fmt"
	"net/url"
)

var bases = []string{
	"", "/", "a", "/a", "a/", "http://h", "http://h/a/b/", "http://h/a/../b", "http://h/a%2fb/",
	"../x", "//h/", "http://h/./", "mailto:x", "/a//b/", "http://h?q#f", "a/..", "http://h/..",
}

var elements = [][]string{
	{}, {""}, {"/"}, {"a"}, {"a/"}, {".."}, {"../"}, {"a", ".."}, {"a", "b/"}, {".", "./"},
	{"a%2fb"}, {"x", "", ""}, {"//"}, {"%"}, {"a?b"}, {"é"}, {"..", "..", "c"}, {"a/", "./"},
}

func main() {
	for _, base := range bases {
		for _, elem := range elements {
			joined, err := url.JoinPath(base, elem...)
			fmt.Printf("%q %q: %q %v", base, elem, joined, err)
			if u, err := url.Parse(base); err == nil {
				v := u.JoinPath(elem...)
				fmt.Printf(" %q %q", v.Path, v.RawPath)
			}
			fmt.Println()
		}
	}
}
