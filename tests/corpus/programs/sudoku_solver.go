// run

// Sudoku by bit sets and constraint propagation, several puzzles at once.
package main

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"sync"
)

type set uint16

func (s set) has(d int) bool { return s>>d&1 == 1 }
func (s set) len() int       { return bits.OnesCount16(uint16(s)) }
func (s set) only() int      { return bits.TrailingZeros16(uint16(s)) }

const all set = 0b1111111110

type board [81]set

var peers = func() (p [81][]int) {
	for i := range 81 {
		seen := map[int]bool{i: true}
		r, c := i/9, i%9
		for k := range 9 {
			for _, j := range []int{r*9 + k, k*9 + c, (r/3*3+k/3)*9 + c/3*3 + k%3} {
				if !seen[j] {
					seen[j] = true
					p[i] = append(p[i], j)
				}
			}
		}
	}
	return p
}()

var errContradiction = errors.New("contradiction")

func (b *board) assign(i, d int) error {
	for other := 1; other <= 9; other++ {
		if other != d && b[i].has(other) {
			if err := b.eliminate(i, other); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *board) eliminate(i, d int) error {
	if !b[i].has(d) {
		return nil
	}
	b[i] &^= 1 << d
	switch b[i].len() {
	case 0:
		return fmt.Errorf("cell %d: %w", i, errContradiction)
	case 1:
		for _, j := range peers[i] {
			if err := b.eliminate(j, b[i].only()); err != nil {
				return err
			}
		}
	}
	return nil
}

func parse(s string) (b board, err error) {
	for i := range b {
		b[i] = all
	}
	i := 0
	for _, r := range s {
		switch {
		case r >= '1' && r <= '9':
			if i < 81 && !b[i].has(int(r-'0')) {
				return b, fmt.Errorf("cell %d cannot be %c: %w", i, r, errContradiction)
			}
			if err := b.assign(i, int(r-'0')); err != nil {
				return b, err
			}
			fallthrough
		case r == '.' || r == '0':
			i++
		}
	}
	if i != 81 {
		return b, fmt.Errorf("%d cells", i)
	}
	return b, nil
}

func (b board) solve(guesses *int) (board, error) {
	best := -1
	for i, s := range b {
		if n := s.len(); n > 1 && (best < 0 || n < b[best].len()) {
			best = i
		}
	}
	if best < 0 {
		return b, nil
	}
	for d := 1; d <= 9; d++ {
		if !b[best].has(d) {
			continue
		}
		*guesses++
		try := b
		if try.assign(best, d) == nil {
			if done, err := try.solve(guesses); err == nil {
				return done, nil
			}
		}
	}
	return b, errContradiction
}

func (b board) String() string {
	var s strings.Builder
	for i, c := range b {
		if c.len() == 1 {
			fmt.Fprint(&s, c.only())
		} else {
			s.WriteByte('.')
		}
		if i%9 == 8 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func main() {
	puzzles := []string{
		"530070000600195000098000060800060003400803001700020006060000280000419005000080079",
		"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
		"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
		"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
		"11" + strings.Repeat(".", 79),
		"123",
		"12345678." + strings.Repeat(".", 8) + "9" + strings.Repeat(".", 63),
		strings.Repeat(".", 81),
	}
	results := make([]string, len(puzzles))
	var wg sync.WaitGroup
	for i, p := range puzzles {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b, err := parse(p)
			if err != nil {
				results[i] = fmt.Sprintln("invalid:", err, errors.Is(err, errContradiction))
				return
			}
			guesses := 0
			b, err = b.solve(&guesses)
			results[i] = fmt.Sprintf("%v%d guesses, %v\n", b, guesses, err)
		}()
	}
	wg.Wait()
	for i, r := range results {
		fmt.Printf("%d:\n%s", i, r)
	}
}
