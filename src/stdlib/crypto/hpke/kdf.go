package hpke

import (
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"slices"
)

// Every hash of this package begins with the version of the protocol.
const version = "HPKE-v1"

// A KDF is one of those that this package knows.
type KDF interface {
	ID() uint16
	// schedule makes the keys of a context.
	schedule(suite, secret, info []byte, aead AEAD) (*keys, error)
	// export makes a secret of the exporter's.
	export(suite, exporter []byte, context string, length int) ([]byte, error)
}

// keys are those of a context.
type keys struct{ key, nonce, exporter []byte }

func NewKDF(id uint16) (KDF, error) {
	for _, k := range []KDF{hkdfSHA256, hkdfSHA384, hkdfSHA512, shake128, shake256} {
		if k.ID() == id {
			return k, nil
		}
	}
	return nil, fmt.Errorf("unsupported KDF %04x", id)
}

func HKDFSHA256() KDF { return hkdfSHA256 }
func HKDFSHA384() KDF { return hkdfSHA384 }
func HKDFSHA512() KDF { return hkdfSHA512 }
func SHAKE128() KDF   { return shake128 }
func SHAKE256() KDF   { return shake256 }

var (
	hkdfSHA256 = &twoStage{1, sha256.Size, sha256.New}
	hkdfSHA384 = &twoStage{2, sha512.Size384, sha512.New384}
	hkdfSHA512 = &twoStage{3, sha512.Size, sha512.New}
	shake128   = &oneStage{16, 32, sha3.NewSHAKE128}
	shake256   = &oneStage{17, 64, sha3.NewSHAKE256}
)

// A twoStage KDF extracts a key, and expands that.
type twoStage struct {
	id   uint16
	size int // of a hash, in bytes
	hash func() hash.Hash
}

func (k *twoStage) ID() uint16 { return k.id }

func (k *twoStage) extract(suite, salt []byte, label string, secret []byte) ([]byte, error) {
	text := slices.Concat([]byte(version), suite, []byte(label), secret)
	return hkdf.Extract(k.hash, text, salt)
}

func (k *twoStage) expand(
	suite, key []byte, label string, info []byte, length int,
) ([]byte, error) {
	text := string(twoBytes(length)) + version + string(suite) + label + string(info)
	return hkdf.Expand(k.hash, key, text, length)
}

func (k *twoStage) schedule(suite, secret, info []byte, aead AEAD) (*keys, error) {
	context := []byte{0} // There is no key that both had before.
	for _, part := range []struct {
		label string
		value []byte
	}{{"psk_id_hash", nil}, {"info_hash", info}} {
		sum, err := k.extract(suite, nil, part.label, part.value)
		if err != nil {
			return nil, err
		}
		context = append(context, sum...)
	}
	secret, err := k.extract(suite, secret, "secret", nil)
	if err != nil {
		return nil, err
	}
	made := new(keys)
	for _, part := range []struct {
		key   *[]byte
		label string
		size  int
	}{
		{&made.key, "key", aead.keySize()},
		{&made.nonce, "base_nonce", aead.nonceSize()},
		{&made.exporter, "exp", k.size},
	} {
		if *part.key, err = k.expand(suite, secret, part.label, context, part.size); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (k *twoStage) export(suite, exporter []byte, context string, length int) ([]byte, error) {
	return k.expand(suite, exporter, "sec", []byte(context), length)
}

// A oneStage KDF makes everything at once.
type oneStage struct {
	id   uint16
	size int // of the exporter's secret, in bytes
	hash func() *sha3.SHAKE
}

func (k *oneStage) ID() uint16 { return k.id }

func (k *oneStage) derive(suite, secret []byte, label string, context []byte, length int) []byte {
	h, out := k.hash(), make([]byte, length)
	for _, part := range [][]byte{
		secret, []byte(version), suite, sized([]byte(label)), twoBytes(length), context,
	} {
		h.Write(part)
	}
	h.Read(out)
	return out
}

// twoBytes are the last two of a length.
func twoBytes(n int) []byte { return []byte{byte(n >> 8), byte(n)} }

// sized is p behind its length, of which two bytes count.
func sized(p []byte) []byte { return append(twoBytes(len(p)), p...) }

func (k *oneStage) schedule(suite, secret, info []byte, aead AEAD) (*keys, error) {
	none := sized(nil) // There is no key that both had before.
	context := append(append([]byte{0}, none...), sized(info)...)
	forKey, forNonce := aead.keySize(), aead.keySize()+aead.nonceSize()
	all := k.derive(suite, append(none, sized(secret)...), "secret", context, forNonce+k.size)
	return &keys{all[:forKey], all[forKey:forNonce], all[forNonce:]}, nil
}

func (k *oneStage) export(suite, exporter []byte, context string, length int) ([]byte, error) {
	return k.derive(suite, exporter, "sec", []byte(context), length), nil
}
