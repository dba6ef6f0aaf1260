package g

import (
	"example.com/m/f"
	"testing"
)

func TestG(t *testing.T) {
	f.G(1)
	f.G(5)
}
