package b_test

import (
	"example.com/m/b"
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Println("setup")
	code := m.Run()
	fmt.Println("teardown", code)
	if os.Getenv("EXIT") != "" {
		os.Exit(7)
	}
}

func TestX(t *testing.T) {
	if b.B()+b.Exported != 6 {
		t.Fatal()
	}
}
