// Package hpke: encryption for whoever has a private key. RFC 9180, and the drafts for ML-KEM.
//
// A KEM brings a secret to the recipient, a KDF makes keys of that, and an AEAD encrypts with them.
package hpke

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// A context is what both sides have: keys, and how many messages there have been.
type context struct {
	aead       AEAD
	key, nonce []byte
	number     uint64
	export     func(context string, length int) ([]byte, error)
}

// A Sender encrypts messages for one recipient, in order.
type Sender struct{ *context }

// A Recipient decrypts them in the same order.
type Recipient struct{ *context }

func newContext(secret []byte, kem KEM, kdf KDF, aead AEAD, info []byte) (*context, error) {
	suite := []byte("HPKE")
	for _, id := range []uint16{kem.ID(), kdf.ID(), aead.ID()} {
		suite = binary.BigEndian.AppendUint16(suite, id)
	}
	k, err := kdf.schedule(suite, secret, info, aead)
	if err != nil {
		return nil, err
	}
	export := func(context string, length int) ([]byte, error) {
		if length < 0 || length > 0xffff {
			return nil, errors.New("invalid length")
		}
		return kdf.export(suite, k.exporter, context, length)
	}
	return &context{aead: aead, key: k.key, nonce: k.nonce, export: export}, nil
}

// NewSender gives enc with the sender, which the recipient needs.
func NewSender(pk PublicKey, kdf KDF, aead AEAD, info []byte) (enc []byte, s *Sender, err error) {
	c, err := begin(pk.KEM(), kdf, aead, info, func() (secret []byte, err error) {
		secret, enc, err = pk.encap()
		return secret, err
	})
	if err != nil {
		return nil, nil, err
	}
	return enc, &Sender{c}, nil
}

func NewRecipient(enc []byte, k PrivateKey, kdf KDF, aead AEAD, info []byte) (*Recipient, error) {
	c, err := begin(k.KEM(), kdf, aead, info, func() ([]byte, error) { return k.decap(enc) })
	if err != nil {
		return nil, err
	}
	return &Recipient{c}, nil
}

// Seal encrypts the next message; aad is only authenticated.
func (s *Sender) Seal(aad, plaintext []byte) ([]byte, error) {
	return s.message(func(nonce []byte) ([]byte, error) {
		return s.aead.seal(s.key, nonce, aad, plaintext), nil
	})
}

// Open decrypts the next message. It stays the next one if that fails.
func (r *Recipient) Open(aad, ciphertext []byte) ([]byte, error) {
	return r.message(func(nonce []byte) ([]byte, error) {
		return r.aead.open(r.key, nonce, aad, ciphertext)
	})
}

// Export makes another secret of so many bytes, which both sides have.
func (s *Sender) Export(exporterContext string, length int) ([]byte, error) {
	return s.export(exporterContext, length)
}

func (r *Recipient) Export(exporterContext string, length int) ([]byte, error) {
	return r.export(exporterContext, length)
}

// Seal encrypts a single message, with enc in front.
func Seal(pk PublicKey, kdf KDF, aead AEAD, info, plaintext []byte) (sealed []byte, err error) {
	enc, s, err := NewSender(pk, kdf, aead, info)
	if err == nil {
		sealed, err = s.Seal(nil, plaintext)
	}
	if err != nil {
		return nil, err
	}
	return slices.Concat(enc, sealed), nil
}

// Open decrypts what Seal has made.
func Open(k PrivateKey, kdf KDF, aead AEAD, info, ciphertext []byte) (plaintext []byte, err error) {
	size := k.KEM().encSize()
	if size > len(ciphertext) {
		return nil, errors.New("ciphertext too short")
	}
	var r *Recipient
	if r, err = NewRecipient(ciphertext[:size], k, kdf, aead, info); err == nil {
		plaintext, err = r.Open(nil, ciphertext[size:])
	}
	return plaintext, err
}

// begin makes a context of the secret that bring has from encapsulation or decapsulation.
func begin(
	kem KEM, kdf KDF, aead AEAD, info []byte, bring func() ([]byte, error),
) (*context, error) {
	secret, err := bring()
	if err != nil {
		return nil, err
	}
	return newContext(secret, kem, kdf, aead, info)
}

// message has the next message coded with its nonce, which is the base nonce xored with the
// message's number. The number goes up only if that succeeds. An AEAD which only exports has no
// messages.
func (c *context) message(code func(nonce []byte) ([]byte, error)) (coded []byte, err error) {
	if c.aead.keySize() == 0 {
		return nil, errors.New("export-only instantiation")
	}
	nonce := bytes.Clone(c.nonce)
	tail := nonce[len(nonce)-8:]
	binary.BigEndian.PutUint64(tail, binary.BigEndian.Uint64(tail)^c.number)
	if coded, err = code(nonce); err == nil {
		c.number++
	}
	return coded, err
}
