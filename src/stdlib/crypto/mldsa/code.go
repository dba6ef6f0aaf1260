package mldsa

import "errors"

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
	invalid := errors.New("mldsa: invalid signature encoding")
	places, ends := p[:s.omega], p[s.omega:]
	hints := make([]hint, s.k)
	at := 0
	for i := range hints {
		end := int(ends[i])
		if end < at || end > s.omega {
			return nil, invalid
		}
		for first := at; at < end; at++ {
			if at > first && places[at-1] >= places[at] {
				return nil, invalid
			}
			hints[i][places[at]] = true
		}
	}
	for _, place := range places[at:] {
		if place != 0 {
			return nil, invalid
		}
	}
	return hints, nil
}
