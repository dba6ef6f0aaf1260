// Package ioutil: old names of functions of io and os.
package ioutil

import (
	"io"
	"io/fs"
	"os"
)

var Discard io.Writer = io.Discard

func NopCloser(r io.Reader) io.ReadCloser      { return io.NopCloser(r) }
func ReadAll(r io.Reader) ([]byte, error)      { return io.ReadAll(r) }
func ReadFile(filename string) ([]byte, error) { return os.ReadFile(filename) }

func TempDir(dir, pattern string) (name string, err error) { return os.MkdirTemp(dir, pattern) }
func TempFile(dir, pattern string) (f *os.File, err error) { return os.CreateTemp(dir, pattern) }

func ReadDir(dirname string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dirname)
	infos := make([]fs.FileInfo, len(entries))
	for i := 0; i < len(infos) && err == nil; i++ {
		infos[i], err = entries[i].Info()
	}
	if err != nil {
		return nil, err
	}
	return infos, nil
}

func WriteFile(filename string, data []byte, perm fs.FileMode) error {
	return os.WriteFile(filename, data, perm)
}
