// Suites of ciphers: tables of what they are made of, and the orders in which they are preferred.

package tls

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	_ "crypto/sha512" // for crypto.SHA384
	"fmt"
	"hash"
	"internal/aead"
	"slices"
)

const (
	TLS_RSA_WITH_RC4_128_SHA                      uint16 = 0x0005
	TLS_RSA_WITH_3DES_EDE_CBC_SHA                 uint16 = 0x000a
	TLS_RSA_WITH_AES_128_CBC_SHA                  uint16 = 0x002f
	TLS_RSA_WITH_AES_256_CBC_SHA                  uint16 = 0x0035
	TLS_RSA_WITH_AES_128_CBC_SHA256               uint16 = 0x003c
	TLS_RSA_WITH_AES_128_GCM_SHA256               uint16 = 0x009c
	TLS_RSA_WITH_AES_256_GCM_SHA384               uint16 = 0x009d
	TLS_ECDHE_ECDSA_WITH_RC4_128_SHA              uint16 = 0xc007
	TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA          uint16 = 0xc009
	TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA          uint16 = 0xc00a
	TLS_ECDHE_RSA_WITH_RC4_128_SHA                uint16 = 0xc011
	TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA           uint16 = 0xc012
	TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA            uint16 = 0xc013
	TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA            uint16 = 0xc014
	TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256       uint16 = 0xc023
	TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256         uint16 = 0xc027
	TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256         uint16 = 0xc02f
	TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256       uint16 = 0xc02b
	TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384         uint16 = 0xc030
	TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384       uint16 = 0xc02c
	TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256   uint16 = 0xcca8
	TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 uint16 = 0xcca9

	TLS_AES_128_GCM_SHA256       uint16 = 0x1301
	TLS_AES_256_GCM_SHA384       uint16 = 0x1302
	TLS_CHACHA20_POLY1305_SHA256 uint16 = 0x1303

	// TLS_FALLBACK_SCSV stands among a client's suites if it has tried a newer version before.
	TLS_FALLBACK_SCSV uint16 = 0x5600

	TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305   = TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
	TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305 = TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256
)

// A CipherSuite is one of those that this package knows.
type CipherSuite struct {
	ID                uint16
	Name              string
	SupportedVersions []uint16
	Insecure          bool
}

// A suite is what this package does with it.
type suite struct {
	id       uint16
	name     string
	exchange exchange
	signs    signs
	bulk     *bulk
	hash     crypto.Hash // of TLS 1.3, or the pseudo-random function of 1.2
	insecure bool        // and so disabled, unless Config names it
}

// An exchange is how the two come to a secret.
type exchange uint8

const (
	byRSA exchange = iota
	byECDHE
	any13 // TLS 1.3 finds that out elsewhere
)

type signs uint8

const (
	signsRSA signs = iota
	signsEC
)

// A bulk is how records are coded.
type bulk struct {
	name         string
	key, mac, iv int // in bytes; iv is what the handshake gives
	only12       bool
	makes        func(keys recordKeys) recordCipher
}

// recordKeys are those of one direction.
type recordKeys struct {
	key, mac, iv []byte
	reads        bool
	version      uint16
}

func gcmOf(name string, key int) *bulk {
	return &bulk{name, key, 0, 4, true, func(k recordKeys) recordCipher {
		return &aeadCipher{kind: aead.AESGCM, key: k.key, iv: k.iv}
	}}
}

func cbcOf(
	name string, key, size int, h func() hash.Hash, of func([]byte) (cipher.Block, error),
) *bulk {
	mac := h().Size()
	return &bulk{name, key, mac, size, mac > sha1.Size, func(k recordKeys) recordCipher {
		b, _ := of(k.key)
		return &cbcCipher{
			block: b, iv: k.iv, explicit: k.version >= VersionTLS11, mac: hmac.New(h, k.mac),
		}
	}}
}

