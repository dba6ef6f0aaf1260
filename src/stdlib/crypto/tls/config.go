package tls

import (
	"bytes"
	"container/list"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// A ConnectionState is what is known of a connection.
type ConnectionState struct {
	Version                     uint16
	HandshakeComplete           bool
	DidResume                   bool
	CipherSuite                 uint16
	CurveID                     CurveID
	NegotiatedProtocol          string
	NegotiatedProtocolIsMutual  bool
	ServerName                  string
	PeerCertificates            []*x509.Certificate
	VerifiedChains              [][]*x509.Certificate
	SignedCertificateTimestamps [][]byte
	OCSPResponse                []byte
	TLSUnique                   []byte
	ECHAccepted                 bool
	HelloRetryRequest           bool
	LocalCertificate            [][]byte

	export func(label string, context []byte, length int) ([]byte, error)
}

func (cs *ConnectionState) ExportKeyingMaterial(
	label string, context []byte, length int,
) ([]byte, error) {
	return cs.export(label, context, length)
}

// A ClientHelloInfo is what a server knows of a client when it chooses.
type ClientHelloInfo struct {
	CipherSuites      []uint16
	ServerName        string
	SupportedCurves   []CurveID
	SupportedPoints   []uint8
	SignatureSchemes  []SignatureScheme
	SupportedProtos   []string
	SupportedVersions []uint16
	Extensions        []uint16
	Conn              net.Conn
	HelloRetryRequest bool

	config *Config
	isQUIC bool
	ctx    context.Context
}

func (c *ClientHelloInfo) Context() context.Context { return c.ctx }

// A CertificateRequestInfo is what a client knows of a server that asks for its certificate.
type CertificateRequestInfo struct {
	AcceptableCAs    [][]byte
	SignatureSchemes []SignatureScheme
	Version          uint16

	ctx context.Context
}

func (c *CertificateRequestInfo) Context() context.Context { return c.ctx }

// A Config says how to be a client or a server.
type Config struct {
	Rand io.Reader
	Time func() time.Time

	Certificates          []Certificate
	NameToCertificate     map[string]*Certificate
	GetCertificate        func(*ClientHelloInfo) (*Certificate, error)
	GetClientCertificate  func(*CertificateRequestInfo) (*Certificate, error)
	GetConfigForClient    func(*ClientHelloInfo) (*Config, error)
	VerifyPeerCertificate func(rawCerts [][]byte, verifiedChains [][]*x509.Certificate) error
	VerifyConnection      func(ConnectionState) error
	RootCAs               *x509.CertPool
	NextProtos            []string
	ServerName            string
	ClientAuth            ClientAuthType
	ClientCAs             *x509.CertPool
	InsecureSkipVerify    bool

	CipherSuites             []uint16
	PreferServerCipherSuites bool // does nothing

	SessionTicketsDisabled bool
	SessionTicketKey       [32]byte
	ClientSessionCache     ClientSessionCache
	UnwrapSession          func(identity []byte, cs ConnectionState) (*SessionState, error)
	WrapSession            func(ConnectionState, *SessionState) ([]byte, error)

	MinVersion, MaxVersion uint16
	CurvePreferences       []CurveID

	DynamicRecordSizingDisabled bool
	Renegotiation               RenegotiationSupport
	KeyLogWriter                io.Writer

	// A client's, which then speaks TLS 1.3 only.
	EncryptedClientHelloConfigList []byte
	// EncryptedClientHelloRejectionVerify checks a server that did not accept it, in place of its
	// certificate for the public name.
	EncryptedClientHelloRejectionVerify func(ConnectionState) error
	// A server's.
	EncryptedClientHelloKeys    []EncryptedClientHelloKey
	GetEncryptedClientHelloKeys func(*ClientHelloInfo) ([]EncryptedClientHelloKey, error)

	mutex   sync.RWMutex
	setKeys []ticketKey // from SetSessionTicketKeys or SessionTicketKey
	ownKeys []ticketKey // made here, the newest first
}

// Clone is a copy that has its own locks. The connections of both can share sessions.
func (c *Config) Clone() *Config {
	if c == nil {
		return nil
	}
	c.mutex.RLock()
	defer c.mutex.RUnlock()
	return &Config{
		Rand:                        c.Rand,
		Time:                        c.Time,
		Certificates:                c.Certificates,
		NameToCertificate:           c.NameToCertificate,
		GetCertificate:              c.GetCertificate,
		GetClientCertificate:        c.GetClientCertificate,
		GetConfigForClient:          c.GetConfigForClient,
		VerifyPeerCertificate:       c.VerifyPeerCertificate,
		VerifyConnection:            c.VerifyConnection,
		RootCAs:                     c.RootCAs,
		NextProtos:                  c.NextProtos,
		ServerName:                  c.ServerName,
		ClientAuth:                  c.ClientAuth,
		ClientCAs:                   c.ClientCAs,
		InsecureSkipVerify:          c.InsecureSkipVerify,
		CipherSuites:                c.CipherSuites,
		PreferServerCipherSuites:    c.PreferServerCipherSuites,
		SessionTicketsDisabled:      c.SessionTicketsDisabled,
		SessionTicketKey:            c.SessionTicketKey,
		ClientSessionCache:          c.ClientSessionCache,
		UnwrapSession:               c.UnwrapSession,
		WrapSession:                 c.WrapSession,
		MinVersion:                  c.MinVersion,
		MaxVersion:                  c.MaxVersion,
		CurvePreferences:            c.CurvePreferences,
		DynamicRecordSizingDisabled: c.DynamicRecordSizingDisabled,
		Renegotiation:               c.Renegotiation,
		KeyLogWriter:                c.KeyLogWriter,
		EncryptedClientHelloKeys:    c.EncryptedClientHelloKeys,
		GetEncryptedClientHelloKeys: c.GetEncryptedClientHelloKeys,

		EncryptedClientHelloConfigList:      c.EncryptedClientHelloConfigList,
		EncryptedClientHelloRejectionVerify: c.EncryptedClientHelloRejectionVerify,

		setKeys: c.setKeys,
		ownKeys: c.ownKeys,
	}
}

const (
	// A ticketKey of ours is used for so long, and known for longer.
	ticketKeyRotation = 24 * time.Hour
	ticketKeyLifetime = 7 * 24 * time.Hour
	// Sessions end then.
	maxTicketLifetime = 7 * 24 * time.Hour
)

// A ticketKey codes the tickets that a server gives to its clients.
type ticketKey struct {
	aes, hmac [16]byte
	created   time.Time
}

func (c *Config) newTicketKey(from [32]byte) (key ticketKey) {
	sum := sha512.Sum512(from[:])
	// Its first sixteen bytes once were the key's name.
	copy(key.aes[:], sum[16:])
	copy(key.hmac[:], sum[32:])
	key.created = c.time()
	return key
}

// SetSessionTicketKeys has tickets coded with the first key, and those of all keys accepted.
func (c *Config) SetSessionTicketKeys(keys [][32]byte) {
	if len(keys) == 0 {
		panic("tls: keys must have at least one key")
	}
	all := make([]ticketKey, len(keys))
	for i, k := range keys {
		all[i] = c.newTicketKey(k)
	}
	c.mutex.Lock()
	c.setKeys = all
	c.mutex.Unlock()
}

// unusedKey is how a SessionTicketKey begins that the program has not set.
const unusedKey = "DEPRECATED"

// given is the keys that the program has set.
func (c *Config) given() []ticketKey {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch key := c.SessionTicketKey[:]; {
	case c.SessionTicketKey == [32]byte{}:
		// The field gets bytes that are not used, but fit for a key if a program takes them for one.
		if _, err := io.ReadFull(c.rand(), key); err != nil {
			panic(fmt.Sprintf("tls: unable to generate random session ticket key: %v", err))
		}
		copy(key, unusedKey)
	case len(c.setKeys) == 0 && !bytes.HasPrefix(key, []byte(unusedKey)):
		c.setKeys = []ticketKey{c.newTicketKey(c.SessionTicketKey)}
	}
	return c.setKeys
}

// ticketKeys is the keys in use, none if there are to be no tickets; chosen is what the program has
// chosen for this client, or nil.
func (c *Config) ticketKeys(chosen *Config) []ticketKey {
	if chosen != nil {
		if chosen.SessionTicketsDisabled {
			return nil
		}
		if keys := chosen.given(); len(keys) > 0 {
			return keys
		}
	}
	if c.SessionTicketsDisabled {
		return nil
	}
	if keys := c.given(); len(keys) > 0 {
		return keys
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := c.time()
	if len(c.ownKeys) == 0 || now.Sub(c.ownKeys[0].created) >= ticketKeyRotation {
		var from [32]byte
		if _, err := io.ReadFull(c.rand(), from[:]); err != nil {
			panic(fmt.Sprintf("unable to generate random session ticket key: %v", err))
		}
		keys := []ticketKey{c.newTicketKey(from)}
		for _, k := range c.ownKeys {
			if now.Sub(k.created) < ticketKeyLifetime {
				keys = append(keys, k)
			}
		}
		c.ownKeys = keys
	}
	return c.ownKeys
}

func (c *Config) rand() io.Reader {
	if c.Rand == nil {
		return rand.Reader
	}
	return c.Rand
}

func (c *Config) time() time.Time {
	if c.Time == nil {
		return time.Now()
	}
	return c.Time()
}

var knownVersions = []uint16{VersionTLS13, VersionTLS12, VersionTLS11, VersionTLS10}

// A role is that of a side of a connection.
type role struct{ isClient, isQUIC bool }

func (c *Conn) role() role { return role{c.isClient, c.quic != nil} }

// versions is what the configuration allows, the newest first.
func (c *Config) versions(r role) (list []uint16) {
	isNew := r.isQUIC || r.isClient && c.EncryptedClientHelloConfigList != nil
	for _, v := range knownVersions {
		if isNew && v < VersionTLS13 {
			continue
		}
		if c.MinVersion == 0 && v < VersionTLS12 || v < c.MinVersion ||
			c.MaxVersion != 0 && v > c.MaxVersion {
			continue
		}
		list = append(list, v)
	}
	return list
}

func (c *Config) maxVersion(r role) uint16 {
	if list := c.versions(r); len(list) > 0 {
		return list[0]
	}
	return 0
}

// versionsUpTo is what a peer knows that names its newest version only.
func versionsUpTo(most uint16) (list []uint16) {
	for _, v := range knownVersions {
		if v <= most {
			list = append(list, v)
		}
	}
	return list
}

func (c *Config) mutualVersion(r role, theirs []uint16) (uint16, bool) {
	for _, v := range c.versions(r) {
		if slices.Contains(theirs, v) {
			return v, true
		}
	}
	return 0, false
}

var errNoCertificates = errors.New("tls: no certificates configured")

// certificateFor is the one that a server shows to that client.
func (c *Config) certificateFor(hello *ClientHelloInfo) (*Certificate, error) {
	if c.GetCertificate != nil && (len(c.Certificates) == 0 || hello.ServerName != "") {
		if cert, err := c.GetCertificate(hello); cert != nil || err != nil {
			return cert, err
		}
	}
	switch len(c.Certificates) {
	case 0:
		return nil, errNoCertificates
	case 1:
		return &c.Certificates[0], nil
	}
	if c.NameToCertificate != nil {
		name := strings.ToLower(hello.ServerName)
		if cert, ok := c.NameToCertificate[name]; ok {
			return cert, nil
		}
		if _, domain, ok := strings.Cut(name, "."); ok {
			if cert, ok := c.NameToCertificate["*."+domain]; ok {
				return cert, nil
			}
		}
	}
	for _, cert := range c.Certificates {
		if hello.SupportsCertificate(&cert) == nil {
			return &cert, nil
		}
	}
	return &c.Certificates[0], nil
}

// BuildNameToCertificate fills the map from the certificates' names. It is not needed any more.
func (c *Config) BuildNameToCertificate() {
	c.NameToCertificate = map[string]*Certificate{}
	for i := range c.Certificates {
		cert := &c.Certificates[i]
		leaf, err := cert.leaf()
		if err != nil {
			continue
		}
		if name := leaf.Subject.CommonName; name != "" && len(leaf.DNSNames) == 0 {
			c.NameToCertificate[name] = cert
		}
		for _, name := range leaf.DNSNames {
			c.NameToCertificate[name] = cert
		}
	}
}

// SupportsCertificate says why the client would not take that certificate.
func (chi *ClientHelloInfo) SupportsCertificate(c *Certificate) error {
	config := chi.config
	if config == nil {
		config = &Config{}
	}
	version, ok := config.mutualVersion(role{false, chi.isQUIC}, chi.SupportedVersions)
	if !ok {
		return errors.New("no mutually supported protocol versions")
	}
	if chi.ServerName != "" {
		leaf, err := c.leaf()
		if err != nil {
			return fmt.Errorf("failed to parse certificate: %w", err)
		}
		if err := leaf.VerifyHostname(chi.ServerName); err != nil {
			return fmt.Errorf("certificate is not valid for requested server name: %w", err)
		}
	}
	err := chi.supportsSigning(config, version, c)
	if _, final := err.(finalError); final || err == nil {
		return err
	}
	// An RSA key can decrypt what the client chooses, without signing anything.
	key, ok := c.PrivateKey.(crypto.Decrypter)
	if !ok || version == VersionTLS13 {
		return err
	}
	if _, ok := key.Public().(*rsa.PublicKey); !ok {
		return err
	}
	fits := func(s *suite) bool {
		return s.exchange == byRSA && (version >= VersionTLS12 || !s.bulk.only12)
	}
	if choose(chi.CipherSuites, config.suites(false), fits) == nil {
		return err
	}
	return nil
}

// A finalError is one that a key exchange with RSA does not help against.
type finalError struct{ error }

func final(text string) error { return finalError{errors.New(text)} }

func (chi *ClientHelloInfo) supportsSigning(config *Config, version uint16, c *Certificate) error {
	if len(chi.SignatureSchemes) > 0 {
		if _, err := selectScheme(version, c, chi.SignatureSchemes); err != nil {
			return err
		}
	}
	if version == VersionTLS13 {
		return nil
	}
	able, err := supportsECDHE(config, version, chi.SupportedCurves, chi.SupportedPoints)
	if err != nil {
		return finalError{err}
	}
	if !able {
		return errors.New("client doesn't support ECDHE, can only use legacy RSA key exchange")
	}
	key, ok := c.PrivateKey.(crypto.Signer)
	if !ok {
		return unsupportedCertificate(c)
	}
	how := signsEC
	switch public := key.Public().(type) {
	case *ecdsa.PublicKey:
		curve, ok := map[elliptic.Curve]CurveID{
			elliptic.P256(): CurveP256, elliptic.P384(): CurveP384, elliptic.P521(): CurveP521,
		}[public.Curve]
		if !ok {
			return unsupportedCertificate(c)
		}
		if !slices.Contains(chi.SupportedCurves, curve) || !config.allows(version, curve) {
			return final("client doesn't support certificate curve")
		}
	case ed25519.PublicKey:
		if version < VersionTLS12 || len(chi.SignatureSchemes) == 0 {
			return final("connection doesn't support Ed25519")
		}
	case *mldsa.PublicKey:
		return final("connection doesn't support ML-DSA")
	case *rsa.PublicKey:
		how = signsRSA
	default:
		return unsupportedCertificate(c)
	}
	fits := func(s *suite) bool {
		return s.exchange == byECDHE && s.signs == how &&
			(version >= VersionTLS12 || !s.bulk.only12)
	}
	if choose(chi.CipherSuites, config.suites(false), fits) == nil {
		return errors.New("client doesn't support any cipher suites compatible with the certificate")
	}
	return nil
}

// SupportsCertificate says why the server would not take that certificate.
func (cri *CertificateRequestInfo) SupportsCertificate(c *Certificate) error {
	if _, err := selectScheme(cri.Version, c, cri.SignatureSchemes); err != nil {
		return err
	}
	if len(cri.AcceptableCAs) == 0 {
		return nil
	}
	for i, der := range c.Certificate {
		cert := c.Leaf
		if i != 0 || cert == nil {
			var err error
			if cert, err = x509.ParseCertificate(der); err != nil {
				return fmt.Errorf("failed to parse certificate #%d in the chain: %w", i, err)
			}
		}
		for _, ca := range cri.AcceptableCAs {
			if bytes.Equal(cert.RawIssuer, ca) {
				return nil
			}
		}
	}
	return errors.New("chain is not signed by an acceptable CA")
}

const (
	keyLogTLS12           = "CLIENT_RANDOM"
	keyLogClientHandshake = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
	keyLogServerHandshake = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
	keyLogClientTraffic   = "CLIENT_TRAFFIC_SECRET_0"
	keyLogServerTraffic   = "SERVER_TRAFFIC_SECRET_0"
)

// keyLogMutex keeps lines whole, whatever configurations they come from.
var keyLogMutex sync.Mutex

func (c *Config) logKey(label string, random, secret []byte) error {
	if c.KeyLogWriter == nil {
		return nil
	}
	line := fmt.Appendf(nil, "%s %x %x\n", label, random, secret)
	keyLogMutex.Lock()
	defer keyLogMutex.Unlock()
	if _, err := c.KeyLogWriter.Write(line); err != nil {
		return fmt.Errorf("tls: KeyLogWriter: %w", err)
	}
	return nil
}

// A Certificate is a chain, the leaf first, with the leaf's key.
type Certificate struct {
	Certificate                  [][]byte
	PrivateKey                   crypto.PrivateKey
	SupportedSignatureAlgorithms []SignatureScheme
	OCSPStaple                   []byte
	SignedCertificateTimestamps  [][]byte
	Leaf                         *x509.Certificate
}

func (c *Certificate) leaf() (*x509.Certificate, error) {
	if c.Leaf != nil {
		return c.Leaf, nil
	}
	return x509.ParseCertificate(c.Certificate[0])
}

// A ClientSessionCache keeps sessions that a client may resume.
type ClientSessionCache interface {
	Get(sessionKey string) (session *ClientSessionState, ok bool)
	// Put forgets the session if cs is nil.
	Put(sessionKey string, cs *ClientSessionState)
}

// A lruSessionCache forgets the session that has not been used for longest.
type lruSessionCache struct {
	mutex    sync.Mutex
	entries  map[string]*list.Element
	order    *list.List // of *lruEntry, the last used first
	capacity int
}

type lruEntry struct {
	key   string
	state *ClientSessionState
}

// NewLRUClientSessionCache keeps so many sessions, or 64 if that is less than one.
func NewLRUClientSessionCache(capacity int) ClientSessionCache {
	if capacity < 1 {
		capacity = 64
	}
	return &lruSessionCache{
		entries: map[string]*list.Element{}, order: list.New(), capacity: capacity,
	}
}

func (c *lruSessionCache) Put(sessionKey string, cs *ClientSessionState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e, ok := c.entries[sessionKey]
	switch {
	case ok && cs == nil:
		c.order.Remove(e)
		delete(c.entries, sessionKey)
	case ok:
		e.Value.(*lruEntry).state = cs
		c.order.MoveToFront(e)
	default:
		if c.order.Len() >= c.capacity {
			last := c.order.Back()
			delete(c.entries, last.Value.(*lruEntry).key)
			c.order.Remove(last)
		}
		c.entries[sessionKey] = c.order.PushFront(&lruEntry{sessionKey, cs})
	}
}

func (c *lruSessionCache) Get(sessionKey string) (*ClientSessionState, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e, ok := c.entries[sessionKey]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*lruEntry).state, true
}

var emptyConfig Config

// A CertificateVerificationError says why a chain was not accepted.
type CertificateVerificationError struct {
	UnverifiedCertificates []*x509.Certificate
	Err                    error
}

func (e *CertificateVerificationError) Error() string {
	return fmt.Sprintf("tls: failed to verify certificate: %s", e.Err)
}

func (e *CertificateVerificationError) Unwrap() error { return e.Err }

// setting is a number or word in GODEBUG.
func setting(name string) string { return godebug.Value(name) }
