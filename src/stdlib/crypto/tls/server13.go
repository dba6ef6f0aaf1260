// What follows the hello of a client in TLS 1.3, on the side of its server.

package tls

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"encoding/binary"
	"slices"
	"time"
)

// maxPSKs is how many sessions of a client are looked at.
const maxPSKs = 5

func (hs *serverState) run13() error {
	err := inOrder(
		hs.answerHello13, hs.checkSession13, hs.chooseCertificate13, hs.sendParameters,
		hs.sendCertificate, hs.sayFinished13, hs.c.flush, hs.readCertificate, hs.readFinished13)
	if err == nil {
		hs.c.complete.Store(true)
	}
	return err
}

// chooseCertificate13 also chooses how to sign with it. A session that goes on needs neither.
func (hs *serverState) chooseCertificate13() error {
	if hs.early != nil {
		return nil
	}
	if len(hs.client.signatures) == 0 {
		return hs.c.raise(extensionLacking)
	}
	chooseScheme := func() (err error) {
		hs.c.ourChain = hs.cert.Certificate
		hs.scheme, err = selectScheme(hs.c.version, hs.cert, hs.client.signatures)
		if err != nil {
			hs.c.raise(noAgreement)
		}
		return err
	}
	return inOrder(hs.chooseCertificate, chooseScheme)
}

func (hs *serverState) answerHello13() error {
	c, m := hs.c, hs.client
	if len(m.versions) == 0 {
		return c.complain(illegalValue,
			"client used the legacy version field to negotiate TLS 1.3")
	}
	if err := hs.checkFallback(c.version); err != nil {
		return err
	}
	if len(m.compressions) != 1 || m.compressions[0] != notCompressed {
		return c.complain(illegalValue,
			"TLS 1.3 client supports illegal compression methods")
	}
	hs.hello = &serverHelloMsg{
		vers:        VersionTLS12,
		version:     c.version,
		random:      make([]byte, 32),
		sessionID:   m.sessionID,
		compression: notCompressed,
	}
	if err := c.fillRandom(hs.hello.random); err != nil {
		return c.give(ownFault, err)
	}
	if len(m.renegotiation) != 0 {
		return c.complain(noAgreement,
			"initial handshake had non-empty renegotiation extension")
	}
	if m.zeroRTT && c.quic == nil {
		return c.complain(extensionUncalled, "client sent unexpected early data")
	}
	if m.zeroRTT && len(m.psks) == 0 {
		return c.complain(illegalValue, "early_data without pre_shared_key")
	}
	offered := func(s *suite) bool { return slices.Contains(m.suites, s.id) }
	var ok bool
	if hs.suite, ok = firstOf(preferred(suites13, prefersAES(m.suites)), offered); !ok {
		return hs.noSuite()
	}
	c.suite, hs.hello.suite = hs.suite.id, hs.suite.id
	hs.t = newTranscript(c.version, hs.suite, false)
	if err := hs.pickShare(); err != nil {
		return err
	}
	proto, err := chooseProto(c.config.NextProtos, m.protos, c.quic != nil)
	if err != nil {
		return c.give(noCommonProtocol, err)
	}
	c.proto = proto
	isOld := func(version uint16) bool { return version < VersionTLS13 }
	if c.quic != nil && slices.ContainsFunc(m.versions, isOld) {
		return c.complain(versionRefused, "client offered TLS version older than TLS 1.3")
	}
	if err := c.takeParameters("client", m.quic); err != nil {
		return err
	}
	c.hostName = m.hostName
	return nil
}

