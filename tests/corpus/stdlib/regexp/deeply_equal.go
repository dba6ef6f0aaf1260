// run

// Regexps of the same expression are deeply equal, whatever has been done with them.
package main

import (
	"fmt"
	"reflect"
	"regexp"
)

func main() {
	a, b := regexp.MustCompile("a.*b"), regexp.MustCompile("a.*b")
	fmt.Println(reflect.DeepEqual(a, b))
	a.MatchString("xaxbx")
	fmt.Println(reflect.DeepEqual(a, b), reflect.DeepEqual(a, regexp.MustCompile("a.*c")))
	c := regexp.MustCompile("a|ab")
	d := regexp.MustCompile("a|ab")
	d.Longest()
	fmt.Println(reflect.DeepEqual(c, d), c.FindString("ab"), d.FindString("ab"), c.FindString("ab"))
	fmt.Println(regexp.MustCompilePOSIX("a|ab").FindString("ab"))
	for i := range 1200 {
		r := regexp.MustCompile(fmt.Sprint("x", i, "$"))
		if !r.MatchString(fmt.Sprint("yx", i)) || r.MatchString("x") {
			fmt.Println("wrong", i)
		}
	}
	fmt.Println(a.MatchString("xaxbx"), a.MatchString("b"))
}
