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
	"io"
	"slices"
)

// A serverState is a handshake, as its server sees it.
type serverState struct {
	c      *Conn
	ctx    context.Context
	client *clientHelloMsg
	raw    []byte // of client
	hello  *serverHelloMsg
	suite  *suite
	cert   *Certificate
	t      *transcript

	// Before TLS 1.3.
	ecdhe, signsRSA, signsEC, decrypts bool
	session                            *SessionState
	master                             []byte

	// Of TLS 1.3.
	scheme         SignatureScheme
	schedule       schedule
	early          *schedule
	shared         []byte
	clientNext     []byte
	clientFinished []byte
	before         []byte // what the first hello became
	ech            *echServer
	isEarly        bool // what the client sends early is taken
	sentChange     bool
}

func (c *Conn) serverHandshake(ctx context.Context) error {
	hs := &serverState{c: c, ctx: ctx}
	if err := hs.readHello(); err != nil {
		return err
	}
	if c.vers == VersionTLS13 {
		return hs.run13()
	}
	return hs.run12()
}

// info is what the program may know of the client.
func (hs *serverState) info() *ClientHelloInfo {
	m := hs.client
	versions := m.versions
	if len(versions) == 0 {
		versions = versionsUpTo(m.vers)
	}
	conn := hs.c.conn
	if hs.c.quic != nil {
		conn = hs.c.quic.conn
	}
	return &ClientHelloInfo{
		CipherSuites:      m.suites,
		ServerName:        m.serverName,
		SupportedCurves:   m.curves,
		SupportedPoints:   m.points,
		SignatureSchemes:  m.signatures,
		SupportedProtos:   m.protos,
		SupportedVersions: versions,
		Extensions:        m.extensions,
		Conn:              conn,
		HelloRetryRequest: hs.c.didRetry,
		config:            hs.c.config,
		isQUIC:            hs.c.quic != nil,
		ctx:               hs.ctx,
	}
}

func (hs *serverState) readHello() (err error) {
	c := hs.c
	if hs.client, hs.raw, err = read[*clientHelloMsg](c, nil); err != nil {
		return err
	}
	if err := hs.takeECH(); err != nil {
		return err
	}
	var chosen *Config
	first := c.config
	if first.GetConfigForClient != nil {
		if chosen, err = first.GetConfigForClient(hs.info()); err != nil {
			return c.give(alertInternalError, err)
		}
		if chosen != nil {
			c.config = chosen
		}
	}
	c.ticketKeys = first.ticketKeys(chosen)
	theirs := hs.client.versions
	if len(theirs) == 0 {
		theirs = versionsUpTo(min(hs.client.vers, VersionTLS12))
	}
	version, ok := c.config.mutualVersion(c.role(), theirs)
	if !ok {
		return c.complain(alertProtocolVersion, "client offered only unsupported versions: %x", theirs)
	}
	c.vers, c.haveVers = version, true
	c.in.version, c.out.version = version, version
	if version != VersionTLS13 && hs.ech != nil && !hs.ech.isInner {
		return c.complain(
			alertIllegalParameter, "Encrypted Client Hello cannot be used pre-TLS 1.3")
	}
	return nil
}

// checkFallback refuses a client that has fallen back to an older version without need.
func (hs *serverState) checkFallback(version uint16) error {
	if slices.Contains(hs.client.suites, TLS_FALLBACK_SCSV) && version < hs.c.config.maxVersion(hs.c.role()) {
		return hs.c.complain(
			alertInappropriateFallback, "client using inappropriate protocol fallback")
	}
	return nil
}

// pickCertificate asks the configuration.
func (hs *serverState) pickCertificate() (err error) {
	c := hs.c
	hs.cert, err = c.config.certificateFor(hs.info())
	if err == errNoCertificates {
		return c.give(alertUnrecognizedName, err)
	}
	if err != nil {
		return c.give(alertInternalError, err)
	}
	return nil
}

// chooseProto is the first of ours that is also theirs; they must have some, if one needs to be.
func chooseProto(ours, theirs []string, needs bool) (string, error) {
	if len(ours) == 0 || len(theirs) == 0 {
		if needs && len(ours) > 0 {
			return "", errors.New("tls: client did not request an application protocol")
		}
		return "", nil
	}
	for _, p := range ours {
		if slices.Contains(theirs, p) {
			return p, nil
		}
	}
	// A server of HTTP/2 also is one of HTTP/1.1, even if it does not say so.
	if slices.Contains(ours, "h2") && slices.Contains(theirs, "http/1.1") {
		return "", nil
	}
	return "", fmt.Errorf("tls: client requested unsupported application protocols (%q)", theirs)
}

