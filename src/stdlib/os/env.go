package os

import (
	"internal/testlog"
	"strings"
	"syscall"
)

// The environment, and texts with variables in them.

func LookupEnv(key string) (string, bool) {
	testlog.Note("getenv", key)
	return syscall.Getenv(key)
}

func Getenv(key string) string {
	value, _ := LookupEnv(key)
	return value
}

func Environ() []string         { return syscall.Environ() }
func Clearenv()                 { syscall.Clearenv() }
func Unsetenv(key string) error { return syscall.Unsetenv(key) }

func Setenv(key, value string) error {
	return NewSyscallError("setenv", syscall.Setenv(key, value))
}

func ExpandEnv(s string) string { return Expand(s, Getenv) }

func Expand(s string, mapping func(string) string) string {
	var expanded []byte
	for {
		before, after, found := strings.Cut(s, "$")
		if !found || after == "" {
			return string(expanded) + s
		}
		expanded = append(expanded, before...)
		name, width := variable(after)
		if name != "" {
			expanded = append(expanded, mapping(name)...)
		} else if width == 0 {
			expanded = append(expanded, '$') // else bad syntax, which is eaten
		}
		s = after[width:]
	}
}

const (
	specialVariables = "*#$@!?-0123456789"
	wordBytes        = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// variable reads the name behind a $, and tells how many bytes it takes.
func variable(s string) (name string, width int) {
	if s[0] == '{' {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return "", 1
		}
		return s[1:end], end + 1
	}
	width = 1
	if strings.IndexByte(specialVariables, s[0]) < 0 {
		width = len(s) - len(strings.TrimLeft(s, wordBytes))
	}
	return s[:width], width
}