var (
	aes128GCM = gcmOf("AES_128_GCM_SHA256", 16)
	aes256GCM = gcmOf("AES_256_GCM_SHA384", 32)
	chacha    = &bulk{"CHACHA20_POLY1305_SHA256", 32, 0, 12, true, func(k recordKeys) recordCipher {
		return &aeadCipher{kind: aead.ChaCha20Poly1305, key: k.key, iv: k.iv}
	}}
	aes128CBC    = cbcOf("AES_128_CBC_SHA", 16, 16, sha1.New, aes.NewCipher)
	aes128CBC256 = cbcOf("AES_128_CBC_SHA256", 16, 16, sha256.New, aes.NewCipher)
	aes256CBC    = cbcOf("AES_256_CBC_SHA", 32, 16, sha1.New, aes.NewCipher)
	tripleDES    = cbcOf("3DES_EDE_CBC_SHA", 24, 8, sha1.New, des.NewTripleDESCipher)
	rc4Stream    = &bulk{"RC4_128_SHA", 16, 20, 0, false, func(k recordKeys) recordCipher {
		s, _ := rc4.NewCipher(k.key)
		return &streamCipher{s, hmac.New(sha1.New, k.mac)}
	}}
)

// The suites of TLS 1.3, in the order of who has instructions for AES.
var suites13 = []*suite{
	newSuite(TLS_AES_128_GCM_SHA256, any13, signsRSA, aes128GCM),
	newSuite(TLS_AES_256_GCM_SHA384, any13, signsRSA, aes256GCM),
	newSuite(TLS_CHACHA20_POLY1305_SHA256, any13, signsRSA, chacha),
}

func newSuite(id uint16, e exchange, s signs, b *bulk) *suite {
	n := &suite{id: id, exchange: e, signs: s, bulk: b, hash: crypto.SHA256}
	if b == aes256GCM {
		n.hash = crypto.SHA384
	}
	n.insecure = e == byRSA || b == aes128CBC256 || b == tripleDES || b == rc4Stream
	how := map[exchange]string{byRSA: "RSA_WITH_", byECDHE: "ECDHE_RSA_WITH_"}[e]
	if s == signsEC {
		how = "ECDHE_ECDSA_WITH_"
	}
	n.name = "TLS_" + how + b.name
	return n
}

// The older suites, in the order in which they are preferred by who has instructions for AES.
var suites12 = []*suite{
	newSuite(TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, byECDHE, signsEC, aes128GCM),
	newSuite(TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, byECDHE, signsRSA, aes128GCM),
	newSuite(TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, byECDHE, signsEC, aes256GCM),
	newSuite(TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, byECDHE, signsRSA, aes256GCM),
	newSuite(TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, byECDHE, signsEC, chacha),
	newSuite(TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, byECDHE, signsRSA, chacha),
	newSuite(TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, byECDHE, signsEC, aes128CBC),
	newSuite(TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, byECDHE, signsRSA, aes128CBC),
	newSuite(TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, byECDHE, signsEC, aes256CBC),
	newSuite(TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, byECDHE, signsRSA, aes256CBC),
	newSuite(TLS_RSA_WITH_AES_128_GCM_SHA256, byRSA, signsRSA, aes128GCM),
	newSuite(TLS_RSA_WITH_AES_256_GCM_SHA384, byRSA, signsRSA, aes256GCM),
	newSuite(TLS_RSA_WITH_AES_128_CBC_SHA, byRSA, signsRSA, aes128CBC),
	newSuite(TLS_RSA_WITH_AES_256_CBC_SHA, byRSA, signsRSA, aes256CBC),
	newSuite(TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA, byECDHE, signsRSA, tripleDES),
	newSuite(TLS_RSA_WITH_3DES_EDE_CBC_SHA, byRSA, signsRSA, tripleDES),
	newSuite(TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, byECDHE, signsEC, aes128CBC256),
	newSuite(TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, byECDHE, signsRSA, aes128CBC256),
	newSuite(TLS_RSA_WITH_AES_128_CBC_SHA256, byRSA, signsRSA, aes128CBC256),
	newSuite(TLS_ECDHE_ECDSA_WITH_RC4_128_SHA, byECDHE, signsEC, rc4Stream),
	newSuite(TLS_ECDHE_RSA_WITH_RC4_128_SHA, byECDHE, signsRSA, rc4Stream),
	newSuite(TLS_RSA_WITH_RC4_128_SHA, byRSA, signsRSA, rc4Stream),
}

