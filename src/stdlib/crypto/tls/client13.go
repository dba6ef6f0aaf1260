// What follows the hello of a client in TLS 1.3.

package tls

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"errors"
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
func (hs *clientState) run13() error {
	c := hs.c
	if c.handshakes > 0 {
		return c.complain(versionRefused, "server selected TLS 1.3 in a renegotiation")
	}
	if hs.key == nil {
		return c.raise(ownFault)
	}
	err := inOrder(
		hs.checkServerHello, hs.beginTranscripts, hs.maybeRetry, hs.maybeInner, hs.takeServerHello13,
		hs.change, hs.useShares, hs.readParameters, hs.readCertificate, hs.readFinished13,
		hs.sendCertificate, hs.sayFinished13, c.flush)
	if err != nil {
		return err
	}
	if hs.ech != nil && hs.ech.rejected {
		c.raise(innerHelloNeeded)
		return &ECHRejectionError{hs.ech.retry}
	}
	c.complete.Store(true)
	return nil
}

// beginTranscripts begins with the hello, and with the inner one if there is one.
func (hs *clientState) beginTranscripts() error {
	hs.t = newTranscript(hs.c.version, hs.suite, false)
	hs.t.add(hs.helloRaw)
	if hs.ech == nil {
		return nil
	}
	hs.ech.t = newTranscript(hs.c.version, hs.suite, false)
	raw, err := marshal(hs.ech.inner)
	hs.ech.t.add(raw)
	return err
}

// maybeRetry says hello again if the server asks for that.
func (hs *clientState) maybeRetry() error {
	if !hs.isRetry() {
		return nil
	}
	return inOrder(hs.change, hs.retry)
}

// maybeInner goes on with the inner hello if the server has accepted that.
func (hs *clientState) maybeInner() error {
	if hs.ech != nil {
		if err := hs.finishECH(hs.serverRaw); err != nil {
			return err
		}
	}
	hs.t.add(hs.serverRaw)
	hs.clientRandom = hs.hello.random
	hs.c.buffering = true
	return nil
}

// checkServerHello looks at what also a HelloRetryRequest has.
func (hs *clientState) checkServerHello() error {
	c, m := hs.c, hs.server
	switch {
	case m.version == 0:
		return c.complain(extensionLacking,
			"server selected TLS 1.3 using the legacy version field")
	case m.version != VersionTLS13:
		return c.complain(illegalValue,
			"server selected an invalid version after a HelloRetryRequest")
	case m.vers != VersionTLS12:
		return c.complain(illegalValue, "server sent an incorrect legacy version")
	case m.ocsp || m.takesTickets || m.extendedMaster || m.renegotiationSupported ||
		m.proto != "" || len(m.scts) > 0:
		return c.complain(extensionUncalled,
			"server sent a ServerHello extension forbidden in TLS 1.3")
	case !bytes.Equal(hs.hello.sessionID, m.sessionID):
		return c.complain(illegalValue, "server did not echo the legacy session ID")
	case m.compression != notCompressed:
		return c.complain(malformedMessage, "server sent non-zero legacy TLS compression method")
	}
	s := mutual(suites13, hs.hello.suites, m.suite)
	if hs.suite != nil && s != hs.suite {
		return c.complain(illegalValue,
			"server changed cipher suite after a HelloRetryRequest")
	}
	if s == nil {
		return c.complain(illegalValue, "server chose an unconfigured cipher suite")
	}
	hs.suite, c.suite = s, s.id
	return nil
}

