// A client: its hello, which may offer a session, and what follows in versions before TLS 1.3.

package tls

import (
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"internal/godebug"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A server that could have spoken a newer version ends its random bytes so.
const (
	downgradeTo12 = "DOWNGRD\x01"
	downgradeTo11 = "DOWNGRD\x00"
)

// A clientState is a handshake, as its client sees it.
type clientState struct {
	shaking
	hello               *clientHelloMsg
	helloRaw, serverRaw []byte
	server              *serverHelloMsg
	key                 *shareKey // of the shares in hello
	session             *SessionState
	early               schedule   // of the session, in TLS 1.3
	ech                 *echClient // nil if there is no inner hello

	// Before TLS 1.3.
	agreement
	request *certificateRequestMsg // nil if the server asks for no certificate
	mine    *Certificate
	ticket  []byte

	// Of TLS 1.3.
	request13 *certificateRequestMsgTLS13
	usesPSK   bool
}

func (c *Conn) shakeAsClient(ctx context.Context) error {
	c.goesOn, c.curve = false, 0
	hs := &clientState{shaking: shaking{c: c, ctx: ctx}}
	err := inOrder(hs.makeHello, hs.offerSession, hs.sayHello, hs.hearHello, hs.goOn)
	if err != nil && hs.session != nil {
		// The session is not offered again: it may be what the server does not like.
		c.keep(nil)
	}
	return err
}

// sayHello sends the hello, and what may follow before there is an answer.
func (hs *clientState) sayHello() error {
	split := func() error {
		if hs.ech == nil {
			return nil
		}
		return hs.splitHello()
	}
	send := func() (err error) {
		hs.c.hostName = hs.hello.hostName
		hs.helloRaw, err = hs.c.sendMessage(hs.hello, nil)
		return err
	}
	return inOrder(split, send, hs.useEarlyKeys)
}

// hearHello reads the answer, and what version it chooses.
func (hs *clientState) hearHello() (err error) {
	c := hs.c
	if hs.server, hs.serverRaw, err = read[*serverHelloMsg](c, nil); err != nil {
		return err
	}
	theirs := cmp.Or(hs.server.version, hs.server.vers)
	if !c.settle([]uint16{theirs}) {
		return c.complain(versionRefused, "server selected unsupported protocol version %x", theirs)
	}
	// A server says so if it knows a newer version than it was told that we do.
	newest, tells := c.config.maxVersion(c.role()), false
	switch string(hs.server.random[24:]) {
	case downgradeTo12:
		tells = newest == VersionTLS13
	case downgradeTo11:
		tells = newest >= VersionTLS12
	}
	if tells && c.version < newest {
		return c.complain(illegalValue,
			"downgrade attempt detected, possibly due to a MitM attack or a broken middlebox")
	}
	return nil
}

// goOn goes on in the version that was chosen.
func (hs *clientState) goOn() error {
	if hs.c.version == VersionTLS13 {
		return hs.run13()
	}
	return hs.run12()
}

func (hs *clientState) makeHello() error {
	c, config := hs.c, hs.c.config
	if config.ServerName == "" && !config.InsecureSkipVerify {
		return errors.New(
			"tls: either ServerName or InsecureSkipVerify must be specified in the tls.Config")
	}
	size := 0
	for _, p := range config.NextProtos {
		if len(p) == 0 || len(p) > 255 {
			return errors.New("tls: invalid NextProtos value")
		}
		size += 1 + len(p)
	}
	if size > 0xffff {
		return errors.New("tls: NextProtos values too large")
	}
	versions := config.versions(c.role())
	if len(versions) == 0 {
		return errors.New("tls: no supported versions satisfy MinVersion and MaxVersion")
	}
	most, least := versions[0], versions[len(versions)-1]
	hello := &clientHelloMsg{
		vers:                   min(most, VersionTLS12),
		random:                 make([]byte, 32),
		sessionID:              make([]byte, 32),
		compressions:           []uint8{notCompressed},
		hostName:               nameToSend(config.ServerName),
		ocsp:                   true,
		scts:                   true,
		curves:                 config.curves(most),
		points:                 []uint8{wholePoints},
		renegotiationSupported: true,
		extendedMaster:         true,
		protos:                 config.NextProtos,
		versions:               versions,
	}
	hs.hello = hello
	if c.quic != nil {
		hello.sessionID = nil
	}
	if c.handshakes > 0 {
		hello.renegotiation = c.finishedOfClient[:]
	}
	if least < VersionTLS13 {
		hello.suites = config.suites(true)
	}
	if most < VersionTLS12 {
		hello.suites = slices.DeleteFunc(hello.suites, func(id uint16) bool {
			return suiteByID(id).bulk.only12
		})
	}
	for _, p := range [][]byte{hello.random, hello.sessionID} {
		if _, err := io.ReadFull(config.rand(), p); err != nil {
			return errors.New("tls: short read from Rand: " + err.Error())
		}
	}
	if most >= VersionTLS12 {
		hello.signatures, hello.certificates = usableSchemes(least, most), allSchemes(most)
	}
	if most < VersionTLS13 {
		return nil
	}
	for _, s := range suites13 {
		hello.suites = append(hello.suites, s.id)
	}
	if len(hello.curves) == 0 {
		return errors.New("tls: no supported key exchange methods (CurveIDs)")
	}
	var err error
	if hs.key, err = newKey(config.rand(), hello.curves[0]); err != nil {
		return err
	}
	// The second share, in the group of a hybrid's curve, saves a server that has no hybrids from
	// asking again.
	hello.shares = only(hs.key.shares(), func(s groupShare) bool {
		return slices.Contains(hello.curves, s.group)
	})
	if c.quic != nil {
		if hello.quic, err = c.ownParameters(); err != nil {
			return err
		}
	}
	return hs.makeECH()
}

// nameToSend is the server's name, unless that is an address.
func nameToSend(name string) string {
	address, isOpen := strings.CutPrefix(name, "[")
	if inner, isShut := strings.CutSuffix(address, "]"); isOpen && isShut {
		address = inner
	} else {
		address = name
	}
	if zone := strings.LastIndexByte(address, '%'); zone > 0 {
		address = address[:zone]
	}
	if net.ParseIP(address) == nil {
		return strings.TrimRight(name, ".")
	}
	return ""
}

// offerSession puts a session from the cache into hello if there is one to resume.
func (hs *clientState) offerSession() error {
	c, hello := hs.c, hs.hello
	if !c.keepsSessions() {
		return nil
	}
	hello.takesTickets = hs.ech == nil
	if hello.versions[0] == VersionTLS13 {
		hello.pskUses = []uint8{pskWithDHE}
	}
	s := hs.cached()
	if s == nil {
		return nil
	}
	hs.session = s
	if s.version != VersionTLS13 {
		hello.ticket = s.ticket
		return nil
	}
	// As in Go, a connection that is closed meanwhile goes on until it waits again.
	c.resumes(s)
	if c.quic != nil && s.EarlyData && slices.Contains(hello.suites, s.suite) {
		hello.zeroRTT = slices.Contains(hello.protos, s.proto)
	}
	hs.early = earlySchedule(find(suites13, s.suite).hash, s.secret)
	hello.psks = []offeredTicket{{label: s.ticket, age: hs.ticketAge()}}
	return hs.bind(hello, nil)
}

// cached is the session from the cache, nil if there is none that can be resumed. The cache forgets
// one that never can be.
func (hs *clientState) cached() *SessionState {
	c, cache := hs.c, hs.c.config.ClientSessionCache
	name := c.sessionName()
	if name == "" || c.handshakes > 0 {
		return nil
	}
	kept, ok := cache.Get(name)
	if !ok || kept == nil || !slices.Contains(hs.hello.versions, kept.session.version) {
		return nil
	}
	fits, isOver := hs.resumable(kept.session)
	if isOver {
		cache.Put(name, nil)
	}
	if !fits {
		return nil
	}
	return kept.session
}

// resumable says whether the session can be resumed, and if not, whether that is so for good.
func (hs *clientState) resumable(s *SessionState) (fits, isOver bool) {
	config, now, leaf := hs.c.config, hs.c.config.time(), s.peerChain[0]
	if now.After(leaf.NotAfter) {
		return false, true
	}
	if !config.InsecureSkipVerify {
		if len(s.trustedChains) == 0 || leaf.VerifyHostname(config.ServerName) != nil {
			return false, false
		}
		if !stillValid(s.trustedChains, x509.VerifyOptions{
			CurrentTime: now,
			Roots:       config.RootCAs,
			KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}) {
			return false, true
		}
	}
	if s.version != VersionTLS13 {
		return mutual(suites12, hs.hello.suites, s.suite) != nil, false
	}
	isOver = now.After(time.Unix(int64(s.endsAt), 0))
	return !isOver && find(suites13, s.suite) != nil, isOver
}

// ticketAge is how old the ticket is, with what hides that from others.
func (hs *clientState) ticketAge() uint32 {
	age := hs.c.config.time().Sub(time.Unix(int64(hs.session.created), 0))
	return uint32(age/time.Millisecond) + hs.session.ageMask
}

// bind proves that the client knows the session's secret; before is what was said before hello.
func (hs *clientState) bind(hello *clientHelloMsg, before []byte) error {
	h := hs.early.hash
	hello.binders = [][]byte{make([]byte, h.Size())}
	raw, err := marshal(hello)
	if err != nil {
		return err
	}
	hello.binders[0] = binder(hs.early, before, raw[:len(raw)-hello.bindersSize()])
	return nil
}

func binder(early schedule, before, hello []byte) []byte {
	sum := early.hash.New()
	sum.Write(before)
	sum.Write(hello)
	key := early.derive("res binder", nothing(early.hash))
	return finishedSum(early.hash, key, sum.Sum(nil))
}

// run12 goes on with a server that does not speak TLS 1.3.
func (hs *clientState) run12() error {
	c := hs.c
	if hs.session == nil && bytes.Equal(hs.hello.sessionID, hs.server.sessionID) {
		return c.complain(illegalValue,
			"server echoed TLS 1.3 compatibility session ID in TLS 1.2")
	}
	if err := hs.takeServerHello(); err != nil {
		return err
	}
	hs.clientRandom, hs.serverRandom = hs.hello.random, hs.server.random
	signs := len(c.config.Certificates) > 0 || c.config.GetClientCertificate != nil
	hs.t = newTranscript(c.version, hs.suite, signs && !c.goesOn)
	hs.t.add(hs.helloRaw)
	hs.t.add(hs.serverRaw)
	c.buffering = true
	if c.goesOn {
		return inOrder(
			hs.nextCiphers, hs.readTicket, hs.awaitFinished, hs.nowFirst(false),
			c.callVerifyConnection, hs.sayFinished, hs.keepSession, hs.complete12)
	}
	return inOrder(
		hs.takeChain, hs.takeShare, hs.takeRequest, hs.tellShare, hs.proveCertificate,
		hs.nextCiphers, hs.sayFinished, hs.nowFirst(true), hs.readTicket, hs.awaitFinished,
		hs.keepSession, hs.complete12)
}

// keepSession has the cache keep what the ticket resumes.
func (hs *clientState) keepSession() error {
	if hs.ticket != nil {
		s := hs.c.session(hs.master)
		s.ticket = hs.ticket
		hs.c.keep(s)
	}
	return nil
}

// takeChain takes the server's certificates, and what it shows with them.
func (hs *clientState) takeChain() error {
	c := hs.c
	m, err := demand[*certificateMsg](&hs.shaking)
	if err != nil {
		return err
	}
	if len(m.certificates) == 0 {
		return c.unexpected(m, m)
	}
	status, came, err := pass[*certificateStatusMsg](&hs.shaking)
	if came {
		if !hs.server.ocsp {
			return c.complain(outOfTurn, "received unexpected CertificateStatus message")
		}
		c.ocsp = status.response
		err = hs.peek()
	}
	switch {
	case err != nil:
		return err
	case c.handshakes == 0:
		return c.verifyServer(m.certificates)
	case !bytes.Equal(c.peerChain[0].Raw, m.certificates[0]):
		return c.complain(certificateBad, "server's identity changed during renegotiation")
	}
	return nil
}

// takeShare takes the server's half of an agreement, if there is to be one.
func (hs *clientState) takeShare() error {
	c := hs.c
	m, came, err := pass[*serverKeyExchangeMsg](&hs.shaking)
	if !came {
		return err
	}
	if hs.suite.exchange == byRSA {
		err = errors.New("tls: unexpected ServerKeyExchange")
	} else {
		err = hs.accept(c, hs.suite, hs.hello, hs.serverRandom, c.peerChain[0], m.rest)
	}
	if err != nil {
		return c.give(illegalValue, err)
	}
	c.curve = hs.agreement.key.group
	return nil
}

// takeRequest finds the certificate that the server asks for, if it does so.
func (hs *clientState) takeRequest() error {
	m, asked, err := pass[*certificateRequestMsg](&hs.shaking)
	if err != nil {
		return err
	}
	if asked {
		hs.request = m
		if hs.mine, err = hs.c.clientCertificate(hs.requestInfo(m)); err != nil {
			return hs.c.give(ownFault, err)
		}
		hs.c.ourChain = hs.mine.Certificate
	}
	_, err = demand[*serverHelloDoneMsg](&hs.shaking)
	return err
}

// tellShare answers with the certificate and with our half of what makes the master secret.
func (hs *clientState) tellShare() error {
	c := hs.c
	if hs.request != nil {
		if err := hs.tell(&certificateMsg{hs.mine.Certificate}); err != nil {
			return err
		}
	}
	secret, m, err := hs.clientSecret(c, hs.hello, c.peerChain[0], hs.suite.exchange == byRSA)
	if err != nil {
		return c.give(ownFault, err)
	}
	if err = hs.tell(m); err != nil {
		return err
	}
	hs.makeMaster(secret, hs.server.extendedMaster)
	c.extendedMaster = c.extendedMaster || hs.server.extendedMaster
	err = c.config.logSecrets(hs.clientRandom, loggedSecret{keyLogTLS12, hs.master})
	if err != nil {
		return c.complain(ownFault, "failed to write to key log: %s", err.Error())
	}
	return nil
}

func (hs *clientState) takeServerHello() error {
	c, server := hs.c, hs.server
	if hs.suite = mutual(suites12, hs.hello.suites, server.suite); hs.suite == nil {
		return c.complain(noAgreement, "server chose an unconfigured cipher suite")
	}
	c.suite = hs.suite.id
	if server.compression != notCompressed {
		return c.complain(illegalValue, "server selected unsupported compression format")
	}
	if len(server.points) > 0 && !slices.Contains(server.points, wholePoints) {
		return errors.New("tls: server offered only incompatible point formats")
	}
	if c.handshakes == 0 && server.renegotiationSupported {
		c.renegotiates = true
		if len(server.renegotiation) != 0 {
			return c.complain(noAgreement,
				"initial handshake had non-empty renegotiation extension")
		}
	}
	if c.handshakes > 0 && c.renegotiates {
		want := slices.Concat(c.finishedOfClient[:], c.finishedOfServer[:])
		if !bytes.Equal(server.renegotiation, want) {
			return c.complain(noAgreement, "incorrect renegotiation extension contents")
		}
	}
	if err := checkProto(hs.hello.protos, server.proto, false); err != nil {
		return c.give(extensionUncalled, err)
	}
	c.proto, c.scts = server.proto, server.scts

	s := hs.session
	if s == nil || !bytes.Equal(server.sessionID, hs.hello.sessionID) {
		return nil
	}
	switch {
	case s.version != c.version:
		return c.complain(noAgreement, "server resumed a session with a different version")
	case s.suite != c.suite:
		return c.complain(noAgreement,
			"server resumed a session with a different cipher suite")
	case s.extendedMaster != server.extendedMaster:
		return c.complain(noAgreement,
			"server resumed a session with a different EMS extension")
	}
	scts := c.scts
	c.resumed(s)
	if len(scts) > 0 {
		c.scts = scts
	}
	c.extendedMaster, c.curve = s.extendedMaster, s.curve
	hs.master = s.secret
	return nil
}

// checkProto says what is wrong with the protocol that the server has chosen; some must be, if one
// needs to be.
func checkProto(ours []string, theirs string, needs bool) error {
	wrong := ""
	if theirs == "" {
		if needs && len(ours) > 0 {
			wrong = "did not select an ALPN protocol"
		}
	} else if len(ours) == 0 {
		wrong = "advertised unrequested ALPN extension"
	} else if !slices.Contains(ours, theirs) {
		wrong = "selected unadvertised ALPN protocol"
	}
	if wrong == "" {
		return nil
	}
	return errors.New("tls: server " + wrong)
}

// proveCertificate signs what has been said, if there was a certificate.
func (hs *clientState) proveCertificate() error {
	defer hs.t.dropText()
	if hs.mine == nil || len(hs.mine.Certificate) == 0 {
		return nil
	}
	c := hs.c
	key, ok := hs.mine.PrivateKey.(crypto.Signer)
	if !ok {
		return c.complain(ownFault,
			"client certificate private key of type %T does not implement crypto.Signer",
			hs.mine.PrivateKey)
	}
	var proof certificateVerifyMsg
	var err error
	if proof.hasScheme = c.version >= VersionTLS12; proof.hasScheme {
		proof.scheme, err = selectScheme(c.version, hs.mine, hs.request.signatures)
		if err != nil {
			return c.give(noAgreement, err)
		}
		how, unknown := schemeByID(proof.scheme)
		if unknown != nil {
			return c.raise(ownFault)
		}
		proof.signature, err = how.sign(key, c.config.rand(), hs.t.text)
	} else {
		how, unfit := oldScheme(key.Public())
		if unfit != nil {
			return c.give(illegalValue, unfit)
		}
		proof.signature, err = key.Sign(c.config.rand(), hs.t.oldSum(how), how.hash)
	}
	if err != nil {
		return c.give(ownFault, err)
	}
	return hs.tell(&proof)
}

// oldSum is what a certificate proves itself with before TLS 1.2.
func (t *transcript) oldSum(how scheme) []byte {
	if how.how == withECDSA {
		return t.sums[1].Sum(nil)
	}
	return t.sum()
}

func (hs *clientState) readTicket() error {
	switch {
	case !hs.server.takesTickets:
		return nil
	case !hs.hello.takesTickets:
		return hs.c.complain(illegalValue, "server sent unrequested session ticket")
	}
	m, err := demand[*newSessionTicketMsg](&hs.shaking)
	if err == nil {
		hs.ticket = m.ticket
	}
	return err
}

// callVerifyConnection asks the program.
func (c *Conn) callVerifyConnection() (err error) {
	if ask := c.config.VerifyConnection; ask != nil {
		if err = ask(c.state()); err != nil {
			c.raise(certificateBad)
		}
	}
	return err
}

// keyWithin says how large an RSA key may be, if this one is too large.
func keyWithin(cert *x509.Certificate) (most int, ok bool) {
	const usual = 8192
	most, err := strconv.Atoi(setting("tlsmaxrsasize"))
	if err != nil {
		most = usual
	}
	key, isRSA := cert.PublicKey.(*rsa.PublicKey)
	if isRSA && (key.N.BitLen() <= most) != (key.N.BitLen() <= usual) {
		godebug.Count("tlsmaxrsasize")
	}
	return most, !isRSA || key.N.BitLen() <= most
}

// verifyServer takes the server's chain.
func (c *Conn) verifyServer(chain [][]byte) error {
	certs := make([]*x509.Certificate, len(chain))
	for i, der := range chain {
		cert, err := parsedCertificates.parse(der)
		if err != nil {
			return c.complain(malformedMessage,
				"failed to parse certificate from server: %s", err.Error())
		}
		if most, ok := keyWithin(cert); !ok {
			return c.complain(certificateBad,
				"server sent certificate containing RSA key larger than %d bits", most)
		}
		certs[i] = cert
	}
	// Without its inner hello a client speaks with the public server.
	rejected := c.config.EncryptedClientHelloConfigList != nil && !c.innerTaken
	name := c.config.ServerName
	if rejected {
		name = c.hostName
	}
	switch verify := c.config.EncryptedClientHelloRejectionVerify; {
	case rejected && verify != nil:
		if err := verify(c.state()); err != nil {
			return c.give(certificateBad, err)
		}
	case rejected || !c.config.InsecureSkipVerify:
		if err := c.verifyChain(certs, x509.VerifyOptions{
			Roots: c.config.RootCAs, DNSName: name,
		}); err != nil {
			c.raise(certificateBad)
			return err
		}
	}
	err := c.fits(certs[0], "server's", "contains an unsupported type of public key: %T")
	if err != nil {
		return err
	}
	c.peerChain = certs
	if rejected {
		return nil
	}
	if err := c.callVerifyPeer(chain); err != nil {
		return err
	}
	return c.callVerifyConnection()
}

func (c *Conn) callVerifyPeer(chain [][]byte) (err error) {
	if ask := c.config.VerifyPeerCertificate; ask != nil {
		if err = ask(chain, c.trustedChains); err != nil {
			c.raise(certificateBad)
		}
	}
	return err
}

// verifyChain verifies the first certificate, with the help of the others.
func (c *Conn) verifyChain(certs []*x509.Certificate, opts x509.VerifyOptions) (err error) {
	others := x509.NewCertPool()
	for i := 1; i < len(certs); i++ {
		others.AddCert(certs[i])
	}
	opts.Intermediates, opts.CurrentTime = others, c.config.time()
	trusted, err := certs[0].Verify(opts)
	if err == nil {
		c.trustedChains = trusted
		return nil
	}
	return &CertificateVerificationError{UnverifiedCertificates: certs, Err: err}
}

// requestInfo is what the server has asked for. Before TLS 1.2 it names no schemes.
func (hs *clientState) requestInfo(m *certificateRequestMsg) *CertificateRequestInfo {
	info := &CertificateRequestInfo{
		AcceptableCAs: m.authorities, Version: hs.c.version, ctx: hs.ctx,
	}
	withRSA := slices.Contains(m.types, signerRSA)
	withEC := slices.Contains(m.types, signerECDSA)
	list := m.signatures
	if !m.hasSignatures {
		list = []SignatureScheme{
			ECDSAWithP256AndSHA256, ECDSAWithP384AndSHA384, ECDSAWithP521AndSHA512,
			PKCS1WithSHA256, PKCS1WithSHA384, PKCS1WithSHA512, PKCS1WithSHA1,
		}
	} else {
		info.SignatureSchemes = make([]SignatureScheme, 0, len(list))
	}
	for _, id := range list {
		s, err := schemeByID(id)
		if err == nil && s.how != withMLDSA && (s.ofRSA() && withRSA || !s.ofRSA() && withEC) {
			info.SignatureSchemes = append(info.SignatureSchemes, id)
		}
	}
	return info
}

// clientCertificate is the one to show, which can be empty.
func (c *Conn) clientCertificate(info *CertificateRequestInfo) (cert *Certificate, err error) {
	if ask := c.config.GetClientCertificate; ask != nil {
		if cert, err = ask(info); cert == nil && err == nil {
			err = errors.New("tls: GetClientCertificate returned no certificate")
		}
		return cert, err
	}
	own, _ := firstOf(c.config.Certificates, func(cert Certificate) bool {
		return info.SupportsCertificate(&cert) == nil
	})
	return &own, nil
}
