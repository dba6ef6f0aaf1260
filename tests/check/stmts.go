package main

type I interface{ m() }
type T struct{}
type U struct{}

func (T) m()  {}
func (*U) m() {}

func seq0(yield func() bool)          {}
func seq1(yield func(int) bool)       {}
func seq2(yield func(int, string) bool) {}
func seq3(yield func(int, int, int) bool) {}
func notseq(yield func(int))          {}

func main() {
	var i I
	var e any
	var x int
	var s string
	if x {
	}
	for x {
	}
	for x = 0; s; x++ {
	}
	switch x {
	case 1, 2, 1:
	case "a":
	case 1.5:
	case s:
	case 2:
	default:
	default:
	}
	switch s {
	case "a", "b", "a":
	}
	switch {
	case x:
	case x > 1, true, true:
	}
	switch e {
	case 1, "a", 1, int8(1), nil, []int{}:
	}
	switch f := main; f {
	}
	switch []int{} {
	case nil:
	}
	switch nil {
	}
	switch 1 << 70 {
	}
	switch i.(type) {
	case T, *T, U, *U, int, I, any, error:
	case T:
	case nil:
	case nil:
	case Nope:
	case x:
	}
	switch x.(type) {
	}
	switch _ := e.(type) {
	}
	switch y := e.(type) {
	case int:
		y = "a"
	case string, bool:
		y = 1
	default:
		_ = y.x
	}
	_ = e.(type)
	_ = i.(T)
	_ = i.(U)
	_ = i.(int)
	_ = i.(error)
	_ = x.(int)
	_ = e.(Nope)
	var c chan int
	var r <-chan int
	var w chan<- int
	c <- "a"
	r <- 1
	<-w
	x <- 1
	select {
	case x := <-c:
		x = 1
	case x = <-r:
	case s = <-c:
	case c <- 1:
	case w <- "a":
	case <-x:
	case x > 1:
	case y, ok := <-c:
	case x, x = <-c:
	default:
	default:
	}
	for range 10 {
	}
	for i := range 10 {
		i = "a"
	}
	for i, j := range 10 {
	}
	for i := range 1.5 {
	}
	for range x {
	}
	for i := range e {
	}
	for i, v := range s {
		i, v = "a", "b"
	}
	for i, v := range c {
	}
	for v := range w {
	}
	for k, v := range map[string]bool{} {
		k, v = 1, 2
	}
	for i, v := range [3]string{} {
		i, v = v, i
	}
	for i, v := range &[3]string{} {
		_, _ = i, v
	}
	for i, v := range &[]string{} {
	}
	for range seq0 {
	}
	for a := range seq0 {
	}
	for a, b := range seq1 {
	}
	for a, b := range seq2 {
		a, b = b, a
	}
	for range seq3 {
	}
	for range notseq {
	}
	for range main {
	}
	for x, s = range []string{} {
	}
	for s, x = range []string{} {
	}
	for x := range nil {
	}
	for _, _ = range []int{} {
	}
	for _, _ := range []int{} {
	}
	x, y := 1
	x, err := 1, 2
	x, x := 3, 4
	x := 1
	var _, _ = 1
	x++
	x--
}