// retry sends another hello, as the server has asked for, and reads its answer.
func (hs *clientState) retry() error {
	c, m, hello, request := hs.c, hs.server, hs.hello, hs.serverRaw
	before := append(hs.t.restart(), request...)
	hs.t.add(request)
	if hs.ech != nil {
		var err error
		if hello, before, err = hs.retryECH(request); err != nil {
			return err
		}
	} else if m.ech != nil {
		return c.complain(extensionUncalled,
			"unexpected encrypted client hello extension in serverHello")
	}
	if err := hs.takeRetry(hello); err != nil {
		return err
	}
	if len(hello.psks) > 0 {
		if hs.early.hash != hs.suite.hash {
			hello.psks, hello.binders = nil, nil
		} else {
			hello.psks[0].age = hs.ticketAge()
			if err := hs.bind(hello, before); err != nil {
				return err
			}
		}
	}
	if hello.zeroRTT {
		hello.zeroRTT = false
		c.quic.add(QUICEvent{Kind: QUICRejectedEarlyData})
	}
	if hello != hs.hello {
		// The outer hello has the new share for both.
		hs.hello.shares = hello.shares
		raw, err := marshal(hello)
		if err == nil {
			hs.ech.t.add(raw)
			err = hs.ech.encrypt(hs.hello, nil)
		}
		if err != nil {
			return err
		}
	}
	err := hs.tell(hs.hello)
	if err != nil {
		return err
	}
	if hs.server, hs.serverRaw, err = read[*serverHelloMsg](c, nil); err != nil {
		return err
	}
	err = hs.checkServerHello()
	c.didRetry = c.didRetry || err == nil
	return err
}

// takeRetry puts into the hello what the server has asked for: a cookie, a share in its group.
func (hs *clientState) takeRetry(hello *clientHelloMsg) (err error) {
	c, m := hs.c, hs.server
	switch {
	case m.cookie == nil && m.group == 0:
		return c.complain(illegalValue, "server sent an unnecessary HelloRetryRequest message")
	case m.share.group != 0:
		return c.complain(malformedMessage, "received malformed key_share extension")
	case m.group != 0 && !slices.Contains(hello.curves, m.group):
		return c.complain(illegalValue, "server selected unsupported group")
	case hs.hello.hasShare(m.group):
		return c.complain(illegalValue, "server sent an unnecessary HelloRetryRequest key_share")
	}
	if m.cookie != nil {
		hello.cookie = m.cookie
	}
	if m.group == 0 {
		return nil
	}
	if hs.key, err = newKey(c.config.rand(), m.group); err != nil {
		return c.give(ownFault, err)
	}
	hello.shares = hs.key.shares()[:1]
	return nil
}

// useShares agrees on a secret, by which the handshake is encrypted from now on.
func (hs *clientState) useShares() error {
	theirs := hs.server.share
	shared, err := hs.key.secret(theirs)
	if err != nil {
		return hs.c.complain(illegalValue, "invalid server key share")
	}
	hs.c.curve = theirs.group
	if !hs.usesPSK {
		hs.early = earlySchedule(hs.suite.hash, nil)
	}
	return hs.encrypt(hs.early, shared)
}

func (hs *clientState) takeServerHello13() error {
	c, m := hs.c, hs.server
	switch {
	case hs.isRetry():
		return c.complain(outOfTurn, "server sent two HelloRetryRequest messages")
	case len(m.cookie) > 0:
		return c.complain(extensionUncalled,
			"server sent a cookie in a normal ServerHello")
	case m.group != 0:
		return c.complain(malformedMessage, "malformed key_share extension")
	case m.share.group == 0:
		return c.complain(illegalValue, "server did not send a key share")
	case !hs.hello.hasShare(m.share.group):
		return c.complain(illegalValue, "server selected unsupported group")
	case !m.pskSelected:
		return nil
	case int(m.psk) >= len(hs.hello.psks):
		return c.complain(illegalValue, "server selected an invalid PSK")
	case hs.early.hash != hs.suite.hash:
		return c.complain(illegalValue,
			"server selected an invalid PSK and cipher suite pair")
	}
	hs.usesPSK = true
	c.resumed(hs.session)
	return nil
}

