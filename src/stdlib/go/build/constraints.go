package build

import (
	"bytes"
	"errors"
	"fmt"
	"go/build/constraint"
	"go/token"
	"io"
	"strings"
)

// MatchFile says whether a file would be one of the package in its folder.
func (c *Context) MatchFile(dir, name string) (match bool, err error) {
	s, err := c.match(dir, name, nil, nil, nil)
	return s != nil, err
}

// match reads the beginning of a file, and returns nil if it does not count. It notes tags in seen,
// and in binaryOnly if the file says so; a Go file is parsed if there is a file set. A file that
// comes with an error does not count either.
func (c *Context) match(dir, name string, seen map[string]bool, binaryOnly *bool,
	fset *token.FileSet) (*source, error) {
	ext := extension(name)
	if !c.isCandidate(name, ext, seen) {
		return nil, nil
	}
	s := &source{name: c.join(dir, name)}
	if ext == ".syso" {
		return s, nil
	}
	f, err := c.open(s.name)
	if err != nil {
		return nil, err
	}
	if err := s.load(f, ext == ".go", fset); err != nil {
		return s, fmt.Errorf("read %s: %v", s.name, err)
	}
	switch ok, binary, err := c.wants(s.header, seen); {
	case err != nil:
		return nil, fmt.Errorf("%s: %v", name, err)
	case !ok && !c.UseAllFiles:
		return nil, nil
	case binary && binaryOnly != nil && ext == ".go":
		*binaryOnly = *binaryOnly || !strings.HasSuffix(name, "_test.go")
	}
	return s, nil
}

// isCandidate says whether a file can count by its name.
func (c *Context) isCandidate(name, ext string, seen map[string]bool) bool {
	if name != "" && (name[0] == '.' || name[0] == '_') {
		return false
	}
	if ext != ".go" && new(Package).list(ext) == nil {
		return false
	}
	return c.fits(name, seen) || c.UseAllFiles
}

// load reads the beginning of a file, and closes it.
func (s *source) load(f io.ReadCloser, isGo bool, fset *token.FileSet) error {
	text, err := io.ReadAll(f)
	f.Close()
	if err != nil {
		return err
	}
	h := newHeader(text)
	if !isGo {
		s.header, err = h.comments()
		return err
	}
	if s.header, err = h.imports(); err != nil || fset == nil {
		return err
	}
	return s.parse(fset, h.text)
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

// wants says whether constraints are met: the `//go:build` line, or if there is none, all `+build`
// lines; and whether the file says that there are no sources of its package.
func (c *Context) wants(text []byte, seen map[string]bool) (ok, binaryOnly bool, err error) {
	lines, line, binaryOnly, err := leading(text)
	if err != nil {
		return false, false, err
	}
	has := func(tag string) bool { return c.has(tag, seen) }
	if line != "" {
		x, err := constraint.Parse(line)
		if err != nil {
			return false, false, fmt.Errorf("parsing //go:build line: %v", err)
		}
		return x.Eval(has), binaryOnly, nil
	}
	ok = true
	for line := range bytes.Lines(lines) {
		line := string(bytes.TrimSpace(line))
		if constraint.IsPlusBuild(line) {
			if x, err := constraint.Parse(line); err == nil && !x.Eval(has) {
				ok = false
			}
		}
	}
	return ok, binaryOnly, nil
}

// leading reads what is in front of the first line with code. It returns the lines up to the last
// blank one that has only `//` comments before it; the `//go:build` line, of which two are an
// error; and whether there is a line `//go:binary-only-package`.
func leading(text []byte) (lines []byte, goBuild string, binaryOnly bool, err error) {
	end, at := 0, 0
	onlyLines, inside := true, false // inside a comment of the other form
	for line := range bytes.Lines(text) {
		at += len(line)
		line := string(bytes.TrimSpace(line))
		if line == "" && onlyLines {
			end = at
			continue
		}
		if !strings.HasPrefix(line, "//") {
			onlyLines = false
		}
		if !inside && constraint.IsGoBuild(line) {
			if goBuild != "" {
				return nil, "", false, errors.New("multiple //go:build comments")
			}
			goBuild = line
		}
		if !inside && line == "//go:binary-only-package" {
			binaryOnly = true
		}
		for line != "" {
			if inside {
				_, rest, ok := strings.Cut(line, "*/")
				line, inside = strings.TrimSpace(rest), !ok
			} else if strings.HasPrefix(line, "//") {
				break
			} else if rest, ok := strings.CutPrefix(line, "/*"); ok {
				line, inside = strings.TrimSpace(rest), true
			} else {
				return text[:end], goBuild, binaryOnly, nil
			}
		}
	}
	return text[:end], goBuild, binaryOnly, nil
}
