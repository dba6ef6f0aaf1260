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
		at := strings.IndexByte(s, '$')
		if at < 0 || at == len(s)-1 {
			break
		}
		if expanded == nil {
			expanded = make([]byte, 0, 2*len(s))
		}
		expanded = append(expanded, s[:at]...)
		name, width := variable(s[at+1:])
		if name != "" {
			expanded = append(expanded, mapping(name)...)
		} else if width == 0 {
			expanded = append(expanded, '$') // else bad syntax, which is eaten
		}
		s = s[at+1+width:]
	}
	if expanded == nil {
		return s
	}
	return string(append(expanded, s...))
}

const specialVariables = "*#$@!?-0123456789"

// wordBits has a bit for each byte that variables are named with.
var wordBits = [8]uint32{1: 0x03ff0000, 2: 0x87fffffe, 3: 0x07fffffe}

// variable reads the name behind a $, and tells how many bytes it takes.
func variable(s string) (name string, width int) {
	if s[0] == '{' {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return "", 1
		}
		return s[1:end], end + 1
	}
	if strings.IndexByte(specialVariables, s[0]) >= 0 {
		return s[:1], 1
	}
	isWord := true
	for isWord && width < len(s) {
		c := s[width]
		if isWord = wordBits[c>>5]>>(c&31)&1 != 0; isWord {
			width++
		}
	}
	return s[:width], width
}
