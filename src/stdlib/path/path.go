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
	for i := len(path) - 1; i >= 0 && path[i] != '/'; i-- {
		if path[i] == '.' {
			return path[i:]
		}
	}
	return ""
}

func Base(path string) string {
	if path == "" {
		return "."
	}
	path = strings.TrimRight(path, "/")
	if path == "" {
		return "/"
	}
	return path[strings.LastIndexByte(path, '/')+1:]
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

func Match(pattern, name string) (matched bool, err error) {
	for pattern != "" {
		star := false
		for pattern != "" && pattern[0] == '*' {
			star = true
			pattern = pattern[1:]
		}
		chunk := chunkOf(pattern)
		pattern = pattern[len(chunk):]
		if star && chunk == "" {
			// A star at the end takes all but slashes.
			return strings.IndexByte(name, '/') < 0, nil
		}
		rest, ok, err := matchChunk(chunk, name)
		if ok && (rest == "" || pattern != "") {
			name = rest
			continue
		}
		if err != nil {
			return false, err
		}
		if star {
			found := false
			for i := 0; i < len(name) && name[i] != '/'; i++ {
				rest, ok, err := matchChunk(chunk, name[i+1:])
				if err != nil {
					return false, err
				}
				if ok && (pattern != "" || rest == "") {
					name = rest
					found = true
					break
				}
			}
			if found {
				continue
			}
		}
		// Not matched; yet a bad pattern is an error.
		for pattern != "" {
			for pattern != "" && pattern[0] == '*' {
				pattern = pattern[1:]
			}
			chunk := chunkOf(pattern)
			pattern = pattern[len(chunk):]
			if _, _, err := matchChunk(chunk, ""); err != nil {
				return false, err
			}
		}
		return false, nil
	}
	return name == "", nil
}

// chunkOf is the pattern up to its next star outside brackets.
func chunkOf(pattern string) string {
	in := false
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			in = true
		case ']':
			in = false
		case '*':
			if !in {
				return pattern[:i]
			}
		}
	}
	return pattern
}

// matchChunk matches a pattern without stars at the start of s; what is left of s. It reads the whole pattern, for its errors.
func matchChunk(chunk, s string) (rest string, ok bool, err error) {
	ok = true
	for chunk != "" {
		r, size := utf8.DecodeRuneInString(s)
		same := false
		switch chunk[0] {
		case '[':
			if same, chunk, err = class(chunk[1:], r); err != nil {
				return "", false, err
			}
		case '?':
			same, chunk = r != '/', chunk[1:]
		case '\\':
			if chunk = chunk[1:]; chunk == "" {
				return "", false, ErrBadPattern
			}
			fallthrough
		default:
			same, chunk = strings.HasPrefix(s, chunk[:1]), chunk[1:]
			size = 1
		}
		if ok = ok && same && s != ""; ok {
			s = s[size:]
		}
	}
	if !ok {
		s = ""
	}
	return s, ok, nil
}

// class tells whether r belongs to the class that the pattern begins with, behind its bracket; what of the pattern follows the class.
func class(pattern string, r rune) (in bool, rest string, err error) {
	rest, negated := strings.CutPrefix(pattern, "^")
	for empty := true; empty || rest[0] != ']'; empty = false {
		var low, high rune
		if low, rest, err = patternRune(rest); err != nil {
			return false, "", err
		}
		high = low
		if rest[0] == '-' {
			if high, rest, err = patternRune(rest[1:]); err != nil {
				return false, "", err
			}
		}
		in = in || low <= r && r <= high
	}
	return in != negated, rest[1:], nil
}

// patternRune reads a character of a class, which something must follow.
func patternRune(chunk string) (r rune, rest string, err error) {
	if chunk == "" || chunk[0] == '-' || chunk[0] == ']' {
		return 0, "", ErrBadPattern
	}
	if chunk[0] == '\\' {
		if chunk = chunk[1:]; chunk == "" {
			return 0, "", ErrBadPattern
		}
	}
	r, width := utf8.DecodeRuneInString(chunk)
	if r == utf8.RuneError && width == 1 {
		return 0, "", ErrBadPattern
	}
	if rest = chunk[width:]; rest == "" {
		return 0, "", ErrBadPattern
	}
	return r, rest, nil
}
