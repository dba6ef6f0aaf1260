// What programs set and see: Config and what it chooses, for a connection or for one peer,
// Certificate, what callbacks are told, and the cache of sessions that a client can have.

package tls

import (
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

	config   *Config
	overQUIC bool
	ctx      context.Context
}

func (hello *ClientHelloInfo) Context() context.Context { return hello.ctx }

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

	mutex       sync.RWMutex
	givenCoders []ticketCoder // from SetSessionTicketKeys or SessionTicketKey
	madeCoders  []ticketCoder // made here, the newest first
}

// Clone is a copy that has its own locks. The connections of both can share sessions.
func (c *Config) Clone() *Config {
	if c == nil {
		return nil
	}
	twin := new(Config)
	c.mutex.RLock()
	*twin = *c
	c.mutex.RUnlock()
	twin.mutex = sync.RWMutex{}
	return twin
}

const (
	// A ticketCoder with a key made here is used for so long, and known for longer.
	coderPeriod   = 24 * time.Hour
	coderLifetime = 7 * 24 * time.Hour
	// Sessions end then.
	maxTicketLifetime = 7 * 24 * time.Hour
)

// A ticketCoder codes the tickets that a server gives to its clients.
type ticketCoder struct {
	aes, hmac [16]byte
	since     time.Time
}

// coders is those that these keys make.
func (c *Config) coders(keys ...[32]byte) (list []ticketCoder) {
	for _, key := range keys {
		// The first sixteen bytes of the sum once were the key's name.
		sum := sha512.Sum512(key[:])
		list = append(list, ticketCoder{[16]byte(sum[16:]), [16]byte(sum[32:]), c.time()})
	}
	return list
}

// SetSessionTicketKeys has tickets coded with the first key, and those of all keys accepted.
func (c *Config) SetSessionTicketKeys(keys [][32]byte) {
	if len(keys) == 0 {
		panic("tls: keys must have at least one key")
	}
	coders := c.coders(keys...)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.givenCoders = coders
}

// mustRandom fills p with random bytes, without which no tickets can be coded.
func (c *Config) mustRandom(p []byte, prefix string) {
	if _, err := io.ReadFull(c.rand(), p); err != nil {
		panic(fmt.Sprint(prefix, "unable to generate random session ticket key: ", err))
	}
}

// unusedKey is how a SessionTicketKey begins that the program has not set.
const unusedKey = "DEPRECATED"

// given is the coders whose keys the program has set.
func (c *Config) given() []ticketCoder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	key := &c.SessionTicketKey
	if *key == [32]byte{} {
		// The field gets bytes that are not used, but fit for a key if a program takes them for one.
		c.mustRandom(key[:], "tls: ")
		copy(key[:], unusedKey)
	} else if len(c.givenCoders) == 0 && string(key[:len(unusedKey)]) != unusedKey {
		c.givenCoders = c.coders(*key)
	}
	return c.givenCoders
}

// made is the coders with keys made here, the newest first. The first changes every day.
func (c *Config) made() []ticketCoder {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := c.time()
	olderThan := func(age time.Duration) func(ticketCoder) bool {
		return func(coder ticketCoder) bool { return now.Sub(coder.since) >= age }
	}
	if all := c.madeCoders; len(all) == 0 || olderThan(coderPeriod)(all[0]) {
		var key [32]byte
		c.mustRandom(key[:], "")
		all = slices.DeleteFunc(slices.Clone(all), olderThan(coderLifetime))
		c.madeCoders = slices.Insert(all, 0, c.coders(key)...)
	}
	return c.madeCoders
}

