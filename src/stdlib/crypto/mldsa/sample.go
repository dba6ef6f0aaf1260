package mldsa

import "crypto/sha3"

// matrix is the public matrix that grows from its seed, transformed, row by row.
func (s *set) matrix(seed []byte) []poly {
	list := make([]poly, s.k*s.l)
	for i := range list {
		list[i].uniform(seed, byte(i%s.l), byte(i/s.l))
	}
	return list
}

// shaken is a hash of the parts, of so many bytes.
func shaken(size int, parts ...[]byte) []byte {
	h := sha3.NewSHAKE256()
	for _, part := range parts {
		h.Write(part)
	}
	out := make([]byte, size)
	h.Read(out)
	return out
}

// uniform fills f with coefficients from 0 to q−1.
func (f *poly) uniform(seed []byte, column, row byte) {
	h := sha3.NewSHAKE128()
	h.Write(seed)
	h.Write([]byte{column, row})
	// Five blocks of the hash are nearly always enough, and whole triples.
	var block [5 * 168]byte
	for i := 0; i < n; {
		h.Read(block[:])
		for rest := block[:]; len(rest) >= 3 && i < n; rest = rest[3:] {
			c := int(rest[0]) | int(rest[1])<<8 | int(rest[2]&0x7f)<<16
			if c < q {
				f[i] = c
				i++
			}
		}
	}
}

// small is a secret polynomial, with coefficients at most eta from zero.
func (s *set) small(seed []byte, number byte) *poly {
	h := sha3.NewSHAKE256()
	h.Write(seed)
	h.Write([]byte{number, 0})
	f := new(poly)
	var block [2 * 136]byte
	for i := 0; i < n; {
		h.Read(block[:])
		for at := 0; at < 2*len(block) && i < n; at++ {
			half := int(block[at/2] >> (at % 2 * 4) & 15)
			switch {
			case s.eta == 2 && half < 15:
				f[i] = 2 - half%5
			case s.eta == 4 && half < 9:
				f[i] = 4 - half
			default:
				continue
			}
			i++
		}
	}
	return f
}

// challenge is the polynomial that a hash stands for: tau coefficients are 1 or −1.
func (s *set) challenge(hash []byte) *poly {
	h := sha3.NewSHAKE256()
	h.Write(hash)
	var signs [8]byte
	h.Read(signs[:])
	f := new(poly)
	var at [1]byte
	for sign := range s.tau {
		i := n - s.tau + sign
		for h.Read(at[:]); int(at[0]) > i; {
			h.Read(at[:])
		}
		f[i] = f[at[0]]
		f[at[0]] = 1 - 2*int(signs[sign/8]>>(sign%8)&1)
	}
	return f
}
