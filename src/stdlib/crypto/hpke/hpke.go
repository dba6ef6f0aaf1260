// Package hpke: encryption for whoever has a private key. RFC 9180, and the drafts for ML-KEM.
//
// A KEM brings a secret to the recipient, a KDF makes keys of that, and an AEAD encrypts with them.
package hpke

import (
	"bytes"
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

// begin makes the context of the secret that a KEM has brought, unless that or this fails.
func (c *context) begin(
	secret []byte, kem KEM, kdf KDF, aead AEAD, info []byte, err *error,
) (isMade bool) {
	if *err != nil {
		return false
	}
	suite := []byte("HPKE")
	for _, id := range []uint16{kem.ID(), kdf.ID(), aead.ID()} {
		suite = binary.BigEndian.AppendUint16(suite, id)
	}
	var k *keys
	if k, *err = kdf.schedule(suite, secret, info, aead); *err != nil {
		return false
	}
	c.aead, c.key, c.nonce = aead, k.key, k.nonce
	c.export = func(context string, length int) ([]byte, error) {
		if length < 0 || length > 0xffff {
			return nil, errors.New("invalid length")
		}
		return kdf.export(suite, k.exporter, context, length)
	}
	return true
}

// NewSender gives enc with the sender, which the recipient needs.
func NewSender(pk PublicKey, kdf KDF, aead AEAD, info []byte) (enc []byte, s *Sender, err error) {
	s = &Sender{new(context)}
	secret, enc, err := pk.encap()
	if s.begin(secret, pk.KEM(), kdf, aead, info, &err) {
		return enc, s, nil
	}
	return nil, nil, err
}

func NewRecipient(enc []byte, k PrivateKey, kdf KDF, aead AEAD, info []byte) (*Recipient, error) {
	r := &Recipient{new(context)}
	secret, err := k.decap(enc)
	if r.begin(secret, k.KEM(), kdf, aead, info, &err) {
		return r, nil
	}
	return nil, err
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
	sealed, s, err := NewSender(pk, kdf, aead, info)
	var coded []byte
	if err == nil {
		coded, err = s.Seal(nil, plaintext)
	}
	if err == nil {
		return append(sealed, coded...), nil
	}
	return nil, err
}

// Open decrypts what Seal has made.
func Open(k PrivateKey, kdf KDF, aead AEAD, info, ciphertext []byte) (plaintext []byte, err error) {
	enc := ciphertext[:min(k.KEM().encSize(), len(ciphertext))]
	if len(enc) < k.KEM().encSize() {
		return nil, errors.New("ciphertext too short")
	}
	r, err := NewRecipient(enc, k, kdf, aead, info)
	if err == nil {
		plaintext, err = r.Open(nil, ciphertext[len(enc):])
	}
	return plaintext, err
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
