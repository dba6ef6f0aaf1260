package main

func f[A any](n int) {
	type local struct{ a A }
	if n > 0 {
		f[local](n - 1)
	}
}

func main() { f[int](3) }
