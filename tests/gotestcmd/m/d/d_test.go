package d

import "testing"

func TestD(t *testing.T) {
	x := 1
	undefined()
}
