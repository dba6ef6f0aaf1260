package tls

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"encoding/binary"
	"io"
	"slices"
	"time"
)

// maxPSKs is how many sessions of a client are looked at.
const maxPSKs = 5

func (hs *serverState) run13() error {
	c := hs.c
	for _, step := range []func() error{
		hs.answerHello13,
		hs.checkSession13,
		hs.pickCertificate13,
		hs.sendParameters,
		hs.sendCertificate,
		hs.sendFinished13,
		c.flush,
		hs.readCertificate,
		hs.readFinished13,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	c.complete.Store(true)
	return nil
}

func (hs *serverState) answerHello13() error {
	c, m := hs.c, hs.client
	if len(m.versions) == 0 {
		return c.complain(alertIllegalParameter,
			"client used the legacy version field to negotiate TLS 1.3")
	}
	if err := hs.checkFallback(c.vers); err != nil {
		return err
	}
	if len(m.compressions) != 1 || m.compressions[0] != compressionNone {
		return c.complain(alertIllegalParameter,
			"TLS 1.3 client supports illegal compression methods")
	}
	hs.hello = &serverHelloMsg{
		vers:        VersionTLS12,
		version:     c.vers,
		random:      make([]byte, 32),
		sessionID:   m.sessionID,
		compression: compressionNone,
	}
	if _, err := io.ReadFull(c.config.rand(), hs.hello.random); err != nil {
		return c.give(alertInternalError, err)
	}
	if len(m.renegotiation) != 0 {
		return c.complain(alertHandshakeFailure,
			"initial handshake had non-empty renegotiation extension")
	}
	if m.earlyData && c.quic == nil {
		return c.complain(alertUnsupportedExtension, "client sent unexpected early data")
	}
	if m.earlyData && len(m.psks) == 0 {
		return c.complain(alertIllegalParameter, "early_data without pre_shared_key")
	}
	for _, s := range preferred(suites13, prefersAES(m.suites)) {
		if slices.Contains(m.suites, s.id) {
			hs.suite = s
			break
		}
	}
	if hs.suite == nil {
		return hs.noSuite()
	}
	c.suite, hs.hello.suite = hs.suite.id, hs.suite.id
	hs.t = newTranscript(c.vers, hs.suite, false)
	if err := hs.pickShare(); err != nil {
		return err
	}
	proto, err := chooseProto(c.config.NextProtos, m.protos, c.quic != nil)
	if err != nil {
		return c.give(alertNoApplicationProtocol, err)
	}
	c.proto = proto
	isOld := func(version uint16) bool { return version < VersionTLS13 }
	if c.quic != nil && slices.ContainsFunc(m.versions, isOld) {
		return c.complain(alertProtocolVersion, "client offered TLS version older than TLS 1.3")
	}
	if err := c.takeParameters("client", m.quic); err != nil {
		return err
	}
	c.serverName = m.serverName
	return nil
}

// shareOf is the client's share of that group.
func (m *clientHelloMsg) shareOf(id CurveID) (keyShare, bool) {
	i := slices.IndexFunc(m.shares, func(s keyShare) bool { return s.group == id })
	if i < 0 {
		return keyShare{}, false
	}
	return m.shares[i], true
}

// hasShare says whether the client has sent a share of that group.
func (m *clientHelloMsg) hasShare(id CurveID) bool {
	_, ok := m.shareOf(id)
	return ok
}

// pickShare chooses a group: one with ML-KEM if there is one, then one of which the client has sent
// its share, then the one that is preferred.
func (hs *serverState) pickShare() error {
	c, m := hs.c, hs.client
	able := slices.DeleteFunc(c.config.curves(c.vers), func(id CurveID) bool {
		return !slices.Contains(m.curves, id)
	})
	if len(able) == 0 {
		return c.complain(alertHandshakeFailure,
			"no key exchanges supported by both client and server")
	}
	rank := func(id CurveID) (n int) {
		if !id.quantumSafe() {
			n = 2
		}
		if !m.hasShare(id) {
			n++
		}
		return n
	}
	group := slices.MinFunc(able, func(a, b CurveID) int { return rank(a) - rank(b) })
	theirs, sent := m.shareOf(group)
	if !sent {
		var err error
		if theirs, err = hs.askForShare(group); err != nil {
			return err
		}
	}
	c.curve = group
	shared, ours, err := answer(c.config.rand(), theirs)
	if err != nil {
		return c.complain(alertIllegalParameter, "invalid client key share")
	}
	hs.shared, hs.hello.share = shared, ours
	return nil
}

// askForShare has the client say hello again.
func (hs *serverState) askForShare(group CurveID) (none keyShare, err error) {
	c := hs.c
	if len(c.hand) > 0 {
		return none, c.complain(alertUnexpectedMessage,
			"handshake buffer not empty before HelloRetryRequest")
	}
	hs.t.add(hs.raw)
	before := hs.t.restart()
	request := *hs.hello
	request.random, request.group = retryRandom, group
	if err := hs.confirmRetryECH(&request); err != nil {
		return none, err
	}
	raw, err := c.sendMessage(&request, hs.t)
	if err != nil {
		return none, err
	}
	hs.before = append(before, raw...)
	if err := hs.sendChange(); err != nil {
		return none, err
	}
	m, raw, err := read[*clientHelloMsg](c, nil)
	if err != nil {
		return none, err
	}
	if m, raw, err = hs.takeSecondECH(m, raw); err != nil {
		return none, err
	}
	const second = " second ClientHello"
	switch {
	case len(m.shares) != 1:
		return none, c.complain(alertIllegalParameter,
			"client didn't send one key share in"+second)
	case m.shares[0].group != group:
		return none, c.complain(alertIllegalParameter, "client sent unexpected key share in"+second)
	case m.earlyData:
		return none, c.complain(alertIllegalParameter, "client indicated early data in"+second)
	case changed(m, hs.client):
		return none, c.complain(alertIllegalParameter, "client illegally modified"+second)
	}
	c.didRetry = true
	hs.client, hs.raw = m, raw
	return m.shares[0], nil
}

// changed says whether the second hello differs in what must be the same.
func changed(a, b *clientHelloMsg) bool {
	return a.vers != b.vers ||
		!bytes.Equal(a.random, b.random) ||
		!bytes.Equal(a.sessionID, b.sessionID) ||
		!bytes.Equal(a.compressions, b.compressions) ||
		!bytes.Equal(a.points, b.points) ||
		!bytes.Equal(a.ticket, b.ticket) ||
		!bytes.Equal(a.renegotiation, b.renegotiation) ||
		!bytes.Equal(a.cookie, b.cookie) ||
		!bytes.Equal(a.pskModes, b.pskModes) ||
		!slices.Equal(a.versions, b.versions) ||
		!slices.Equal(a.suites, b.suites) ||
		!slices.Equal(a.curves, b.curves) ||
		!slices.Equal(a.signatures, b.signatures) ||
		!slices.Equal(a.certificates, b.certificates) ||
		!slices.Equal(a.protos, b.protos) ||
		a.serverName != b.serverName || a.ocsp != b.ocsp || a.scts != b.scts ||
		a.ticketSupported != b.ticketSupported ||
		a.renegotiationSupported != b.renegotiationSupported
}

func (hs *serverState) sendChange() error {
	if hs.sentChange {
		return nil
	}
	hs.sentChange = true
	return hs.c.sendChangeCipherSpec()
}

// checkSession13 finds out whether the client has a session that goes on.
func (hs *serverState) checkSession13() error {
	c, m := hs.c, hs.client
	if c.config.SessionTicketsDisabled || !slices.Contains(m.pskModes, pskModeDHE) {
		return nil
	}
	if len(m.psks) != len(m.binders) {
		return c.complain(alertIllegalParameter, "invalid or missing PSK binders")
	}
	for i, id := range m.psks[:min(len(m.psks), maxPSKs)] {
		s, err := c.unwrap(id.label)
		if err != nil {
			return err
		}
		if s == nil || !c.mayResume(s) {
			continue
		}
		if old := find(suites13, s.suite); old == nil || old.hash != hs.suite.hash {
			continue
		}
		if err := c.resumes(s); err != nil {
			return err
		}
		early := earlySchedule(hs.suite.hash, s.secret)
		want := binder(early, hs.before, hs.raw[:len(hs.raw)-m.bindersSize()])
		if !hmac.Equal(m.binders[i], want) {
			return c.complain(alertDecryptError, "invalid PSK binder")
		}
		if c.quic != nil && m.earlyData && i == 0 && s.EarlyData && s.suite == hs.suite.id &&
			s.proto == c.proto {
			hs.isEarly = true
			sum := hs.suite.hash.New()
			sum.Write(hs.raw)
			secret := early.derive("c e traffic", sum.Sum(nil))
			err := c.readSecret(QUICEncryptionLevelEarly, hs.suite.id, secret)
			if err != nil {
				return err
			}
		}
		c.resumed(s)
		hs.hello.pskSelected, hs.hello.psk = true, uint16(i)
		hs.early = &early
		return nil
	}
	return nil
}

func (hs *serverState) pickCertificate13() error {
	c := hs.c
	if hs.early != nil {
		return nil
	}
	if len(hs.client.signatures) == 0 {
		return c.sendAlert(alertMissingExtension)
	}
	if err := hs.pickCertificate(); err != nil {
		return err
	}
	c.localCertificate = hs.cert.Certificate
	id, err := selectScheme(c.vers, hs.cert, hs.client.signatures)
	if err != nil {
		return c.give(alertHandshakeFailure, err)
	}
	hs.scheme = id
	return nil
}

// sendParameters sends hello, and what is encrypted from the beginning.
func (hs *serverState) sendParameters() error {
	c := hs.c
	c.buffering = true
	if err := hs.confirmECH(); err != nil {
		return err
	}
	hs.t.add(hs.raw)
	if _, err := c.sendMessage(hs.hello, hs.t); err != nil {
		return err
	}
	if err := hs.sendChange(); err != nil {
		return err
	}
	if hs.early == nil {
		early := earlySchedule(hs.suite.hash, nil)
		hs.schedule = early.next(hs.shared)
	} else {
		hs.schedule = hs.early.next(hs.shared)
	}
	sum := hs.t.sum()
	ours, theirs := hs.schedule.derive("s hs traffic", sum), hs.schedule.derive("c hs traffic", sum)
	const level = QUICEncryptionLevelHandshake
	c.out.use13(hs.suite, level, ours)
	if err := c.reads13(hs.suite, level, theirs); err != nil {
		return err
	}
	c.writeSecret(level, hs.suite.id, ours)
	if err := c.readSecret(level, hs.suite.id, theirs); err != nil {
		return err
	}
	err := c.logKeys(
		hs.client.random, keyLogClientHandshake, theirs, keyLogServerHandshake, ours)
	if err != nil {
		return err
	}
	m := &encryptedExtensionsMsg{proto: c.proto}
	if c.quic != nil {
		if m.quic, err = c.transportParameters(); err != nil {
			return err
		}
		m.earlyData = hs.isEarly
	}
	m.serverNameAck = !c.didResume && hs.client.serverName != ""
	if m.retryConfigs, err = hs.retryConfigs(); err != nil {
		return err
	}
	_, err = c.sendMessage(m, hs.t)
	return err
}

// asks says whether the client is to show a certificate.
func (hs *serverState) asks() bool {
	return hs.c.config.ClientAuth >= RequestClientCert && hs.early == nil
}

func (hs *serverState) sendCertificate() error {
	c := hs.c
	if hs.early != nil {
		return nil
	}
	if hs.asks() {
		m := &certificateRequestMsgTLS13{
			ocsp: true, scts: true,
			signatures: usableSchemes(c.vers, c.vers), certificates: allSchemes(c.vers),
		}
		if c.config.ClientCAs != nil {
			m.authorities = c.config.ClientCAs.Subjects()
		}
		if _, err := c.sendMessage(m, hs.t); err != nil {
			return err
		}
	}
	m := &certificateMsgTLS13{
		certificate: *hs.cert,
		scts:        hs.client.scts && len(hs.cert.SignedCertificateTimestamps) > 0,
		ocsp:        hs.client.ocsp && len(hs.cert.OCSPStaple) > 0,
	}
	if _, err := c.sendMessage(m, hs.t); err != nil {
		return err
	}
	signed, err := c.sendProof(hs.scheme, hs.cert, hs.t, serverContext)
	if !signed {
		a := alertInternalError
		how, _ := schemeByID(hs.scheme)
		public := hs.cert.PrivateKey.(crypto.Signer).Public()
		if key, ok := public.(*rsa.PublicKey); ok && how.how == pss &&
			key.N.BitLen()/8 < 2*how.hash.Size()+2 {
			a = alertHandshakeFailure
		}
		c.sendAlert(a)
	}
	return err
}

func (hs *serverState) sendFinished13() error {
	c := hs.c
	ours := finishedSum(hs.suite.hash, c.out.secret, hs.t.sum())
	if _, err := c.sendMessage(&finishedMsg{ours}, hs.t); err != nil {
		return err
	}
	hs.schedule = hs.schedule.next(nil)
	sum := hs.t.sum()
	hs.clientNext = hs.schedule.derive("c ap traffic", sum)
	secret := hs.schedule.derive("s ap traffic", sum)
	c.out.use13(hs.suite, QUICEncryptionLevelApplication, secret)
	c.writeSecret(QUICEncryptionLevelApplication, hs.suite.id, secret)
	err := c.logKeys(
		hs.client.random, keyLogClientTraffic, hs.clientNext, keyLogServerTraffic, secret)
	if err != nil {
		return err
	}
	c.export = exporter(hs.suite.hash, hs.schedule.derive("exp master", sum))
	if hs.asks() {
		return nil
	}
	return hs.offerTicket13()
}

// offerTicket13 finds out what the client's Finished will be, and offers the session.
func (hs *serverState) offerTicket13() error {
	c, h := hs.c, hs.suite.hash
	hs.clientFinished = finishedSum(h, c.in.secret, hs.t.sum())
	raw, err := marshal(&finishedMsg{hs.clientFinished})
	if err != nil {
		return err
	}
	hs.t.add(raw)
	c.resumption = hs.schedule.derive("res master", hs.t.sum())
	if c.config.SessionTicketsDisabled || !slices.Contains(hs.client.pskModes, pskModeDHE) ||
		c.quic != nil {
		return nil
	}
	return c.sendTicket13(false, nil)
}

// sendTicket13 offers the session, for QUIC perhaps with data that is sent early.
func (c *Conn) sendTicket13(isEarly bool, extra [][]byte) (err error) {
	h := find(suites13, c.suite).hash
	s := c.session()
	s.EarlyData, s.Extra = isEarly, extra
	s.secret = expandLabel(h, c.resumption, "resumption", nil, h.Size())
	m := &newSessionTicketMsgTLS13{lifetime: uint32(maxTicketLifetime / time.Second)}
	if isEarly {
		m.maxEarlyData = 0xffffffff
	}
	if m.label, err = c.wrap(s); err != nil {
		return err
	}
	var age [4]byte
	if _, err := io.ReadFull(c.config.rand(), age[:]); err != nil {
		return err
	}
	m.ageAdd = binary.LittleEndian.Uint32(age[:])
	_, err = c.sendMessage(m, nil)
	return err
}

func (hs *serverState) readCertificate() error {
	c := hs.c
	if !hs.asks() {
		return c.callVerifyConnection()
	}
	m, _, err := read[*certificateMsgTLS13](c, hs.t)
	if err != nil {
		return err
	}
	if err := c.verifyClient(m.certificate); err != nil {
		return err
	}
	if err := c.callVerifyConnection(); err != nil {
		return err
	}
	if len(m.certificate.Certificate) > 0 {
		err := c.readProof(hs.t, clientContext, "client certificate", "client")
		if err != nil {
			return err
		}
	}
	return hs.offerTicket13()
}

func (hs *serverState) readFinished13() error {
	c := hs.c
	m, _, err := read[*finishedMsg](c, nil)
	if err != nil {
		return err
	}
	if !hmac.Equal(hs.clientFinished, m.rest) {
		return c.complain(alertDecryptError, "invalid client finished hash")
	}
	return c.reads13(hs.suite, QUICEncryptionLevelApplication, hs.clientNext)
}
