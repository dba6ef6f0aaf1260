package hpke

import (
	"crypto/ecdh"
	"encoding/binary"
	"errors"
	"internal/rand"
	"slices"
)

// A KEM is one of those that this package knows.
type KEM interface {
	ID() uint16
	GenerateKey() (PrivateKey, error)
	NewPublicKey([]byte) (PublicKey, error)
	NewPrivateKey([]byte) (PrivateKey, error)
	// DeriveKeyPair makes the same key of the same bytes, of which there should be many.
	DeriveKeyPair(ikm []byte) (PrivateKey, error)
	encSize() int // in bytes
}

func NewKEM(id uint16) (KEM, error) {
	for _, k := range []KEM{
		dhP256, dhP384, dhP521, dhX25519,
		mlkem768, mlkem1024, mlkem768X25519, mlkem768P256, mlkem1024P384,
	} {
		if k.ID() == id {
			return k, nil
		}
	}
	return nil, errors.New("unsupported KEM")
}

// A PublicKey encrypts for its owner.
type PublicKey interface {
	KEM() KEM
	Bytes() []byte
	// encap is a secret, and what tells it to the owner.
	encap() (secret, enc []byte, err error)
}

// A PrivateKey decrypts.
type PrivateKey interface {
	KEM() KEM
	// Bytes fails if the key is one that does not tell its bytes.
	Bytes() ([]byte, error)
	PublicKey() PublicKey
	decap(enc []byte) (secret []byte, err error)
}

// suiteOf is how a KEM names itself to its own KDF.
func suiteOf(k KEM) []byte { return binary.BigEndian.AppendUint16([]byte("KEM"), k.ID()) }

var errCurve = errors.New("unsupported curve")

// A dhKEM agrees with a key on a curve that is made for one message.
type dhKEM struct {
	id     uint16
	kdf    *twoStage
	curve  ecdh.Curve
	secret int // and the others in bytes
	key    int
	enc    int
}

var (
	dhP256   = &dhKEM{0x10, hkdfSHA256, ecdh.P256(), 32, 32, 65}
	dhP384   = &dhKEM{0x11, hkdfSHA384, ecdh.P384(), 48, 48, 97}
	dhP521   = &dhKEM{0x12, hkdfSHA512, ecdh.P521(), 64, 66, 133}
	dhX25519 = &dhKEM{0x20, hkdfSHA256, ecdh.X25519(), 32, 32, 32}
)

// DHKEM is the one of that curve.
func DHKEM(curve ecdh.Curve) KEM {
	if k := dhOf(curve); k != nil {
		return k
	}
	return noKEM{}
}

func dhOf(curve ecdh.Curve) *dhKEM {
	for _, k := range []*dhKEM{dhP256, dhP384, dhP521, dhX25519} {
		if k.curve == curve {
			return k
		}
	}
	return nil
}

// A noKEM is that of a curve which this package does not know.
type noKEM struct{}

func (noKEM) ID() uint16                               { return 0 }
func (noKEM) GenerateKey() (PrivateKey, error)         { return nil, errCurve }
func (noKEM) NewPublicKey([]byte) (PublicKey, error)   { return nil, errCurve }
func (noKEM) NewPrivateKey([]byte) (PrivateKey, error) { return nil, errCurve }
func (noKEM) DeriveKeyPair([]byte) (PrivateKey, error) { return nil, errCurve }
func (noKEM) encSize() int                             { return 0 }

func (k *dhKEM) ID() uint16   { return k.id }
func (k *dhKEM) encSize() int { return k.enc }

func (k *dhKEM) GenerateKey() (PrivateKey, error) {
	return k.owned(k.curve.GenerateKey(rand.Reader))
}

func (k *dhKEM) NewPrivateKey(data []byte) (PrivateKey, error) {
	return k.owned(k.curve.NewPrivateKey(data))
}

// owned makes a key of the KEM's of one on its curve, unless there was an error.
func (k *dhKEM) owned(key *ecdh.PrivateKey, err error) (PrivateKey, error) {
	if err == nil {
		return &dhPrivate{k, key}, nil
	}
	return nil, err
}

func (k *dhKEM) NewPublicKey(data []byte) (PublicKey, error) {
	key, err := k.curve.NewPublicKey(data)
	if err == nil {
		return &dhPublic{k, key}, nil
	}
	return nil, err
}

