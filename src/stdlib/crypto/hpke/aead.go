package hpke

import (
	"errors"
	"fmt"
	"internal/aead"
)

// An AEAD is one of those that this package knows.
type AEAD interface {
	ID() uint16
	keySize() int // in bytes; zero if there are no messages
	nonceSize() int
	seal(key, nonce, aad, plaintext []byte) []byte
	open(key, nonce, aad, ciphertext []byte) ([]byte, error)
}

func NewAEAD(id uint16) (AEAD, error) {
	for _, a := range []AEAD{aes128GCM, aes256GCM, chacha, exportOnly{}} {
		if a.ID() == id {
			return a, nil
		}
	}
	return nil, fmt.Errorf("unsupported AEAD %04x", id)
}

func AES128GCM() AEAD        { return aes128GCM }
func AES256GCM() AEAD        { return aes256GCM }
func ChaCha20Poly1305() AEAD { return chacha }

// ExportOnly has no messages: Sender and Recipient only export secrets.
func ExportOnly() AEAD { return exportOnly{} }

var (
	aes128GCM = &cipher{1, 16, aead.AESGCM, "cipher"}
	aes256GCM = &cipher{2, 32, aead.AESGCM, "cipher"}
	chacha    = &cipher{3, 32, aead.ChaCha20Poly1305, "chacha20poly1305"}
)

type cipher struct {
	id    uint16
	key   int // in bytes
	kind  aead.Kind
	whose string // the error is
}

func (c *cipher) ID() uint16     { return c.id }
func (c *cipher) keySize() int   { return c.key }
func (c *cipher) nonceSize() int { return aead.NonceSize }

func (c *cipher) seal(key, nonce, aad, plaintext []byte) []byte {
	n := len(plaintext)
	out := append(make([]byte, 0, n+aead.TagSize), plaintext...)[:n+aead.TagSize]
	aead.Seal(c.kind, key, nonce, aad, out[:n], out[n:])
	return out
}

func (c *cipher) open(key, nonce, aad, ciphertext []byte) ([]byte, error) {
	n := len(ciphertext) - aead.TagSize
	if n >= 0 {
		text := append([]byte(nil), ciphertext[:n]...)
		if aead.Open(c.kind, key, nonce, aad, text, ciphertext[n:]) {
			return text, nil
		}
	}
	return nil, errors.New(c.whose + ": message authentication failed")
}

type exportOnly struct{}

func (exportOnly) ID() uint16                                    { return 0xffff }
func (exportOnly) keySize() int                                  { return 0 }
func (exportOnly) nonceSize() int                                { return 0 }
func (exportOnly) seal(_, _, _, _ []byte) []byte                 { return nil }
func (exportOnly) open(_, _, _, _ []byte) (text []byte, _ error) { return nil, nil }
