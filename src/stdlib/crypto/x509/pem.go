package x509

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/md5"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"strings"
)

// Blocks of PEM under a password. RFC 1423.

type PEMCipher int

const (
	_ PEMCipher = iota
	PEMCipherDES
	PEMCipher3DES
	PEMCipherAES128
	PEMCipherAES192
	PEMCipherAES256
)

type pemCipher struct {
	name    string
	make    func(key []byte) (cipher.Block, error)
	keySize int
	size    int // of a block
}

var pemCiphers = map[PEMCipher]pemCipher{
	PEMCipherDES:    {"DES-CBC", des.NewCipher, 8, des.BlockSize},
	PEMCipher3DES:   {"DES-EDE3-CBC", des.NewTripleDESCipher, 24, des.BlockSize},
	PEMCipherAES128: {"AES-128-CBC", aes.NewCipher, 16, aes.BlockSize},
	PEMCipherAES192: {"AES-192-CBC", aes.NewCipher, 24, aes.BlockSize},
	PEMCipherAES256: {"AES-256-CBC", aes.NewCipher, 32, aes.BlockSize},
}

var errPEMCipher = errors.New("x509: unknown encryption mode")

// block is the cipher with a key of hashes of the password and the start of the initial vector.
func (c pemCipher) block(password, iv []byte) (cipher.Block, error) {
	var key, sum []byte
	for len(key) < c.keySize {
		h := md5.New()
		h.Write(sum)
		h.Write(password)
		h.Write(iv[:8])
		sum = h.Sum(nil)
		key = append(key, sum...)
	}
	return c.make(key[:c.keySize])
}

const pemHeader = "DEK-Info"

func IsEncryptedPEMBlock(b *pem.Block) bool {
	_, ok := b.Headers[pemHeader]
	return ok
}

var IncorrectPasswordError = errors.New("x509: decryption password incorrect")

func DecryptPEMBlock(b *pem.Block, password []byte) ([]byte, error) {
	header, ok := b.Headers[pemHeader]
	if !ok {
		return nil, errors.New("x509: no DEK-Info header in block")
	}
	name, digits, ok := strings.Cut(header, ",")
	if !ok {
		return nil, errors.New("x509: malformed DEK-Info header")
	}
	var c pemCipher
	for _, known := range pemCiphers {
		if known.name == name {
			c = known
		}
	}
	if c.make == nil {
		return nil, errPEMCipher
	}
	iv, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	if len(iv) != c.size {
		return nil, errors.New("x509: incorrect IV size")
	}
	block, err := c.block(password, iv)
	if err != nil {
		return nil, err
	}
	if len(b.Bytes)%c.size != 0 {
		return nil, errors.New("x509: encrypted PEM data is not a multiple of the block size")
	}
	if len(b.Bytes) == 0 {
		return nil, errors.New("x509: invalid padding")
	}
	data := make([]byte, len(b.Bytes))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(data, b.Bytes)
	// Each byte of the padding tells how many there are.
	last := data[len(data)-1]
	n := len(data) - int(last)
	if last == 0 || int(last) > c.size || bytes.Count(data[n:], []byte{last}) < int(last) {
		return nil, IncorrectPasswordError
	}
	return data[:n], nil
}

func EncryptPEMBlock(
	rand io.Reader, blockType string, data, password []byte, alg PEMCipher,
) (*pem.Block, error) {
	c, ok := pemCiphers[alg]
	if !ok {
		return nil, errPEMCipher
	}
	iv := make([]byte, c.size)
	if _, err := io.ReadFull(rand, iv); err != nil {
		return nil, errors.New("x509: cannot generate IV: " + err.Error())
	}
	block, err := c.block(password, iv)
	if err != nil {
		return nil, err
	}
	n := c.size - len(data)%c.size
	padded := append(bytes.Clone(data), bytes.Repeat([]byte{byte(n)}, n)...)
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(padded, padded)
	return &pem.Block{
		Type: blockType,
		Headers: map[string]string{
			"Proc-Type": "4,ENCRYPTED",
			pemHeader:   c.name + "," + hex.EncodeToString(iv),
		},
		Bytes: padded,
	}, nil
}
