package hpke

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/mlkem"
	"crypto/sha3"
	"errors"
	"internal/rand"
)

// A mlkemKEM is ML-KEM of one size.
type mlkemKEM struct {
	id              uint16
	ciphertext, key int // of a ciphertext and a public key, in bytes
	generate        func() (crypto.Decapsulator, error)
	public          func([]byte) (crypto.Encapsulator, error)
	private         func([]byte) (crypto.Decapsulator, error)
	isOwn           func(crypto.Encapsulator) bool
}

// mlkemOf has what makes keys of ML-KEM make interfaces.
func mlkemOf[D crypto.Decapsulator, E crypto.Encapsulator](
	id uint16, ciphertext, key int,
	generate func() (D, error), public func([]byte) (E, error), private func([]byte) (D, error),
) *mlkemKEM {
	return &mlkemKEM{
		id, ciphertext, key,
		func() (crypto.Decapsulator, error) { return generate() },
		func(p []byte) (crypto.Encapsulator, error) { return public(p) },
		func(p []byte) (crypto.Decapsulator, error) { return private(p) },
		func(key crypto.Encapsulator) bool { _, ok := key.(E); return ok },
	}
}

var (
	mlkem768 = mlkemOf(0x41, mlkem.CiphertextSize768, mlkem.EncapsulationKeySize768,
		mlkem.GenerateKey768, mlkem.NewEncapsulationKey768, mlkem.NewDecapsulationKey768)
	mlkem1024 = mlkemOf(0x42, mlkem.CiphertextSize1024, mlkem.EncapsulationKeySize1024,
		mlkem.GenerateKey1024, mlkem.NewEncapsulationKey1024, mlkem.NewDecapsulationKey1024)
)

func MLKEM768() KEM  { return mlkem768 }
func MLKEM1024() KEM { return mlkem1024 }

func (k *mlkemKEM) ID() uint16   { return k.id }
func (k *mlkemKEM) encSize() int { return k.ciphertext }

func (k *mlkemKEM) GenerateKey() (PrivateKey, error) { return k.owned(k.generate()) }

func (k *mlkemKEM) NewPrivateKey(data []byte) (PrivateKey, error) {
	return k.owned(k.private(data))
}

// owned makes a key of the KEM's, unless there was an error.
func (k *mlkemKEM) owned(key crypto.Decapsulator, err error) (PrivateKey, error) {
	if err == nil {
		return &mlkemPrivate{k, key}, nil
	}
	return nil, err
}

func (k *mlkemKEM) NewPublicKey(data []byte) (PublicKey, error) {
	key, err := k.public(data)
	if err == nil {
		return &mlkemPublic{k, key}, nil
	}
	return nil, err
}

// seed is what a key pair is derived from.
func seed(k KEM, ikm []byte, size int) []byte {
	return shake256.derive(suiteOf(k), ikm, "DeriveKeyPair", nil, size)
}

func (k *mlkemKEM) DeriveKeyPair(ikm []byte) (PrivateKey, error) {
	return k.NewPrivateKey(seed(k, ikm, mlkem.SeedSize))
}

type mlkemPublic struct {
	kem *mlkemKEM
	key crypto.Encapsulator
}

// kindOf is the size of ML-KEM whose key that is.
func kindOf(key crypto.Encapsulator) (*mlkemKEM, error) {
	for _, k := range []*mlkemKEM{mlkem768, mlkem1024} {
		if k.isOwn(key) {
			return k, nil
		}
	}
	return nil, errors.New("unsupported public key type")
}

func NewMLKEMPublicKey(pub crypto.Encapsulator) (PublicKey, error) {
	k, err := kindOf(pub)
	if err != nil {
		return nil, err
	}
	return &mlkemPublic{k, pub}, nil
}

func (p *mlkemPublic) KEM() KEM      { return p.kem }
func (p *mlkemPublic) Bytes() []byte { return p.key.Bytes() }

func (p *mlkemPublic) encap() (secret, enc []byte, err error) {
	secret, enc = p.key.Encapsulate()
	return secret, enc, nil
}

type mlkemPrivate struct {
	kem *mlkemKEM
	key crypto.Decapsulator
}

func NewMLKEMPrivateKey(priv crypto.Decapsulator) (PrivateKey, error) {
	k, err := kindOf(priv.Encapsulator())
	if err != nil {
		return nil, err
	}
	return &mlkemPrivate{k, priv}, nil
}

var errNoSeed = errors.New("private key seed not available")

func (p *mlkemPrivate) KEM() KEM                         { return p.kem }
func (p *mlkemPrivate) decap(enc []byte) ([]byte, error) { return p.key.Decapsulate(enc) }

func (p *mlkemPrivate) PublicKey() PublicKey {
	return &mlkemPublic{p.kem, p.key.Encapsulator()}
}

func (p *mlkemPrivate) Bytes() ([]byte, error) {
	key, ok := p.key.(interface{ Bytes() []byte })
	if !ok {
		return nil, errNoSeed
	}
	return key.Bytes(), nil
}

// A hybridKEM is ML-KEM beside an agreement on a curve: its secret is safe as long as one of the
// two is.
type hybridKEM struct {
	id      uint16
	label   string
	name    string // of the curve
	lattice *mlkemKEM
	curve   ecdh.Curve
	seed    int // of a key on the curve, in bytes
	point   int
}

