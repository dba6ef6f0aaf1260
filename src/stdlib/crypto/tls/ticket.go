package tls

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"io"
	"slices"
	"time"
)

// A SessionState is what it takes to resume a session.
type SessionState struct {
	// Extra is the program's.
	Extra [][]byte
	// EarlyData is of QUIC only.
	EarlyData bool

	version, suite   uint16
	isClient         bool
	created          uint64 // in seconds since 1970
	secret           []byte // the master secret, or the key shared before in TLS 1.3
	extendedMaster   bool
	peerCertificates []*x509.Certificate
	ocsp             []byte
	scts             [][]byte
	verifiedChains   [][]*x509.Certificate
	proto            string
	curve            CurveID // before TLS 1.3
	useBy            uint64
	ageAdd           uint32
	ticket           []byte
}

// Bytes codes the session, without its ticket.
func (s *SessionState) Bytes() ([]byte, error) {
	w := &builder{}
	w.u16(s.version)
	w.u8(1 + oneIf(s.isClient))
	w.u16(s.suite)
	w.u64(s.created)
	w.sized(1, s.secret)
	extra := w.open(3)
	for _, e := range s.Extra {
		w.sized(3, e)
	}
	w.close(extra)
	w.u8(oneIf(s.extendedMaster))
	w.u8(oneIf(s.EarlyData))
	cert := Certificate{OCSPStaple: s.ocsp, SignedCertificateTimestamps: s.scts}
	for _, c := range s.peerCertificates {
		cert.Certificate = append(cert.Certificate, c.Raw)
	}
	putCertificate(w, cert)
	chains := w.open(3)
	for _, chain := range s.verifiedChains {
		if len(chain) == 0 {
			return nil, errors.New("tls: internal error: empty verified chain")
		}
		// The leaf is that of the peer.
		k := w.open(3)
		for _, c := range chain[1:] {
			w.sized(3, c.Raw)
		}
		w.close(k)
	}
	w.close(chains)
	if s.EarlyData {
		w.sized(1, []byte(s.proto))
	}
	switch {
	case s.version < VersionTLS13:
		w.u16(uint16(s.curve))
	case s.isClient:
		w.u64(s.useBy)
		w.u32(s.ageAdd)
	}
	return w.b, w.err
}

// ParseSessionState reads what Bytes has made.
func ParseSessionState(data []byte) (*SessionState, error) {
	errInvalid := errors.New("tls: invalid session encoding")
	// What the session keeps does not share the caller's memory.
	r := &reader{b: slices.Clone(data)}
	s := &SessionState{}
	s.version = r.u16()
	kind := r.u8()
	s.suite = r.u16()
	s.created = r.u64()
	s.secret = r.must(1)
	extra := r.part(3)
	extended, early := r.u8(), r.u8()
	var cert Certificate
	takeCertificate(r, &cert)
	if r.bad {
		return nil, errInvalid
	}
	for extra.more() {
		s.Extra = append(s.Extra, extra.sized(3))
	}
	if extra.bad {
		return nil, errInvalid
	}
	if kind != 1 && kind != 2 {
		return nil, errors.New("tls: unknown session encoding")
	}
	if extended > 1 || early > 1 {
		return nil, errInvalid
	}
	s.isClient, s.extendedMaster, s.EarlyData = kind == 2, extended == 1, early == 1
	for _, der := range cert.Certificate {
		c, err := parsedCertificates.parse(der)
		if err != nil {
			return nil, err
		}
		s.peerCertificates = append(s.peerCertificates, c)
	}
	if s.isClient && len(s.peerCertificates) == 0 {
		return nil, errors.New("tls: no server certificates in client session")
	}
	s.ocsp, s.scts = cert.OCSPStaple, cert.SignedCertificateTimestamps
	if err := s.takeChains(r); err != nil {
		return nil, err
	}
	if s.EarlyData {
		s.proto = string(r.sized(1))
	}
	switch {
	case s.version < VersionTLS13:
		s.curve = CurveID(r.u16())
	case s.isClient:
		s.useBy, s.ageAdd = r.u64(), r.u32()
	}
	if r.bad {
		return nil, errInvalid
	}
	return s, nil
}

func (s *SessionState) takeChains(r *reader) (err error) {
	r.list(3, true, func(p *reader) {
		if len(s.peerCertificates) == 0 {
			p.bad = true
			return
		}
		chain := s.peerCertificates[:1:1]
		p.list(3, true, func(p *reader) {
			der := p.sized(3)
			if p.bad || err != nil {
				return
			}
			var c *x509.Certificate
			if c, err = parsedCertificates.parse(der); err == nil {
				chain = append(chain, c)
			}
		})
		s.verifiedChains = append(s.verifiedChains, chain)
	})
	return err
}

// session is that of the connection, but for its secret.
func (c *Conn) session() *SessionState {
	return &SessionState{
		version:          c.vers,
		suite:            c.suite,
		isClient:         c.isClient,
		created:          uint64(c.config.time().Unix()),
		proto:            c.proto,
		peerCertificates: c.peerCertificates,
		ocsp:             c.ocsp,
		scts:             c.scts,
		extendedMaster:   c.extendedMaster,
		verifiedChains:   c.verifiedChains,
		curve:            c.curve,
	}
}

