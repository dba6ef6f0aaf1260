package tls

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"fmt"
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
	c       *Conn
	ctx     context.Context
	hello   *clientHelloMsg
	server  *serverHelloMsg
	key     *shareKey // of the shares in hello
	session *SessionState
	early   schedule // of the session, in TLS 1.3
	suite   *suite
	t       *transcript
	ech     *echClient // nil if there is no inner hello

	// Before TLS 1.3.
	master, ticket []byte

	// Of TLS 1.3.
	schedule   schedule
	clientNext []byte
	request    *certificateRequestMsgTLS13
	usesPSK    bool
	sentChange bool
}

func (c *Conn) clientHandshake(ctx context.Context) (err error) {
	c.didResume, c.curve = false, 0
	hs := &clientState{c: c, ctx: ctx}
	if err := hs.makeHello(); err != nil {
		return err
	}
	if err := hs.offerSession(); err != nil {
		return err
	}
	if hs.session != nil {
		defer func() {
			if err == nil {
				return
			}
			// The session is not offered again: it may be what the server does not like.
			if key := c.sessionKey(); key != "" {
				c.config.ClientSessionCache.Put(key, nil)
			}
		}()
	}
	if hs.ech != nil {
		if err := hs.splitHello(); err != nil {
			return err
		}
	}
	c.serverName = hs.hello.serverName
	helloRaw, err := c.sendMessage(hs.hello, nil)
	if err != nil {
		return err
	}
	if err := hs.useEarlyKeys(helloRaw); err != nil {
		return err
	}
	server, serverRaw, err := read[*serverHelloMsg](c, nil)
	if err != nil {
		return err
	}
	hs.server = server
	if err := hs.pickVersion(); err != nil {
		return err
	}
	most := c.config.maxVersion(c.role())
	end := string(server.random[24:])
	if most == VersionTLS13 && c.vers <= VersionTLS12 && end == downgradeTo12 ||
		most >= VersionTLS12 && c.vers < most && end == downgradeTo11 {
		return c.complain(alertIllegalParameter,
			"downgrade attempt detected, possibly due to a MitM attack or a broken middlebox")
	}
	if c.vers == VersionTLS13 {
		return hs.run13(helloRaw, serverRaw)
	}
	return hs.run12(helloRaw, serverRaw)
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
		compressions:           []uint8{compressionNone},
		serverName:             nameToSend(config.ServerName),
		ocsp:                   true,
		scts:                   true,
		curves:                 config.curves(most),
		points:                 []uint8{pointFormatUncompressed},
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
		hello.renegotiation = c.clientFinished[:]
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
	if hs.key, hello.shares, err = newShares(config.rand(), hello.curves[0]); err != nil {
		return err
	}
	// The second share, in the group of a hybrid's curve, saves a server that has no hybrids from
	// asking again.
	hello.shares = slices.DeleteFunc(hello.shares, func(s keyShare) bool {
		return !slices.Contains(hello.curves, s.group)
	})
	if c.quic != nil {
		if hello.quic, err = c.transportParameters(); err != nil {
			return err
		}
	}
	return hs.makeECH()
}

// nameToSend is the server's name, unless that is an address.
func nameToSend(name string) string {
	host := name
	if n := len(host); n > 0 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	if i := strings.LastIndexByte(host, '%'); i > 0 {
		host = host[:i]
	}
	if net.ParseIP(host) != nil {
		return ""
	}
	return strings.TrimRight(name, ".")
}

// sessionKey is under what the cache keeps the sessions of the server.
func (c *Conn) sessionKey() string {
	if c.config.ServerName != "" {
		return c.config.ServerName
	}
	if c.conn == nil {
		return ""
	}
	return c.conn.RemoteAddr().String()
}

