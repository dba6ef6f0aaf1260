// Package hpke: encryption for whoever has a private key. RFC 9180, and the drafts for ML-KEM.
//
// A KEM brings a secret to the recipient, a KDF makes keys of that, and an AEAD encrypts with them.
package hpke

import (
	"encoding/binary"
	"errors"
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

// next is the nonce of the next message.
func (c *context) next() []byte {
	nonce := make([]byte, len(c.nonce))
	binary.BigEndian.PutUint64(nonce[len(nonce)-8:], c.number)
	for i, b := range c.nonce {
		nonce[i] ^= b
	}
	return nonce
}

// check says that an AEAD which only exports has no messages.
func (c *context) check() error {
	if c.aead.keySize() == 0 {
		return errors.New("export-only instantiation")
	}
	return nil
}

// NewSender gives enc with the sender, which the recipient needs.
func NewSender(pk PublicKey, kdf KDF, aead AEAD, info []byte) (enc []byte, s *Sender, err error) {
	secret, enc, err := pk.encap()
	if err != nil {
		return nil, nil, err
	}
	c, err := newContext(secret, pk.KEM(), kdf, aead, info)
	if err != nil {
		return nil, nil, err
	}
	return enc, &Sender{c}, nil
}

func NewRecipient(enc []byte, k PrivateKey, kdf KDF, aead AEAD, info []byte) (*Recipient, error) {
	secret, err := k.decap(enc)
	if err != nil {
		return nil, err
	}
	c, err := newContext(secret, k.KEM(), kdf, aead, info)
	if err != nil {
		return nil, err
	}
	return &Recipient{c}, nil
}

// Seal encrypts the next message; aad is only authenticated.
func (s *Sender) Seal(aad, plaintext []byte) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	ciphertext := s.aead.seal(s.key, s.next(), aad, plaintext)
	s.number++
	return ciphertext, nil
}

// Open decrypts the next message. It stays the next one if that fails.
func (r *Recipient) Open(aad, ciphertext []byte) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	plaintext, err := r.aead.open(r.key, r.next(), aad, ciphertext)
	if err != nil {
		return nil, err
	}
	r.number++
	return plaintext, nil
}

// Export makes another secret of so many bytes, which both sides have.
func (s *Sender) Export(exporterContext string, length int) ([]byte, error) {
	return s.export(exporterContext, length)
}

func (r *Recipient) Export(exporterContext string, length int) ([]byte, error) {
	return r.export(exporterContext, length)
}

// Seal encrypts a single message, with enc in front.
func Seal(pk PublicKey, kdf KDF, aead AEAD, info, plaintext []byte) ([]byte, error) {
	enc, s, err := NewSender(pk, kdf, aead, info)
	if err != nil {
		return nil, err
	}
	ciphertext, err := s.Seal(nil, plaintext)
	if err != nil {
		return nil, err
	}
	return append(enc, ciphertext...), nil
}

func Open(k PrivateKey, kdf KDF, aead AEAD, info, ciphertext []byte) ([]byte, error) {
	n := k.KEM().encSize()
	if len(ciphertext) < n {
		return nil, errors.New("ciphertext too short")
	}
	r, err := NewRecipient(ciphertext[:n], k, kdf, aead, info)
	if err != nil {
		return nil, err
	}
	return r.Open(nil, ciphertext[n:])
}
