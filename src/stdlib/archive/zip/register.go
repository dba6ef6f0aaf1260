package zip

import (
	"compress/flate"
	"errors"
	"io"
	"sync"
)

type (
	Compressor   func(w io.Writer) (io.WriteCloser, error)
	Decompressor func(r io.Reader) io.ReadCloser
)

// level is how much effort is made for files.
const level = 5

var (
	compressors   sync.Map // Compressor by method
	decompressors sync.Map // Decompressor by method
)

//go:effect compressors
//go:effect decompressors
func init() {
	compressors.Store(Store, Compressor(func(w io.Writer) (io.WriteCloser, error) {
		return plain{w}, nil
	}))
	compressors.Store(Deflate, Compressor(func(w io.Writer) (io.WriteCloser, error) {
		fw, ok := writers.Get().(*flate.Writer)
		if ok {
			fw.Reset(w)
		} else {
			fw, _ = flate.NewWriter(w, level)
		}
		return &packer{fw: fw}, nil
	}))
	decompressors.Store(Store, Decompressor(io.NopCloser))
	decompressors.Store(Deflate, Decompressor(func(r io.Reader) io.ReadCloser {
		fr, ok := readers.Get().(io.ReadCloser)
		if ok {
			fr.(flate.Resetter).Reset(r, nil)
		} else {
			fr = flate.NewReader(r)
		}
		return &unpacker{fr: fr}
	}))
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// What compresses and decompresses is used again for other files.
var writers, readers sync.Pool

type packer struct {
	mu sync.Mutex
	fw *flate.Writer // until it is closed
}

func (p *packer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fw == nil {
		return 0, errors.New("Write after Close")
	}
	return p.fw.Write(b)
}

func (p *packer) Close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fw != nil {
		err = p.fw.Close()
		writers.Put(p.fw)
		p.fw = nil
	}
	return err
}

type unpacker struct {
	mu sync.Mutex
	fr io.ReadCloser // until it is closed
}

func (u *unpacker) Read(b []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.fr == nil {
		return 0, errors.New("Read after Close")
	}
	return u.fr.Read(b)
}

func (u *unpacker) Close() (err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.fr != nil {
		err = u.fr.Close()
		readers.Put(u.fr)
		u.fr = nil
	}
	return err
}

func RegisterCompressor(method uint16, comp Compressor) {
	if _, isThere := compressors.LoadOrStore(method, comp); isThere {
		panic("compressor already registered")
	}
}

func RegisterDecompressor(method uint16, dcomp Decompressor) {
	if _, isThere := decompressors.LoadOrStore(method, dcomp); isThere {
		panic("decompressor already registered")
	}
}
