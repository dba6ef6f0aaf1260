// Records: how each direction codes them.

package tls

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"internal/aead"
	"io"
	"net"
	"sync"
)

type contentType uint8

const (
	contentChange    contentType = 20
	contentAlert     contentType = 21
	contentHandshake contentType = 22
	contentData      contentType = 23
)

const (
	mostPlain    = 16384
	mostSealed   = mostPlain + 2048
	mostSealed13 = mostPlain + 256
	recordHead   = 5
)

// A recordCipher codes the records of one direction.
type recordCipher interface {
	// seal appends to a record, which is its head so far, what payload becomes.
	seal(seq uint64, record, payload []byte, random io.Reader) ([]byte, error)
	// open decodes a record in its memory. What is wrong with it is an alert, 0 else.
	open(seq uint64, record []byte) (plain []byte, typ contentType, wrong alert)
	// before is how much stands before what is coded.
	before() int
	// fits is how much payload there can be in so many bytes.
	fits(n int) int
}

// An aeadCipher is that of TLS 1.3, and of AEADs in 1.2. An iv of four bytes is the first part of
// a nonce whose other part each record tells; one of twelve is xored with the record's number.
type aeadCipher struct {
	kind    aead.Kind
	key, iv []byte
	is13    bool
	scratch [32]byte
}

func (a *aeadCipher) before() int {
	if len(a.iv) < aead.NonceSize {
		return aead.NonceSize - len(a.iv)
	}
	return 0
}

func (a *aeadCipher) fits(n int) int {
	n -= aead.TagSize
	if a.is13 {
		n-- // the type
	}
	return n
}

// nonce is the one of that record, and what it authenticates besides; explicit is what it tells.
func (a *aeadCipher) nonce(seq uint64, explicit, head []byte, n int) (nonce, additional []byte) {
	nonce = a.scratch[:aead.NonceSize]
	copy(nonce, a.iv)
	if len(explicit) > 0 {
		copy(nonce[len(a.iv):], explicit)
	} else {
		last := nonce[4:]
		binary.BigEndian.PutUint64(last, binary.BigEndian.Uint64(last)^seq)
	}
	if a.is13 {
		return nonce, head
	}
	additional = binary.BigEndian.AppendUint64(a.scratch[aead.NonceSize:aead.NonceSize], seq)
	additional = append(additional, head[:3]...)
	return nonce, append(additional, byte(n>>8), byte(n))
}

func (a *aeadCipher) seal(seq uint64, record, payload []byte, _ io.Reader) ([]byte, error) {
	if a.before() > 0 {
		record = binary.BigEndian.AppendUint64(record, seq)
	}
	explicit := record[recordHead:]
	from := len(record)
	record = append(record, payload...)
	if a.is13 {
		record = append(record, record[0])
		record[0] = byte(contentData)
	}
	to := len(record)
	record = append(record, make([]byte, aead.TagSize)...)
	setLength(record)
	nonce, additional := a.nonce(seq, explicit, record[:recordHead], len(payload))
	aead.Seal(a.kind, a.key, nonce, additional, record[from:to], record[to:])
	return record, nil
}

func setLength(record []byte) {
	n := len(record) - recordHead
	record[3], record[4] = byte(n>>8), byte(n)
}

func (a *aeadCipher) open(seq uint64, record []byte) ([]byte, contentType, alert) {
	typ := contentType(record[0])
	from := recordHead + a.before()
	to := len(record) - aead.TagSize
	if to < from {
		return nil, 0, recordForged
	}
	nonce, additional := a.nonce(
		seq, record[recordHead:from], record[:recordHead], to-from)
	if !aead.Open(a.kind, a.key, nonce, additional, record[from:to], record[to:]) {
		return nil, 0, recordForged
	}
	plain := record[from:to]
	if !a.is13 {
		return plain, typ, 0
	}
	if typ != contentData {
		return nil, 0, outOfTurn
	}
	if len(plain) > mostPlain+1 {
		return nil, 0, recordTooLong
	}
	// Behind the text are its type and zeros.
	i := len(plain) - 1
	for i >= 0 && plain[i] == 0 {
		i--
	}
	if i < 0 {
		if len(plain) == 0 {
			return plain, typ, 0
		}
		return nil, 0, outOfTurn
	}
	return plain[:i], contentType(plain[i]), 0
}

