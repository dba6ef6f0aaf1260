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
	failed := false
	for chunk != "" {
		failed = failed || s == ""
		switch chunk[0] {
		case '[':
			var r rune
			if !failed {
				var width int
				r, width = utf8.DecodeRuneInString(s)
				s = s[width:]
			}
			chunk = chunk[1:]
			negated := strings.HasPrefix(chunk, "^")
			if negated {
				chunk = chunk[1:]
			}
			match := false
			for n := 0; ; n++ {
				if n > 0 && strings.HasPrefix(chunk, "]") {
					chunk = chunk[1:]
					break
				}
				var low, high rune
				if low, chunk, err = patternRune(chunk); err != nil {
					return "", false, err
				}
				high = low
				if chunk[0] == '-' {
					if high, chunk, err = patternRune(chunk[1:]); err != nil {
						return "", false, err
					}
				}
				match = match || low <= r && r <= high
			}
			failed = failed || match == negated
		case '?':
			if !failed {
				failed = s[0] == '/'
				_, width := utf8.DecodeRuneInString(s)
				s = s[width:]
			}
			chunk = chunk[1:]
		default:
			if chunk[0] == '\\' {
				if chunk = chunk[1:]; chunk == "" {
					return "", false, ErrBadPattern
				}
			}
			if !failed {
				failed = chunk[0] != s[0]
				s = s[1:]
			}
			chunk = chunk[1:]
		}
	}
	if failed {
		return "", false, nil
	}
	return s, true, nil
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
