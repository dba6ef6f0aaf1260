package os

import (
	"internal/testlog"
	"syscall"
)

func Getenv(key string) string {
	value, _ := LookupEnv(key)
	return value
}

func LookupEnv(key string) (string, bool) {
	testlog.Note("getenv", key)
	return syscall.Getenv(key)
}

func Setenv(key, value string) error {
	return NewSyscallError("setenv", syscall.Setenv(key, value))
}

func Unsetenv(key string) error { return syscall.Unsetenv(key) }
func Environ() []string         { return syscall.Environ() }
func Clearenv()                 { syscall.Clearenv() }

func ExpandEnv(s string) string { return Expand(s, Getenv) }

func Expand(s string, mapping func(string) string) string {
	var buf []byte
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 >= len(s) {
			continue
		}
		buf = append(buf, s[done:i]...)
		name, width := variableName(s[i+1:])
		switch {
		case name == "" && width > 0: // bad syntax: eaten
		case name == "":
			buf = append(buf, s[i])
		default:
			buf = append(buf, mapping(name)...)
		}
		i += width
		done = i + 1
	}
	if done == 0 {
		return s
	}
	return string(buf) + s[done:]
}

func isSpecial(c byte) bool {
	switch c {
	case '*', '#', '$', '@', '!', '?', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// variableName reads the name behind a $, and tells how many bytes it takes.
func variableName(s string) (name string, width int) {
	if s[0] == '{' {
		for end := range len(s) {
			if s[end] == '}' {
				return s[1:end], end + 1
			}
		}
		return "", 1
	}
	if isSpecial(s[0]) {
		return s[:1], 1
	}
	for width < len(s) && isNameByte(s[width]) {
		width++
	}
	return s[:width], width
}
