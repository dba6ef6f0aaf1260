package main

func a() int {}
func b() int { return }
func c() { return 1 }
func d() (int, string) { return 1 }
func e() (int, string) { return "", 1 }
func f() (x int, err error) { return }
func g() (x int, err error) {
	{
		x := 1
		_ = x
		return
	}
}
func h() int {
	for {
	}
}
func i() int {
	for {
		break
	}
}
func j(x int) int {
	if x > 0 {
		return 1
	} else {
		return 2
	}
}
func k(x int) int {
	if x > 0 {
		return 1
	} else if x < 0 {
		return 2
	}
}
func l(x int) int {
	switch x {
	case 1:
		return 1
	default:
		panic("no")
	}
}
func m(x int) int {
	switch x {
	case 1:
		return 1
	}
}
func n(x int) int {
	switch x {
	case 1:
		fallthrough
	default:
		return 2
	}
}
func o(c chan int) int {
	select {
	case <-c:
		return 1
	}
}
func p(c chan int) int {
	select {
	case <-c:
		break
	}
}
func q() int {
L:
	for {
		for {
			break L
		}
	}
}
func r() int {
	goto end
end:
	return 1
}
func s() int {
	panic := func(any) {}
	panic(1)
}
func t() (int, int) { return u() }
func u() (int, string) { return 0, "" }
func v() int { return u() }
func w() int { return nothing() }
func nothing() {}
func x() func() int {
	return func() int {
	}
}
func y() int {
	{
		return 1
	}
}
func z() (a, b int) { return 1, 2, 3 }
func main() int {}
func init() int { return 1 }
func init() {}

var _ = init
