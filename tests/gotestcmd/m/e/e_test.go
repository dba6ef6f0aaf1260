package e

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestExit(t *testing.T)   { os.Exit(0) }
func TestExit3(t *testing.T)  { os.Exit(3) }
func TestHang(t *testing.T)   { time.Sleep(time.Hour) }
func TestGoexit(t *testing.T) { runtime.Goexit() }
func TestParentFatal(t *testing.T) {
	t.Run("sub", func(*testing.T) { t.Fatal("x") })
}
func TestLate(t *testing.T) {
	go func() { time.Sleep(10 * time.Millisecond); t.Log("late") }()
}
func TestWait(t *testing.T) { time.Sleep(100 * time.Millisecond) }