// macOf is the sum that older ciphers put behind the payload.
func macOf(mac hash.Hash, seq uint64, head, payload []byte) []byte {
	mac.Reset()
	mac.Write(binary.BigEndian.AppendUint64(nil, seq))
	mac.Write(head[:3])
	mac.Write([]byte{byte(len(payload) >> 8), byte(len(payload))})
	mac.Write(payload)
	return mac.Sum(nil)
}

// A cbcCipher has its vector in each record, but before TLS 1.1, where it is the last block.
type cbcCipher struct {
	block    cipher.Block
	iv       []byte
	explicit bool
	mac      hash.Hash
}

func (c *cbcCipher) before() int {
	if c.explicit {
		return c.block.BlockSize()
	}
	return 0
}

func (c *cbcCipher) fits(n int) int {
	return n&^(c.block.BlockSize()-1) - 1 - c.mac.Size()
}

func (c *cbcCipher) seal(seq uint64, record, payload []byte, random io.Reader) ([]byte, error) {
	size := c.block.BlockSize()
	sum := macOf(c.mac, seq, record, payload)
	from := len(record) + c.before()
	if c.explicit {
		record = append(record, make([]byte, size)...)
		if _, err := io.ReadFull(random, record[from-size:]); err != nil {
			return nil, err
		}
		copy(c.iv, record[from-size:])
	}
	record = append(append(record, payload...), sum...)
	fill := size - (len(record)-from)%size
	for range fill {
		record = append(record, byte(fill-1))
	}
	cipher.NewCBCEncrypter(c.block, c.iv).CryptBlocks(record[from:], record[from:])
	copy(c.iv, record[len(record)-size:])
	setLength(record)
	return record, nil
}

func (c *cbcCipher) open(seq uint64, record []byte) ([]byte, contentType, alert) {
	size, sum := c.block.BlockSize(), c.mac.Size()
	coded := record[recordHead:]
	least := c.before() + (sum+size)/size*size
	if len(coded)%size != 0 || len(coded) < least {
		return nil, 0, recordForged
	}
	if c.explicit {
		copy(c.iv, coded)
		coded = coded[size:]
	}
	last := append([]byte(nil), coded[len(coded)-size:]...)
	cipher.NewCBCDecrypter(c.block, c.iv).CryptBlocks(coded, coded)
	copy(c.iv, last)
	fill, good := padding(coded)
	n := max(len(coded)-sum-fill, 0)
	want := macOf(c.mac, seq, record, coded[:n])
	if subtle.ConstantTimeCompare(want, coded[n:n+sum])&int(good) != 1 {
		return nil, 0, recordForged
	}
	return coded[:n], contentType(record[0]), 0
}

// padding is how many bytes fill the last block, and whether each says so, which it finds out in
// the same time whatever they are.
func padding(p []byte) (n int, good byte) {
	last := p[len(p)-1]
	wrong := byte(0)
	for i := range min(256, len(p)) {
		// The mask has all bits if the byte belongs to it.
		mask := byte(int32(i-int(last)-1) >> 31)
		wrong |= mask & (last ^ p[len(p)-1-i])
	}
	fits := subtle.ConstantTimeLessOrEq(int(last)+1, len(p))
	good = byte(subtle.ConstantTimeByteEq(wrong, 0) & fits)
	return subtle.ConstantTimeSelect(int(good), int(last)+1, 1), good
}

type streamCipher struct {
	stream cipher.Stream
	mac    hash.Hash
}

