// run exit=2
package main

func main() {
	defer func() { println("not recoverable", recover()) }()
	m := map[int]int{}
	for i := 0; i < 1000; i++ {
		m[i] = i
	}
	go func() {
		for i := 0; ; i++ {
			m[i%1000] = i
		}
	}()
	for n := 0; ; {
		for k := range m {
			n += k
		}
	}
}
