package p

func statements(c chan int, xs []int) (n int, err error) {
	var x, y = 1, 2
	const (
		k = iota
		l
	)
	type T struct{ a, b int }
	x++
	y--
	x += y
	x, y = y, x
	z, w := xs[0], T{a: 1}
	c <- x
	<-c
	go f(x)
	defer func() {
		recover()
	}()
	if x := g(); x > 0 {
		return x, nil
	} else if y < 0 {
		return
	} else {
		y = -x
	}
L:
	for i := 0; i < 10; i++ {
		if i == 3 {
			continue L
		}
		break
	}
	for x < 10 {
	}
	for {
		break
	}
	for range xs {
	}
	for i := range 10 {
		_ = i
	}
	for _, v := range xs {
		_ = v
	}
	for w.a, w.b = range xs {
	}
	switch x {
	case 1, 2:
		fallthrough
	case 3:
	default:
		goto End
	}
	switch x := z.(type) {
	case int, *T:
		_ = x
	case nil:
	}
	switch y := 1; {
	case y > 0:
	}
	select {
	case v, ok := <-c:
		_, _ = v, ok
	case c <- 1:
	default:
	}
	{
		x &^= 1
	}
End:
	return n, err
}
