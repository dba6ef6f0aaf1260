// Package hmac: keyed sums, for crypto/hmac and the packages that derive keys by them. FIPS 198-1.
package hmac

import (
	"errors"
	"hash"
)

const (
	innerMask = 0x36
	outerMask = 0x5c
)

// What a sum must have for its state to be kept in place of the block that begins it.
type resumable interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// An HMAC is a sum of the key and the message, and another of the key and that sum.
type HMAC struct {
	inner, outer hash.Hash

	// How each sum begins: with these bytes, or in that state.
	innerStart, outerStart []byte
	areStates              bool
}

func New[H hash.Hash](h func() H, key []byte) *HMAC {
	m := &HMAC{inner: nil, outer: h()}
	m.inner = h()
	if same(m.inner, m.outer) {
		panic("crypto/hmac: hash generation function does not produce unique values")
	}
	size := m.inner.BlockSize()
	if len(key) > size {
		m.outer.Write(key)
		key = m.outer.Sum(nil)
	}
	m.innerStart, m.outerStart = masked(key, size, innerMask), masked(key, size, outerMask)
	m.inner.Write(m.innerStart)
	return m
}

// same compares what may not be comparable.
func same(a, b hash.Hash) (is bool) {
	defer func() { recover() }()
	return a == b
}

func masked(key []byte, size int, mask byte) []byte {
	b := make([]byte, size)
	copy(b, key)
	for i := range b {
		b[i] ^= mask
	}
	return b
}

func (m *HMAC) Size() int                   { return m.outer.Size() }
func (m *HMAC) BlockSize() int              { return m.inner.BlockSize() }
func (m *HMAC) Write(p []byte) (int, error) { return m.inner.Write(p) }

// begin makes h what it is before a message.
func (m *HMAC) begin(h hash.Hash, start []byte) {
	if !m.areStates {
		h.Reset()
		h.Write(start)
	} else if err := h.(resumable).UnmarshalBinary(start); err != nil {
		panic(err)
	}
}

func (m *HMAC) Sum(in []byte) []byte {
	n := len(in)
	in = m.inner.Sum(in)
	m.begin(m.outer, m.outerStart)
	m.outer.Write(in[n:])
	return m.outer.Sum(in[:n])
}

func (m *HMAC) Reset() {
	m.begin(m.inner, m.innerStart)
	if m.areStates {
		return
	}
	// Whoever resets does so often: the states spare a block each time.
	inner := stateOf(m.inner)
	if inner == nil {
		return
	}
	m.begin(m.outer, m.outerStart)
	if outer := stateOf(m.outer); outer != nil {
		m.innerStart, m.outerStart, m.areStates = inner, outer, true
	}
}

// stateOf is nil where a state cannot be kept.
func stateOf(h hash.Hash) []byte {
	if r, ok := h.(resumable); ok {
		if state, err := r.MarshalBinary(); err == nil {
			return state
		}
	}
	return nil
}

type notClonable struct{}

func (notClonable) Error() string { return "crypto/hmac: hash does not support hash.Cloner" }
func (notClonable) Unwrap() error { return errors.ErrUnsupported }

func (m *HMAC) Clone() (hash.Cloner, error) {
	c := *m
	if !replaceByClone(&c.inner) || !replaceByClone(&c.outer) {
		return nil, notClonable{}
	}
	return &c, nil
}

func replaceByClone(h *hash.Hash) bool {
	if cloner, ok := (*h).(hash.Cloner); ok {
		if clone, err := cloner.Clone(); err == nil {
			*h = clone
			return true
		}
	}
	return false
}
