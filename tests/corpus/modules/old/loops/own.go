// run exit=1

//go:build go1.22

package loops

import "fmt"

func Own() (fs []func()) {
	for x := range 2 {
		fs = append(fs, func() { fmt.Print(x, " ") })
	}
	return
}
