package tls

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"errors"
	"fmt"
	"slices"
	"time"
)

// retryRandom is the random bytes of a ServerHello that is a HelloRetryRequest.
var retryRandom = []byte{
	0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
	0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
}

func (hs *clientState) isRetry() bool { return bytes.Equal(hs.server.random, retryRandom) }

// run13 goes on with a server that speaks TLS 1.3.
func (hs *clientState) run13(helloRaw, serverRaw []byte) error {
	c := hs.c
	if c.handshakes > 0 {
		return c.complain(alertProtocolVersion, "server selected TLS 1.3 in a renegotiation")
	}
	if hs.key == nil {
		return c.sendAlert(alertInternalError)
	}
	if err := hs.checkServerHello(); err != nil {
		return err
	}
	hs.t = newTranscript(c.vers, hs.suite, false)
	hs.t.add(helloRaw)
	if hs.ech != nil {
		innerRaw, err := marshal(hs.ech.inner)
		if err != nil {
			return err
		}
		hs.ech.t = newTranscript(c.vers, hs.suite, false)
		hs.ech.t.add(innerRaw)
	}
	if hs.isRetry() {
		if err := hs.sendChange(); err != nil {
			return err
		}
		var err error
		if serverRaw, err = hs.retry(serverRaw); err != nil {
			return err
		}
	}
	if hs.ech != nil {
		if err := hs.finishECH(serverRaw); err != nil {
			return err
		}
	}
	hs.t.add(serverRaw)
	c.buffering = true
	for _, step := range []func() error{
		hs.takeServerHello13,
		hs.sendChange,
		hs.useHandshakeKeys,
		hs.readParameters,
		hs.readCertificate,
		hs.readFinished13,
		hs.sendCertificate,
		hs.sendFinished13,
		c.flush,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if hs.ech != nil && hs.ech.rejected {
		c.sendAlert(alertECHRequired)
		return &ECHRejectionError{hs.ech.retry}
	}
	c.complete.Store(true)
	return nil
}

// checkServerHello looks at what also a HelloRetryRequest has.
func (hs *clientState) checkServerHello() error {
	c, m := hs.c, hs.server
	switch {
	case m.version == 0:
		return c.complain(alertMissingExtension,
			"server selected TLS 1.3 using the legacy version field")
	case m.version != VersionTLS13:
		return c.complain(alertIllegalParameter,
			"server selected an invalid version after a HelloRetryRequest")
	case m.vers != VersionTLS12:
		return c.complain(alertIllegalParameter, "server sent an incorrect legacy version")
	case m.ocsp || m.ticketSupported || m.extendedMaster || m.renegotiationSupported ||
		m.proto != "" || len(m.scts) > 0:
		return c.complain(alertUnsupportedExtension,
			"server sent a ServerHello extension forbidden in TLS 1.3")
	case !bytes.Equal(hs.hello.sessionID, m.sessionID):
		return c.complain(alertIllegalParameter, "server did not echo the legacy session ID")
	case m.compression != compressionNone:
		return c.complain(alertDecodeError, "server sent non-zero legacy TLS compression method")
	}
	s := mutual(suites13, hs.hello.suites, m.suite)
	if hs.suite != nil && s != hs.suite {
		return c.complain(alertIllegalParameter,
			"server changed cipher suite after a HelloRetryRequest")
	}
	if s == nil {
		return c.complain(alertIllegalParameter, "server chose an unconfigured cipher suite")
	}
	hs.suite, c.suite = s, s.id
	return nil
}

// sendChange sends what only middleboxes look at.
func (hs *clientState) sendChange() error {
	if hs.sentChange {
		return nil
	}
	hs.sentChange = true
	return hs.c.sendChangeCipherSpec()
}

// retry sends another hello, as the server has asked for, and reads its answer.
func (hs *clientState) retry(request []byte) ([]byte, error) {
	c, m, hello := hs.c, hs.server, hs.hello
	before := append(hs.t.restart(), request...)
	hs.t.add(request)
	if hs.ech != nil {
		var err error
		if hello, before, err = hs.retryECH(request); err != nil {
			return nil, err
		}
	} else if m.ech != nil {
		return nil, c.complain(alertUnsupportedExtension,
			"unexpected encrypted client hello extension in serverHello")
	}
	if m.group == 0 && m.cookie == nil {
		return nil, c.complain(alertIllegalParameter,
			"server sent an unnecessary HelloRetryRequest message")
	}
	if m.cookie != nil {
		hello.cookie = m.cookie
	}
	if m.share.group != 0 {
		return nil, c.complain(alertDecodeError, "received malformed key_share extension")
	}
	if m.group != 0 {
		if !slices.Contains(hello.curves, m.group) {
			return nil, c.complain(alertIllegalParameter, "server selected unsupported group")
		}
		if hs.hello.hasShare(m.group) {
			return nil, c.complain(alertIllegalParameter,
				"server sent an unnecessary HelloRetryRequest key_share")
		}
		key, shares, err := newShares(c.config.rand(), m.group)
		if err != nil {
			return nil, c.give(alertInternalError, err)
		}
		hs.key, hello.shares = key, shares[:1]
	}
	if len(hello.psks) > 0 {
		if hs.early.hash == hs.suite.hash {
			hello.psks[0].age = hs.ticketAge()
			if err := hs.bind(hello, before); err != nil {
				return nil, err
			}
		} else {
			hello.psks, hello.binders = nil, nil
		}
	}
	if hello.earlyData {
		hello.earlyData = false
		c.quic.add(QUICEvent{Kind: QUICRejectedEarlyData})
	}
	if hello != hs.hello {
		// The outer hello has the new share for both.
		hs.hello.shares = hello.shares
		innerRaw, err := marshal(hello)
		if err != nil {
			return nil, err
		}
		hs.ech.t.add(innerRaw)
		if err := hs.ech.encrypt(hs.hello, nil); err != nil {
			return nil, err
		}
	}
	if _, err := c.sendMessage(hs.hello, hs.t); err != nil {
		return nil, err
	}
	server, raw, err := read[*serverHelloMsg](c, nil)
	if err != nil {
		return nil, err
	}
	hs.server = server
	if err := hs.checkServerHello(); err != nil {
		return nil, err
	}
	c.didRetry = true
	return raw, nil
}

func (hs *clientState) takeServerHello13() error {
	c, m := hs.c, hs.server
	switch {
	case hs.isRetry():
		return c.complain(alertUnexpectedMessage, "server sent two HelloRetryRequest messages")
	case len(m.cookie) > 0:
		return c.complain(alertUnsupportedExtension,
			"server sent a cookie in a normal ServerHello")
	case m.group != 0:
		return c.complain(alertDecodeError, "malformed key_share extension")
	case m.share.group == 0:
		return c.complain(alertIllegalParameter, "server did not send a key share")
	case !hs.hello.hasShare(m.share.group):
		return c.complain(alertIllegalParameter, "server selected unsupported group")
	case !m.pskSelected:
		return nil
	case int(m.psk) >= len(hs.hello.psks):
		return c.complain(alertIllegalParameter, "server selected an invalid PSK")
	case hs.early.hash != hs.suite.hash:
		return c.complain(alertIllegalParameter,
			"server selected an invalid PSK and cipher suite pair")
	}
	hs.usesPSK = true
	c.resumed(hs.session)
	return nil
}

func (hs *clientState) useHandshakeKeys() error {
	c := hs.c
	shared, err := hs.key.secret(hs.server.share)
	if err != nil {
		return c.complain(alertIllegalParameter, "invalid server key share")
	}
	c.curve = hs.server.share.group
	early := hs.early
	if !hs.usesPSK {
		early = earlySchedule(hs.suite.hash, nil)
	}
	next := early.next(shared)
	sum := hs.t.sum()
	ours, theirs := next.derive("c hs traffic", sum), next.derive("s hs traffic", sum)
	const level = QUICEncryptionLevelHandshake
	c.out.use13(hs.suite, level, ours)
	if err := c.reads13(hs.suite, level, theirs); err != nil {
		return err
	}
	c.writeSecret(level, hs.suite.id, ours)
	if err := c.readSecret(level, hs.suite.id, theirs); err != nil {
		return err
	}
	hs.schedule = next.next(nil)
	return c.logKeys(
		hs.hello.random, keyLogClientHandshake, ours, keyLogServerHandshake, theirs)
}

// logKeys logs the keys of both directions.
func (c *Conn) logKeys(
	random []byte, ofClient string, client []byte, ofServer string, server []byte,
) error {
	err := c.config.logKey(ofClient, random, client)
	if err == nil {
		err = c.config.logKey(ofServer, random, server)
	}
	if err != nil {
		c.sendAlert(alertInternalError)
	}
	return err
}

func (hs *clientState) readParameters() error {
	c := hs.c
	m, _, err := read[*encryptedExtensionsMsg](c, hs.t)
	if err != nil {
		return err
	}
	if err := checkProto(hs.hello.protos, m.proto, c.quic != nil); err != nil {
		return c.give(alertNoApplicationProtocol, err)
	}
	c.proto = m.proto
	if err := c.takeParameters("server", m.quic); err != nil {
		return err
	}
	if err := hs.checkEarlyData(m.earlyData); err != nil {
		return err
	}
	switch {
	case hs.ech == nil:
	case hs.ech.rejected:
		hs.ech.retry = m.retryConfigs
	case m.retryConfigs != nil:
		return c.complain(alertUnsupportedExtension, "server sent encrypted client hello retry "+
			"configs after accepting encrypted client hello")
	}
	return nil
}

func (hs *clientState) readCertificate() error {
	c := hs.c
	if hs.usesPSK {
		return c.callVerifyConnection()
	}
	m, _, err := c.readMessage(hs.t)
	if err != nil {
		return err
	}
	if request, ok := m.(*certificateRequestMsgTLS13); ok {
		hs.request = request
		if m, _, err = c.readMessage(hs.t); err != nil {
			return err
		}
	}
	certMsg, err := expect[*certificateMsgTLS13](c, m)
	if err != nil {
		return err
	}
	cert := certMsg.certificate
	if len(cert.Certificate) == 0 {
		return c.complain(alertDecodeError, "received empty certificates message")
	}
	c.scts, c.ocsp = cert.SignedCertificateTimestamps, cert.OCSPStaple
	if err := c.verifyServer(cert.Certificate); err != nil {
		return err
	}
	return c.readProof(hs.t, serverContext, "certificate", "server")
}

// readProof reads the signature that belongs to the certificate of the peer.
func (c *Conn) readProof(t *transcript, context, whose, who string) error {
	m, raw, err := read[*certificateVerifyMsg](c, nil)
	if err != nil {
		return err
	}
	public := c.peerCertificates[0].PublicKey
	how, err := schemeByID(m.scheme)
	if err != nil || !how.usable(c.vers) || !slices.Contains(schemesOf(c.vers, public), m.scheme) {
		return c.complain(alertIllegalParameter, whose+" used with invalid signature algorithm")
	}
	if err := how.verify(public, signed13(context, t.sum()), m.signature); err != nil {
		return c.complain(alertDecryptError,
			"invalid signature by the %s certificate: %s", who, err.Error())
	}
	t.add(raw)
	return nil
}

func (hs *clientState) readFinished13() error {
	c := hs.c
	m, raw, err := read[*finishedMsg](c, nil)
	if err != nil {
		return err
	}
	if !hmac.Equal(finishedSum(hs.suite.hash, c.in.secret, hs.t.sum()), m.rest) {
		return c.complain(alertDecryptError, "invalid server finished hash")
	}
	hs.t.add(raw)
	sum := hs.t.sum()
	hs.clientNext = hs.schedule.derive("c ap traffic", sum)
	theirs := hs.schedule.derive("s ap traffic", sum)
	if err := c.reads13(hs.suite, QUICEncryptionLevelApplication, theirs); err != nil {
		return err
	}
	c.export = exporter(hs.suite.hash, hs.schedule.derive("exp master", sum))
	return c.logKeys(
		hs.hello.random, keyLogClientTraffic, hs.clientNext, keyLogServerTraffic, theirs)
}

func (hs *clientState) sendCertificate() error {
	c := hs.c
	if hs.request == nil {
		return nil
	}
	if hs.ech != nil && hs.ech.rejected {
		_, err := c.sendMessage(&certificateMsgTLS13{}, hs.t)
		return err
	}
	cert, err := c.clientCertificate(&CertificateRequestInfo{
		AcceptableCAs:    hs.request.authorities,
		SignatureSchemes: hs.request.signatures,
		Version:          c.vers,
		ctx:              hs.ctx,
	})
	if err != nil {
		return err
	}
	c.localCertificate = cert.Certificate
	m := &certificateMsgTLS13{
		certificate: *cert,
		scts:        hs.request.scts && len(cert.SignedCertificateTimestamps) > 0,
		ocsp:        hs.request.ocsp && len(cert.OCSPStaple) > 0,
	}
	if _, err := c.sendMessage(m, hs.t); err != nil || len(cert.Certificate) == 0 {
		return err
	}
	id, err := selectScheme(c.vers, cert, hs.request.signatures)
	if err != nil {
		return c.give(alertHandshakeFailure, err)
	}
	_, err = c.sendProof(id, cert, hs.t, clientContext)
	return err
}

// sendProof signs what has been said. The alert is sent by the caller if signing fails.
func (c *Conn) sendProof(
	id SignatureScheme, cert *Certificate, t *transcript, context string,
) (signs bool, err error) {
	how, err := schemeByID(id)
	if err != nil {
		return true, c.sendAlert(alertInternalError)
	}
	key := cert.PrivateKey.(crypto.Signer)
	sig, err := how.sign(key, c.config.rand(), signed13(context, t.sum()))
	if err != nil {
		if context == clientContext {
			c.sendAlert(alertInternalError)
		}
		return false, errors.New("tls: failed to sign handshake: " + err.Error())
	}
	_, err = c.sendMessage(&certificateVerifyMsg{true, id, sig}, t)
	return true, err
}

func (hs *clientState) sendFinished13() error {
	c := hs.c
	sum := finishedSum(hs.suite.hash, c.out.secret, hs.t.sum())
	if _, err := c.sendMessage(&finishedMsg{sum}, hs.t); err != nil {
		return err
	}
	c.out.use13(hs.suite, QUICEncryptionLevelApplication, hs.clientNext)
	if !c.config.SessionTicketsDisabled && c.config.ClientSessionCache != nil {
		c.resumption = hs.schedule.derive("res master", hs.t.sum())
	}
	c.writeSecret(QUICEncryptionLevelApplication, hs.suite.id, hs.clientNext)
	return nil
}

// useEarlyKeys has what is sent from now on encrypted for the session, if there is to be such.
func (hs *clientState) useEarlyKeys(helloRaw []byte) (err error) {
	if !hs.hello.earlyData {
		return nil
	}
	if hs.ech != nil {
		if helloRaw, err = marshal(hs.ech.inner); err != nil {
			return err
		}
	}
	sum := hs.early.hash.New()
	sum.Write(helloRaw)
	secret := hs.early.derive("c e traffic", sum.Sum(nil))
	hs.c.writeSecret(QUICEncryptionLevelEarly, hs.session.suite, secret)
	return nil
}

// checkEarlyData looks at whether the server has accepted what was sent early.
func (hs *clientState) checkEarlyData(isAccepted bool) error {
	c, isSent := hs.c, hs.hello.earlyData
	switch {
	case !isSent && isAccepted:
		return c.complain(alertUnsupportedExtension,
			"server sent an unexpected early_data extension")
	case isSent && !isAccepted:
		c.quic.add(QUICEvent{Kind: QUICRejectedEarlyData})
	case isAccepted && hs.session.suite != c.suite:
		return c.complain(
			alertHandshakeFailure, "server accepted 0-RTT with the wrong cipher suite")
	case isAccepted && hs.session.proto != c.proto:
		return c.complain(alertHandshakeFailure, "server accepted 0-RTT with the wrong ALPN")
	}
	return nil
}

// takeTicket keeps the session that a server of TLS 1.3 offers after the handshake.
func (c *Conn) takeTicket(m *newSessionTicketMsgTLS13) error {
	if !c.isClient {
		return c.complain(alertUnexpectedMessage, "received new session ticket from a client")
	}
	if c.config.SessionTicketsDisabled || c.config.ClientSessionCache == nil || m.lifetime == 0 {
		return nil
	}
	lifetime := time.Duration(m.lifetime) * time.Second
	if lifetime > maxTicketLifetime {
		return c.complain(alertIllegalParameter, "received a session ticket with invalid lifetime")
	}
	if len(m.label) == 0 {
		return c.give(alertDecodeError,
			fmt.Errorf("tls: received a session ticket with empty opaque ticket label"))
	}
	const always = 0xffffffff
	if c.quic != nil && m.maxEarlyData != 0 && m.maxEarlyData != always {
		return c.complain(alertIllegalParameter, "invalid early data for QUIC connection")
	}
	h := find(suites13, c.suite).hash
	s := c.session()
	s.secret = expandLabel(h, c.resumption, "resumption", m.nonce, h.Size())
	s.useBy = uint64(c.config.time().Add(lifetime).Unix())
	s.ageAdd, s.ticket = m.ageAdd, m.label
	s.EarlyData = c.quic != nil && m.maxEarlyData == always
	if c.quic != nil && c.quic.hasSessions {
		c.quic.add(QUICEvent{Kind: QUICStoreSession, SessionState: s})
		return nil
	}
	if key := c.sessionKey(); key != "" {
		c.config.ClientSessionCache.Put(key, &ClientSessionState{s})
	}
	return nil
}
