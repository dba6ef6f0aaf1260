package main

import "fmt"

// Conway's game of life on a torus: a random soup beside a glider gun's worth of
// gliders, two boards that swap after each generation.

type board struct {
	w, h  int
	cells [][]bool
}

func newBoard(w, h int) *board {
	cells := make([][]bool, h)
	for y := range cells {
		cells[y] = make([]bool, w)
	}
	return &board{w: w, h: h, cells: cells}
}

func (b *board) alive(x, y int) bool {
	return b.cells[(y+b.h)%b.h][(x+b.w)%b.w]
}

func (b *board) neighbours(x, y int) int {
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && b.alive(x+dx, y+dy) {
				n++
			}
		}
	}
	return n
}

func (b *board) stepInto(next *board) (born, died int) {
	for y := 0; y < b.h; y++ {
		for x := 0; x < b.w; x++ {
			was := b.cells[y][x]
			n := b.neighbours(x, y)
			is := n == 3 || n == 2 && was
			next.cells[y][x] = is
			switch {
			case is && !was:
				born++
			case was && !is:
				died++
			}
		}
	}
	return born, died
}

func (b *board) put(x, y int, rows ...string) {
	for dy, row := range rows {
		for dx, c := range row {
			b.cells[(y+dy)%b.h][(x+dx)%b.w] = c == '#'
		}
	}
}

func (b *board) population() int {
	n := 0
	for _, row := range b.cells {
		for _, c := range row {
			if c {
				n++
			}
		}
	}
	return n
}

func main() {
	now, next := newBoard(96, 64), newBoard(96, 64)
	seed := uint32(2463534242)
	for y := 0; y < now.h; y++ {
		for x := 0; x < now.w/2; x++ {
			seed ^= seed << 13
			seed ^= seed >> 17
			seed ^= seed << 5
			now.cells[y][x] = seed%3 == 0
		}
	}
	for i := 0; i < 6; i++ {
		now.put(52+7*i, 10*i, ".#.", "..#", "###")
	}
	fmt.Println("start", now.population())
	births, deaths := 0, 0
	for gen := 1; gen <= 200; gen++ {
		born, died := now.stepInto(next)
		births += born
		deaths += died
		now, next = next, now
		if gen%50 == 0 {
			fmt.Println("generation", gen, now.population(), births, deaths)
		}
	}
}
