// A server: the hello that it reads, and what follows in versions before TLS 1.3.

package tls

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
)

// A serverState is a handshake, as its server sees it.
type serverState struct {
	shaking
	client *clientHelloMsg
	raw    []byte // of client
	hello  *serverHelloMsg
	cert   *Certificate

	// Before TLS 1.3.
	agreement
	ecdhe, decrypts bool
	signing         []signs // what the certificate's key can do
	session         *SessionState
	request         *certificateRequestMsg // nil if the client is not asked for a certificate

	// Of TLS 1.3.
	scheme      SignatureScheme
	early       *schedule
	shared      []byte
	clientProof []byte // what the client's Finished must say
	before      []byte // what the first hello became
	ech         *echServer
	isEarly     bool // what the client sends early is taken
}

func (c *Conn) shakeAsServer(ctx context.Context) error {
	hs := &serverState{shaking: shaking{c: c, ctx: ctx}}
	return inOrder(hs.readHello, hs.goOn)
}

func (hs *serverState) goOn() error {
	hs.clientRandom = hs.client.random
	if hs.c.version == VersionTLS13 {
		return hs.run13()
	}
	return hs.run12()
}

// known is the versions that the client knows. One that names its newest only does not know those
// beyond the last one.
func (m *clientHelloMsg) known(last uint16) []uint16 {
	if len(m.versions) > 0 {
		return m.versions
	}
	return versionsUpTo(min(m.vers, last))
}

// info is what the program may know of the client.
func (hs *serverState) info() *ClientHelloInfo {
	c, m := hs.c, hs.client
	info := &ClientHelloInfo{config: c.config, ctx: hs.ctx, Conn: c.conn}
	if c.quic != nil {
		info.overQUIC, info.Conn = true, c.quic.conn
	}
	info.HelloRetryRequest = c.didRetry
	info.ServerName, info.SupportedProtos = m.hostName, m.protos
	info.SupportedVersions, info.Extensions = m.known(0xffff), m.extensions
	info.CipherSuites, info.SignatureSchemes = m.suites, m.signatures
	info.SupportedCurves, info.SupportedPoints = m.curves, m.points
	return info
}

func (hs *serverState) readHello() (err error) {
	c, first := hs.c, hs.c.config
	if hs.client, hs.raw, err = read[*clientHelloMsg](c, nil); err != nil {
		return err
	}
	if err = hs.takeECH(); err != nil {
		return err
	}
	var chosen *Config
	if ask := first.GetConfigForClient; ask != nil {
		if chosen, err = ask(hs.info()); err != nil {
			return c.give(ownFault, err)
		}
	}
	if chosen != nil {
		c.config = chosen
	}
	c.ticketCoders = first.ticketCoders(chosen)
	theirs := hs.client.known(VersionTLS12)
	switch {
	case !c.settle(theirs):
		return c.complain(versionRefused, "client offered only unsupported versions: %x", theirs)
	case c.version < VersionTLS13 && hs.ech != nil && !hs.ech.isInner:
		return c.complain(illegalValue, "Encrypted Client Hello cannot be used pre-TLS 1.3")
	}
	return nil
}

// checkFallback refuses a client that has fallen back to an older version without need.
func (hs *serverState) checkFallback(version uint16) error {
	c := hs.c
	if version < c.config.maxVersion(c.role()) &&
		slices.Contains(hs.client.suites, TLS_FALLBACK_SCSV) {
		return c.complain(needlessFallback, "client using inappropriate protocol fallback")
	}
	return nil
}

// chooseCertificate asks the configuration.
func (hs *serverState) chooseCertificate() (err error) {
	if hs.cert, err = hs.c.config.certificateFor(hs.info()); err != nil {
		a := ownFault
		if err == errNothingToShow {
			a = nameUnknown
		}
		hs.c.raise(a)
	}
	return err
}

