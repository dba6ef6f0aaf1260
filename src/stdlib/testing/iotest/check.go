package iotest

import (
	"bytes"
	"fmt"
	"io"
)

// A sipper reads one, two or three bytes at a time.
type sipper struct {
	r      io.Reader
	at     int
	amount int
}

func (s *sipper) Read(p []byte) (n int, err error) {
	if len(p) > 0 {
		s.amount = s.amount%3 + 1
		n, err = s.r.Read(p[:min(s.amount, len(p))])
		from := s.at
		s.at += n
		if isEnd := err == io.EOF; err != nil && !isEnd {
			err = fmt.Errorf("Read(%d bytes at offset %d): %v", n, from, err)
		}
	}
	return n, err
}

// TestReader says what is wrong with a reader that ought to have this content.
func TestReader(r io.Reader, content []byte) error {
	if len(content) > 0 {
		if err := checkNone(r, nil, "Read(0)", nil, "nil"); err != nil {
			return err
		}
	}
	all, err := io.ReadAll(&sipper{r: r})
	if err == nil {
		err = same("ReadAll(small amounts)", all, nil, content)
	}
	if err == nil {
		err = checkNone(r, make([]byte, 10), "Read(10) at EOF", io.EOF, "EOF")
	}
	if s, ok := r.(io.ReadSeeker); ok && err == nil {
		err = checkSeek(s, content)
	}
	if err != nil {
		return err
	}
	if at, ok := r.(io.ReaderAt); ok {
		return checkReadAt(at, content)
	}
	return nil
}

// checkNone is for a reader that ought to read nothing, with that error.
func checkNone(r io.Reader, p []byte, what string, wanted error, name string) error {
	n, err := r.Read(p)
	if n == 0 && err == wanted {
		return nil
	}
	return fmt.Errorf("%s = %d, %v, want 0, %s", what, n, err, name)
}

// checkSeek is for a reader that stands at its end.
func checkSeek(r io.ReadSeeker, content []byte) error {
	size := len(content)
	third := size / 3
	middle := size - third
	seek := func(by, whence int, from string, want int) error {
		at, err := r.Seek(int64(by), whence)
		if at == int64(want) && err == nil {
			return nil
		}
		sign := ""
		if by > 0 && whence == io.SeekCurrent {
			sign = "+"
		}
		return fmt.Errorf("Seek(%s%d, %d) from %s = %d, %v, want %d, nil", sign, by, whence, from, at, err, want)
	}
	rest := func(from int) error {
		data, err := io.ReadAll(&sipper{r: r})
		return same(fmt.Sprintf("ReadAll from offset %d", from), data, err, content[from:])
	}
	if err := seek(0, io.SeekCurrent, "EOF", size); err != nil {
		return err
	}
	// Back to two thirds, in steps.
	if middle > 0 {
		if err := seek(-1, io.SeekCurrent, "EOF", size-1); err != nil {
			return err
		}
		if err := seek(-third, io.SeekCurrent, fmt.Sprint(size-1), middle-1); err != nil {
			return err
		}
		if err := seek(1, io.SeekCurrent, fmt.Sprint(middle-1), middle); err != nil {
			return err
		}
	}
	if err := seek(0, io.SeekCurrent, fmt.Sprint(middle), middle); err != nil {
		return err
	}
	if err := rest(middle); err != nil {
		return err
	}
	if err := seek(middle/2, io.SeekStart, "EOF", middle/2); err != nil {
		return err
	}
	if err := seek(-third, io.SeekEnd, fmt.Sprint(middle/2), middle); err != nil {
		return err
	}
	if err := rest(middle); err != nil {
		return err
	}
	// And once with a buffer of the usual size.
	if err := seek(middle/2, io.SeekStart, "EOF", middle/2); err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	return same(fmt.Sprintf("ReadAll from offset %d", middle/2), data, err, content[middle/2:])
}

func same(what string, data []byte, err error, want []byte) error {
	if err != nil {
		return fmt.Errorf("%s: %v", what, err)
	}
	if !bytes.Equal(data, want) {
		return fmt.Errorf("%s = %q\n\twant %q", what, data, want)
	}
	return nil
}

func checkReadAt(r io.ReaderAt, content []byte) error {
	size := len(content)
	data := make([]byte, size, size+1)
	// What is not read is not to look as if it were.
	spoil := func() {
		for i := range data {
			data[i] = 0xfe
		}
	}
	spoil()
	n, err := r.ReadAt(data, 0)
	if n != size || err != nil && err != io.EOF {
		return fmt.Errorf("ReadAt(%d, 0) = %v, %v, want %d, nil or EOF", size, n, err, size)
	}
	if err := same(fmt.Sprintf("ReadAt(%d, 0)", size), data, nil, content); err != nil {
		return err
	}
	if n, err = r.ReadAt(data[:1], int64(size)); n != 0 || err != io.EOF {
		return fmt.Errorf("ReadAt(1, %d) = %v, %v, want 0, EOF", size, n, err)
	}
	spoil()
	if n, err = r.ReadAt(data[:size+1], 0); n != size || err != io.EOF {
		return fmt.Errorf("ReadAt(%d, 0) = %v, %v, want %d, EOF", size+1, n, err, size)
	}
	if err := same(fmt.Sprintf("ReadAt(%d, 0)", size), data, nil, content); err != nil {
		return err
	}
	spoil()
	for i := range data {
		got, wanted := data[i:i+1], content[i:i+1]
		n, err := r.ReadAt(got, int64(i))
		allowed, fits := "nil", err == nil
		if i == size-1 {
			allowed, fits = "nil or EOF", fits || err == io.EOF
		}
		if n != 1 || !fits {
			return fmt.Errorf("ReadAt(1, %d) = %v, %v, want 1, %s", i, n, err, allowed)
		}
		if !bytes.Equal(got, wanted) {
			return fmt.Errorf("ReadAt(1, %d) = %q want %q", i, got, wanted)
		}
	}
	return nil
}
