// Package sha3: SHA-3 and SHAKE, which take bytes into a sponge of 200 and press others out.
// FIPS 202, SP 800-185.
package sha3

import (
	"bytes"
	"crypto"
	"errors"
	"hash"
)

const (
	width = 200

	// The bits behind the message, with the first of the padding.
	endSHA3   = 0x06
	endSHAKE  = 0x1f
	endCSHAKE = 0x04
)

type sponge struct {
	state    [width]byte
	at       int // bytes taken in or pressed out since the last permutation
	rate     int
	size     int // of the sum
	end      byte
	squeezes bool
}

// absorb takes p into the state from byte at on; where the next comes.
func absorb(state []byte, at, rate int, p []byte) int

// squeeze fills out with the state from byte at on; where the next comes.
func squeeze(state []byte, at, rate int, out []byte) int

func (s *sponge) reset() {
	clear(s.state[:])
	s.at, s.squeezes = 0, false
}

func (s *sponge) write(p []byte) (int, error) {
	if s.squeezes {
		panic("sha3: Write after Read")
	}
	s.at = absorb(s.state[:], s.at, s.rate, p)
	return len(p), nil
}

func (s *sponge) read(out []byte) (int, error) {
	if !s.squeezes {
		s.squeezes = true
		s.state[s.at] ^= s.end
		s.state[s.rate-1] ^= 0x80
		// A full state is permuted before it is pressed.
		var first [1]byte
		squeeze(s.state[:], s.rate, s.rate, first[:])
		s.at = 0
	}
	s.at = squeeze(s.state[:], s.at, s.rate, out)
	return len(out), nil
}

func (s *sponge) sum(in []byte) []byte {
	if s.squeezes {
		panic("sha3: Sum after Read")
	}
	c := *s
	sum := make([]byte, s.size)
	c.read(sum)
	return append(in, sum...)
}

var magics = map[byte]string{endSHA3: "sha\x08", endSHAKE: "sha\x09", endCSHAKE: "sha\x0a"}

const (
	magicLen = 4
	stateLen = magicLen + 1 + width + 1 + 1
)

func (s *sponge) append(b []byte) []byte {
	b = append(b, magics[s.end]+string([]byte{byte(s.rate)})...)
	b = append(b, s.state[:]...)
	b = append(b, byte(s.at), 0)
	if s.squeezes {
		b[len(b)-1] = 1
	}
	return b
}

func (s *sponge) restore(b []byte) error {
	const state = magicLen + 1
	bad := ""
	switch {
	case len(b) != stateLen:
	case string(b[:magicLen]) != magics[s.end]:
		bad = " identifier"
	case int(b[magicLen]) != s.rate:
		bad = " function"
	default:
		copy(s.state[:], b[state:])
		at, squeezes := int(b[state+width]), b[state+width+1]
		if at > s.rate {
			break
		}
		if s.at = at; squeezes > 1 {
			break
		}
		s.squeezes = squeezes == 1
		return nil
	}
	return errors.New("sha3: invalid hash state" + bad)
}

// sized is the sponge of a sum of so many bytes.
func sized(size int) sponge { return sponge{rate: width - 2*size, size: size, end: endSHA3} }

type SHA3 struct{ s sponge }

func New224() *SHA3 { return &SHA3{sized(28)} }
func New256() *SHA3 { return &SHA3{sized(32)} }
func New384() *SHA3 { return &SHA3{sized(48)} }
func New512() *SHA3 { return &SHA3{sized(64)} }

// own is the sponge, that of SHA3-256 in the zero value.
func (s *SHA3) own() *sponge {
	if s.s.rate == 0 {
		s.s = sized(32)
	}
	return &s.s
}

func (s *SHA3) Write(p []byte) (n int, err error)     { return s.own().write(p) }
func (s *SHA3) Sum(b []byte) []byte                   { return s.own().sum(b) }
func (s *SHA3) Reset()                                { s.own().reset() }
func (s *SHA3) Size() int                             { return s.own().size }
func (s *SHA3) BlockSize() int                        { return s.own().rate }
func (s *SHA3) AppendBinary(p []byte) ([]byte, error) { return s.own().append(p), nil }
func (s *SHA3) MarshalBinary() ([]byte, error)        { return s.AppendBinary(nil) }
func (s *SHA3) UnmarshalBinary(data []byte) error     { return s.own().restore(data) }
func (d *SHA3) Clone() (hash.Cloner, error)           { c := *d; return &c, nil }

