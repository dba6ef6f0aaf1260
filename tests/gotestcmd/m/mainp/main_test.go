package main

import (
	"fmt"
	"testing"
)

func TestTwice(t *testing.T) {
	t.Logf("%T", T{})
	if twice(2) != 4 {
		t.Fatal()
	}
	main()
	if testing.Short() {
		t.Skip("short")
	}
	fmt.Println(testing.Testing(), testing.Verbose(), testing.CoverMode() == "")
}
