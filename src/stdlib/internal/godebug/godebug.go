// Package godebug: the settings in GODEBUG, as the program has set it by now. Programs cannot import it.
package godebug

// Value is what GODEBUG, as it is now, gives to the setting of that name; of several the last counts.
func Value(name string) string