func (hs *serverState) run12() error {
	c := hs.c
	if err := hs.answerHello(); err != nil {
		return err
	}
	c.buffering = true
	if err := hs.checkSession(); err != nil {
		return err
	}
	if hs.session != nil {
		if err := hs.resume(); err != nil {
			return err
		}
		hs.useKeys()
		if err := hs.sendTicket(); err != nil {
			return err
		}
		if err := hs.sendFinished(); err != nil {
			return err
		}
		c.clientFirst = false
		if err := hs.readFinished(); err != nil {
			return err
		}
	} else {
		if err := hs.pickSuite(); err != nil {
			return err
		}
		if err := hs.agree(); err != nil {
			return err
		}
		hs.useKeys()
		if err := hs.readFinished(); err != nil {
			return err
		}
		c.clientFirst = true
		c.buffering = true
		if err := hs.sendTicket(); err != nil {
			return err
		}
		if err := hs.sendFinished(); err != nil {
			return err
		}
	}
	c.export = exporter12(c.vers, hs.suite.hash, hs.master, hs.client.random, hs.hello.random)
	c.complete.Store(true)
	return nil
}

func (hs *serverState) answerHello() error {
	c, m := hs.c, hs.client
	if !slices.Contains(m.compressions, compressionNone) {
		return c.complain(alertIllegalParameter, "client does not support uncompressed connections")
	}
	hs.hello = &serverHelloMsg{
		vers:                   c.vers,
		random:                 make([]byte, 32),
		extendedMaster:         m.extendedMaster,
		renegotiationSupported: m.renegotiationSupported,
		compression:            compressionNone,
	}
	random := hs.hello.random
	if most := c.config.maxVersion(c.role()); most >= VersionTLS12 && c.vers < most {
		end := downgradeTo11
		if c.vers == VersionTLS12 {
			end = downgradeTo12
		}
		copy(random[24:], end)
		random = random[:24]
	}
	if _, err := io.ReadFull(c.config.rand(), random); err != nil {
		return c.give(alertInternalError, err)
	}
	if len(m.renegotiation) != 0 {
		return c.complain(alertHandshakeFailure,
			"initial handshake had non-empty renegotiation extension")
	}
	if m.serverName != "" {
		c.serverName = m.serverName
	}
	proto, err := chooseProto(c.config.NextProtos, m.protos, false)
	if err != nil {
		return c.give(alertNoApplicationProtocol, err)
	}
	hs.hello.proto, c.proto = proto, proto
	if err := hs.pickCertificate(); err != nil {
		return err
	}
	if m.scts {
		hs.hello.scts = hs.cert.SignedCertificateTimestamps
	}
	if hs.ecdhe, err = supportsECDHE(c.config, c.vers, m.curves, m.points); err != nil {
		return c.give(alertMissingExtension, err)
	}
	if hs.ecdhe && len(m.points) > 0 {
		hs.hello.points = []uint8{pointFormatUncompressed}
	}
	return hs.checkKey()
}

// checkKey finds out what the certificate's key can do.
func (hs *serverState) checkKey() error {
	c := hs.c
	if key, ok := hs.cert.PrivateKey.(crypto.Signer); ok {
		switch public := key.Public().(type) {
		case *ecdsa.PublicKey, ed25519.PublicKey:
			hs.signsEC = true
		case *rsa.PublicKey:
			hs.signsRSA = true
		case *mldsa.PublicKey:
			return c.complain(alertInternalError,
				"ML-DSA certificates require TLS 1.3, but client negotiated %s", VersionName(c.vers))
		default:
			return c.complain(alertInternalError, "unsupported signing key type (%T)", public)
		}
	}
	if key, ok := hs.cert.PrivateKey.(crypto.Decrypter); ok {
		switch public := key.Public().(type) {
		case *rsa.PublicKey:
			hs.decrypts = true
		default:
			return c.complain(alertInternalError, "unsupported decryption key type (%T)", public)
		}
	}
	return nil
}

// fits says whether the suite goes with the certificate and the version.
func (hs *serverState) fits(s *suite) bool {
	if hs.c.vers < VersionTLS12 && s.bulk.only12 {
		return false
	}
	if s.exchange == byRSA {
		return hs.decrypts
	}
	return hs.ecdhe && (s.signs == signsEC && hs.signsEC || s.signs == signsRSA && hs.signsRSA)
}

