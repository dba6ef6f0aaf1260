package main

import (
	"fmt"
	"strings"
	"sync"
)

// A picture of the set of Mandelbrot, whose rows are drawn by goroutines.
const (
	width  = 24
	height = 8
)

func inside(x, y float64) bool {
	var re, im float64
	for range 20 {
		re, im = re*re-im*im+x, 2*re*im+y
		if re*re+im*im > 4 {
			return false
		}
	}
	return true
}

func row(y int) string {
	var b strings.Builder
	for x := range width {
		if inside(float64(x)/10-2, float64(y)/4-1) {
			b.WriteByte('#')
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func draw() (rows [height]string) {
	var wg sync.WaitGroup
	var y int
	next := func() int {
		y++
		return y - 1
	}
	for range height {
		wg.Go(func() {
			y := next()
			rows[y] = row(y)
		})
	}
	wg.Wait()
	return rows
}

func main() {
	for _, r := range draw() {
		fmt.Println(r)
	}
}
