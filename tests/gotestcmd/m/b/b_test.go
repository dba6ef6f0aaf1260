package b

import "testing"

var Exported = 5

func TestB(t *testing.T) {}
