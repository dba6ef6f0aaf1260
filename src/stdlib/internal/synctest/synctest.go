// Package synctest: bubbles of the runtime. Programs cannot import it.
package synctest

// Test runs a test within a bubble, and says whether it has passed. Package testing sets it; t
// is a *testing.T, f a
// func(*testing.T).
var Test func(t, f any) bool

// deadlock is what Run panics with. A program that dies of it shows the goroutines of the bubble.
type deadlock struct {
	reason string
	bubble uint32
}

func (d deadlock) Error() string { return d.reason }

// Run calls f in a goroutine with a clock of its own, and returns when that and all it has
// started have ended.
//
//go:noinline
func Run(f func()) {
	if IsInBubble() {
		panic("synctest.Run called from within a synctest bubble")
	}
	const prefix = "deadlock: "
	switch reason, bubble := run(f); reason {
	case 1:
		panic(deadlock{prefix + "all goroutines in bubble are blocked", bubble})
	case 2:
		panic(deadlock{prefix + "main bubble goroutine has exited but blocked goroutines remain",
			bubble})
	}
}

// run is Run; it tells how it has ended, and in which bubble.
func run(f func()) (reason int, bubble uint32)

// Wait returns when all other goroutines of the bubble wait for one another, or for time to pass.
func Wait() {
	switch wait() {
	case 1:
		panic("goroutine is not in a bubble")
	case 2:
		panic("wait already in progress")
	}
}

// wait is Wait; 1 and 2 say why it cannot.
func wait() (reason int)

// IsInBubble says whether the goroutine is in a bubble.
func IsInBubble() bool
