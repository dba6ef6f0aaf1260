package zip

// Methods of packing and unpacking, and who does it.

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
	compressors.Store(Deflate, Compressor(deflate))
	decompressors.Store(Deflate, Decompressor(inflate))
	decompressors.Store(Store, Decompressor(io.NopCloser))
	compressors.Store(Store, Compressor(stored))
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

func stored(w io.Writer) (io.WriteCloser, error) { return plain{w}, nil }

func deflate(w io.Writer) (io.WriteCloser, error) {
	if old, ok := writers.Get().(*flate.Writer); ok {
		old.Reset(w)
		return &packer{shared[*flate.Writer]{pool: &writers, v: old}}, nil
	}
	made, err := flate.NewWriter(w, level)
	return &packer{shared[*flate.Writer]{pool: &writers, v: made}}, err
}

func inflate(r io.Reader) io.ReadCloser {
	from, isUsed := readers.Get().(io.ReadCloser)
	if isUsed {
		from.(flate.Resetter).Reset(r, nil)
	} else {
		from = flate.NewReader(r)
	}
	u := new(unpacker)
	u.pool, u.v = &readers, from
	return u
}

// What compresses and decompresses is used again for other files.
var writers, readers sync.Pool

// A shared value belongs to one file until it is closed, and then to its pool.
type shared[T io.Closer] struct {
	mu     sync.Mutex
	pool   *sync.Pool
	v      T
	closed bool
}

func (s *shared[T]) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	defer s.pool.Put(s.v)
	return s.v.Close()
}

type (
	packer   struct{ shared[*flate.Writer] }
	unpacker struct{ shared[io.ReadCloser] }
)

func (p *packer) Write(b []byte) (n int, err error) {
	p.mu.Lock()
	if p.closed {
		err = errors.New("Write after Close")
	} else {
		n, err = p.v.Write(b)
	}
	p.mu.Unlock()
	return n, err
}

func (u *unpacker) Read(b []byte) (n int, err error) {
	u.mu.Lock()
	if u.closed {
		err = errors.New("Read after Close")
	} else {
		n, err = u.v.Read(b)
	}
	u.mu.Unlock()
	return n, err
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