// ticketCoders is the coders in use, none if there are to be no tickets; chosen is what the program
// has chosen for this client, or nil.
func (c *Config) ticketCoders(chosen *Config) []ticketCoder {
	for _, config := range []*Config{chosen, c} {
		if config == nil {
			continue
		}
		if config.SessionTicketsDisabled {
			return nil
		}
		if coders := config.given(); len(coders) > 0 {
			return coders
		}
	}
	return c.made()
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
type role struct{ asClient, overQUIC bool }

func (c *Conn) role() role { return role{c.asClient, c.quic != nil} }

// versions is what the configuration allows, the newest first.
func (c *Config) versions(r role) []uint16 {
	least, most := c.MinVersion, c.MaxVersion
	if least == 0 {
		least = VersionTLS12
	}
	if r.overQUIC || r.asClient && c.EncryptedClientHelloConfigList != nil {
		least = max(least, VersionTLS13)
	}
	return only(knownVersions, func(v uint16) bool {
		return v >= least && (v <= most || most == 0)
	})
}

func (c *Config) maxVersion(r role) uint16 {
	if list := c.versions(r); len(list) > 0 {
		return list[0]
	}
	return 0
}

// versionsUpTo is what a peer knows that names its newest version only.
func versionsUpTo(most uint16) []uint16 {
	return only(knownVersions, func(v uint16) bool { return v <= most })
}

// only is those of the list that are wanted, in its order.
func only[T any](list []T, want func(T) bool) (some []T) {
	for _, v := range list {
		if want(v) {
			some = append(some, v)
		}
	}
	return some
}

// firstOf is the first of the list that is wanted, and whether there is one.
func firstOf[T any](list []T, want func(T) bool) (first T, found bool) {
	i := slices.IndexFunc(list, want)
	if i >= 0 {
		first = list[i]
	}
	return first, i >= 0
}

// isIn says whether something is in the list.
func isIn[T comparable](list []T) func(T) bool {
	return func(v T) bool { return slices.Contains(list, v) }
}

func (c *Config) agreedVersion(r role, theirs []uint16) (uint16, bool) {
	return firstOf(c.versions(r), isIn(theirs))
}

var errNothingToShow = errors.New("tls: no certificates configured")

// certificateFor is the one that a server shows to that client.
func (c *Config) certificateFor(hello *ClientHelloInfo) (*Certificate, error) {
	own := c.Certificates
	if ask := c.GetCertificate; ask != nil && (hello.ServerName != "" || len(own) == 0) {
		cert, err := ask(hello)
		if err != nil || cert != nil {
			return cert, err
		}
	}
	if len(own) == 0 {
		return nil, errNothingToShow
	}
	best := 0
	if len(own) > 1 {
		for _, name := range namesFor(hello.ServerName) {
			if cert, named := c.NameToCertificate[name]; named {
				return cert, nil
			}
		}
		best = slices.IndexFunc(own, func(cert Certificate) bool {
			return hello.SupportsCertificate(&cert) == nil
		})
	}
	return &own[max(best, 0)], nil
}

// namesFor is under what NameToCertificate may have a certificate for that server: its name, and
// that with a star for the first label.
func namesFor(server string) []string {
	if server == "" {
		return []string{""}
	}
	server = strings.ToLower(server)
	label, _, _ := strings.Cut(server, ".")
	return []string{server, "*" + server[len(label):]}
}

// BuildNameToCertificate fills the map from the certificates' names. It is not needed any more.
func (c *Config) BuildNameToCertificate() {
	c.NameToCertificate = map[string]*Certificate{}
	for i := range c.Certificates {
		for _, name := range c.Certificates[i].names() {
			c.NameToCertificate[name] = &c.Certificates[i]
		}
	}
}

// isFor says why the certificate is not one for that server; "" is any.
func (c *Certificate) isFor(server string) error {
	if server == "" {
		return nil
	}
	problem := "failed to parse certificate"
	leaf, err := c.leaf()
	if err == nil {
		problem = "certificate is not valid for requested server name"
		err = leaf.VerifyHostname(server)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", problem, err)
	}
	return err
}

// SupportsCertificate says why the client would not take that certificate.
func (hello *ClientHelloInfo) SupportsCertificate(c *Certificate) error {
	config := hello.config
	if config == nil {
		config = &noConfig
	}
	version, ok := config.agreedVersion(role{false, hello.overQUIC}, hello.SupportedVersions)
	if !ok {
		return errors.New("no mutually supported protocol versions")
	}
	if err := c.isFor(hello.ServerName); err != nil {
		return err
	}
	err := hello.supportsSigning(config, version, c)
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
	if choose(hello.CipherSuites, config.suites(false), fits) == nil {
		return err
	}
	return nil
}

// A finalError is one that a key exchange with RSA does not help against.
type finalError struct{ error }

func final(text string) error { return finalError{errors.New(text)} }

func (hello *ClientHelloInfo) supportsSigning(config *Config, version uint16, c *Certificate) error {
	if len(hello.SignatureSchemes) > 0 {
		if _, err := selectScheme(version, c, hello.SignatureSchemes); err != nil {
			return err
		}
	}
	if version == VersionTLS13 {
		return nil
	}
	able, err := speaksECDHE(config, version, hello.SupportedCurves, hello.SupportedPoints)
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
		if !slices.Contains(hello.SupportedCurves, curve) || !config.allows(version, curve) {
			return final("client doesn't support certificate curve")
		}
	case ed25519.PublicKey:
		if version < VersionTLS12 || len(hello.SignatureSchemes) == 0 {
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
	if choose(hello.CipherSuites, config.suites(false), fits) == nil {
		return errors.New("client doesn't support any cipher suites compatible with the certificate")
	}
	return nil
}

// SupportsCertificate says why the server would not take that certificate.
func (cri *CertificateRequestInfo) SupportsCertificate(c *Certificate) error {
	_, err := selectScheme(cri.Version, c, cri.SignatureSchemes)
	if err != nil || len(cri.AcceptableCAs) == 0 {
		return err
	}
	for i := range c.Certificate {
		cert, err := c.parsed(i)
		if err != nil {
			return fmt.Errorf("failed to parse certificate #%d in the chain: %w", i, err)
		}
		isIssuer := func(ca []byte) bool { return string(ca) == string(cert.RawIssuer) }
		if slices.ContainsFunc(cri.AcceptableCAs, isIssuer) {
			return nil
		}
	}
	return errors.New("chain is not signed by an acceptable CA")
}

// logSecrets writes a line for each secret, which follows its label.
func (c *Config) logSecrets(random []byte, secrets ...loggedSecret) error {
	w := c.KeyLogWriter
	if w == nil {
		return nil
	}
	keyLogMutex.Lock()
	defer keyLogMutex.Unlock()
	for _, s := range secrets {
		if _, err := fmt.Fprintf(w, "%s %x %x\n", s.label, random, s.secret); err != nil {
			return fmt.Errorf("tls: KeyLogWriter: %w", err)
		}
	}
	return nil
}

// A loggedSecret is one that programs can read along with.
type loggedSecret struct {
	label  string
	secret []byte
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

// A Certificate is a chain, the leaf first, with the leaf's key.
type Certificate struct {
	Certificate                  [][]byte
	PrivateKey                   crypto.PrivateKey
	SupportedSignatureAlgorithms []SignatureScheme
	OCSPStaple                   []byte
	SignedCertificateTimestamps  [][]byte
	Leaf                         *x509.Certificate
}

func (c *Certificate) leaf() (*x509.Certificate, error) { return c.parsed(0) }

// parsed is the certificate at that place of the chain.
func (c *Certificate) parsed(i int) (*x509.Certificate, error) {
	if i == 0 && c.Leaf != nil {
		return c.Leaf, nil
	}
	return x509.ParseCertificate(c.Certificate[i])
}

// names is whom the certificate is for: the common name counts if there are no others.
func (c *Certificate) names() []string {
	leaf, err := c.leaf()
	switch {
	case err != nil:
		return nil
	case len(leaf.DNSNames) == 0 && leaf.Subject.CommonName != "":
		return []string{leaf.Subject.CommonName}
	}
	return leaf.DNSNames
}

// A ClientSessionCache keeps sessions that a client may resume.
type ClientSessionCache interface {
	Get(sessionKey string) (session *ClientSessionState, ok bool)
	// Put forgets the session if cs is nil.
	Put(sessionKey string, cs *ClientSessionState)
}

// A lruSessionCache forgets the session that has not been used for longest. Its sessions lie in a
// ring, the last used behind the ring's own entry.
type lruSessionCache struct {
	mutex  sync.Mutex
	byName map[string]*keptSession
	ring   keptSession
	room   int
}

// A keptSession is a session in its place of the ring.
type keptSession struct {
	name         string
	session      *ClientSessionState
	newer, older *keptSession
}

func (k *keptSession) leave() { k.newer.older, k.older.newer = k.older, k.newer }

// enter puts the session behind a newer one.
func (k *keptSession) enter(newer *keptSession) {
	k.newer, k.older = newer, newer.older
	k.newer.older, k.older.newer = k, k
}

// touch is the session of that name, which is the last used then; nil if there is none.
func (c *lruSessionCache) touch(name string) *keptSession {
	k := c.byName[name]
	if k != nil {
		k.leave()
		k.enter(&c.ring)
	}
	return k
}

func (c *lruSessionCache) forget(k *keptSession) {
	k.leave()
	delete(c.byName, k.name)
}

// NewLRUClientSessionCache keeps so many sessions, or 64 if that is less than one.
func NewLRUClientSessionCache(capacity int) ClientSessionCache {
	c := &lruSessionCache{byName: map[string]*keptSession{}, room: 64}
	c.ring.newer, c.ring.older = &c.ring, &c.ring
	if capacity > 0 {
		c.room = capacity
	}
	return c
}

func (c *lruSessionCache) Put(sessionKey string, cs *ClientSessionState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	k := c.touch(sessionKey)
	if k != nil && cs == nil {
		c.forget(k)
		return
	}
	if k == nil {
		if len(c.byName) >= c.room {
			c.forget(c.ring.newer)
		}
		k = &keptSession{name: sessionKey}
		k.enter(&c.ring)
		c.byName[sessionKey] = k
	}
	k.session = cs
}

func (c *lruSessionCache) Get(sessionKey string) (session *ClientSessionState, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	k := c.touch(sessionKey)
	if ok = k != nil; ok {
		session = k.session
	}
	return session, ok
}

var noConfig Config

// A CertificateVerificationError says why a chain was not accepted.
type CertificateVerificationError struct {
	UnverifiedCertificates []*x509.Certificate
	Err                    error
}

func (e *CertificateVerificationError) Unwrap() error { return e.Err }

func (e *CertificateVerificationError) Error() string {
	return fmt.Sprintf("tls: failed to verify certificate: %s", e.Err)
}

// setting is a number or word in GODEBUG.
func setting(name string) string { return godebug.Value(name) }
