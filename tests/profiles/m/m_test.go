// Package m has a test that spends its time and its memory each in one function.
package m

import "testing"

var kept [][]byte

func hot(n int) (sum int) {
	for i := range n {
		sum += i % 7
	}
	return sum
}

func allocates() {
	for range 2000 {
		kept = append(kept, make([]byte, 10000))
	}
}

func TestHot(t *testing.T) {
	allocates()
	if hot(50000000) == 0 {
		t.Fail()
	}
}
