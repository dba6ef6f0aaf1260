package tls

import (
	"context"
	"crypto/subtle"
	"io"
)

// What both roles do in a handshake.

// inOrder runs steps until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// A shaking is what the handshakes of both roles have.
type shaking struct {
	c     *Conn
	ctx   context.Context
	suite *suite
	t     *transcript
	ahead message // has been read, and nobody has taken it yet

	// The first bytes of the two hellos, which are random.
	clientRandom, serverRandom []byte

	master []byte // before TLS 1.3

	// Of TLS 1.3.
	schedule   schedule
	clientNext []byte // the secret of what the client sends after the handshake
	sentChange bool
}

// settle takes the newest version that both know; there may be none.
func (c *Conn) settle(theirs []uint16) bool {
	version, ok := c.config.agreedVersion(c.role(), theirs)
	if ok {
		c.version, c.versionKnown = version, true
		c.in.version, c.out.version = version, version
	}
	return ok
}

// tell sends messages, and adds them to the transcript.
func (s *shaking) tell(messages ...message) error {
	for _, m := range messages {
		if _, err := s.c.sendMessage(m, s.t); err != nil {
			return err
		}
	}
	return nil
}

// peek reads the next message if that has not been done.
func (s *shaking) peek() (err error) {
	if s.ahead == nil {
		s.ahead, _, err = s.c.readMessage(s.t)
	}
	return err
}

// pass takes the next message if it is a T.
func pass[T message](s *shaking) (m T, came bool, err error) {
	if err = s.peek(); err != nil {
		return m, false, err
	}
	if m, came = s.ahead.(T); came {
		s.ahead = nil
	}
	return m, came, nil
}

// demand takes the next message, which must be a T.
func demand[T message](s *shaking) (m T, err error) {
	if err = s.peek(); err != nil {
		return m, err
	}
	next := s.ahead
	s.ahead = nil
	return expect[T](s.c, next)
}

// fillRandom fills p from the configuration.
func (c *Conn) fillRandom(p []byte) error {
	_, err := io.ReadFull(c.config.rand(), p)
	return err
}

// Before TLS 1.3.

// makeMaster makes the master secret of the one that was exchanged.
func (s *shaking) makeMaster(secret []byte, isExtended bool) {
	label, seeds := "master secret", [][]byte{s.clientRandom, s.serverRandom}
	if isExtended {
		label, seeds = "extended master secret", [][]byte{s.t.sum()}
	}
	s.master = prf(s.c.version, s.suite.hash, secret, label, masterSize, seeds...)
}

// nextCiphers makes the ciphers that the change of ciphers begins with.
func (s *shaking) nextCiphers() error {
	c, b := s.c, s.suite.bulk
	block := &reader{b: prf(c.version, s.suite.hash, s.master, "key expansion",
		2*(b.mac+b.key+b.iv), s.serverRandom, s.clientRandom)}
	ofClient, ofServer := recordKeys{version: c.version}, recordKeys{version: c.version}
	ofClient.mac, ofServer.mac = block.take(b.mac), block.take(b.mac)
	ofClient.key, ofServer.key = block.take(b.key), block.take(b.key)
	ofClient.iv, ofServer.iv = block.take(b.iv), block.take(b.iv)
	c.in.next, c.out.next = b.makes(ofClient), b.makes(ofServer)
	if c.asClient {
		c.in.next, c.out.next = c.out.next, c.in.next
	}
	return nil
}

// finished12 is what the Finished of that role says now; the connection keeps it.
func (s *shaking) finished12(ofClient bool) []byte {
	label, kept := "server finished", &s.c.finishedOfServer
	if ofClient {
		label, kept = "client finished", &s.c.finishedOfClient
	}
	sum := prf(s.c.version, s.suite.hash, s.master, label, finishedSize, s.t.sum())
	copy(kept[:], sum)
	return sum
}

// awaitFinished reads the change of ciphers, and the message that proves all that was said before.
func (s *shaking) awaitFinished() error {
	c := s.c
	want := s.finished12(!c.asClient)
	if err := c.awaitRecord(true); err != nil {
		return err
	}
	m, raw, err := read[*finishedMsg](c, nil)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(want, m.rest) == 1 {
		s.t.add(raw)
		return nil
	}
	if c.asClient {
		return c.complain(noAgreement, "server's Finished message was incorrect")
	}
	return c.complain(noAgreement, "client's Finished message is incorrect")
}

// sayFinished sends the same of ours, and all that has been kept.
func (s *shaking) sayFinished() error {
	return inOrder(
		s.c.sendChangeCipherSpec,
		func() error { return s.tell(&finishedMsg{s.finished12(s.c.asClient)}) },
		s.c.flush,
	)
}

// nowFirst notes who has sent the first Finished, which TLSUnique is. A server that was not first
// keeps its answer back until all of it is there.
func (s *shaking) nowFirst(client bool) func() error {
	return func() error {
		s.c.clientFirst = client
		s.c.buffering = s.c.buffering || client && !s.c.asClient
		return nil
	}
}

// complete12 ends a handshake that went well.
func (s *shaking) complete12() error {
	s.c.export = exporter12(
		s.c.version, s.suite.hash, s.master, s.clientRandom, s.serverRandom)
	s.c.complete.Store(true)
	return nil
}

// Of TLS 1.3.

// change sends, once, what only middleboxes look at.
func (s *shaking) change() error {
	if s.sentChange {
		return nil
	}
	s.sentChange = true
	return s.c.sendChangeCipherSpec()
}

// encrypt begins to code the handshake, with secrets of what the two have agreed on.
func (s *shaking) encrypt(early schedule, shared []byte) error {
	c, sum := s.c, s.t.sum()
	agreed := early.next(shared)
	client, server := agreed.derive("c hs traffic", sum), agreed.derive("s hs traffic", sum)
	ours, theirs := server, client
	if c.asClient {
		ours, theirs = client, server
	}
	c.writes13(s.suite, QUICEncryptionLevelHandshake, ours)
	if err := c.reads13(s.suite, QUICEncryptionLevelHandshake, theirs); err != nil {
		return err
	}
	s.schedule = agreed.next(nil)
	return s.log(
		loggedSecret{keyLogClientHandshake, client}, loggedSecret{keyLogServerHandshake, server})
}

// dataSecrets makes the secrets for what comes after the handshake, bound to all up to the server's
// Finished.
func (s *shaking) dataSecrets() (ofServer []byte) {
	sum := s.t.sum()
	s.clientNext = s.schedule.derive("c ap traffic", sum)
	s.c.export = exporter(s.suite.hash, s.schedule.derive("exp master", sum))
	return s.schedule.derive("s ap traffic", sum)
}

func (s *shaking) logData(ofServer []byte) error {
	return s.log(
		loggedSecret{keyLogClientTraffic, s.clientNext}, loggedSecret{keyLogServerTraffic, ofServer})
}

// log lets those who read along know the secrets.
func (s *shaking) log(secrets ...loggedSecret) error {
	err := s.c.config.logSecrets(s.clientRandom, secrets...)
	if err != nil {
		s.c.raise(ownFault)
	}
	return err
}

// finished13 is what a Finished says now that is sent under the secret.
func (s *shaking) finished13(secret []byte) []byte {
	return finishedSum(s.suite.hash, secret, s.t.sum())
}