func (hs *serverState) pickSuite() error {
	c := hs.c
	ours := c.config.suites(prefersAES(hs.client.suites))
	if hs.suite = choose(ours, hs.client.suites, hs.fits); hs.suite == nil {
		return hs.noSuite()
	}
	c.suite = hs.suite.id
	return hs.checkFallback(hs.client.vers)
}

func (hs *serverState) noSuite() error {
	return hs.c.complain(alertHandshakeFailure,
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

func (hs *serverState) resume() error {
	c := hs.c
	c.suite, hs.hello.suite = hs.suite.id, hs.suite.id
	// The client knows by its own number that the session goes on. It gets a new ticket.
	hs.hello.sessionID = hs.client.sessionID
	hs.hello.ticketSupported = true
	hs.t = newTranscript(c.vers, hs.suite, false)
	hs.t.add(hs.raw)
	if _, err := c.sendMessage(hs.hello, hs.t); err != nil {
		return err
	}
	hs.master = hs.session.secret
	return c.callVerifyConnection()
}

// agree exchanges certificates and keys.
func (hs *serverState) agree() error {
	c := hs.c
	asks := c.config.ClientAuth >= RequestClientCert
	hs.hello.ocsp = hs.client.ocsp && len(hs.cert.OCSPStaple) > 0
	hs.hello.serverNameAck = hs.client.serverName != ""
	hs.hello.ticketSupported = hs.client.ticketSupported && !c.config.SessionTicketsDisabled
	hs.hello.suite = hs.suite.id
	hs.t = newTranscript(c.vers, hs.suite, asks)
	hs.t.add(hs.raw)
	c.localCertificate = hs.cert.Certificate
	flight := []message{hs.hello, &certificateMsg{hs.cert.Certificate}}
	if hs.hello.ocsp {
		flight = append(flight, &certificateStatusMsg{hs.cert.OCSPStaple})
	}
	for _, m := range flight {
		if _, err := c.sendMessage(m, hs.t); err != nil {
			return err
		}
	}
	var a agreement
	if hs.suite.exchange == byECDHE {
		m, err := a.offer(c, hs.suite, hs.cert, hs.client, hs.hello.random)
		if err != nil {
			return c.give(alertHandshakeFailure, err)
		}
		c.curve = a.key.group
		if _, err := c.sendMessage(m, hs.t); err != nil {
			return err
		}
	}
	request := &certificateRequestMsg{
		hasSignatures: c.vers >= VersionTLS12,
		types:         []byte{certTypeRSASign, certTypeECDSASign},
	}
	if asks {
		request.signatures = usableSchemes(c.vers, c.vers)
		if c.config.ClientCAs != nil {
			request.authorities = c.config.ClientCAs.Subjects()
		}
		if _, err := c.sendMessage(request, hs.t); err != nil {
			return err
		}
	}
	if _, err := c.sendMessage(&serverHelloDoneMsg{}, hs.t); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	return hs.takeKeys(&a, request, asks)
}

// takeKeys reads what the client answers.
func (hs *serverState) takeKeys(a *agreement, request *certificateRequestMsg, asks bool) error {
	c := hs.c
	m, _, err := c.readMessage(hs.t)
	if err != nil {
		return err
	}
	if asks {
		certMsg, err := expect[*certificateMsg](c, m)
		if err != nil {
			return err
		}
		if err := c.verifyClient(Certificate{Certificate: certMsg.certificates}); err != nil {
			return err
		}
		if m, _, err = c.readMessage(hs.t); err != nil {
			return err
		}
	}
	if err := c.callVerifyConnection(); err != nil {
		return err
	}
	keys, err := expect[*clientKeyExchangeMsg](c, m)
	if err != nil {
		return err
	}
	secret, err := a.serverSecret(c, hs.cert, keys.rest, hs.suite.exchange == byRSA)
	if err != nil {
		return c.give(alertIllegalParameter, err)
	}
	c.extendedMaster = hs.hello.extendedMaster
	hs.master = c.masterOf(
		hs.suite, secret, c.extendedMaster, hs.t, hs.client.random, hs.hello.random)
	if err := c.config.logKey(keyLogTLS12, hs.client.random, hs.master); err != nil {
		return c.give(alertInternalError, err)
	}
	if len(c.peerCertificates) > 0 {
		if err := hs.takeProof(request); err != nil {
			return err
		}
	}
	hs.t.keep, hs.t.text = false, nil
	return nil
}

// takeProof reads the signature that belongs to the client's certificate.
func (hs *serverState) takeProof(request *certificateRequestMsg) error {
	c := hs.c
	m, raw, err := read[*certificateVerifyMsg](c, nil)
	if err != nil {
		return err
	}
	public := c.peerCertificates[0].PublicKey
	if c.vers >= VersionTLS12 {
		how, known := schemeByID(m.scheme)
		if known != nil || !slices.Contains(request.signatures, m.scheme) {
			return c.complain(alertIllegalParameter,
				"client certificate used with invalid signature algorithm")
		}
		err = how.verify(public, hs.t.text, m.signature)
	} else {
		how, unfit := oldScheme(public)
		if unfit != nil {
			return c.give(alertIllegalParameter, unfit)
		}
		err = how.verifySum(public, hs.t.oldSum(how), m.signature)
	}
	if err != nil {
		return c.complain(alertDecryptError,
			"invalid signature by the client certificate: %s", err.Error())
	}
	hs.t.add(raw)
	return nil
}

func (hs *serverState) useKeys() {
	c := hs.c
	theirs, ours := c.keyBlock(hs.suite, hs.master, hs.client.random, hs.hello.random)
	c.in.next, c.out.next = hs.suite.bulk.makes(theirs), hs.suite.bulk.makes(ours)
}

func (hs *serverState) readFinished() error {
	c := hs.c
	// The client's message is the one that its transcript does not hold yet.
	want := prf(c.vers, hs.suite.hash, hs.master, "client finished", finishedSize, hs.t.sum())
	copy(c.clientFinished[:], want)
	return c.readFinished(want, hs.t, "client's Finished message is")
}

func (hs *serverState) sendTicket() error {
	c := hs.c
	if !hs.hello.ticketSupported {
		return nil
	}
	s := c.session()
	s.secret = hs.master
	if hs.session != nil {
		// What goes on does not live longer for that.
		s.created = hs.session.created
	}
	ticket, err := c.wrap(s)
	if err != nil {
		return err
	}
	_, err = c.sendMessage(&newSessionTicketMsg{ticket}, hs.t)
	return err
}

func (hs *serverState) sendFinished() error {
	c := hs.c
	if err := c.sendChangeCipherSpec(); err != nil {
		return err
	}
	ours := prf(c.vers, hs.suite.hash, hs.master, "server finished", finishedSize, hs.t.sum())
	copy(c.serverFinished[:], ours)
	if _, err := c.sendMessage(&finishedMsg{ours}, hs.t); err != nil {
		return err
	}
	return c.flush()
}

// verifyClient takes the client's chain, which may be empty.
func (c *Conn) verifyClient(cert Certificate) error {
	certs := make([]*x509.Certificate, len(cert.Certificate))
	for i, der := range cert.Certificate {
		var err error
		if certs[i], err = x509.ParseCertificate(der); err != nil {
			return c.complain(alertDecodeError,
				"failed to parse client certificate: %s", err.Error())
		}
		if most, ok := checkKeySize(certs[i]); !ok {
			return c.complain(alertBadCertificate,
				"client sent certificate containing RSA key larger than %d bits", most)
		}
	}
	auth := c.config.ClientAuth
	if len(certs) == 0 && auth.requires() {
		a := alertHandshakeFailure
		if c.vers == VersionTLS13 {
			a = alertCertificateRequired
		}
		return c.complain(a, "client didn't provide a certificate")
	}
	if auth >= VerifyClientCertIfGiven && len(certs) > 0 {
		if err := c.verifyChain(certs, x509.VerifyOptions{
			Roots:     c.config.ClientCAs,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}); err != nil {
			a := alertBadCertificate
			if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
				a = alertUnknownCA
			} else if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok &&
				e.Reason == x509.Expired {
				a = alertCertificateExpired
			}
			return c.give(a, err)
		}
	}
	c.peerCertificates = certs
	c.ocsp, c.scts = cert.OCSPStaple, cert.SignedCertificateTimestamps
	if len(certs) > 0 {
		switch public := certs[0].PublicKey.(type) {
		case *rsa.PublicKey, *ecdsa.PublicKey, ed25519.PublicKey:
		case *mldsa.PublicKey:
			if c.vers < VersionTLS13 {
				return c.complain(alertIllegalParameter,
					"client certificate uses ML-DSA, which requires TLS 1.3")
			}
		default:
			return c.complain(alertUnsupportedCertificate,
				"client certificate contains an unsupported public key of type %T", public)
		}
	}
	return c.callVerifyPeer(cert.Certificate)
}
