// run exit=2
package main

func main() {
	defer func() { println("not recoverable", recover()) }()
	m := map[int]int{}
	go func() {
		for i := 0; ; i++ {
			m[i%1000] = i
		}
	}()
	for n := 0; ; {
		n += m[5]
	}
}
