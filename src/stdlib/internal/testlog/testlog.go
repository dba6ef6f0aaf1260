// Package testlog: what package os has to know of tests. Programs cannot import it.
package testlog

import "sync/atomic"

// PanicOnExit0 says that os.Exit(0) is a panic: a test that calls it would pass.
var PanicOnExit0 atomic.Bool
