//go:build special

package f

import "testing"

func TestSpecial(t *testing.T) {
	if !Special {
		t.Fail()
	}
}
