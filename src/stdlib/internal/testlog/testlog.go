// Package testlog: what package os has to know of tests. Programs cannot import it.
package testlog

import "sync/atomic"

// PanicOnExit0 says that os.Exit(0) is a panic: a test that calls it would pass.
var PanicOnExit0 atomic.Bool

// IsOn says that it is written down what package os is asked about the surroundings. It is set
// before tests run, and not atomic: a search of schedules would step in at each call of package os.
var IsOn bool

// write takes what is to be written down.
var write func(op, name string)

// Start has w write down what comes.
func Start(w func(op, name string)) { write, IsOn = w, true }

// Note writes down that a name was asked for: op is getenv, open, stat or chdir.
func Note(op, name string) {
	if IsOn {
		write(op, name)
	}
}
