// Types that are too large.
package main

type (
	plain  [1 << 60]int
	nested [1 << 30][1 << 30]int
	fits   [1<<50 - 1]byte
	empty  [1 << 62]struct{}
	inside struct {
		n    int
		data [1 << 59]string
	}
	outer   [2]plain
	outer2  [2]inside
	holds   struct{ x plain }
	several []inside
	small   [1 << 9][1 << 9][1 << 9][1 << 9][1 << 9][1 << 9]byte
)

func main() {}