// offerSession puts a session from the cache into hello if there is one to resume.
func (hs *clientState) offerSession() error {
	c, hello := hs.c, hs.hello
	cache := c.config.ClientSessionCache
	if c.config.SessionTicketsDisabled || cache == nil {
		return nil
	}
	hello.ticketSupported = hs.ech == nil
	if hello.versions[0] == VersionTLS13 {
		hello.pskModes = []uint8{pskModeDHE}
	}
	if c.handshakes > 0 {
		return nil
	}
	key := c.sessionKey()
	if key == "" {
		return nil
	}
	kept, ok := cache.Get(key)
	if !ok || kept == nil {
		return nil
	}
	s := kept.session
	if !slices.Contains(hello.versions, s.version) {
		return nil
	}
	now := c.config.time()
	if now.After(s.peerCertificates[0].NotAfter) {
		cache.Put(key, nil)
		return nil
	}
	if !c.config.InsecureSkipVerify {
		if len(s.verifiedChains) == 0 ||
			s.peerCertificates[0].VerifyHostname(c.config.ServerName) != nil {
			return nil
		}
		opts := x509.VerifyOptions{
			CurrentTime: now,
			Roots:       c.config.RootCAs,
			KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		if !stillValid(s.verifiedChains, opts) {
			cache.Put(key, nil)
			return nil
		}
	}
	if s.version != VersionTLS13 {
		if mutual(suites12, hello.suites, s.suite) != nil {
			hs.session, hello.ticket = s, s.ticket
		}
		return nil
	}
	if now.After(time.Unix(int64(s.useBy), 0)) {
		cache.Put(key, nil)
		return nil
	}
	suite := find(suites13, s.suite)
	if suite == nil {
		return nil
	}
	// As in Go, a connection that is closed meanwhile goes on until it waits again.
	c.resumes(s)
	if c.quic != nil && s.EarlyData && slices.Contains(hello.suites, s.suite) {
		hello.earlyData = slices.Contains(hello.protos, s.proto)
	}
	hs.session = s
	hs.early = earlySchedule(suite.hash, s.secret)
	hello.psks = []pskIdentity{{label: s.ticket, age: hs.ticketAge()}}
	return hs.bind(hello, nil)
}

// ticketAge is how old the ticket is, with what hides that from others.
func (hs *clientState) ticketAge() uint32 {
	age := hs.c.config.time().Sub(time.Unix(int64(hs.session.created), 0))
	return uint32(age/time.Millisecond) + hs.session.ageAdd
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

func (hs *clientState) pickVersion() error {
	c := hs.c
	theirs := hs.server.vers
	if hs.server.version != 0 {
		theirs = hs.server.version
	}
	version, ok := c.config.mutualVersion(c.role(), []uint16{theirs})
	if !ok {
		return c.complain(alertProtocolVersion,
			"server selected unsupported protocol version %x", theirs)
	}
	c.vers, c.haveVers = version, true
	c.in.version, c.out.version = version, version
	return nil
}

// run12 goes on with a server that does not speak TLS 1.3.
func (hs *clientState) run12(helloRaw, serverRaw []byte) error {
	c := hs.c
	if hs.session == nil && bytes.Equal(hs.hello.sessionID, hs.server.sessionID) {
		return c.complain(alertIllegalParameter,
			"server echoed TLS 1.3 compatibility session ID in TLS 1.2")
	}
	if err := hs.takeServerHello(); err != nil {
		return err
	}
	signs := len(c.config.Certificates) > 0 || c.config.GetClientCertificate != nil
	hs.t = newTranscript(c.vers, hs.suite, signs && !c.didResume)
	hs.t.add(helloRaw)
	hs.t.add(serverRaw)
	c.buffering = true
	if c.didResume {
		hs.useKeys()
		if err := hs.readTicket(); err != nil {
			return err
		}
		if err := hs.readFinished(); err != nil {
			return err
		}
		c.clientFirst = false
		if err := c.callVerifyConnection(); err != nil {
			return err
		}
		if err := hs.sendFinished(); err != nil {
			return err
		}
	} else {
		if err := hs.agree(); err != nil {
			return err
		}
		hs.useKeys()
		if err := hs.sendFinished(); err != nil {
			return err
		}
		c.clientFirst = true
		if err := hs.readTicket(); err != nil {
			return err
		}
		if err := hs.readFinished(); err != nil {
			return err
		}
	}
	if hs.ticket != nil {
		s := c.session()
		s.secret, s.ticket = hs.master, hs.ticket
		if key := c.sessionKey(); key != "" {
			c.config.ClientSessionCache.Put(key, &ClientSessionState{s})
		}
	}
	c.export = exporter12(
		c.vers, hs.suite.hash, hs.master, hs.hello.random, hs.server.random)
	c.complete.Store(true)
	return nil
}

func (hs *clientState) takeServerHello() error {
	c, server := hs.c, hs.server
	if hs.suite = mutual(suites12, hs.hello.suites, server.suite); hs.suite == nil {
		return c.complain(alertHandshakeFailure, "server chose an unconfigured cipher suite")
	}
	c.suite = hs.suite.id
	if server.compression != compressionNone {
		return c.complain(alertIllegalParameter, "server selected unsupported compression format")
	}
	if len(server.points) > 0 && !slices.Contains(server.points, pointFormatUncompressed) {
		return errors.New("tls: server offered only incompatible point formats")
	}
	if c.handshakes == 0 && server.renegotiationSupported {
		c.renegotiates = true
		if len(server.renegotiation) != 0 {
			return c.complain(alertHandshakeFailure,
				"initial handshake had non-empty renegotiation extension")
		}
	}
	if c.handshakes > 0 && c.renegotiates {
		want := slices.Concat(c.clientFinished[:], c.serverFinished[:])
		if !bytes.Equal(server.renegotiation, want) {
			return c.complain(alertHandshakeFailure, "incorrect renegotiation extension contents")
		}
	}
	if err := checkProto(hs.hello.protos, server.proto, false); err != nil {
		return c.give(alertUnsupportedExtension, err)
	}
	c.proto, c.scts = server.proto, server.scts

	s := hs.session
	if s == nil || !bytes.Equal(server.sessionID, hs.hello.sessionID) {
		return nil
	}
	switch {
	case s.version != c.vers:
		return c.complain(alertHandshakeFailure, "server resumed a session with a different version")
	case s.suite != c.suite:
		return c.complain(alertHandshakeFailure,
			"server resumed a session with a different cipher suite")
	case s.extendedMaster != server.extendedMaster:
		return c.complain(alertHandshakeFailure,
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
	switch {
	case theirs == "" && needs && len(ours) > 0:
		return errors.New("tls: server did not select an ALPN protocol")
	case theirs == "" || slices.Contains(ours, theirs):
		return nil
	case len(ours) == 0:
		return errors.New("tls: server advertised unrequested ALPN extension")
	}
	return errors.New("tls: server selected unadvertised ALPN protocol")
}

// agree exchanges certificates and keys.
func (hs *clientState) agree() error {
	c := hs.c
	certMsg, _, err := read[*certificateMsg](c, hs.t)
	if err != nil {
		return err
	}
	if len(certMsg.certificates) == 0 {
		return c.unexpected(certMsg, certMsg)
	}
	m, _, err := c.readMessage(hs.t)
	if err != nil {
		return err
	}
	if status, ok := m.(*certificateStatusMsg); ok {
		if !hs.server.ocsp {
			return c.complain(alertUnexpectedMessage, "received unexpected CertificateStatus message")
		}
		c.ocsp = status.response
		if m, _, err = c.readMessage(hs.t); err != nil {
			return err
		}
	}
	if c.handshakes == 0 {
		if err := c.verifyServer(certMsg.certificates); err != nil {
			return err
		}
	} else if !bytes.Equal(c.peerCertificates[0].Raw, certMsg.certificates[0]) {
		return c.complain(alertBadCertificate, "server's identity changed during renegotiation")
	}

	var a agreement
	if keys, ok := m.(*serverKeyExchangeMsg); ok {
		if hs.suite.exchange == byRSA {
			err = errors.New("tls: unexpected ServerKeyExchange")
		} else {
			err = a.accept(
				c, hs.suite, hs.hello, hs.server.random, c.peerCertificates[0], keys.rest)
		}
		if err != nil {
			return c.give(alertIllegalParameter, err)
		}
		c.curve = a.ours.group
		if m, _, err = c.readMessage(hs.t); err != nil {
			return err
		}
	}
	var mine *Certificate
	request, asked := m.(*certificateRequestMsg)
	if asked {
		if mine, err = c.clientCertificate(hs.requestInfo(request)); err != nil {
			return c.give(alertInternalError, err)
		}
		c.localCertificate = mine.Certificate
		if m, _, err = c.readMessage(hs.t); err != nil {
			return err
		}
	}
	if _, err := expect[*serverHelloDoneMsg](c, m); err != nil {
		return err
	}
	if asked {
		if _, err := c.sendMessage(&certificateMsg{mine.Certificate}, hs.t); err != nil {
			return err
		}
	}
	secret, keys, err := a.clientSecret(
		c, hs.hello, c.peerCertificates[0], hs.suite.exchange == byRSA)
	if err != nil {
		return c.give(alertInternalError, err)
	}
	if _, err := c.sendMessage(keys, hs.t); err != nil {
		return err
	}
	c.extendedMaster = c.extendedMaster || hs.server.extendedMaster
	hs.master = c.masterOf(
		hs.suite, secret, hs.server.extendedMaster, hs.t, hs.hello.random, hs.server.random)
	if err := c.config.logKey(keyLogTLS12, hs.hello.random, hs.master); err != nil {
		return c.complain(alertInternalError, "failed to write to key log: %s", err.Error())
	}
	if mine != nil && len(mine.Certificate) > 0 {
		if err := hs.proveCertificate(mine, request); err != nil {
			return err
		}
	}
	hs.t.keep, hs.t.text = false, nil
	return nil
}

// masterOf makes the master secret of the one that was exchanged.
func (c *Conn) masterOf(
	s *suite, secret []byte, extended bool, t *transcript, client, server []byte,
) []byte {
	if extended {
		return prf(c.vers, s.hash, secret, "extended master secret", masterSize, t.sum())
	}
	return prf(c.vers, s.hash, secret, "master secret", masterSize, client, server)
}

// proveCertificate signs what has been said.
func (hs *clientState) proveCertificate(mine *Certificate, request *certificateRequestMsg) error {
	c := hs.c
	key, ok := mine.PrivateKey.(crypto.Signer)
	if !ok {
		return c.complain(alertInternalError,
			"client certificate private key of type %T does not implement crypto.Signer",
			mine.PrivateKey)
	}
	verify := &certificateVerifyMsg{}
	if c.vers >= VersionTLS12 {
		id, err := selectScheme(c.vers, mine, request.signatures)
		if err != nil {
			return c.give(alertHandshakeFailure, err)
		}
		how, err := schemeByID(id)
		if err != nil {
			return c.sendAlert(alertInternalError)
		}
		verify.hasScheme, verify.scheme = true, id
		verify.signature, err = how.sign(key, c.config.rand(), hs.t.text)
		if err != nil {
			return c.give(alertInternalError, err)
		}
	} else {
		how, err := oldScheme(key.Public())
		if err != nil {
			return c.give(alertIllegalParameter, err)
		}
		verify.signature, err = key.Sign(c.config.rand(), hs.t.oldSum(how), how.hash)
		if err != nil {
			return c.give(alertInternalError, err)
		}
	}
	_, err := c.sendMessage(verify, hs.t)
	return err
}

// oldSum is what a certificate proves itself with before TLS 1.2.
func (t *transcript) oldSum(how scheme) []byte {
	if how.how == withECDSA {
		return t.sums[1].Sum(nil)
	}
	return t.sum()
}

// keyBlock is the keys of both directions before TLS 1.3.
func (c *Conn) keyBlock(s *suite, master, client, server []byte) (ofClient, ofServer recordKeys) {
	b := s.bulk
	all := prf(c.vers, s.hash, master, "key expansion", 2*(b.mac+b.key+b.iv), server, client)
	next := func(n int) []byte {
		p := all[:n:n]
		all = all[n:]
		return p
	}
	ofClient.mac, ofServer.mac = next(b.mac), next(b.mac)
	ofClient.key, ofServer.key = next(b.key), next(b.key)
	ofClient.iv, ofServer.iv = next(b.iv), next(b.iv)
	ofClient.version, ofServer.version = c.vers, c.vers
	return ofClient, ofServer
}

func (hs *clientState) useKeys() {
	c := hs.c
	ours, theirs := c.keyBlock(hs.suite, hs.master, hs.hello.random, hs.server.random)
	c.in.next, c.out.next = hs.suite.bulk.makes(theirs), hs.suite.bulk.makes(ours)
}

func (hs *clientState) readTicket() error {
	c := hs.c
	if !hs.server.ticketSupported {
		return nil
	}
	if !hs.hello.ticketSupported {
		return c.complain(alertIllegalParameter, "server sent unrequested session ticket")
	}
	m, _, err := read[*newSessionTicketMsg](c, hs.t)
	if err != nil {
		return err
	}
	hs.ticket = m.ticket
	return nil
}

// readFinished reads the change of ciphers, and the message that proves all that was said.
func (c *Conn) readFinished(want []byte, t *transcript, what string) error {
	if err := c.readRecord(true); err != nil {
		return err
	}
	m, raw, err := read[*finishedMsg](c, nil)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(want, m.rest) != 1 {
		return c.complain(alertHandshakeFailure, "%s incorrect", what)
	}
	t.add(raw)
	return nil
}

func (hs *clientState) readFinished() error {
	c := hs.c
	want := prf(c.vers, hs.suite.hash, hs.master, "server finished", finishedSize, hs.t.sum())
	copy(c.serverFinished[:], want)
	return c.readFinished(want, hs.t, "server's Finished message was")
}

// sendFinished sends that message, and all that has been kept.
func (hs *clientState) sendFinished() error {
	c := hs.c
	if err := c.sendChangeCipherSpec(); err != nil {
		return err
	}
	ours := prf(c.vers, hs.suite.hash, hs.master, "client finished", finishedSize, hs.t.sum())
	copy(c.clientFinished[:], ours)
	if _, err := c.sendMessage(&finishedMsg{ours}, hs.t); err != nil {
		return err
	}
	return c.flush()
}

// callVerifyConnection asks the program.
func (c *Conn) callVerifyConnection() error {
	if c.config.VerifyConnection == nil {
		return nil
	}
	if err := c.config.VerifyConnection(c.state()); err != nil {
		return c.give(alertBadCertificate, err)
	}
	return nil
}

// checkKeySize says how large an RSA key may be, if this one is too large.
func checkKeySize(cert *x509.Certificate) (most int, ok bool) {
	key, isRSA := cert.PublicKey.(*rsa.PublicKey)
	if !isRSA {
		return 0, true
	}
	most = 8192
	if n, err := strconv.Atoi(setting("tlsmaxrsasize")); err == nil {
		most = n
	}
	return most, key.N.BitLen() <= most
}

// verifyServer takes the server's chain.
func (c *Conn) verifyServer(chain [][]byte) error {
	certs := make([]*x509.Certificate, len(chain))
	for i, der := range chain {
		cert, err := parsedCertificates.parse(der)
		if err != nil {
			return c.complain(alertDecodeError,
				"failed to parse certificate from server: %s", err.Error())
		}
		if most, ok := checkKeySize(cert); !ok {
			return c.complain(alertBadCertificate,
				"server sent certificate containing RSA key larger than %d bits", most)
		}
		certs[i] = cert
	}
	// Without its inner hello a client speaks with the public server.
	rejected := c.config.EncryptedClientHelloConfigList != nil && !c.echAccepted
	name := c.config.ServerName
	if rejected {
		name = c.serverName
	}
	switch verify := c.config.EncryptedClientHelloRejectionVerify; {
	case rejected && verify != nil:
		if err := verify(c.state()); err != nil {
			return c.give(alertBadCertificate, err)
		}
	case rejected || !c.config.InsecureSkipVerify:
		if err := c.verifyChain(certs, x509.VerifyOptions{
			Roots: c.config.RootCAs, DNSName: name,
		}); err != nil {
			c.sendAlert(alertBadCertificate)
			return err
		}
	}
	switch certs[0].PublicKey.(type) {
	case *rsa.PublicKey, *ecdsa.PublicKey, ed25519.PublicKey:
	case *mldsa.PublicKey:
		if c.vers < VersionTLS13 {
			return c.complain(alertIllegalParameter,
				"server's certificate uses ML-DSA, which requires TLS 1.3")
		}
	default:
		return c.complain(alertUnsupportedCertificate,
			"server's certificate contains an unsupported type of public key: %T",
			certs[0].PublicKey)
	}
	c.peerCertificates = certs
	if rejected {
		return nil
	}
	if err := c.callVerifyPeer(chain); err != nil {
		return err
	}
	return c.callVerifyConnection()
}

func (c *Conn) callVerifyPeer(chain [][]byte) error {
	if c.config.VerifyPeerCertificate == nil {
		return nil
	}
	if err := c.config.VerifyPeerCertificate(chain, c.verifiedChains); err != nil {
		return c.give(alertBadCertificate, err)
	}
	return nil
}

func (c *Conn) verifyChain(certs []*x509.Certificate, opts x509.VerifyOptions) (err error) {
	opts.CurrentTime = c.config.time()
	opts.Intermediates = x509.NewCertPool()
	for _, cert := range certs[1:] {
		opts.Intermediates.AddCert(cert)
	}
	chains, err := certs[0].Verify(opts)
	if err != nil {
		return &CertificateVerificationError{certs, err}
	}
	c.verifiedChains = chains
	return nil
}

// requestInfo is what the server has asked for. Before TLS 1.2 it names no schemes.
func (hs *clientState) requestInfo(m *certificateRequestMsg) *CertificateRequestInfo {
	info := &CertificateRequestInfo{
		AcceptableCAs: m.authorities, Version: hs.c.vers, ctx: hs.ctx,
	}
	withRSA := slices.Contains(m.types, certTypeRSASign)
	withEC := slices.Contains(m.types, certTypeECDSASign)
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
		if err == nil && s.how != withMLDSA && (s.isRSA() && withRSA || !s.isRSA() && withEC) {
			info.SignatureSchemes = append(info.SignatureSchemes, id)
		}
	}
	return info
}

// clientCertificate is the one to show, which can be empty.
func (c *Conn) clientCertificate(info *CertificateRequestInfo) (*Certificate, error) {
	if c.config.GetClientCertificate != nil {
		cert, err := c.config.GetClientCertificate(info)
		if cert == nil && err == nil {
			err = fmt.Errorf("tls: GetClientCertificate returned no certificate")
		}
		return cert, err
	}
	for _, cert := range c.config.Certificates {
		if info.SupportsCertificate(&cert) == nil {
			return &cert, nil
		}
	}
	return new(Certificate), nil
}
