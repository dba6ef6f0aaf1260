package f

import "fmt"

// G does.
func G(n int) (s string) {
	// comment first

	x := 1

	if n > 3 {
		return "big"
	} else if n > 2 {
		// nothing
	} else {
		x++
	}

	for i := 0; i < n; i++ {
		x += i

		// blank before
		if i == 1 {
			continue
		}
	}
outer:
	for range 3 {
		switch {
		case n == 0:
			break outer
		case n == 1:
		default:
			fmt.Sprint(
				"multi",
				"line",
			)
		}
	}
	f := func() int { return 3 }
	defer func() {
		recover()
	}()
	switch y := any(x).(type) {
	case int:
		_ = y
	case string, bool:
		panic("x")
	}
	ch := make(chan int, 1)
	select {
	case ch <- 1:
		x++
	case <-ch:
	}
	if v := func() int { return 1 }(); v > 5 {
		goto end
	}
	x = f()
end:
	x++
	return `raw
string` + fmt.Sprint(x)
}

var lit = func() int {
	return 4
}

type T struct{}

func (t *T) M() {}

func (T) N() { panic("never") }

func empty() {
	// only a comment
}