// shareOf is the client's share of that group.
func (m *clientHelloMsg) shareOf(id CurveID) (groupShare, bool) {
	i := slices.IndexFunc(m.shares, func(s groupShare) bool { return s.group == id })
	if i < 0 {
		return groupShare{}, false
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
	able := only(c.config.curves(c.version), isIn(m.curves))
	if len(able) == 0 {
		return c.complain(noAgreement,
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
		return c.complain(illegalValue, "invalid client key share")
	}
	hs.shared, hs.hello.share = shared, ours
	return nil
}

// askForShare has the client say hello again.
func (hs *serverState) askForShare(group CurveID) (none groupShare, err error) {
	c := hs.c
	if len(c.hand) > 0 {
		return none, c.complain(outOfTurn,
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
	if err := hs.change(); err != nil {
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
		return none, c.complain(illegalValue,
			"client didn't send one key share in"+second)
	case m.shares[0].group != group:
		return none, c.complain(illegalValue, "client sent unexpected key share in"+second)
	case m.zeroRTT:
		return none, c.complain(illegalValue, "client indicated early data in"+second)
	case changed(m, hs.client):
		return none, c.complain(illegalValue, "client illegally modified"+second)
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
		!bytes.Equal(a.pskUses, b.pskUses) ||
		!slices.Equal(a.versions, b.versions) ||
		!slices.Equal(a.suites, b.suites) ||
		!slices.Equal(a.curves, b.curves) ||
		!slices.Equal(a.signatures, b.signatures) ||
		!slices.Equal(a.certificates, b.certificates) ||
		!slices.Equal(a.protos, b.protos) ||
		a.hostName != b.hostName || a.ocsp != b.ocsp || a.scts != b.scts ||
		a.takesTickets != b.takesTickets ||
		a.renegotiationSupported != b.renegotiationSupported
}

// checkSession13 finds out whether the client has a session that goes on.
func (hs *serverState) checkSession13() error {
	c, m := hs.c, hs.client
	if c.config.SessionTicketsDisabled || !slices.Contains(m.pskUses, pskWithDHE) {
		return nil
	}
	if len(m.psks) != len(m.binders) {
		return c.complain(illegalValue, "invalid or missing PSK binders")
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
			return c.complain(proofWrong, "invalid PSK binder")
		}
		if c.quic != nil && m.zeroRTT && i == 0 && s.EarlyData && s.suite == hs.suite.id &&
			s.proto == c.proto {
			hs.isEarly = true
			err := c.tellSecret(
				QUICSetReadSecret, QUICEncryptionLevelEarly, s.suite, early.firstData(hs.raw))
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

// sendParameters sends hello, and what is encrypted from the beginning.
func (hs *serverState) sendParameters() error {
	c := hs.c
	c.buffering = true
	return inOrder(
		hs.confirmECH,
		func() error {
			hs.t.add(hs.raw)
			return hs.tell(hs.hello)
		},
		hs.change,
		func() error {
			early := hs.early
			if early == nil {
				none := earlySchedule(hs.suite.hash, nil)
				early = &none
			}
			return hs.encrypt(*early, hs.shared)
		},
		hs.tellParameters,
	)
}

// tellParameters tells what the client need not know before it can decrypt.
func (hs *serverState) tellParameters() (err error) {
	c := hs.c
	m := &encryptedExtensionsMsg{
		proto: c.proto, hostNameTaken: hs.client.hostName != "" && !c.goesOn,
	}
	if c.quic != nil {
		m.zeroRTT = hs.isEarly
		if m.quic, err = c.ownParameters(); err != nil {
			return err
		}
	}
	if m.newOffers, err = hs.newOffers(); err != nil {
		return err
	}
	return hs.tell(m)
}

// asks says whether the client is to show a certificate.
func (hs *serverState) asks() bool {
	return hs.c.config.ClientAuth >= RequestClientCert && hs.early == nil
}

// sendCertificate asks for a certificate, if one is wanted, and shows ours.
func (hs *serverState) sendCertificate() error {
	c := hs.c
	if hs.early != nil {
		return nil
	}
	var flight []message
	if hs.asks() {
		request := &certificateRequestMsgTLS13{ocsp: true, scts: true}
		request.signatures = usableSchemes(c.version, c.version)
		request.certificates = allSchemes(c.version)
		if pool := c.config.ClientCAs; pool != nil {
			request.authorities = pool.Subjects()
		}
		flight = append(flight, request)
	}
	flight = append(flight, showing(hs.cert, hs.client.ocsp, hs.client.scts))
	if err := hs.tell(flight...); err != nil {
		return err
	}
	signed, err := c.sendProof(hs.scheme, hs.cert, hs.t, serverContext)
	if !signed {
		a := ownFault
		if hs.keyTooSmall() {
			a = noAgreement
		}
		c.raise(a)
	}
	return err
}

// keyTooSmall says whether the certificate's RSA key has no room for what the scheme signs.
func (hs *serverState) keyTooSmall() bool {
	s, _ := schemeByID(hs.scheme)
	key, isRSA := hs.cert.PrivateKey.(crypto.Signer).Public().(*rsa.PublicKey)
	return isRSA && s.how == pss && key.N.BitLen()/8 < s.leastRSA()
}

// sayFinished13 is all that the server says in the handshake itself; what it writes next is data.
func (hs *serverState) sayFinished13() error {
	err := hs.tell(&finishedMsg{hs.finished13(hs.c.out.secret)})
	if err != nil {
		return err
	}
	ours := hs.dataSecrets()
	hs.c.writes13(hs.suite, QUICEncryptionLevelApplication, ours)
	if err = hs.logData(ours); err != nil || hs.asks() {
		return err
	}
	return hs.offerTicket13()
}

// offerTicket13 finds out what the client's Finished will be, and offers the session.
func (hs *serverState) offerTicket13() error {
	c := hs.c
	hs.clientProof = hs.finished13(c.in.secret)
	raw, err := marshal(&finishedMsg{hs.clientProof})
	if err != nil {
		return err
	}
	hs.t.add(raw)
	c.resumption = hs.schedule.derive("res master", hs.t.sum())
	// A server of QUIC offers its tickets itself.
	if c.quic == nil && !c.config.SessionTicketsDisabled &&
		slices.Contains(hs.client.pskUses, pskWithDHE) {
		err = c.sendTicket13(false, nil)
	}
	return err
}

// sendTicket13 offers the session, for QUIC perhaps with data that is sent early.
func (c *Conn) sendTicket13(isEarly bool, extra [][]byte) (err error) {
	s := c.session(c.ticketSecret(nil))
	s.EarlyData, s.Extra = isEarly, extra
	m := &newSessionTicketMsgTLS13{lifetime: uint32(maxTicketLifetime / time.Second)}
	if isEarly {
		m.earlyLimit = noLimit
	}
	if m.label, err = c.wrap(s); err != nil {
		return err
	}
	mask := make([]byte, 4)
	if err = c.fillRandom(mask); err == nil {
		m.ageMask = binary.LittleEndian.Uint32(mask)
		_, err = c.sendMessage(m, nil)
	}
	return err
}

func (hs *serverState) readCertificate() error {
	c := hs.c
	if !hs.asks() {
		return c.callVerifyConnection()
	}
	m, err := demand[*certificateMsgTLS13](&hs.shaking)
	if err != nil {
		return err
	}
	prove := func() error {
		if len(m.certificate.Certificate) == 0 {
			return nil
		}
		return c.readProof(hs.t, clientContext, "client certificate", "client")
	}
	return inOrder(
		func() error { return c.verifyClient(m.certificate) },
		c.callVerifyConnection, prove, hs.offerTicket13)
}

func (hs *serverState) readFinished13() error {
	m, _, err := read[*finishedMsg](hs.c, nil)
	if err != nil {
		return err
	}
	if hmac.Equal(m.rest, hs.clientProof) {
		return hs.c.reads13(hs.suite, QUICEncryptionLevelApplication, hs.clientNext)
	}
	return hs.c.complain(proofWrong, "invalid client finished hash")
}
