// Templates from files, of the system or of an fs.FS.

package template

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// A shelf is where files are; that of the system has no fs.FS.
type shelf struct {
	fs.FS
	isFS bool // a nil FS is not the files of the system
}

func (s shelf) glob(pattern string) ([]string, error) {
	if s.isFS {
		return fs.Glob(s.FS, pattern)
	}
	return filepath.Glob(pattern)
}

// open reads a file, and gives the name of its template.
func (s shelf) open(file string) (name string, text []byte, err error) {
	if s.isFS {
		text, err = fs.ReadFile(s.FS, file)
		return path.Base(file), text, err
	}
	text, err = os.ReadFile(file)
	return filepath.Base(file), text, err
}

// load parses files. t is nil if the first file's template is to begin a set.
func (s shelf) load(t *Template, files ...string) (*Template, error) {
	if len(files) == 0 {
		return nil, errors.New("template: no files named in call to ParseFiles")
	}
	for _, file := range files {
		name, text, err := s.open(file)
		if err == nil {
			member := t.named(name)
			t = cmp.Or(t, member)
			_, err = member.Parse(string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// named is the template that a file of a name is parsed as: t itself, another one of the set, or if
// there is no set yet the first one.
func (t *Template) named(name string) *Template {
	switch {
	case t == nil:
		return New(name)
	case t.name == name:
		return t
	}
	return t.New(name)
}

// loadMatching parses the files that match patterns, of which each must match some.
func (s shelf) loadMatching(t *Template, patterns ...string) (*Template, error) {
	matching := make([][]string, len(patterns))
	for i, pattern := range patterns {
		var err error
		switch matching[i], err = s.glob(pattern); {
		case err != nil:
			return nil, err
		case len(matching[i]) == 0:
			return nil, fmt.Errorf("template: pattern matches no files: %#q", pattern)
		}
	}
	return s.load(t, slices.Concat(matching...)...)
}

// ParseFiles parses files into a new set, whose first template it returns.
func ParseFiles(filenames ...string) (*Template, error) {
	return shelf{}.load(nil, filenames...)
}

// ParseGlob is ParseFiles for the files that match a pattern.
func ParseGlob(pattern string) (*Template, error) { return shelf{}.loadMatching(nil, pattern) }

// ParseFS is ParseFiles for the files of fsys that match patterns.
func ParseFS(fsys fs.FS, patterns ...string) (*Template, error) {
	return shelf{fsys, true}.loadMatching(nil, patterns...)
}

// ParseFiles parses files as templates of the set, by their names.
func (t *Template) ParseFiles(filenames ...string) (*Template, error) {
	t.join()
	return shelf{}.load(t, filenames...)
}

// ParseGlob is ParseFiles for the files that match a pattern.
func (t *Template) ParseGlob(pattern string) (*Template, error) {
	t.join()
	return shelf{}.loadMatching(t, pattern)
}

// ParseFS is ParseFiles for the files of fsys that match patterns.
func (t *Template) ParseFS(fsys fs.FS, patterns ...string) (*Template, error) {
	t.join()
	return shelf{fsys, true}.loadMatching(t, patterns...)
}
