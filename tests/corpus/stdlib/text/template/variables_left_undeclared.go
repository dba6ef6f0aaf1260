// run

// Variables that arguments of and and or declare, which are not always evaluated; functions that are
// replaced after the first execution; constants for parameters of several types.
package main

import (
	"fmt"
	"os"
	"text/template"
)

func main() {
	t := template.New("t").Funcs(template.FuncMap{
		"f":   func(a int8, b float32, c any, d string) string { return fmt.Sprint(a, b, c, d) },
		"who": func() string { return "first" },
	})
	run := func(text string) {
		_, err := t.Parse(text)
		if err == nil {
			err = t.Execute(os.Stdout, []int{0, 1})
		}
		fmt.Println(err)
	}
	run(`{{$q := 7}}{{range .}}{{if or . ($q := 2)}}{{$q}}{{end}}{{and . ($q := 3)}}{{$q}} {{end}}{{$q}}`)
	run(`{{if and false ($x := 1)}}{{else}}{{$x}}{{end}}`)
	run(`{{f 1 2 3 "x"}} {{f 300 1.5 'a' "y"}}`)
	run(`{{f 1 "b" 3 "x"}}`)
	run(`{{f 1 2 3 4}}`)
	run(`{{who}}`)
	t.Funcs(template.FuncMap{"who": func(a ...any) string { return "second" }})
	fmt.Println(t.Execute(os.Stdout, nil))
	clone := template.Must(t.Clone())
	clone.Funcs(template.FuncMap{"who": func() int { return 3 }})
	fmt.Println(clone.Execute(os.Stdout, nil), t.Execute(os.Stdout, nil))
}
