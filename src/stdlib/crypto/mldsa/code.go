package mldsa

import (
	"bytes"
	"errors"
)

// pack appends the coefficients, of so many bits each, the lowest first.
func (f *poly) pack(out []byte, bits int) []byte {
	held, count := 0, 0
	for _, c := range f {
		held |= c << count
		for count += bits; count >= 8; count -= 8 {
			out = append(out, byte(held))
			held >>= 8
		}
	}
	return out
}

// unpack takes the coefficients from p, and gives what is left.
func (f *poly) unpack(p []byte, bits int) []byte {
	held, count, at := 0, 0, 0
	for i := range f {
		for ; count < bits; count += 8 {
			held |= int(p[at]) << count
			at++
		}
		f[i] = held & (1<<bits - 1)
		held >>= bits
		count -= bits
	}
	return p[at:]
}

// packMask appends coefficients as large as a mask's; unpackMask takes them from p.
func (s *set) packMask(out []byte, f *poly) []byte {
	var turned poly
	for i, c := range f {
		turned[i] = 1<<s.gamma1 - centred(c)
	}
	return turned.pack(out, s.gamma1+1)
}

func (s *set) unpackMask(f *poly, p []byte) []byte {
	p = f.unpack(p, s.gamma1+1)
	for i, c := range f {
		f[i] = 1<<s.gamma1 - c
	}
	return p
}

const (
	// Of a coefficient of the public key so many low bits are left out, and so many kept.
	leftOut  = 13
	keptBits = 10
)

// A hint tells for which coefficients of a polynomial the high part is the next one.
type hint [n]bool

// packHints appends the places of all hints, and where those of each polynomial end.
func (s *set) packHints(out []byte, hints []hint) []byte {
	places, ends := make([]byte, 0, s.omega), make([]byte, 0, s.k)
	for i := range hints {
		for at, is := range hints[i] {
			if is {
				places = append(places, byte(at))
			}
		}
		ends = append(ends, byte(len(places)))
	}
	return append(append(out, places[:s.omega]...), ends...)
}

func (s *set) unpackHints(p []byte) ([]hint, error) {
	places, isValid := p[:s.omega], true
	hints := make([]hint, s.k)
	begin := 0
	for i, end := range p[s.omega:] {
		if int(end) < begin || int(end) > s.omega {
			isValid = false
			break
		}
		// Places ascend.
		last := -1
		for _, place := range places[begin:end] {
			isValid = isValid && int(place) > last
			last = int(place)
			hints[i][place] = true
		}
		begin = int(end)
	}
	if !isValid || len(bytes.TrimLeft(places[begin:], "\x00")) > 0 {
		return nil, errors.New("mldsa: invalid signature encoding")
	}
	return hints, nil
}
