// Package aead: ciphers that also authenticate, which code a text where it lies.
package aead

// A Kind is one of the ciphers.
type Kind int

const (
	AESGCM           Kind = iota // the key has 16, 24 or 32 bytes
	ChaCha20Poly1305             // 32 bytes
)

const (
	NonceSize = 12
	TagSize   = 16
)

// seal encrypts text, and writes the tag of it and of what is only authenticated.
func seal(kind int, key, nonce, additional, text, tag []byte)

// open decrypts text if the tag is right, else leaves it as it is.
func open(kind int, key, nonce, additional, text, tag []byte) bool

func Seal(kind Kind, key, nonce, additional, text, tag []byte) {
	seal(int(kind), key, nonce, additional, text, tag)
}

func Open(kind Kind, key, nonce, additional, text, tag []byte) bool {
	return open(int(kind), key, nonce, additional, text, tag)
}
