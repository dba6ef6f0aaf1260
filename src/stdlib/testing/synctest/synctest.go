// Package synctest tests goroutines: in a bubble, time passes only when all of them wait.
package synctest

import (
	"internal/synctest"
	"testing"
	"time"
)

// Test calls f in a bubble, and returns when all goroutines of the bubble have ended. The
// bubble's clock begins at midnight
// UTC 2000-01-01.
func Test(t *testing.T, f func(*testing.T)) {
	passed := false
	synctest.Run(func() {
		passed = synctest.Test(t, f)
	})
	if !passed {
		t.FailNow()
	}
}

// Wait returns when all other goroutines of the bubble wait for one another, or for time to pass.
func Wait() { synctest.Wait() }

// Sleep is time.Sleep, and then Wait.
func Sleep(d time.Duration) {
	time.Sleep(d)
	Wait()
}
