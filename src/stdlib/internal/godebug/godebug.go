// Package godebug: the settings in GODEBUG, as the program has set it by now. Programs cannot import it.
package godebug
