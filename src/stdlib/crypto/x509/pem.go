// Blocks of PEM under a password. RFC 1423: the header tells the cipher and the initial vector, and
// the key comes from the password and the start of the vector, which is the salt.

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
	"slices"
	"strings"
)

type PEMCipher int

const (
	_ PEMCipher = iota
	PEMCipherDES
	PEMCipher3DES
	PEMCipherAES128
	PEMCipherAES192
	PEMCipherAES256
)

// A pemCipher is used in the mode that chains blocks.
type pemCipher struct {
	name   string
	begin  func(key []byte) (cipher.Block, error)
	keyLen int
	block  int // its length
}

// pemCiphers has them by their numbers.
var pemCiphers = [...]pemCipher{
	PEMCipherDES:    {"DES-CBC", des.NewCipher, 8, des.BlockSize},
	PEMCipher3DES:   {"DES-EDE3-CBC", des.NewTripleDESCipher, 24, des.BlockSize},
	PEMCipherAES128: {"AES-128-CBC", aes.NewCipher, 16, aes.BlockSize},
	PEMCipherAES192: {"AES-192-CBC", aes.NewCipher, 24, aes.BlockSize},
	PEMCipherAES256: {"AES-256-CBC", aes.NewCipher, 32, aes.BlockSize},
}

const saltLen = 8

// run puts the data through the cipher, one way or the other.
func (c *pemCipher) run(
	data, password, iv []byte, way func(cipher.Block, []byte) cipher.BlockMode,
) error {
	var key, sum []byte
	for len(key) < c.keyLen {
		link := md5.Sum(slices.Concat(sum, password, iv[:saltLen]))
		sum = link[:]
		key = append(key, sum...)
	}
	block, err := c.begin(key[:c.keyLen])
	if err == nil {
		way(block, iv).CryptBlocks(data, data)
	}
	return err
}

const pemHeader = "DEK-Info"

// pemCipherOf reads the header.
func pemCipherOf(b *pem.Block) (c *pemCipher, iv []byte, err error) {
	header, ok := b.Headers[pemHeader]
	if !ok {
		return nil, nil, errors.New("x509: no DEK-Info header in block")
	}
	name, digits, ok := strings.Cut(header, ",")
	if !ok {
		return nil, nil, errors.New("x509: malformed DEK-Info header")
	}
	for i := range pemCiphers {
		if known := &pemCiphers[i]; known.block > 0 && known.name == name {
			c = known
		}
	}
	if c == nil {
		return nil, nil, errPEMCipher
	}
	if iv, err = hex.DecodeString(digits); err == nil && len(iv) != c.block {
		err = errors.New("x509: incorrect IV size")
	}
	return c, iv, err
}

var errPEMCipher = errors.New("x509: unknown encryption mode")

func IsEncryptedPEMBlock(b *pem.Block) bool {
	_, ok := b.Headers[pemHeader]
	return ok
}

var IncorrectPasswordError = errors.New("x509: decryption password incorrect")

func DecryptPEMBlock(b *pem.Block, password []byte) ([]byte, error) {
	c, iv, err := pemCipherOf(b)
	if err != nil {
		return nil, err
	}
	if len(b.Bytes)%c.block != 0 {
		return nil, errors.New("x509: encrypted PEM data is not a multiple of the block size")
	}
	data := slices.Clone(b.Bytes)
	if err := c.run(data, password, iv, cipher.NewCBCDecrypter); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errors.New("x509: invalid padding")
	}
	// Each byte of the padding tells how many there are.
	n := int(data[len(data)-1])
	if text, ok := bytes.CutSuffix(data, padding(n)); ok && 0 < n && n <= c.block {
		return text, nil
	}
	return nil, IncorrectPasswordError
}

func padding(n int) []byte { return bytes.Repeat([]byte{byte(n)}, n) }

func EncryptPEMBlock(
	rand io.Reader, blockType string, data, password []byte, alg PEMCipher,
) (*pem.Block, error) {
	if alg <= 0 || int(alg) >= len(pemCiphers) {
		return nil, errPEMCipher
	}
	c := &pemCiphers[alg]
	var vector [aes.BlockSize]byte
	iv := vector[:c.block]
	_, err := io.ReadFull(rand, iv)
	if err != nil {
		return nil, errors.New("x509: cannot generate IV: " + err.Error())
	}
	padded := slices.Concat(data, padding(c.block-len(data)%c.block))
	if err := c.run(padded, password, iv, cipher.NewCBCEncrypter); err != nil {
		return nil, err
	}
	headers := map[string]string{"Proc-Type": "4,ENCRYPTED"}
	headers[pemHeader] = c.name + "," + hex.EncodeToString(iv)
	return &pem.Block{Type: blockType, Headers: headers, Bytes: padded}, nil
}