// The orders in which the two lists of suites are shown.
var (
	shownSecure = []uint16{
		0x1301, 0x1302, 0x1303,
		0xc009, 0xc00a, 0xc013, 0xc014, 0xc02b, 0xc02c, 0xc02f, 0xc030, 0xcca8, 0xcca9,
	}
	shownInsecure = []uint16{
		0x0005, 0x000a, 0x002f, 0x0035, 0x003c, 0x009c, 0x009d, 0xc007, 0xc011, 0xc012, 0xc023, 0xc027,
	}
)

func suiteByID(id uint16) *suite {
	if s := find(suites12, id); s != nil {
		return s
	}
	return find(suites13, id)
}

func find(list []*suite, id uint16) *suite {
	for _, s := range list {
		if s.id == id {
			return s
		}
	}
	return nil
}

func describe(ids []uint16) (list []*CipherSuite) {
	for _, id := range ids {
		s := suiteByID(id)
		c := &CipherSuite{ID: id, Name: s.name, Insecure: s.insecure}
		switch {
		case s.exchange == any13:
			c.SupportedVersions = []uint16{VersionTLS13}
		case s.bulk.only12:
			c.SupportedVersions = []uint16{VersionTLS12}
		default:
			c.SupportedVersions = []uint16{VersionTLS10, VersionTLS11, VersionTLS12}
		}
		list = append(list, c)
	}
	return list
}

// CipherSuites lists those that are thought to be safe.
func CipherSuites() []*CipherSuite { return describe(shownSecure) }

// InsecureCipherSuites lists those that should not be used.
func InsecureCipherSuites() []*CipherSuite { return describe(shownInsecure) }

// CipherSuiteName is the name of that suite, or its number in hexadecimal.
func CipherSuiteName(id uint16) string {
	if s := suiteByID(id); s != nil {
		return s.name
	}
	return fmt.Sprintf("0x%04X", id)
}

// isAES says whether the suite is one of those that instructions for AES make fast.
func (s *suite) isAES() bool { return s.bulk == aes128GCM || s.bulk == aes256GCM }

// prefersAES says whether the first of a peer's suites that this package knows is one of AES-GCM,
// which tells that the peer has instructions for it.
func prefersAES(ids []uint16) bool {
	for _, id := range ids {
		if s := suiteByID(id); s != nil {
			return s.isAES() && (s.exchange == any13 || s.exchange == byECDHE)
		}
	}
	return false
}

// preferred is the older suites in the order of who has instructions for AES, or has none.
func preferred(list []*suite, aes bool) []*suite {
	if aes {
		return list
	}
	chachaFirst := func(s *suite) int {
		if s.bulk == chacha {
			return 0
		}
		return 1
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *suite) int { return chachaFirst(a) - chachaFirst(b) })
	return list
}

// suites is what the configuration allows of those before TLS 1.3, in order.
func (c *Config) suites(aes bool) (ids []uint16) {
	for _, s := range preferred(suites12, aes) {
		if c.CipherSuites == nil && !s.insecure || slices.Contains(c.CipherSuites, s.id) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// choose is the first suite of ids that is right and among offered; TLS 1.3's are not.
func choose(ids, offered []uint16, right func(*suite) bool) *suite {
	for _, id := range ids {
		if s := find(suites12, id); s != nil && right(s) && slices.Contains(offered, id) {
			return s
		}
	}
	return nil
}

// mutual is the suite of that number in list if it is among ours.
func mutual(list []*suite, ours []uint16, id uint16) *suite {
	if slices.Contains(ours, id) {
		return find(list, id)
	}
	return nil
}
