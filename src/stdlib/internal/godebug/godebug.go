// Package godebug: the settings in GODEBUG, as the program has set it by now. Programs cannot import it.
package godebug

// Value is what GODEBUG, as it is now, gives to the setting of that name, or else what the program's
// module or its main package does; of several the last counts.
func Value(name string) string

// Count notes that the program has done what it would not do without the setting.
func Count(name string)

// Counted is how often that was.
func Counted(name string) uint64

// Is says whether a setting has the value, which is then noted.
func Is(name, value string) bool {
	is := Value(name) == value
	if is {
		Count(name)
	}
	return is
}
