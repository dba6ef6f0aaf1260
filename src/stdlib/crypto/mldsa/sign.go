package mldsa

import (
	"bytes"
	"crypto/sha3"
	"errors"
)

const (
	// A message is hashed to so many bytes, with the public key and the context.
	muSize   = 64
	seedSize = 32 // of the matrix
)

// An expanded key is what a private key is when it signs. All polynomials are transformed.
type expanded struct {
	matrix   []poly // row by row
	s1, s2   []*poly
	low      []*poly // what the public key leaves out
	nonceKey [32]byte
}

func newPrivateKey(s *set, seed [PrivateKeySize]byte) *PrivateKey {
	h := sha3.NewSHAKE256()
	h.Write(seed[:])
	h.Write([]byte{byte(s.k), byte(s.l)})
	e := new(expanded)
	matrixSeed, secretSeed := make([]byte, seedSize), make([]byte, 64)
	h.Read(matrixSeed)
	h.Read(secretSeed)
	h.Read(e.nonceKey[:])
	e.matrix = s.matrix(matrixSeed)
	for i := range s.l + s.k {
		f := s.small(secretSeed, byte(i))
		f.transform()
		if i < s.l {
			e.s1 = append(e.s1, f)
		} else {
			e.s2 = append(e.s2, f)
		}
	}
	public := matrixSeed
	for i := range s.k {
		// Row i of the matrix, by s1, and s2 make a row of the public key.
		sum := *e.s2[i]
		s.addRow(&sum, e.matrix, i, e.s1)
		sum.restore()
		var kept poly
		low := new(poly)
		for j, c := range sum {
			kept[j] = (c + 1<<(leftOut-1) - 1) >> leftOut
			low[j] = c - kept[j]<<leftOut
		}
		public = kept.pack(public, keptBits)
		low.transform()
		e.low = append(e.low, low)
	}
	return &PrivateKey{seed, *newPublicKey(s, public), e}
}

// addRow adds a row of the matrix, by that vector.
func (s *set) addRow(sum *poly, matrix []poly, row int, vector []*poly) {
	for j, f := range vector {
		sum.addProduct(&matrix[row*s.l+j], f)
	}
}

// represent is what the message is hashed to.
func (pk *PublicKey) represent(message []byte, context string) ([]byte, error) {
	if len(context) > 255 {
		return nil, errors.New("mldsa: context too long")
	}
	head := append([]byte{0, byte(len(context))}, context...)
	return shaken(muSize, pk.tr[:], head, message), nil
}

// sign tries one mask after the other, till what it would publish tells nothing of the secret.
func (sk *PrivateKey) sign(mu, random []byte) []byte {
	nonce := shaken(64, sk.expanded.nonceKey[:], random, mu)
	for counter := 0; ; counter += sk.public.set.l {
		if signature := sk.try(mu, nonce, counter); signature != nil {
			return signature
		}
	}
}

// mask is the polynomials that hide the secret.
func (s *set) mask(nonce []byte, counter int) []*poly {
	list := make([]*poly, s.l)
	for i := range list {
		h := sha3.NewSHAKE256()
		h.Write(nonce)
		h.Write([]byte{byte(counter + i), byte((counter + i) >> 8)})
		p := make([]byte, n*(s.gamma1+1)/8)
		h.Read(p)
		list[i] = new(poly)
		s.unpackMask(list[i], p)
	}
	return list
}

func (sk *PrivateKey) try(mu, nonce []byte, counter int) []byte {
	s, e := sk.public.set, sk.expanded
	mask := s.mask(nonce, counter)
	transformed := make([]*poly, s.l)
	for i, f := range mask {
		f := *f
		f.transform()
		transformed[i] = &f
	}
	h := sha3.NewSHAKE256()
	h.Write(mu)
	w := make([]poly, s.k)
	var high poly
	for i := range w {
		s.addRow(&w[i], e.matrix, i, transformed)
		w[i].restore()
		for j, c := range w[i] {
			high[j], _ = s.decompose(c)
		}
		h.Write(high.pack(nil, s.highBits()))
	}
	signature := make([]byte, s.lambda/4, s.params.signatureSize)
	h.Read(signature)
	c := s.challenge(signature)
	c.transform()

	for i, f := range mask {
		for j, moved := range product(c, e.s1[i]) {
			f[j] += moved
		}
		if f.exceeds(1<<s.gamma1 - s.beta()) {
			return nil
		}
		signature = s.packMask(signature, f)
	}
	hints := make([]hint, s.k)
	count := 0
	for i := range w {
		for j, moved := range product(c, e.s2[i]) {
			w[i][j] = positive(w[i][j] - moved)
			if _, low := s.decompose(w[i][j]); max(low, -low) >= s.gamma2-s.beta() {
				return nil
			}
		}
	}
	for i := range w {
		out := product(c, e.low[i])
		if out.exceeds(s.gamma2) {
			return nil
		}
		for j, c := range w[i] {
			without, _ := s.decompose(c)
			with, _ := s.decompose(positive(c + out[j]))
			if with != without {
				hints[i][j] = true
				count++
			}
		}
	}
	if count > s.omega {
		return nil
	}
	return s.packHints(signature, hints)
}

func (pk *PublicKey) verify(mu, signature []byte) error {
	s := pk.set
	if len(signature) != s.params.signatureSize {
		return errors.New("mldsa: invalid signature length")
	}
	hash, p := signature[:s.lambda/4], signature[s.lambda/4:]
	z := make([]*poly, s.l)
	isSmall := true
	for i := range z {
		z[i] = new(poly)
		p = s.unpackMask(z[i], p)
		isSmall = isSmall && !z[i].exceeds(1<<s.gamma1-s.beta())
		z[i].transform()
	}
	hints, err := s.unpackHints(p)
	if err != nil {
		return err
	}
	invalid := errors.New("mldsa: invalid signature")
	if !isSmall {
		return invalid
	}
	c := s.challenge(hash)
	c.transform()

	matrix := s.matrix([]byte(pk.raw[:seedSize]))
	rest := []byte(pk.raw[seedSize:])
	h := sha3.NewSHAKE256()
	h.Write(mu)
	for i := range s.k {
		var row, w, high poly
		rest = row.unpack(rest, keptBits)
		for j, kept := range row {
			row[j] = -kept << leftOut
		}
		row.transform()
		w.addProduct(c, &row)
		s.addRow(&w, matrix, i, z)
		w.restore()
		for j, c := range w {
			part, low := s.decompose(c)
			if hints[i][j] {
				if low > 0 {
					part++
				} else {
					part += s.highParts() - 1
				}
				part %= s.highParts()
			}
			high[j] = part
		}
		h.Write(high.pack(nil, s.highBits()))
	}
	computed := make([]byte, len(hash))
	h.Read(computed)
	if !bytes.Equal(hash, computed) {
		return invalid
	}
	return nil
}
