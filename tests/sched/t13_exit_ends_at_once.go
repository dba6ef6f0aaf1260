// run exit=3
package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("never")
	for i := 0; i < 10; i++ {
		go func() {
			for {
			}
		}()
	}
	fmt.Println("over")
	os.Exit(3)
}