func (s *streamCipher) before() int    { return 0 }
func (s *streamCipher) fits(n int) int { return n - s.mac.Size() }

func (s *streamCipher) seal(seq uint64, record, payload []byte, _ io.Reader) ([]byte, error) {
	sum := macOf(s.mac, seq, record, payload)
	from := len(record)
	record = append(append(record, payload...), sum...)
	s.stream.XORKeyStream(record[from:], record[from:])
	setLength(record)
	return record, nil
}

func (s *streamCipher) open(seq uint64, record []byte) ([]byte, contentType, alert) {
	coded := record[recordHead:]
	s.stream.XORKeyStream(coded, coded)
	n := len(coded) - s.mac.Size()
	if n < 0 || subtle.ConstantTimeCompare(macOf(s.mac, seq, record, coded[:n]), coded[n:]) != 1 {
		return nil, 0, recordForged
	}
	return coded[:n], contentType(record[0]), 0
}

// A half is one direction of a connection; its lock guards it.
type half struct {
	sync.Mutex
	err     error // for good
	version uint16
	cipher  recordCipher // nil: nothing is coded yet
	next    recordCipher // after ChangeCipherSpec
	seq     uint64
	secret  []byte // of TLS 1.3
	level   QUICEncryptionLevel
}

// permanentError is an error of the network that lasts.
type permanentError struct{ err net.Error }

func (*permanentError) Temporary() bool       { return false }
func (lasting *permanentError) Timeout() bool { return lasting.err.Timeout() }
func (lasting *permanentError) Unwrap() error { return lasting.err }
func (lasting *permanentError) Error() string { return lasting.err.Error() }

// fail makes err that of all that is done later.
func (h *half) fail(err error) error {
	if e, ok := err.(net.Error); ok {
		err = &permanentError{e}
	}
	h.err = err
	return err
}

// change takes the next cipher.
func (h *half) change() alert {
	if h.next == nil || h.version == VersionTLS13 {
		return ownFault
	}
	h.cipher, h.next, h.seq = h.next, nil, 0
	return 0
}

// use13 has records coded with keys made of that secret.
func (h *half) use13(s *suite, level QUICEncryptionLevel, secret []byte) {
	h.secret, h.seq, h.level = secret, 0, level
	h.cipher = &aeadCipher{
		kind: aeadKind(s),
		key:  expandLabel(s.hash, secret, "key", nil, s.bulk.key),
		iv:   expandLabel(s.hash, secret, "iv", nil, aead.NonceSize),
		is13: true,
	}
}

// renew13 goes on with a secret that is made of the last one.
func (h *half) renew13(s *suite) {
	later := expandLabel(s.hash, h.secret, "traffic upd", nil, s.hash.Size())
	h.use13(s, QUICEncryptionLevelInitial, later)
}

func aeadKind(s *suite) aead.Kind {
	if s.bulk == chacha {
		return aead.ChaCha20Poly1305
	}
	return aead.AESGCM
}

func (h *half) count() {
	if h.seq++; h.seq == 0 {
		panic("TLS: sequence number wraparound")
	}
}

func (h *half) open(record []byte) ([]byte, contentType, alert) {
	typ := contentType(record[0])
	// The ones that TLS 1.3 sends for the sake of middleboxes are never coded.
	if h.cipher == nil || h.version == VersionTLS13 && typ == contentChange {
		return record[recordHead:], typ, 0
	}
	plain, typ, wrong := h.cipher.open(h.seq, record)
	if wrong == 0 {
		h.count()
	}
	return plain, typ, wrong
}

func (h *half) seal(record, payload []byte, random io.Reader) ([]byte, error) {
	if h.cipher == nil {
		return append(record, payload...), nil
	}
	record, err := h.cipher.seal(h.seq, record, payload, random)
	if err == nil {
		h.count()
	}
	return record, err
}
