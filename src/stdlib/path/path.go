// Package path: names with slashes.
package path

import (
	"errors"
	"strings"
	"unicode/utf8"
)

var ErrBadPattern = errors.New("syntax error in pattern")

func IsAbs(path string) bool { return strings.HasPrefix(path, "/") }

func Split(path string) (dir, file string) {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i], path[i:]
}

func Ext(path string) string {
	for i := len(path); i > 0; {
		switch i--; path[i] {
		case '.':
			return path[i:]
		case '/':
			return ""
		}
	}
	return ""
}

func Base(path string) string {
	trimmed := strings.TrimRight(path, "/")
	switch {
	case path == "":
		return "."
	case trimmed == "":
		return "/"
	}
	return trimmed[strings.LastIndexByte(trimmed, '/')+1:]
}

func Dir(path string) string {
	dir, _ := Split(path)
	return Clean(dir)
}

func Join(elem ...string) string {
	for i, e := range elem {
		if e != "" {
			return Clean(strings.Join(elem[i:], "/"))
		}
	}
	return ""
}

func Clean(path string) string {
	rooted := IsAbs(path)
	var parts []string
	for _, part := range strings.Split(path, "/") {
		switch {
		case part == "" || part == ".":
		case part != "..":
			parts = append(parts, part)
		case len(parts) > 0 && parts[len(parts)-1] != "..":
			parts = parts[:len(parts)-1]
		case !rooted:
			parts = append(parts, part)
		}
	}
	clean := strings.Join(parts, "/")
	switch {
	case rooted:
		return "/" + clean
	case clean == "":
		return "."
	}
	return clean
}

// Match goes through pattern and name once. Where they differ, the last star takes one byte more,
// and what is behind it is tried again; to let an earlier one take more could not help.
func Match(pattern, name string) (matched bool, err error) {
	if !isPattern(pattern) {
		return false, ErrBadPattern
	}
	behind, left, hasStar := "", "", false
	for pattern != "" || name != "" {
		if strings.HasPrefix(pattern, "*") {
			pattern = strings.TrimLeft(pattern, "*")
			if pattern == "" {
				return strings.IndexByte(name, '/') < 0, nil
			}
			behind, left, hasStar = pattern, name, true
			continue
		}
		size, rest := one(pattern, name)
		if size > 0 {
			pattern, name = rest, name[size:]
			continue
		}
		if !hasStar || left == "" || left[0] == '/' {
			return false, nil
		}
		left = left[1:]
		pattern, name = behind, left
	}
	return true, nil
}

// isPattern says whether every class and every escape is whole.
func isPattern(pattern string) bool {
	ok := true
	for ok && pattern != "" {
		c := pattern[0]
		pattern = pattern[1:]
		switch c {
		case '[':
			_, pattern, ok = class(pattern, 0)
		case '\\':
			if ok = pattern != ""; ok {
				pattern = pattern[1:]
			}
		}
	}
	return ok
}

// one matches the first item of a pattern, which is no star: how many bytes of name it takes,
// 0 if it does not match, and what of the pattern is left.
func one(pattern, name string) (size int, rest string) {
	if pattern == "" || name == "" {
		return 0, ""
	}
	r, size := utf8.DecodeRuneInString(name)
	matches := false
	switch rest = pattern[1:]; pattern[0] {
	case '?':
		matches = r != '/'
	case '[':
		matches, rest, _ = class(rest, r)
	case '\\':
		matches, size, rest = rest[0] == name[0], 1, rest[1:]
	default:
		matches, size = pattern[0] == name[0], 1
	}
	if !matches {
		size = 0
	}
	return size, rest
}

// class says whether r belongs to the class that pattern begins with, behind its bracket, and what
// follows it; not ok: it is none.
func class(pattern string, r rune) (has bool, rest string, ok bool) {
	rest, negated := strings.CutPrefix(pattern, "^")
	for isFirst := true; isFirst || rest[0] != ']'; isFirst = false {
		low, behind, ok := member(rest)
		high := low
		if ok && behind[0] == '-' {
			high, behind, ok = member(behind[1:])
		}
		if !ok {
			return false, "", false
		}
		rest = behind
		has = has || low <= r && r <= high
	}
	return has != negated, rest[1:], true
}

// member reads a character of a class, which something must follow.
func member(class string) (r rune, rest string, ok bool) {
	escaped := strings.HasPrefix(class, "\\")
	if escaped {
		class = class[1:]
	}
	r, size := utf8.DecodeRuneInString(class)
	isMark := r == '-' || r == ']'
	isBroken := r == utf8.RuneError && size <= 1
	rest = class[size:]
	return r, rest, !isBroken && rest != "" && (escaped || !isMark)
}