// chooseProto is the first of ours that is also theirs; they must have some, if one needs to be.
func chooseProto(ours, theirs []string, needs bool) (string, error) {
	proto, found := firstOf(ours, isIn(theirs))
	switch {
	case found || len(ours) == 0:
		return proto, nil
	case len(theirs) == 0 && needs:
		return "", errors.New("tls: client did not request an application protocol")
	case len(theirs) == 0:
		return "", nil
	case slices.Contains(ours, "h2") && slices.Contains(theirs, "http/1.1"):
		// A server of HTTP/2 also is one of HTTP/1.1, even if it does not say so.
		return "", nil
	}
	return "", fmt.Errorf("tls: client requested unsupported application protocols (%q)", theirs)
}

func (hs *serverState) run12() error {
	if err := hs.answerHello(); err != nil {
		return err
	}
	hs.c.buffering = true
	hs.serverRandom = hs.hello.random
	if err := hs.checkSession(); err != nil {
		return err
	}
	if hs.session != nil {
		return inOrder(
			hs.resume, hs.nextCiphers, hs.sendTicket, hs.sayFinished, hs.nowFirst(false),
			hs.awaitFinished, hs.complete12)
	}
	return inOrder(
		hs.pickSuite, hs.showCertificate, hs.tellShare, hs.askCertificate, hs.c.flush,
		hs.takeCertificate, hs.takeShare, hs.takeProof,
		hs.nextCiphers, hs.awaitFinished, hs.nowFirst(true), hs.sendTicket, hs.sayFinished,
		hs.complete12)
}

func (hs *serverState) answerHello() error {
	c, m := hs.c, hs.client
	if !slices.Contains(m.compressions, notCompressed) {
		return c.complain(illegalValue, "client does not support uncompressed connections")
	}
	hs.hello = &serverHelloMsg{
		vers:                   c.version,
		random:                 make([]byte, 32),
		extendedMaster:         m.extendedMaster,
		renegotiationSupported: m.renegotiationSupported,
		compression:            notCompressed,
	}
	random := hs.hello.random
	if most := c.config.maxVersion(c.role()); most >= VersionTLS12 && c.version < most {
		end := downgradeTo11
		if c.version == VersionTLS12 {
			end = downgradeTo12
		}
		copy(random[24:], end)
		random = random[:24]
	}
	if err := c.fillRandom(random); err != nil {
		return c.give(ownFault, err)
	}
	if len(m.renegotiation) != 0 {
		return c.complain(noAgreement,
			"initial handshake had non-empty renegotiation extension")
	}
	if m.hostName != "" {
		c.hostName = m.hostName
	}
	proto, err := chooseProto(c.config.NextProtos, m.protos, false)
	if err != nil {
		return c.give(noCommonProtocol, err)
	}
	hs.hello.proto, c.proto = proto, proto
	if err := hs.chooseCertificate(); err != nil {
		return err
	}
	if m.scts {
		hs.hello.scts = hs.cert.SignedCertificateTimestamps
	}
	if hs.ecdhe, err = speaksECDHE(c.config, c.version, m.curves, m.points); err != nil {
		return c.give(extensionLacking, err)
	}
	if hs.ecdhe && len(m.points) > 0 {
		hs.hello.points = []uint8{wholePoints}
	}
	return hs.checkKey()
}

// checkKey finds out what the certificate's key can do.
func (hs *serverState) checkKey() error {
	c := hs.c
	if key, ok := hs.cert.PrivateKey.(crypto.Signer); ok {
		switch public := key.Public().(type) {
		case *rsa.PublicKey:
			hs.signing = []signs{signsRSA}
		case ed25519.PublicKey, *ecdsa.PublicKey:
			hs.signing = []signs{signsEC}
		case *mldsa.PublicKey:
			return c.complain(ownFault,
				"ML-DSA certificates require TLS 1.3, but client negotiated %s", VersionName(c.version))
		default:
			return c.complain(ownFault, "unsupported signing key type (%T)", public)
		}
	}
	if key, ok := hs.cert.PrivateKey.(crypto.Decrypter); ok {
		public := key.Public()
		if _, hs.decrypts = public.(*rsa.PublicKey); !hs.decrypts {
			return c.complain(ownFault, "unsupported decryption key type (%T)", public)
		}
	}
	return nil
}

