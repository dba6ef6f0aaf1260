// Sessions: what they keep, how they are coded, and the tickets that carry them.

package tls

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"io"
	"slices"
	"time"
)

// terms is what the two ends of a connection have agreed on, and what one knows of the other. A
// session is resumed with the same.
type terms struct {
	version, suite uint16
	curve          CurveID // kept before TLS 1.3 only
	proto          string
	extendedMaster bool
	shown
}

// shown is what the peer has shown of itself.
type shown struct {
	peerChain     []*x509.Certificate
	trustedChains [][]*x509.Certificate
	ocsp          []byte
	scts          [][]byte
}

// A SessionState is what it takes to resume a session.
type SessionState struct {
	// Extra is the program's.
	Extra [][]byte
	// EarlyData is of QUIC only.
	EarlyData bool

	terms
	asClient bool
	created  uint64 // in seconds since 1970
	secret   []byte // the master secret, or the key shared before in TLS 1.3
	endsAt   uint64
	ageMask  uint32
	ticket   []byte
}

// Bytes codes the session, without its ticket.
func (s *SessionState) Bytes() ([]byte, error) {
	w := &builder{}
	w.u16(s.version)
	w.u8(1 + oneIf(s.asClient))
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
	for _, c := range s.peerChain {
		cert.Certificate = append(cert.Certificate, c.Raw)
	}
	codeChain(&coder{w: w}, &cert)
	chains := w.open(3)
	for _, chain := range s.trustedChains {
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
	case s.asClient:
		w.u64(s.endsAt)
		w.u32(s.ageMask)
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
	codeChain(&coder{r: r}, &cert)
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
	s.asClient, s.extendedMaster, s.EarlyData = kind == 2, extended == 1, early == 1
	for _, der := range cert.Certificate {
		c, err := parsedCertificates.parse(der)
		if err != nil {
			return nil, err
		}
		s.peerChain = append(s.peerChain, c)
	}
	if s.asClient && len(s.peerChain) == 0 {
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
	case s.asClient:
		s.endsAt, s.ageMask = r.u64(), r.u32()
	}
	if r.bad {
		return nil, errInvalid
	}
	return s, nil
}

func (s *SessionState) takeChains(r *reader) (err error) {
	r.list(3, true, func(p *reader) {
		if len(s.peerChain) == 0 {
			p.bad = true
			return
		}
		chain := s.peerChain[:1:1]
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
		s.trustedChains = append(s.trustedChains, chain)
	})
	return err
}

// session is that of the connection, with its secret.
func (c *Conn) session(secret []byte) *SessionState {
	now := uint64(c.config.time().Unix())
	return &SessionState{terms: c.terms, asClient: c.asClient, created: now, secret: secret}
}

// resumed takes over what the session knows of the peer.
func (c *Conn) resumed(s *SessionState) { c.goesOn, c.shown = true, s.shown }

// keepsSessions says whether the connection's client can resume later.
func (c *Conn) keepsSessions() bool {
	return c.config.ClientSessionCache != nil && !c.config.SessionTicketsDisabled
}

// keep has the client's cache keep the session for that server, or none if it is nil.
func (c *Conn) keep(s *SessionState) {
	name := c.sessionName()
	if name == "" {
		return
	}
	var kept *ClientSessionState
	if s != nil {
		kept = &ClientSessionState{s}
	}
	c.config.ClientSessionCache.Put(name, kept)
}

// sessionName is under what the cache keeps the sessions of the server.
func (c *Conn) sessionName() string {
	name := c.config.ServerName
	if name == "" && c.conn != nil {
		name = c.conn.RemoteAddr().String()
	}
	return name
}

// mayResume says whether a server goes on with that session of the client.
func (c *Conn) mayResume(s *SessionState) bool {
	now := c.config.time()
	if s.version != c.version || now.Sub(time.Unix(int64(s.created), 0)) > maxTicketLifetime {
		return false
	}
	auth := c.config.ClientAuth
	if len(s.peerChain) == 0 {
		return !auth.requires()
	}
	if auth == NoClientCert || now.After(s.peerChain[0].NotAfter) {
		return false
	}
	return auth < VerifyClientCertIfGiven || stillValid(s.trustedChains, x509.VerifyOptions{
		CurrentTime: now,
		Roots:       c.config.ClientCAs,
		KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

// stillValid says whether one of the chains leads to a root that is trusted, and is not too old.
func stillValid(chains [][]*x509.Certificate, opts x509.VerifyOptions) bool {
	now := opts.CurrentTime
	isTimely := func(c *x509.Certificate) bool {
		return !now.Before(c.NotBefore) && !now.After(c.NotAfter)
	}
	return slices.ContainsFunc(chains, func(chain []*x509.Certificate) bool {
		n := len(chain)
		if n == 0 || len(only(chain, isTimely)) < n {
			return false
		}
		_, err := chain[n-1].Verify(opts)
		return err == nil
	})
}

// A ticket is a vector, the session coded with AES, and the sum of both.

// EncryptTicket is what WrapSession does by itself.
func (c *Config) EncryptTicket(cs ConnectionState, ss *SessionState) ([]byte, error) {
	return c.seal(ss, c.ticketCoders(nil))
}

func (k *ticketCoder) sum(p []byte) []byte {
	m := hmac.New(sha256.New, k.hmac[:])
	m.Write(p)
	return m.Sum(nil)
}

// code is p, encoded or decoded.
func (k *ticketCoder) code(vector, p []byte) []byte {
	q := make([]byte, len(p))
	// A key of this length is right.
	if b, err := aes.NewCipher(k.aes[:]); err == nil {
		cipher.NewCTR(b, vector).XORKeyStream(q, p)
	}
	return q
}

func (c *Config) seal(s *SessionState, coders []ticketCoder) ([]byte, error) {
	state, err := s.Bytes()
	if err != nil {
		return nil, err
	}
	if len(coders) == 0 {
		return nil, errors.New("tls: internal error: session ticket keys unavailable")
	}
	vector := make([]byte, aes.BlockSize)
	if _, err = io.ReadFull(c.rand(), vector); err != nil {
		return nil, err
	}
	ticket := slices.Concat(vector, coders[0].code(vector, state))
	return append(ticket, coders[0].sum(ticket)...), nil
}

// DecryptTicket is what UnwrapSession does by itself; it gives nil if the ticket is not ours.
func (c *Config) DecryptTicket(identity []byte, cs ConnectionState) (*SessionState, error) {
	return unseal(identity, c.ticketCoders(nil)), nil
}

// unseal tries no second coder once the sum is right.
func unseal(ticket []byte, coders []ticketCoder) *SessionState {
	n := len(ticket) - sha256.Size
	if n < aes.BlockSize {
		return nil
	}
	text, sum := ticket[:n], ticket[n:]
	coder, ours := firstOf(coders, func(k ticketCoder) bool { return hmac.Equal(k.sum(text), sum) })
	if !ours {
		return nil
	}
	s, err := ParseSessionState(coder.code(text[:aes.BlockSize], text[aes.BlockSize:]))
	if err != nil {
		return nil
	}
	return s
}

// unwrap is the session of a ticket, by the program's means or ours; nil if there is none.
func (c *Conn) unwrap(ticket []byte) (*SessionState, error) {
	if c.config.UnwrapSession != nil {
		return c.config.UnwrapSession(ticket, c.state())
	}
	return unseal(ticket, c.ticketCoders), nil
}

func (c *Conn) wrap(s *SessionState) ([]byte, error) {
	if by := c.config.WrapSession; by != nil {
		return by(c.state(), s)
	}
	return c.config.seal(s, c.ticketCoders)
}

// A ClientSessionState is a session with its ticket, as a cache keeps it.
type ClientSessionState struct {
	session *SessionState
}

func NewResumptionState(ticket []byte, state *SessionState) (*ClientSessionState, error) {
	state.ticket = ticket
	return &ClientSessionState{session: state}, nil
}

// ResumptionState is what NewResumptionState takes.
func (kept *ClientSessionState) ResumptionState() (ticket []byte, state *SessionState, err error) {
	if kept != nil && kept.session != nil {
		state = kept.session
		ticket = state.ticket
	}
	return ticket, state, nil
}
