package image

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"sync"
)

var ErrFormat = errors.New("image: unknown format")

type format struct {
	name, magic string
	decode      func(io.Reader) (Image, error)
	measure     func(io.Reader) (Config, error)
}

var formats struct {
	sync.Mutex
	list []format
}

func RegisterFormat(
	name, magic string, decode func(io.Reader) (Image, error),
	decodeConfig func(io.Reader) (Config, error),
) {
	formats.Lock()
	defer formats.Unlock()
	formats.list = append(slices.Clip(formats.list), format{name, magic, decode, decodeConfig})
}

type peeker interface {
	io.Reader
	Peek(int) ([]byte, error)
}

// recognise is the format of what r begins with, and a reader of all of it.
func recognise(r io.Reader) (format, io.Reader, error) {
	p, ok := r.(peeker)
	if !ok {
		p = bufio.NewReader(r)
	}
	formats.Lock()
	list := formats.list
	formats.Unlock()
	for _, f := range list {
		start, err := p.Peek(len(f.magic))
		if err == nil && f.begins(start) {
			return f, p, nil
		}
	}
	return format{}, nil, ErrFormat
}

// begins compares with the magic, in which a question mark stands for any byte.
func (f format) begins(start []byte) bool {
	for i, c := range start {
		if f.magic[i] != '?' && f.magic[i] != c {
			return false
		}
	}
	return true
}

func DecodeConfig(r io.Reader) (Config, string, error) {
	f, all, err := recognise(r)
	if err != nil || f.measure == nil {
		return Config{}, "", ErrFormat
	}
	c, err := f.measure(all)
	return c, f.name, err
}

func Decode(r io.Reader) (Image, string, error) {
	f, all, err := recognise(r)
	if err != nil || f.decode == nil {
		return nil, "", ErrFormat
	}
	m, err := f.decode(all)
	return m, f.name, err
}
