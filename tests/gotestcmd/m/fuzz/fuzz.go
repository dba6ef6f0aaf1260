package fuzz

// Broken panics for one kind of text.
func Broken(s string) int {
	if len(s) > 2 && s[0] == 'F' {
		if s[1] == 'U' {
			if s[2] == 'Z' {
				panic("found: " + s[:3])
			}
			return 3
		}
		return 2
	}
	return 1
}
