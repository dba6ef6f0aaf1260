// Package filepath: names of files.
package filepath

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	Separator     = os.PathSeparator
	ListSeparator = os.PathListSeparator
)

var (
	ErrBadPattern = errors.New("syntax error in pattern")
	SkipDir       = fs.SkipDir
	SkipAll       = fs.SkipAll
)

type WalkFunc func(path string, info fs.FileInfo, err error) error

func Clean(name string) string             { return path.Clean(name) }
func IsAbs(name string) bool               { return path.IsAbs(name) }
func Split(name string) (dir, file string) { return path.Split(name) }
func Ext(name string) string               { return path.Ext(name) }
func Base(name string) string              { return path.Base(name) }
func Dir(name string) string               { return path.Dir(name) }
func Join(elem ...string) string           { return path.Join(elem...) }
func ToSlash(name string) string           { return name }
func FromSlash(name string) string         { return name }
func VolumeName(name string) string        { return "" }
func HasPrefix(p, prefix string) bool      { return strings.HasPrefix(p, prefix) }

// Match differs from path.Match in patterns that are wrong: only as far as the name matches, part
// by part between stars, are they looked at.
func Match(pattern, name string) (matched bool, err error) {
	if matched, err = path.Match(pattern, name); err == nil {
		return matched, nil
	}
	good := goodParts(pattern)
	for end := range len(name) + 1 {
		if reached, _ := path.Match(good, name[:end]); reached {
			return false, ErrBadPattern
		}
	}
	return false, nil
}

// goodParts is what of a wrong pattern lies before the star in front of the first wrong part.
func goodParts(pattern string) (good string) {
	inClass := false
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '*':
			if inClass {
				continue
			}
			if _, err := path.Match(pattern[:i], ""); err != nil {
				return good
			}
			good = pattern[:i]
		}
	}
	return good
}

func SplitList(list string) []string {
	if list == "" {
		return []string{}
	}
	return strings.Split(list, string(rune(ListSeparator)))
}

// IsLocal tells whether the name stays below the directory it is used in.
func IsLocal(name string) bool {
	if name == "" || IsAbs(name) {
		return false
	}
	clean := Clean(name)
	return clean != ".." && !strings.HasPrefix(clean, "../")
}

func Localize(name string) (string, error) {
	if !fs.ValidPath(name) || strings.IndexByte(name, 0) >= 0 {
		return "", errors.New("invalid path")
	}
	return name, nil
}

