package c

import "testing"

func f(x []int) int { return x[5] }

func TestOK(t *testing.T) {}
func TestPanic(t *testing.T) {
	t.Cleanup(func() { println("cleaned") })
	t.Log("before")
	t.Run("sub", func(t *testing.T) {
		f(nil)
	})
}