var (
	mlkem768X25519 = &hybridKEM{0x647a, `\.//^\`, "X25519", mlkem768, ecdh.X25519(), 32, 32}
	mlkem768P256   = &hybridKEM{0x50, "MLKEM768-P256", "P-256", mlkem768, ecdh.P256(), 32, 65}
	mlkem1024P384  = &hybridKEM{0x51, "MLKEM1024-P384", "P-384", mlkem1024, ecdh.P384(), 48, 97}
)

func MLKEM768X25519() KEM { return mlkem768X25519 }
func MLKEM768P256() KEM   { return mlkem768P256 }
func MLKEM1024P384() KEM  { return mlkem1024P384 }

// hybridOf is the one of a curve whose ML-KEM has such keys.
func hybridOf(curve ecdh.Curve, key func() crypto.Encapsulator) (*hybridKEM, error) {
	for _, k := range []*hybridKEM{mlkem768X25519, mlkem768P256, mlkem1024P384} {
		if k.curve != curve {
			continue
		}
		if !k.lattice.isOwn(key()) {
			return nil, errors.New("invalid PQ KEM for " + k.name + " hybrid")
		}
		return k, nil
	}
	return nil, errCurve
}

func (k *hybridKEM) ID() uint16   { return k.id }
func (k *hybridKEM) encSize() int { return k.lattice.ciphertext + k.point }

func (k *hybridKEM) GenerateKey() (PrivateKey, error) {
	seed := make([]byte, 32)
	rand.Reader.Read(seed)
	return k.NewPrivateKey(seed)
}

func (k *hybridKEM) NewPublicKey(data []byte) (PublicKey, error) {
	made := &hybridPublic{kem: k}
	n, err := k.lattice.key, errors.New("invalid public key size")
	if len(data) == n+k.point {
		if made.inner, err = k.lattice.public(data[:n]); err == nil {
			made.outer, err = k.curve.NewPublicKey(data[n:])
		}
	}
	if err != nil {
		return nil, err
	}
	return made, nil
}

// NewPrivateKey has both keys grow from a seed of 32 bytes.
func (k *hybridKEM) NewPrivateKey(data []byte) (PrivateKey, error) {
	if len(data) != 32 {
		return nil, errors.New("hpke: invalid hybrid KEM secret length")
	}
	made := &hybridPrivate{kem: k, seed: bytes.Clone(data)}
	stream := sha3.NewSHAKE256()
	stream.Write(data)
	grown := make([]byte, mlkem.SeedSize+k.seed)
	stream.Read(grown)
	forInner, forOuter := grown[:mlkem.SeedSize], grown[mlkem.SeedSize:]
	var err error
	if made.inner, err = k.lattice.private(forInner); err != nil {
		return nil, err
	}
	for {
		if made.outer, err = k.curve.NewPrivateKey(forOuter); err == nil {
			return made, nil
		}
		// Of the curves' numbers few are too large.
		stream.Read(forOuter)
	}
}

func (k *hybridKEM) DeriveKeyPair(ikm []byte) (PrivateKey, error) {
	return k.NewPrivateKey(seed(k, ikm, 32))
}

// finish makes one secret of the two, and of what was on the curve.
func (k *hybridKEM) finish(inner, outer, enc []byte, public *ecdh.PublicKey) []byte {
	h := sha3.New256()
	for _, part := range [][]byte{inner, outer, enc, public.Bytes(), []byte(k.label)} {
		h.Write(part)
	}
	return h.Sum(nil)
}

type hybridPublic struct {
	kem   *hybridKEM
	inner crypto.Encapsulator
	outer *ecdh.PublicKey
}

func NewHybridPublicKey(pq crypto.Encapsulator, t *ecdh.PublicKey) (PublicKey, error) {
	k, err := hybridOf(t.Curve(), func() crypto.Encapsulator { return pq })
	if err != nil {
		return nil, err
	}
	return &hybridPublic{k, pq, t}, nil
}

func (p *hybridPublic) KEM() KEM      { return p.kem }
func (p *hybridPublic) Bytes() []byte { return append(p.inner.Bytes(), p.outer.Bytes()...) }

func (p *hybridPublic) encap() (secret, enc []byte, err error) {
	var ciphertext []byte
	secret, point, err := send(p.outer, func(agreed, point []byte) (secret []byte, _ error) {
		secret, ciphertext = p.inner.Encapsulate()
		return p.kem.finish(secret, agreed, point, p.outer), nil
	})
	return secret, append(ciphertext, point...), err
}

type hybridPrivate struct {
	kem   *hybridKEM
	seed  []byte // nil if the keys were not made of one
	inner crypto.Decapsulator
	outer ecdh.KeyExchanger
}

func NewHybridPrivateKey(pq crypto.Decapsulator, t ecdh.KeyExchanger) (PrivateKey, error) {
	k, err := hybridOf(t.Curve(), pq.Encapsulator)
	if err != nil {
		return nil, err
	}
	return &hybridPrivate{k, nil, pq, t}, nil
}

func (p *hybridPrivate) KEM() KEM { return p.kem }

func (p *hybridPrivate) Bytes() ([]byte, error) {
	if p.seed == nil {
		return nil, errNoSeed
	}
	return p.seed, nil
}

func (p *hybridPrivate) PublicKey() PublicKey {
	return &hybridPublic{p.kem, p.inner.Encapsulator(), p.outer.PublicKey()}
}

func (p *hybridPrivate) decap(enc []byte) ([]byte, error) {
	n := p.kem.lattice.ciphertext
	if len(enc) != n+p.kem.point {
		return nil, errors.New("invalid encapsulated key size")
	}
	inner, err := p.inner.Decapsulate(enc[:n])
	if err != nil {
		return nil, err
	}
	agreed, err := agree(p.kem.curve, p.outer, enc[n:])
	if err != nil {
		return nil, err
	}
	return p.kem.finish(inner, agreed, enc[n:], p.outer.PublicKey()), nil
}
