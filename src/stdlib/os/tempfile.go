package os

import (
	"errors"
	"strings"
)

// Temporary files and folders.

func TempDir() string {
	if dir := Getenv("TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
}

// random is a random number, under a seed as well: names that earlier runs have left would be in
// the way, and each of them a step more.
func random() uint32

// digits are a random number's, always ten: a name takes as many steps in a run as in its replay.
func digits() string {
	var ten [10]byte
	n := random()
	for i := range ten {
		ten[i] = byte('0' + n%10)
		n /= 10
	}
	return string(ten[:])
}

var notOneName = errors.New("pattern contains path separator")

// tryNames makes something in a folder, under one name after the other until one is free. Digits
// take the place of the pattern's last *, or follow it.
func tryNames(op, dir, pattern string, make func(name string) error) error {
	const mostTries = 10000
	if strings.IndexByte(pattern, PathSeparator) >= 0 {
		return onPath(op, pattern, notOneName)
	}
	if dir == "" {
		dir = TempDir()
	}
	head, tail := pattern, ""
	if star := strings.LastIndexByte(pattern, '*'); star >= 0 {
		head, tail = pattern[:star], pattern[star+1:]
	}
	for try := 0; ; try++ {
		err := make(dir + "/" + head + digits() + tail)
		if try == mostTries || !IsExist(err) {
			return err
		}
	}
}

func CreateTemp(dir, pattern string) (f *File, err error) {
	err = tryNames("createtemp", dir, pattern, func(name string) (err error) {
		f, err = OpenFile(name, O_EXCL|O_CREATE|O_RDWR, 0600)
		return err
	})
	return f, err
}

func MkdirTemp(dir, pattern string) (name string, err error) {
	err = tryNames("mkdirtemp", dir, pattern, func(candidate string) error {
		name = candidate
		return Mkdir(name, 0700)
	})
	if err == nil {
		return name, nil
	}
	if IsNotExist(err) {
		// Whose folder is missing is told so.
		if dir == "" {
			dir = TempDir()
		}
		if _, missing := Stat(dir); IsNotExist(missing) {
			err = missing
		}
	}
	return "", err
}
