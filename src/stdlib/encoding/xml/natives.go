package xml

// plain is how many bytes at the start of s are allowed characters that stand for themselves: up to
// quote, or to ']' if that is negative.
func plain(s string, quote int) int

// nameLength is how many bytes at the start of s are ASCII characters of names.
func nameLength(s string) int

// unescaped is how many bytes at the start of s EscapeText writes as they are; newlines, too, if it
// keeps them.
func unescaped(s string, keeps bool) int
