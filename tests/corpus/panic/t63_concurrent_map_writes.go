// run exit=2
package main

func write(m map[int]int, from int) {
	for i := 0; ; i++ {
		m[from+i%100] = i
	}
}

func main() {
	defer func() { println("not recoverable", recover()) }()
	m := map[int]int{}
	go write(m, 0)
	write(m, 50)
}
