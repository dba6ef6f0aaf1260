package main

import (
	"fmt"
	"math/bits"
)

// Sudoku by backtracking: the free cell with the fewest candidates is tried first;
// candidates are sets of bits for rows, columns and boxes.

type puzzle struct {
	cells            [9][9]int
	rows, cols, boxs [9]uint16
	free             []cell
	tried            int
}

type cell struct{ r, c int }

func (p *puzzle) set(at cell, d int) {
	bit := uint16(1) << d
	p.cells[at.r][at.c] = d
	p.rows[at.r] |= bit
	p.cols[at.c] |= bit
	p.boxs[at.r/3*3+at.c/3] |= bit
}

func (p *puzzle) clear(at cell) {
	bit := uint16(1) << p.cells[at.r][at.c]
	p.cells[at.r][at.c] = 0
	p.rows[at.r] &^= bit
	p.cols[at.c] &^= bit
	p.boxs[at.r/3*3+at.c/3] &^= bit
}

func (p *puzzle) candidates(at cell) uint16 {
	return 0x3fe &^ (p.rows[at.r] | p.cols[at.c] | p.boxs[at.r/3*3+at.c/3])
}

func parse(text string) (*puzzle, error) {
	if len(text) != 81 {
		return nil, fmt.Errorf("%d cells, not 81", len(text))
	}
	p := new(puzzle)
	for i, ch := range text {
		at := cell{i / 9, i % 9}
		switch {
		case ch == '.':
			p.free = append(p.free, at)
		case ch < '1' || ch > '9':
			return nil, fmt.Errorf("what is %q?", ch)
		case p.candidates(at)&(1<<(ch-'0')) == 0:
			return nil, fmt.Errorf("%c cannot be at %v", ch, at)
		default:
			p.set(at, int(ch-'0'))
		}
	}
	return p, nil
}

// solve calls found for each solution until it returns false.
func (p *puzzle) solve(found func() bool) bool {
	if len(p.free) == 0 {
		return found()
	}
	best, fewest := 0, 10
	for i, at := range p.free {
		if n := bits.OnesCount16(p.candidates(at)); n < fewest {
			best, fewest = i, n
		}
	}
	last := len(p.free) - 1
	p.free[best], p.free[last] = p.free[last], p.free[best]
	at := p.free[last]
	p.free = p.free[:last]
	goOn := true
	for set := p.candidates(at); set != 0 && goOn; set &= set - 1 {
		p.tried++
		p.set(at, bits.TrailingZeros16(set))
		goOn = p.solve(found)
		p.clear(at)
	}
	p.free = p.free[:last+1]
	p.free[best], p.free[last] = p.free[last], p.free[best]
	return goOn
}

func main() {
	puzzles := []string{
		"....7..2.8.......6.1.2.5...9.54....8.........3....85.1...3.2.8.4.......9.7..6....",
		"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
		".................................................................................",
		"5...5............................................................................",
		"12345678x........................................................................",
	}
	for _, text := range puzzles {
		p, err := parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		solutions, digest := 0, uint32(0)
		p.solve(func() bool {
			solutions++
			for _, row := range p.cells {
				for _, d := range row {
					digest = digest*31 + uint32(d)
				}
			}
			return solutions < 45000
		})
		fmt.Println(solutions, p.tried, digest)
	}
}
