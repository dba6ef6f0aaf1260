// run
package main

import "fmt"

func classify(x int) string {
	switch {
	case x < 0:
		return "negative"
	case x == 0:
		return "zero"
	case x < 10:
		return "small"
	}
	return "large"
}

func fall(n int) (out []int) {
	switch n {
	case 1:
		out = append(out, 1)
		fallthrough
	case 2, 3:
		out = append(out, 2)
		fallthrough
	default:
		out = append(out, 9)
	case 4:
		out = append(out, 4)
	}
	return
}

func find(m [][]int, want int) (int, int) {
outer:
	for i, row := range m {
		for j, v := range row {
			if v < 0 {
				continue outer
			}
			if v == want {
				return i, j
			}
			if v == 99 {
				break outer
			}
		}
	}
	return -1, -1
}

func gotos() string {
	i := 0
	s := ""
loop:
	if i < 5 {
		s += fmt.Sprint(i)
		i++
		goto loop
	}
	goto done
done:
	return s
}

func side(s string, v int) int { fmt.Print(s, " "); return v }

func main() {
	for _, x := range []int{-5, 0, 5, 50} {
		fmt.Println(classify(x), fall(x/2+3))
	}
	for i := 0; i < 6; i++ {
		fmt.Print(fall(i))
	}
	fmt.Println()
	fmt.Println(find([][]int{{1, 2}, {-1, 7}, {3, 7}}, 7))
	fmt.Println(find([][]int{{1, 99}, {7}}, 7))
	fmt.Println(gotos())
	for i := range 5 {
		if i == 1 {
			continue
		}
		if i == 4 {
			break
		}
		fmt.Print(i, " ")
	}
	fmt.Println()
	for range 3 {
		fmt.Print("x")
	}
	var n8 int8 = 3
	for i := range n8 {
		fmt.Printf(" %T%d", i, i)
	}
	fmt.Println()
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i *= 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	for i, s := range []string{"a", "b"} {
		defer func() { fmt.Println("deferred", i, s) }()
	}
	fmt.Println()
	switch x := side("tag", 2); x {
	case side("one", 1), side("two", 2), side("three", 3):
		fmt.Println("matched")
	case side("four", 4):
		fmt.Println("no")
	}
	switch f := interface{}(3.5).(type) {
	case int, string:
		fmt.Printf("%T\n", f)
	case float64:
		fmt.Println(f * 2)
	case nil:
		fmt.Println("nil")
	}
	i := 10
	for i > 0 {
		i -= 3
		switch {
		case i == 4:
			continue
		case i < 2:
			break
		}
		fmt.Print(i, ",")
	}
	fmt.Println()
	if x := 5; x > 3 {
		fmt.Println("gt")
	} else if y := x * 2; y > 3 {
		fmt.Println(y)
	} else {
		fmt.Println(x, y)
	}
	a := [3]int{1, 2, 3}
	for i, v := range a {
		a[2] = 10
		fmt.Print(i, v, " ")
	}
	for i, v := range &a {
		a[2] = 20
		fmt.Print(i, v, " ")
	}
	sl := []int{1, 2, 3}
	for i, v := range sl {
		sl = append(sl, v)
		sl[2] = 7
		fmt.Print(i, v, " ")
	}
	fmt.Println(sl)
	func() {
		for {
			return
		}
	}()
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	close(ch)
	for v := range ch {
		fmt.Print(v)
	}
	fmt.Println()
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		fmt.Print(i, j, ";")
	}
	fmt.Println()
	_, _ = side("x", 1), side("y", 2)
	b := side("f", 0) == 1 && side("g", 1) == 1 || side("h", 2) == 2
	fmt.Println(b)
}
