// run exit=2
package main

import "fmt"

type I interface{ M() }

func main() {
	defer func() {
		fmt.Println(recover())
		var x interface{} = 5
		_ = x.(string)
	}()
	var x interface{} = "s"
	_ = x.(I)
}
