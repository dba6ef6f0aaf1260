// Package version compares versions of Go, such as go1.21rc2.
package version

import (
	"cmp"
	"strings"
)

// A number is a decimal number without leading zeros. Without digits it is less than any other.
type number string

func compare(a, b number) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// A version is 1, 1.2, 1.2.3, or 1.2rc1. What is not valid has no numbers.
type version struct {
	major, minor, patch number
	kind                string
	pre                 number
}

// parse reads a version, without what may stand behind a dash.
func parse(x string) version {
	x, _, _ = strings.Cut(x, "-")
	x, ok := strings.CutPrefix(x, "go")
	var v version
	if !ok || !cut(&x, &v.major) {
		return version{}
	}
	if x == "" {
		v.minor, v.patch = "0", "0"
		return v
	}
	if x[0] != '.' {
		return version{}
	}
	x = x[1:]
	if !cut(&x, &v.minor) {
		return version{}
	}
	if x == "" {
		// From 1.21 on the language 1.21 is less than its first release, 1.21.0.
		if compare(v.minor, "21") < 0 {
			v.patch = "0"
		}
		return v
	}
	if x[0] == '.' {
		x = x[1:]
		if !cut(&x, &v.patch) || x != "" {
			return version{}
		}
		return v
	}
	rest := strings.TrimLeft(x, "abcdefghijklmnopqrstuvwxyz")
	v.kind, x = x[:len(x)-len(rest)], rest
	if v.kind == "" || x != "" && (!cut(&x, &v.pre) || x != "") {
		return version{}
	}
	return v
}

// cut moves the number at the start of x.
func cut(x *string, n *number) bool {
	rest := strings.TrimLeft(*x, "0123456789")
	digits := (*x)[:len(*x)-len(rest)]
	*n, *x = number(digits), rest
	return digits != "" && (digits[0] != '0' || digits == "0")
}

// Lang is the version of the language: go1.21 of go1.21rc2. It is empty if x is no version.
func Lang(x string) string {
	v := parse(x)
	switch {
	case v == version{}:
		return ""
	case v.minor == "" || v.major == "1" && v.minor == "0":
		return "go" + string(v.major)
	}
	return "go" + string(v.major) + "." + string(v.minor)
}

// Compare gives -1, 0, or 1. What is no version is less than all versions.
func Compare(x, y string) int {
	v, w := parse(x), parse(y)
	return cmp.Or(compare(v.major, w.major), compare(v.minor, w.minor), compare(v.patch, w.patch),
		cmp.Compare(v.kind, w.kind), compare(v.pre, w.pre))
}

// IsValid says whether x is a version.
func IsValid(x string) bool { return parse(x) != version{} }
