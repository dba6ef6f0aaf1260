// run exit=1
package loops

import "fmt"

func Shared() (fs []func()) {
	for _, x := range []int{1, 2} {
		fs = append(fs, func() { fmt.Print(x, " ") })
	}
	return
}
