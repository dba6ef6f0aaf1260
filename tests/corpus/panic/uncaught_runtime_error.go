// run exit=2
package main

func index(s []int, i int) int { return s[i] }

func main() {
	s := []int{1, 2, 3}
	for i := range 5 {
		println(index(s, i))
	}
}