func (k *dhKEM) DeriveKeyPair(ikm []byte) (PrivateKey, error) {
	suite := suiteOf(k)
	root, err := k.kdf.extract(suite, nil, "dkp_prk", ikm)
	if err != nil {
		return nil, err
	}
	try := func(label string, count ...byte) (PrivateKey, error) {
		data, err := k.kdf.expand(suite, root, label, count, k.key)
		if err == nil && k == dhP521 {
			data[0] &= 1
		}
		if err != nil {
			return nil, err
		}
		return k.NewPrivateKey(data)
	}
	if k == dhX25519 {
		return try("sk")
	}
	// Of the curves' numbers few are too large.
	for count := range byte(4) {
		if made, err := try("candidate", count); err == nil {
			return made, nil
		}
	}
	panic("chance of four rejections is < 2^-128")
}

// send makes a key for one message, whose public half is enc. finish makes the secret of what it
// agrees on with theirs.
func send(theirs *ecdh.PublicKey, finish func(agreed, enc []byte) ([]byte, error)) (
	secret, enc []byte, err error,
) {
	own, err := theirs.Curve().GenerateKey(rand.Reader)
	if err == nil {
		enc = own.PublicKey().Bytes()
		secret, err = own.ECDH(theirs)
	}
	if err == nil {
		secret, err = finish(secret, enc)
	}
	if err != nil {
		return nil, nil, err
	}
	return secret, enc, nil
}

// agree is what a key agrees on with the encoded one of a sender.
func agree(curve ecdh.Curve, own ecdh.KeyExchanger, enc []byte) ([]byte, error) {
	theirs, err := curve.NewPublicKey(enc)
	if err != nil {
		return nil, err
	}
	return own.ECDH(theirs)
}

// finish makes the secret of what the keys agree on, and both public keys.
func (k *dhKEM) finish(agreed, enc []byte, public *ecdh.PublicKey) (secret []byte, err error) {
	suite := suiteOf(k)
	if agreed, err = k.kdf.extract(suite, nil, "eae_prk", agreed); err == nil {
		both := slices.Concat(enc, public.Bytes())
		secret, err = k.kdf.expand(suite, agreed, "shared_secret", both, k.secret)
	}
	return secret, err
}

type dhPublic struct {
	kem *dhKEM
	key *ecdh.PublicKey
}

func NewDHKEMPublicKey(pub *ecdh.PublicKey) (PublicKey, error) {
	k := dhOf(pub.Curve())
	if k == nil {
		return nil, errCurve
	}
	return &dhPublic{k, pub}, nil
}

func (p *dhPublic) KEM() KEM      { return p.kem }
func (p *dhPublic) Bytes() []byte { return p.key.Bytes() }

func (p *dhPublic) encap() (secret, enc []byte, err error) {
	return send(p.key, func(agreed, enc []byte) ([]byte, error) {
		return p.kem.finish(agreed, enc, p.key)
	})
}

type dhPrivate struct {
	kem *dhKEM
	key ecdh.KeyExchanger
}

func NewDHKEMPrivateKey(priv ecdh.KeyExchanger) (PrivateKey, error) {
	k := dhOf(priv.Curve())
	if k == nil {
		return nil, errCurve
	}
	return &dhPrivate{k, priv}, nil
}

func (p *dhPrivate) KEM() KEM             { return p.kem }
func (p *dhPrivate) PublicKey() PublicKey { return &dhPublic{p.kem, p.key.PublicKey()} }

func (p *dhPrivate) Bytes() ([]byte, error) {
	if key, ok := p.key.(*ecdh.PrivateKey); ok {
		return p.kem.clamped(key.Bytes()), nil
	}
	return nil, errors.New("ecdh: private key does not support Bytes")
}

// clamped is a private key as RFC 9180 has it, with the bits set that X25519 sets itself.
func (k *dhKEM) clamped(data []byte) []byte {
	if k == dhX25519 {
		data[0] &^= 7
		data[31] = data[31]&0x7f | 0x40
	}
	return data
}

func (p *dhPrivate) decap(enc []byte) ([]byte, error) {
	agreed, err := agree(p.key.Curve(), p.key, enc)
	if err == nil {
		return p.kem.finish(agreed, enc, p.key.PublicKey())
	}
	return nil, err
}
