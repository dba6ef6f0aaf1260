// Package version compares the names of Go's releases and language versions.
package version

import (
	"cmp"
	"strings"
)

// parts is a version taken apart; the zero value stands for one that is not valid.
type parts struct {
	major, minor, patch string // in decimal
	kind                string // alpha, beta, rc, or none
	pre                 string // in decimal
}

// digits cuts a number without needless zeros off the front of s.
func digits(s string) (number, rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	number = s[:len(s)-len(rest)]
	return number, rest, number != "" && (number == "0" || number[0] != '0')
}

func parse(x string) parts {
	x, _, _ = strings.Cut(x, "-") // of a toolchain that somebody has built for himself
	x, ok := strings.CutPrefix(x, "go")
	if !ok {
		return parts{}
	}
	var v parts
	if v.major, x, ok = digits(x); !ok {
		return parts{}
	}
	if x == "" {
		v.minor, v.patch = "0", "0"
		return v
	}
	if x[0] != '.' {
		return parts{}
	}
	if v.minor, x, ok = digits(x[1:]); !ok {
		return parts{}
	}
	if x == "" {
		if number(v.minor, "21") < 0 {
			v.patch = "0" // before 1.21, "go1.20" was a release
		}
		return v
	}
	if x[0] == '.' {
		if v.patch, x, ok = digits(x[1:]); !ok || x != "" {
			return parts{}
		}
		return v
	}
	rest := strings.TrimLeft(x, "abcdefghijklmnopqrstuvwxyz")
	if v.kind = x[:len(x)-len(rest)]; v.kind == "" {
		return parts{}
	}
	if rest == "" {
		return v
	}
	if v.pre, rest, ok = digits(rest); !ok || rest != "" {
		return parts{}
	}
	return v
}

// number compares two numbers in decimal; one that is missing comes first.
func number(x, y string) int {
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

// Lang returns the language version of x: without patch and without "rc1", say.
func Lang(x string) string {
	v := parse(x)
	if v == (parts{}) {
		return ""
	}
	lang := "go" + v.major
	if v.major == "1" && v.minor == "0" {
		return lang
	}
	return lang + "." + v.minor
}

// Compare orders versions; what is not valid comes first.
func Compare(x, y string) int {
	v, w := parse(x), parse(y)
	return cmp.Or(number(v.major, w.major), number(v.minor, w.minor), number(v.patch, w.patch),
		cmp.Compare(v.kind, w.kind), number(v.pre, w.pre))
}

// IsValid says whether x is a version.
func IsValid(x string) bool {
	return parse(x) != parts{}
}