func Abs(name string) (string, error) {
	if IsAbs(name) {
		return Clean(name), nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return Join(here, name), nil
}

func Rel(basepath, targpath string) (string, error) {
	base, target := Clean(basepath), Clean(targpath)
	if base == target {
		return ".", nil
	}
	if base == "." {
		base = ""
	}
	if target == "." {
		target = ""
	}
	wrong := errors.New("Rel: can't make " + targpath + " relative to " + basepath)
	if IsAbs(base) != IsAbs(target) {
		return "", wrong
	}
	from, to := parts(base), parts(target)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	if len(from) > 0 && from[0] == ".." {
		return "", wrong
	}
	var out []string
	for range from {
		out = append(out, "..")
	}
	return strings.Join(append(out, to...), "/"), nil
}

// parts are the names in a clean path.
func parts(name string) []string {
	name = strings.TrimPrefix(name, "/")
	if name == "" {
		return nil
	}
	return strings.Split(name, "/")
}

func EvalSymlinks(name string) (string, error) {
	const most = 255
	left, done := name, ""
	if IsAbs(name) {
		done = "/"
	}
	for links := 0; left != ""; {
		part, rest, more := strings.Cut(left, "/")
		left = rest
		switch part {
		case "", ".":
			continue
		case "..":
			if done == "" || Base(done) == ".." {
				done = Join(done, "..")
			} else {
				done = Dir(done)
				if done == "." {
					done = ""
				}
			}
			continue
		}
		next := Join(done, part)
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if !info.IsDir() && more {
				return "", notDirectory(next)
			}
			done = next
			continue
		}
		if links++; links > most {
			return "", errors.New("EvalSymlinks: too many links")
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if IsAbs(target) {
			done = "/"
		}
		left = target
		if more {
			left += "/" + rest
		}
	}
	return Clean(done), nil
}

func notDirectory(name string) error {
	_, err := os.Lstat(name + "/.")
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// isPattern tells whether a pattern matches more than its own text.
func isPattern(pattern string) bool { return strings.ContainsAny(pattern, `*?[\`) }

func Glob(pattern string) (matches []string, err error) {
	if !isPattern(pattern) {
		if _, missing := os.Lstat(pattern); missing == nil {
			matches = append(matches, pattern)
		}
		return matches, nil
	}
	// The parts below the folder from which on nothing is fixed, the last one first.
	var parts []string
	const most = 10000
	dir := pattern
	for isPattern(dir) {
		// A slash in a class or behind a backslash leaves something wrong before it.
		if _, err := Match(dir, ""); err != nil || len(parts) == most {
			return nil, ErrBadPattern
		}
		folder, part := Split(dir)
		parts = append(parts, part)
		switch dir = folder; dir {
		case "":
			dir = "."
		case "/":
		default:
			dir = strings.TrimSuffix(dir, "/")
		}
	}
	matches = []string{dir}
	for _, part := range slices.Backward(parts) {
		dirs := matches
		matches = nil
		for _, dir := range dirs {
			if matches, err = globIn(dir, part, matches); err != nil {
				return matches, err
			}
		}
	}
	return matches, nil
}

// globIn adds the names in a folder that match; a folder that cannot be read has none.
func globIn(dir, pattern string, matches []string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return matches, nil
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		ok, err := Match(pattern, e.Name())
		if err != nil {
			return matches, err
		}
		if ok {
			matches = append(matches, Join(dir, e.Name()))
		}
	}
	return matches, nil
}

func Walk(root string, fn WalkFunc) error {
	info, err := os.Lstat(root)
	return walked(walk(root, info, err, fn))
}

func WalkDir(root string, fn fs.WalkDirFunc) error {
	info, err := os.Lstat(root)
	if err == nil {
		return walked(descend(root, fs.FileInfoToDirEntry(info), fn))
	}
	return walked(fn(root, nil, err))
}

// descend shows name and all that is in it; a folder twice if it cannot be read.
func descend(name string, d fs.DirEntry, fn fs.WalkDirFunc) error {
	err := fn(name, d, nil)
	if !d.IsDir() {
		return err
	}
	var entries []fs.DirEntry
	if err == nil {
		if entries, err = os.ReadDir(name); err != nil {
			err = fn(name, d, err)
		}
	}
	for i := 0; err == nil && i < len(entries); i++ {
		err = descend(Join(name, entries[i].Name()), entries[i], fn)
	}
	if err != SkipDir {
		return err
	}
	return nil
}

// walked is the end of a walk: to skip what is left is no error.
func walked(err error) error {
	if err == SkipDir || err == SkipAll {
		return nil
	}
	return err
}

// walk shows name, which has been looked at or not, and all that is in it.
func walk(name string, info fs.FileInfo, wrong error, fn WalkFunc) error {
	var entries []fs.DirEntry
	if wrong == nil && info.IsDir() {
		if entries, wrong = os.ReadDir(name); wrong != nil {
			entries = nil
		}
	}
	err := fn(name, info, wrong)
	for i := 0; i < len(entries) && err == nil; i++ {
		part := Join(name, entries[i].Name())
		info, wrong := os.Lstat(part)
		err = walk(part, info, wrong, fn)
		// What is skipped is this folder, or all that follows a file.
		if err == SkipDir && (info == nil || info.IsDir()) {
			err = nil
		}
	}
	return err
}