// fits says whether the suite goes with the certificate and the version.
func (hs *serverState) fits(s *suite) bool {
	able := hs.decrypts
	if s.exchange == byECDHE {
		able = hs.ecdhe && slices.Contains(hs.signing, s.signs)
	}
	return able && (hs.c.version == VersionTLS12 || !s.bulk.only12)
}

func (hs *serverState) pickSuite() error {
	theirs := hs.client.suites
	if hs.suite = choose(hs.c.config.suites(prefersAES(theirs)), theirs, hs.fits); hs.suite == nil {
		return hs.noSuite()
	}
	hs.c.suite = hs.suite.id
	return hs.checkFallback(hs.client.vers)
}

func (hs *serverState) noSuite() error {
	return hs.c.complain(noAgreement,
		"no cipher suite supported by both client and server; client offered: %x", hs.client.suites)
}

// checkSession finds out whether the client has a session that goes on.
func (hs *serverState) checkSession() error {
	c := hs.c
	if c.config.SessionTicketsDisabled {
		return nil
	}
	s, err := c.unwrap(hs.client.ticket)
	if err != nil || s == nil {
		return err
	}
	if !c.mayResume(s) || !slices.Contains(hs.client.suites, s.suite) {
		return nil
	}
	suite := choose([]uint16{s.suite}, c.config.suites(false), hs.fits)
	if suite == nil || !s.extendedMaster && hs.client.extendedMaster {
		return nil
	}
	if s.extendedMaster && !hs.client.extendedMaster {
		return errors.New("tls: session supported extended_master_secret but client does not")
	}
	c.resumed(s)
	c.extendedMaster, c.curve = s.extendedMaster, s.curve
	hs.session, hs.suite = s, suite
	return nil
}

// resume tells the client that its session goes on, which it knows by its own number. It gets a new
// ticket.
func (hs *serverState) resume() error {
	c, hello := hs.c, hs.hello
	c.suite = hs.suite.id
	hello.suite, hello.sessionID, hello.takesTickets = c.suite, hs.client.sessionID, true
	hs.master = hs.session.secret
	hs.t = newTranscript(c.version, hs.suite, false)
	hs.t.add(hs.raw)
	if err := hs.tell(hello); err != nil {
		return err
	}
	return c.callVerifyConnection()
}

// showCertificate answers the hello, and shows the certificate.
func (hs *serverState) showCertificate() error {
	c, m := hs.c, hs.hello
	asks := c.config.ClientAuth >= RequestClientCert
	m.suite = hs.suite.id
	m.hostNameTaken = hs.client.hostName != ""
	m.takesTickets = hs.client.takesTickets && !c.config.SessionTicketsDisabled
	m.ocsp = hs.client.ocsp && len(hs.cert.OCSPStaple) > 0
	c.ourChain = hs.cert.Certificate
	hs.t = newTranscript(c.version, hs.suite, asks)
	hs.t.add(hs.raw)
	flight := []message{m, &certificateMsg{c.ourChain}}
	if m.ocsp {
		flight = append(flight, &certificateStatusMsg{hs.cert.OCSPStaple})
	}
	return hs.tell(flight...)
}

// tellShare begins an agreement, if there is to be one.
func (hs *serverState) tellShare() error {
	if hs.suite.exchange == byRSA {
		return nil
	}
	m, err := hs.offer(hs.c, hs.suite, hs.cert, hs.client, hs.serverRandom)
	if err != nil {
		return hs.c.give(noAgreement, err)
	}
	hs.c.curve = hs.key.group
	return hs.tell(m)
}

// askCertificate asks the client for a certificate if one is wanted. Then it is the client's turn.
func (hs *serverState) askCertificate() error {
	config := hs.c.config
	if config.ClientAuth >= RequestClientCert {
		hs.request = &certificateRequestMsg{
			hasSignatures: hs.c.version >= VersionTLS12,
			types:         []byte{signerRSA, signerECDSA},
			signatures:    usableSchemes(hs.c.version, hs.c.version),
		}
		if config.ClientCAs != nil {
			hs.request.authorities = config.ClientCAs.Subjects()
		}
		if err := hs.tell(hs.request); err != nil {
			return err
		}
	}
	return hs.tell(&serverHelloDoneMsg{})
}

