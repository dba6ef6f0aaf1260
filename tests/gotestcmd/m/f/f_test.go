package f

import "testing"

func TestF(t *testing.T) {
	G(1)
	G(0)
	only()
	println(testing.CoverMode(), testing.Coverage() > 0.3)
}