type SHAKE struct {
	s      sponge
	prefix []byte // what a customised one begins with
}

func NewSHAKE128() *SHAKE { return shaken(16) }
func NewSHAKE256() *SHAKE { return shaken(32) }

func shaken(strength int) *SHAKE {
	return &SHAKE{s: sponge{rate: width - 2*strength, size: 2 * strength, end: endSHAKE}}
}

func NewCSHAKE128(N, S []byte) *SHAKE { return customised(16, N, S) }
func NewCSHAKE256(N, S []byte) *SHAKE { return customised(32, N, S) }

func customised(strength int, function, custom []byte) *SHAKE {
	s := shaken(strength)
	if len(function) == 0 && len(custom) == 0 {
		return s
	}
	s.s.end = endCSHAKE
	s.prefix = append(leftEncode(8*len(function)), function...)
	s.prefix = append(append(s.prefix, leftEncode(8*len(custom))...), custom...)
	s.begin()
	return s
}

// begin writes the prefix, in whole blocks.
func (s *SHAKE) begin() {
	if len(s.prefix) == 0 {
		return
	}
	block := append(leftEncode(s.s.rate), s.prefix...)
	if over := len(block) % s.s.rate; over > 0 {
		block = append(block, make([]byte, s.s.rate-over)...)
	}
	s.s.write(block)
}

// leftEncode is a number behind its length in bytes.
func leftEncode(n int) []byte {
	b := []byte{byte(n)}
	for n >>= 8; n > 0; n >>= 8 {
		b = append([]byte{byte(n)}, b...)
	}
	return append([]byte{byte(len(b))}, b...)
}

// own is the sponge, that of SHAKE256 in the zero value.
func (s *SHAKE) own() *sponge {
	if s.s.rate == 0 {
		*s = *NewSHAKE256()
	}
	return &s.s
}

func (s *SHAKE) Write(p []byte) (n int, err error) { return s.own().write(p) }
func (s *SHAKE) Read(p []byte) (n int, err error)  { return s.own().read(p) }
func (s *SHAKE) BlockSize() int                    { return s.own().rate }
func (s *SHAKE) MarshalBinary() ([]byte, error)    { return s.AppendBinary(nil) }

func (s *SHAKE) Reset() {
	s.own().reset()
	s.begin()
}

func (s *SHAKE) AppendBinary(p []byte) ([]byte, error) {
	return append(s.own().append(p), s.prefix...), nil
}

func (s *SHAKE) UnmarshalBinary(data []byte) error {
	n := min(len(data), stateLen)
	err := s.own().restore(data[:n])
	if err == nil {
		s.prefix = bytes.Clone(data[n:])
	}
	return err
}

func sum(size int, data, out []byte) {
	s := sized(size)
	s.write(data)
	s.read(out)
}

func Sum224(data []byte) (out [28]byte) { sum(28, data, out[:]); return out }
func Sum256(data []byte) (out [32]byte) { sum(32, data, out[:]); return out }
func Sum384(data []byte) (out [48]byte) { sum(48, data, out[:]); return out }
func Sum512(data []byte) (out [64]byte) { sum(64, data, out[:]); return out }

func sumShake(strength int, data []byte, length int) []byte {
	out := make([]byte, length)
	s := shaken(strength)
	s.Write(data)
	s.Read(out)
	return out
}

func SumSHAKE128(data []byte, length int) []byte { return sumShake(16, data, length) }
func SumSHAKE256(data []byte, length int) []byte { return sumShake(32, data, length) }

func maker(size int) func() hash.Hash {
	return func() hash.Hash { return &SHA3{sized(size)} }
}

//go:effect crypto.makers
func init() {
	crypto.RegisterHash(crypto.SHA3_224, maker(28))
	crypto.RegisterHash(crypto.SHA3_256, maker(32))
	crypto.RegisterHash(crypto.SHA3_384, maker(48))
	crypto.RegisterHash(crypto.SHA3_512, maker(64))
}