// takeCertificate takes the certificate that was asked for.
func (hs *serverState) takeCertificate() error {
	if hs.request != nil {
		m, err := demand[*certificateMsg](&hs.shaking)
		if err != nil {
			return err
		}
		if err = hs.c.verifyClient(Certificate{Certificate: m.certificates}); err != nil {
			return err
		}
	}
	return inOrder(hs.peek, hs.c.callVerifyConnection)
}

// takeShare takes the client's half of what makes the master secret.
func (hs *serverState) takeShare() error {
	c := hs.c
	m, err := demand[*clientKeyExchangeMsg](&hs.shaking)
	if err != nil {
		return err
	}
	secret, err := hs.serverSecret(c, hs.cert, m.rest, hs.suite.exchange == byRSA)
	if err != nil {
		return c.give(illegalValue, err)
	}
	c.extendedMaster = hs.hello.extendedMaster
	hs.makeMaster(secret, c.extendedMaster)
	err = c.config.logSecrets(hs.clientRandom, loggedSecret{keyLogTLS12, hs.master})
	if err != nil {
		return c.give(ownFault, err)
	}
	return nil
}

// takeProof reads the signature that belongs to the client's certificate, if there is one.
func (hs *serverState) takeProof() error {
	defer hs.t.dropText()
	c := hs.c
	if len(c.peerChain) == 0 {
		return nil
	}
	m, raw, err := read[*certificateVerifyMsg](c, nil)
	if err != nil {
		return err
	}
	public := c.peerChain[0].PublicKey
	if c.version < VersionTLS12 {
		how, unfit := oldScheme(public)
		if unfit != nil {
			return c.give(illegalValue, unfit)
		}
		err = how.verifySum(public, hs.t.oldSum(how), m.signature)
	} else {
		how, unknown := schemeByID(m.scheme)
		if unknown != nil || !slices.Contains(hs.request.signatures, m.scheme) {
			return c.complain(illegalValue, "client certificate used with invalid signature algorithm")
		}
		err = how.verify(public, hs.t.text, m.signature)
	}
	if err != nil {
		return c.complain(proofWrong, "invalid signature by the client certificate: %s", err.Error())
	}
	hs.t.add(raw)
	return nil
}

func (hs *serverState) sendTicket() error {
	if !hs.hello.takesTickets {
		return nil
	}
	next := hs.c.session(hs.master)
	if last := hs.session; last != nil {
		// What goes on does not live longer for that.
		next.created = last.created
	}
	ticket, err := hs.c.wrap(next)
	if err == nil {
		err = hs.tell(&newSessionTicketMsg{ticket})
	}
	return err
}

// verifyClient takes the client's chain, which may be empty.
func (c *Conn) verifyClient(cert Certificate) error {
	certs := make([]*x509.Certificate, len(cert.Certificate))
	for i, der := range cert.Certificate {
		var err error
		if certs[i], err = x509.ParseCertificate(der); err != nil {
			return c.complain(malformedMessage,
				"failed to parse client certificate: %s", err.Error())
		}
		if most, ok := keyWithin(certs[i]); !ok {
			return c.complain(certificateBad,
				"client sent certificate containing RSA key larger than %d bits", most)
		}
	}
	auth := c.config.ClientAuth
	if len(certs) == 0 && auth.requires() {
		a := noAgreement
		if c.version == VersionTLS13 {
			a = certificateLacking
		}
		return c.complain(a, "client didn't provide a certificate")
	}
	if auth >= VerifyClientCertIfGiven && len(certs) > 0 {
		if err := c.verifyChain(certs, x509.VerifyOptions{
			Roots:     c.config.ClientCAs,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}); err != nil {
			a := certificateBad
			if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
				a = authorityUnknown
			} else if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok &&
				e.Reason == x509.Expired {
				a = certificateStale
			}
			return c.give(a, err)
		}
	}
	c.peerChain = certs
	c.ocsp, c.scts = cert.OCSPStaple, cert.SignedCertificateTimestamps
	if len(certs) > 0 {
		err := c.fits(certs[0], "client", "contains an unsupported public key of type %T")
		if err != nil {
			return err
		}
	}
	return c.callVerifyPeer(cert.Certificate)
}