func (hs *clientState) readParameters() error {
	c := hs.c
	m, _, err := read[*encryptedExtensionsMsg](c, hs.t)
	if err != nil {
		return err
	}
	if err := checkProto(hs.hello.protos, m.proto, c.quic != nil); err != nil {
		return c.give(noCommonProtocol, err)
	}
	c.proto = m.proto
	if err := c.takeParameters("server", m.quic); err != nil {
		return err
	}
	if err := hs.checkEarlyData(m.zeroRTT); err != nil {
		return err
	}
	switch {
	case hs.ech == nil:
	case hs.ech.rejected:
		hs.ech.retry = m.newOffers
	case m.newOffers != nil:
		return c.complain(extensionUncalled, "server sent encrypted client hello retry "+
			"configs after accepting encrypted client hello")
	}
	return nil
}

func (hs *clientState) readCertificate() (err error) {
	c := hs.c
	if hs.usesPSK {
		return c.callVerifyConnection()
	}
	if hs.request13, _, err = pass[*certificateRequestMsgTLS13](&hs.shaking); err != nil {
		return err
	}
	m, err := demand[*certificateMsgTLS13](&hs.shaking)
	if err != nil {
		return err
	}
	chain := m.certificate.Certificate
	if len(chain) == 0 {
		return c.complain(malformedMessage, "received empty certificates message")
	}
	c.ocsp, c.scts = m.certificate.OCSPStaple, m.certificate.SignedCertificateTimestamps
	if err = c.verifyServer(chain); err != nil {
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
	public := c.peerChain[0].PublicKey
	how, err := schemeByID(m.scheme)
	if err != nil || !how.usable(c.version) || !how.suits(c.version, public) {
		return c.complain(illegalValue, whose+" used with invalid signature algorithm")
	}
	if err := how.verify(public, signed13(context, t.sum()), m.signature); err != nil {
		return c.complain(proofWrong,
			"invalid signature by the %s certificate: %s", who, err.Error())
	}
	t.add(raw)
	return nil
}

func (hs *clientState) readFinished13() error {
	m, raw, err := read[*finishedMsg](hs.c, nil)
	switch {
	case err != nil:
		return err
	case !hmac.Equal(m.rest, hs.finished13(hs.c.in.secret)):
		return hs.c.complain(proofWrong, "invalid server finished hash")
	}
	hs.t.add(raw)
	theirs := hs.dataSecrets()
	err = hs.c.reads13(hs.suite, QUICEncryptionLevelApplication, theirs)
	if err == nil {
		err = hs.logData(theirs)
	}
	return err
}

// sendCertificate shows the certificate that the server has asked for, and proves that it is ours.
func (hs *clientState) sendCertificate() error {
	c, asked := hs.c, hs.request13
	if asked == nil {
		return nil
	}
	if hs.ech != nil && hs.ech.rejected {
		return hs.tell(&certificateMsgTLS13{})
	}
	mine, err := c.clientCertificate(&CertificateRequestInfo{
		AcceptableCAs: asked.authorities, SignatureSchemes: asked.signatures,
		Version: c.version, ctx: hs.ctx,
	})
	if err != nil {
		return err
	}
	c.ourChain = mine.Certificate
	if err = hs.tell(showing(mine, asked.ocsp, asked.scts)); err != nil || len(mine.Certificate) == 0 {
		return err
	}
	how, err := selectScheme(c.version, mine, asked.signatures)
	if err != nil {
		return c.give(noAgreement, err)
	}
	_, err = c.sendProof(how, mine, hs.t, clientContext)
	return err
}

// showing is the message that shows a certificate, with more about it if the peer wants to know.
func showing(cert *Certificate, ocsp, scts bool) *certificateMsgTLS13 {
	return &certificateMsgTLS13{
		certificate: *cert,
		ocsp:        ocsp && len(cert.OCSPStaple) > 0,
		scts:        scts && len(cert.SignedCertificateTimestamps) > 0,
	}
}

// sayFinished13 ends the handshake; what is written next is data.
func (hs *clientState) sayFinished13() error {
	c := hs.c
	err := hs.tell(&finishedMsg{hs.finished13(c.out.secret)})
	if err == nil {
		c.writes13(hs.suite, QUICEncryptionLevelApplication, hs.clientNext)
		if c.keepsSessions() {
			c.resumption = hs.schedule.derive("res master", hs.t.sum())
		}
	}
	return err
}

// sendProof signs what has been said. The alert is sent by the caller if signing fails.
func (c *Conn) sendProof(
	id SignatureScheme, cert *Certificate, t *transcript, context string,
) (signs bool, err error) {
	how, err := schemeByID(id)
	if err != nil {
		return true, c.raise(ownFault)
	}
	key := cert.PrivateKey.(crypto.Signer)
	sig, err := how.sign(key, c.config.rand(), signed13(context, t.sum()))
	if err != nil {
		if context == clientContext {
			c.raise(ownFault)
		}
		return false, errors.New("tls: failed to sign handshake: " + err.Error())
	}
	_, err = c.sendMessage(&certificateVerifyMsg{true, id, sig}, t)
	return true, err
}

// useEarlyKeys has what is sent from now on encrypted for the session, if there is to be such.
func (hs *clientState) useEarlyKeys() (err error) {
	if !hs.hello.zeroRTT {
		return nil
	}
	raw := hs.helloRaw
	if hs.ech != nil {
		if raw, err = marshal(hs.ech.inner); err != nil {
			return err
		}
	}
	return hs.c.tellSecret(
		QUICSetWriteSecret, QUICEncryptionLevelEarly, hs.session.suite, hs.early.firstData(raw))
}

// late keeps the session that a server of TLS 1.3 offers after the handshake.
func (m *newSessionTicketMsgTLS13) late(c *Conn) error {
	switch {
	case !c.asClient:
		return c.complain(outOfTurn, "received new session ticket from a client")
	case !c.keepsSessions() || m.lifetime == 0:
		return nil
	}
	const longest = uint32(maxTicketLifetime / time.Second)
	switch {
	case m.lifetime > longest:
		return c.complain(illegalValue, "received a session ticket with invalid lifetime")
	case len(m.label) == 0:
		return c.complain(malformedMessage, "received a session ticket with empty opaque ticket label")
	case c.quic != nil && m.earlyLimit != 0 && m.earlyLimit != noLimit:
		return c.complain(illegalValue, "invalid early data for QUIC connection")
	}
	s := c.session(c.ticketSecret(m.nonce))
	s.ticket, s.ageMask = m.label, m.ageMask
	s.endsAt = uint64(c.config.time().Unix()) + uint64(m.lifetime)
	if c.quic != nil {
		s.EarlyData = m.earlyLimit == noLimit
		if c.quic.hasSessions {
			c.quic.add(QUICEvent{Kind: QUICStoreSession, SessionState: s})
			return nil
		}
	}
	c.keep(s)
	return nil
}

// noLimit is how much may be sent early with a ticket for QUIC, which limits that by itself.
const noLimit = 0xffffffff

// ticketSecret is what the two share who resume with the ticket of that nonce.
func (c *Conn) ticketSecret(nonce []byte) []byte {
	h := find(suites13, c.suite).hash
	return expandLabel(h, c.resumption, "resumption", nonce, h.Size())
}

// checkEarlyData looks at whether the server has accepted what was sent early.
func (hs *clientState) checkEarlyData(isAccepted bool) error {
	c, isSent := hs.c, hs.hello.zeroRTT
	switch {
	case !isSent && isAccepted:
		return c.complain(extensionUncalled,
			"server sent an unexpected early_data extension")
	case isSent && !isAccepted:
		c.quic.add(QUICEvent{Kind: QUICRejectedEarlyData})
	case isAccepted && hs.session.suite != c.suite:
		return c.complain(
			noAgreement, "server accepted 0-RTT with the wrong cipher suite")
	case isAccepted && hs.session.proto != c.proto:
		return c.complain(noAgreement, "server accepted 0-RTT with the wrong ALPN")
	}
	return nil
}
