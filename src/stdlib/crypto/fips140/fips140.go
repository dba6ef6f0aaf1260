// Package fips140: whether the program runs in FIPS 140-3 mode, which it never does.
package fips140

func Enabled() bool  { return false }
func Enforced() bool { return false }

// Version is what Go says outside of that mode.
func Version() string { return "latest" }

func WithoutEnforcement(f func()) { f() }
