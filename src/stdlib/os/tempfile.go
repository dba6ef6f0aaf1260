package os

import "errors"

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

var errSeparator = errors.New("pattern contains path separator")

// randomName puts random digits where pattern has its last *, or at its end.
func randomName(pattern string) (string, error) {
	for i := range len(pattern) {
		if pattern[i] == '/' {
			return "", errSeparator
		}
	}
	digits := ""
	for n := random(); len(digits) < 10; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	for i := len(pattern) - 1; i >= 0; i-- {
		if pattern[i] == '*' {
			return pattern[:i] + digits + pattern[i+1:], nil
		}
	}
	return pattern + digits, nil
}

func CreateTemp(dir, pattern string) (*File, error) {
	if dir == "" {
		dir = TempDir()
	}
	for try := 0; ; try++ {
		base, err := randomName(pattern)
		if err != nil {
			return nil, &PathError{Op: "createtemp", Path: pattern, Err: err}
		}
		f, err := OpenFile(dir+"/"+base, O_RDWR|O_CREATE|O_EXCL, 0600)
		if err == nil || !IsExist(err) || try >= 10000 {
			return f, err
		}
	}
}

func MkdirTemp(dir, pattern string) (string, error) {
	if dir == "" {
		dir = TempDir()
	}
	for try := 0; ; try++ {
		base, err := randomName(pattern)
		if err != nil {
			return "", &PathError{Op: "mkdirtemp", Path: pattern, Err: err}
		}
		name := dir + "/" + base
		err = Mkdir(name, 0700)
		if err == nil {
			return name, nil
		}
		if IsNotExist(err) {
			if _, missing := Stat(dir); IsNotExist(missing) {
				err = missing
			}
		}
		if !IsExist(err) || try >= 10000 {
			return "", err
		}
	}
}
