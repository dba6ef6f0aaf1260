// run exit=3
package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("not printed")
	fmt.Println("printed")
	os.Exit(3)
}
