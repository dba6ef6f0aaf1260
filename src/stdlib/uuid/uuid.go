// Package uuid: identifiers that nobody else has. RFC 9562.
package uuid

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"
)

type UUID [16]byte

const textLen = 36

// groups are where the groups of the text begin, which a hyphen divides, and where their bytes do.
var groups = [...]struct{ text, from, to int }{
	{0, 0, 4}, {9, 4, 6}, {14, 6, 8}, {19, 8, 10}, {24, 10, 16},
}

var errMalformed = errors.New("invalid uuid")

func Nil() UUID { return UUID{} }

func Max() UUID { return UUID(bytes.Repeat([]byte{0xff}, len(UUID{}))) }

func New() UUID { return NewV4() }

func (u UUID) AppendText(b []byte) ([]byte, error) {
	for i, g := range groups {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, u[g.from:g.to])
	}
	return b, nil
}

func (u UUID) MarshalText() ([]byte, error) { return u.AppendText(make([]byte, 0, textLen)) }

func (u UUID) String() string {
	b, _ := u.MarshalText()
	return string(b)
}

func (u UUID) Compare(v UUID) int { return bytes.Compare(u[:], v[:]) }

func Parse(s string) (UUID, error) {
	var u UUID
	switch len(s) {
	case len("urn:uuid:") + textLen:
		s = strings.TrimPrefix(s, "urn:uuid:")
	case len("{}") + textLen:
		s = strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
	case 2 * len(u):
		if _, err := hex.Decode(u[:], []byte(s)); err != nil {
			return UUID{}, errMalformed
		}
		return u, nil
	}
	if len(s) != textLen {
		return UUID{}, errMalformed
	}
	for _, g := range groups {
		end := g.text + 2*(g.to-g.from)
		if end < textLen && s[end] != '-' {
			return UUID{}, errMalformed
		}
		if _, err := hex.Decode(u[g.from:g.to], []byte(s[g.text:end])); err != nil {
			return UUID{}, errMalformed
		}
	}
	return u, nil
}

func MustParse(s string) UUID {
	u, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

func (u *UUID) UnmarshalText(b []byte) error {
	parsed, err := Parse(string(b))
	if err == nil {
		*u = parsed
	}
	return err
}

// mark writes the version, and the variant of the RFC.
func (u *UUID) mark(version byte) {
	u[6] = u[6]&0x0f | version<<4
	u[8] = u[8]&0x3f | 0x80
}

func NewV4() (u UUID) {
	rand.Read(u[:])
	u.mark(4)
	return u
}

// last is what the last one of version 7 began with, and its second.
var last struct {
	sync.Mutex
	time, second uint64
}

// NewV7 begins with the time in 1/4096 of milliseconds, or a little more where that would not be
// more than the last.
func NewV7() (u UUID) {
	const fractions, fractionBits, nsPerMs = 4096, 12, 1000000
	last.Lock()
	now := time.Now()
	second, ns := uint64(now.Unix()), uint64(now.Nanosecond())
	t := (1000*second+ns/nsPerMs)<<fractionBits + ns%nsPerMs*fractions/nsPerMs
	// A clock that is set back by seconds is believed.
	if second >= last.second && t <= last.time {
		t = last.time + 1
	}
	last.second, last.time = second, t
	last.Unlock()

	rand.Read(u[8:])
	ms := t >> fractionBits
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	u[6], u[7] = byte(t>>8)&0x0f, byte(t)
	u.mark(7)
	return u
}