// resumed takes over what the session knows of the peer.
func (c *Conn) resumed(s *SessionState) {
	c.didResume = true
	c.peerCertificates, c.verifiedChains = s.peerCertificates, s.verifiedChains
	c.ocsp, c.scts = s.ocsp, s.scts
}

// mayResume says whether a server goes on with that session of the client.
func (c *Conn) mayResume(s *SessionState) bool {
	now := c.config.time()
	if s.version != c.vers || now.Sub(time.Unix(int64(s.created), 0)) > maxTicketLifetime {
		return false
	}
	auth := c.config.ClientAuth
	if len(s.peerCertificates) == 0 {
		return !auth.requires()
	}
	if auth == NoClientCert || now.After(s.peerCertificates[0].NotAfter) {
		return false
	}
	return auth < VerifyClientCertIfGiven || stillValid(s.verifiedChains, x509.VerifyOptions{
		CurrentTime: now,
		Roots:       c.config.ClientCAs,
		KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

// stillValid says whether one of the chains leads to a root that is trusted, and is not too old.
func stillValid(chains [][]*x509.Certificate, opts x509.VerifyOptions) bool {
	for _, chain := range chains {
		if len(chain) == 0 || slices.ContainsFunc(chain, func(c *x509.Certificate) bool {
			return opts.CurrentTime.Before(c.NotBefore) || opts.CurrentTime.After(c.NotAfter)
		}) {
			continue
		}
		if _, err := chain[len(chain)-1].Verify(opts); err == nil {
			return true
		}
	}
	return false
}

// A ticket is a vector, the session coded with AES, and the sum of both.

// EncryptTicket is what WrapSession does by itself.
func (c *Config) EncryptTicket(cs ConnectionState, ss *SessionState) ([]byte, error) {
	state, err := ss.Bytes()
	if err != nil {
		return nil, err
	}
	return c.seal(state, c.ticketKeys(nil))
}

func (k *ticketKey) sum(p []byte) []byte {
	m := hmac.New(sha256.New, k.hmac[:])
	m.Write(p)
	return m.Sum(nil)
}

func (k *ticketKey) code(dst, src, iv []byte) {
	b, err := aes.NewCipher(k.aes[:])
	if err != nil {
		panic(err)
	}
	cipher.NewCTR(b, iv).XORKeyStream(dst, src)
}

func (c *Config) seal(state []byte, keys []ticketKey) ([]byte, error) {
	if len(keys) == 0 {
		return nil, errors.New("tls: internal error: session ticket keys unavailable")
	}
	ticket := make([]byte, aes.BlockSize+len(state))
	if _, err := io.ReadFull(c.rand(), ticket[:aes.BlockSize]); err != nil {
		return nil, err
	}
	keys[0].code(ticket[aes.BlockSize:], state, ticket[:aes.BlockSize])
	return append(ticket, keys[0].sum(ticket)...), nil
}

// DecryptTicket is what UnwrapSession does by itself; it gives nil if the ticket is not ours.
func (c *Config) DecryptTicket(identity []byte, cs ConnectionState) (*SessionState, error) {
	return unseal(identity, c.ticketKeys(nil)), nil
}

func unseal(ticket []byte, keys []ticketKey) *SessionState {
	n := len(ticket) - sha256.Size
	if n < aes.BlockSize {
		return nil
	}
	for _, k := range keys {
		if subtle.ConstantTimeCompare(k.sum(ticket[:n]), ticket[n:]) != 1 {
			continue
		}
		state := make([]byte, n-aes.BlockSize)
		k.code(state, ticket[aes.BlockSize:n], ticket[:aes.BlockSize])
		if s, err := ParseSessionState(state); err == nil {
			return s
		}
		return nil
	}
	return nil
}

// unwrap is the session of a ticket, by the program's means or ours; nil if there is none.
func (c *Conn) unwrap(ticket []byte) (*SessionState, error) {
	if c.config.UnwrapSession != nil {
		return c.config.UnwrapSession(ticket, c.state())
	}
	return unseal(ticket, c.ticketKeys), nil
}

func (c *Conn) wrap(s *SessionState) ([]byte, error) {
	if c.config.WrapSession != nil {
		return c.config.WrapSession(c.state(), s)
	}
	state, err := s.Bytes()
	if err != nil {
		return nil, err
	}
	return c.config.seal(state, c.ticketKeys)
}

// A ClientSessionState is a session with its ticket, as a cache keeps it.
type ClientSessionState struct {
	session *SessionState
}

// ResumptionState is what NewResumptionState takes.
func (cs *ClientSessionState) ResumptionState() (ticket []byte, state *SessionState, err error) {
	if cs == nil || cs.session == nil {
		return nil, nil, nil
	}
	return cs.session.ticket, cs.session, nil
}

func NewResumptionState(ticket []byte, state *SessionState) (*ClientSessionState, error) {
	state.ticket = ticket
	return &ClientSessionState{state}, nil
}
