// run

// A vault of secrets: keys from pass phrases, AES in GCM, tampering found, rotation of keys.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

var (
	errPassword = errors.New("wrong password")
	errDamaged  = errors.New("vault is damaged")
)

// nonces are counted, so that the output is always the same; a real vault would draw them.
type counter uint64

func (c *counter) Read(b []byte) (int, error) {
	sum := sha256.New()
	for i := 0; i < len(b); i += 32 {
		*c++
		binary.Write(sum, binary.BigEndian, uint64(*c))
		copy(b[i:], sum.Sum(nil))
	}
	return len(b), nil
}

type vault struct {
	random  io.Reader
	salt    []byte
	check   []byte
	gcm     cipher.AEAD
	secrets map[string]string // sealed, in base64
}

func keys(password string, salt []byte) (cipher.AEAD, []byte, error) {
	master, err := pbkdf2.Key(sha512.New, password, salt, 1000, 32)
	if err != nil {
		return nil, nil, err
	}
	enc, err := hkdf.Key(sha256.New, master, salt, "encryption", 32)
	if err != nil {
		return nil, nil, err
	}
	mac, err := hkdf.Key(sha256.New, master, salt, "check", 32)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(enc)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	h := hmac.New(sha256.New, mac)
	h.Write([]byte("vault"))
	return gcm, h.Sum(nil), err
}

func create(password string, random io.Reader) (*vault, error) {
	v := &vault{random: random, salt: make([]byte, 16), secrets: map[string]string{}}
	if _, err := io.ReadFull(random, v.salt); err != nil {
		return nil, err
	}
	var err error
	v.gcm, v.check, err = keys(password, v.salt)
	return v, err
}

func (v *vault) put(name, secret string) {
	nonce := make([]byte, v.gcm.NonceSize())
	io.ReadFull(v.random, nonce)
	v.secrets[name] = base64.StdEncoding.EncodeToString(v.gcm.Seal(nonce, nonce, []byte(secret),
		[]byte(name)))
}

func (v *vault) get(name string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(v.secrets[name])
	if err != nil {
		return "", errors.Join(errDamaged, err)
	}
	if len(raw) < v.gcm.NonceSize() {
		return "", errDamaged
	}
	plain, err := v.gcm.Open(nil, raw[:v.gcm.NonceSize()], raw[v.gcm.NonceSize():], []byte(name))
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", errDamaged, name, err)
	}
	return string(plain), nil
}

func (v *vault) save(w io.Writer) {
	fmt.Fprintf(w, "vault 1 %x %x\n", v.salt, v.check)
	var names []string
	for n := range v.secrets {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(w, "%q %s\n", n, v.secrets[n])
	}
}

func open(r io.Reader, password string) (*vault, error) {
	var version int
	var salt, check string
	if _, err := fmt.Fscanf(r, "vault %d %s %s\n", &version, &salt, &check); err != nil {
		return nil, fmt.Errorf("%w: %v", errDamaged, err)
	}
	v := &vault{secrets: map[string]string{}}
	var err error
	if v.salt, err = hex.DecodeString(salt); err != nil {
		return nil, err
	}
	if v.gcm, v.check, err = keys(password, v.salt); err != nil {
		return nil, err
	}
	want, _ := hex.DecodeString(check)
	if subtle.ConstantTimeCompare(v.check, want) != 1 {
		return nil, errPassword
	}
	for {
		var name, sealed string
		if _, err := fmt.Fscanf(r, "%q %s\n", &name, &sealed); err == io.EOF {
			return v, nil
		} else if err != nil {
			return nil, err
		}
		v.secrets[name] = sealed
	}
}

func main() {
	c := new(counter)
	v, err := create("correct horse", c)
	fmt.Println(err)
	v.put("bank", "pin 1234")
	v.put("mail account", "hunter2 ünïcode")
	v.put("empty", "")
	var file bytes.Buffer
	v.save(&file)
	fmt.Print(file.String())
	text := file.String()

	v2, err := open(strings.NewReader(text), "correct horse")
	fmt.Println(err)
	for _, n := range []string{"bank", "mail account", "empty", "nothing"} {
		s, err := v2.get(n)
		fmt.Printf("%s: %q %v\n", n, s, err)
	}
	_, err = open(strings.NewReader(text), "battery staple")
	fmt.Println(err, errors.Is(err, errPassword))
	_, err = open(strings.NewReader("nonsense"), "x")
	fmt.Println(errors.Is(err, errDamaged))
	v2.secrets["bank"], v2.secrets["empty"] = v2.secrets["empty"], v2.secrets["bank"]
	_, err = v2.get("bank")
	fmt.Println(err)

	// Other modes over the same text.
	block, _ := aes.NewCipher([]byte("sixteen byte key"))
	iv := []byte("initialvector 16")
	plain := []byte(strings.Repeat("attack at dawn! ", 4))
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain)
	fmt.Printf("%x\n", out)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, out)
	fmt.Println(bytes.Equal(out, plain))
	stream := cipher.NewCTR(block, iv)
	var enc bytes.Buffer
	w := cipher.StreamWriter{S: stream, W: &enc}
	io.WriteString(w, "streams of")
	io.WriteString(w, " any length")
	fmt.Printf("%x\n", enc.Bytes())
	b, err := io.ReadAll(cipher.StreamReader{S: cipher.NewCTR(block, iv), R: &enc})
	fmt.Println(string(b), err)
	_, err = aes.NewCipher([]byte("short"))
	fmt.Println(err)
	defer func() { fmt.Println(recover()) }()
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, plain[:17])
}
