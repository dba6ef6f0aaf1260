// Package tls: TLS 1.3 and what came before it, from 1.0 on.
//
// # Data
//
// A Conn has two halves (record.go), each of which codes the records of one direction under its own
// lock: a cipher, the number of the next record, and in TLS 1.3 the secret that both come from.
// What the two ends agree on and find out about each other is its terms (ticket.go), which a
// session has too, so that it can be resumed with the same. A Config is the program's and is only
// read, save for the keys of tickets.
//
// # Flow
//
// Read fills raw from the network, decodes one record into plain or, if it is part of a handshake,
// into hand, and messages are cut from hand when somebody asks for one. Write cuts what it is given
// into records, and codes them one by one in scratch; between the messages of one flight they are
// kept in unsent, and leave in one piece.
//
// A handshake holds the lock of the half that reads, so that nobody reads beside it; it takes that
// of the other for each message that it sends. It is a list of steps that run in order until one
// fails (shake.go), of which each role has one for TLS 1.3 and one for what came before. A step
// that finds something wrong raises an alert and gives an error, which is the outcome of the
// handshake. Steps that both roles do alike stand in shake.go: they ask the connection which role
// it has.
//
// # Where the work is done
//
// Choices of versions, groups, suites and schemes are all alike: the first of one list that is in
// another one. What the lists are comes from tables (suites.go, auth.go, groups.go). Messages are
// structs that put themselves into a builder and take themselves from a reader (messages.go,
// wire.go). Secrets come from keys.go, and ciphers from internal/aead, which codes a record at
// once.
//
// For QUIC (quic.go) something else carries the messages. The same handshake runs in a goroutine
// that takes turns with the caller: wherever it would read, it hands over, and wherever it would
// change the keys of a half, it adds an event.
package tls

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	messageHead = 4
	mostMessage = 65536
	mostChain   = 262144
	// A peer may send so many records in a row that lead to nothing.
	mostIdle = 16
)

const (
	// The first records of a connection each fit into a packet of TCP, so that the peer need not
	// wait for several before it can decode the first.
	packetSize = 1208
	// From so many bytes on they are as large as they can be.
	boostAt = 128 * 1024
)

// A Conn is a connection that is encrypted.
type Conn struct {
	conn     net.Conn
	quic     *carrier // nil if conn carries the connection
	asClient bool
	complete atomic.Bool

	// The lock of the handshake guards all down to the blank line. What a handshake has found out
	// does not change, unless there is another.
	mutex        sync.Mutex
	outcome      error
	versionKnown bool
	config       *Config
	handshakes   int
	terms
	goesOn           bool
	didRetry         bool
	innerTaken       bool
	ourChain         [][]byte
	hostName         string
	renegotiates     bool // securely, that is
	export           func(label string, context []byte, length int) ([]byte, error)
	resumption       []byte // a secret, of TLS 1.3
	ticketCoders     []ticketCoder
	clientFirst      bool // it has sent the first Finished
	finishedOfClient [finishedSize]byte
	finishedOfServer [finishedSize]byte

	told *error // how it went to tell the peer of the end, once that is done

	in, out half
	raw     []byte // read, and not decoded yet
	buffer  []byte // where raw lies
	plain   []byte // decoded, and not read yet; it lies in the buffer
	hand    []byte // of handshakes
	retries int

	buffering bool
	unsent    []byte
	scratch   []byte // for a record
	sent      int64
	packets   int64

	writers gate
}

// A gate is passed by each call of Write, until Close shuts it. Its state is twice the calls that
// are inside, and one more once it is shut.
type gate struct{ state atomic.Int32 }

// enter says whether the gate was open.
func (g *gate) enter() bool {
	isOpen := g.state.Add(2)&1 == 0
	if !isOpen {
		g.leave()
	}
	return isOpen
}

func (g *gate) leave() { g.state.Add(-2) }

// shut says whether this call has shut the gate, and whether nobody was inside.
func (g *gate) shut() (isFirst, isIdle bool) {
	was := g.state.Or(1)
	return was&1 == 0, was < 2
}

// NetConn is the connection below, which must not be read or written.
func (c *Conn) NetConn() net.Conn    { return c.conn }
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }
func (c *Conn) LocalAddr() net.Addr  { return c.conn.LocalAddr() }

func (c *Conn) SetWriteDeadline(end time.Time) error { return c.conn.SetWriteDeadline(end) }
func (c *Conn) SetReadDeadline(end time.Time) error  { return c.conn.SetReadDeadline(end) }
func (c *Conn) SetDeadline(end time.Time) error      { return c.conn.SetDeadline(end) }

// A RecordHeaderError says that what came is no record. If that was the first one, Conn is the
// connection, so that another protocol can answer.
type RecordHeaderError struct {
	Msg          string
	RecordHeader [5]byte
	Conn         net.Conn
}

func (e RecordHeaderError) Error() string { return "tls: " + e.Msg }

func (c *Conn) badHeader(conn net.Conn, format string, args ...any) error {
	e := RecordHeaderError{Msg: fmt.Sprintf(format, args...), Conn: conn}
	copy(e.RecordHeader[:], c.raw)
	return c.in.fail(e)
}

// refuse sends an alert, and is done with reading.
func (c *Conn) refuse(a alert) error { return c.in.fail(c.raise(a)) }

// fill reads until there are n raw bytes. What is left of the ones before moves to the front of the
// buffer, where there is room for more than are asked for.
func (c *Conn) fill(n int) error {
	have := len(c.raw)
	if have >= n {
		return nil
	}
	if cap(c.buffer) < n+512 {
		c.buffer = make([]byte, n+512+mostSealed)
	}
	copy(c.buffer, c.raw)
	var err error
	for have < n && err == nil {
		var m int
		m, err = c.conn.Read(c.buffer[have:])
		have += m
		c.raw = c.buffer[:have]
	}
	switch {
	case err != io.EOF:
		return err
	case have < n:
		return io.ErrUnexpectedEOF
	}
	return nil
}

// broken is an error of the network; some of them pass.
func (c *Conn) broken(err error) error {
	if inNet, ok := err.(net.Error); !(ok && inNet.Temporary()) {
		c.in.fail(err)
	}
	return err
}

// awaitRecord reads records until one leads to something: to plain, to hand, or to a change of
// ciphers, if that is what change asks for. The half that reads is locked.
func (c *Conn) awaitRecord(change bool) error {
	again, err := c.readOneRecord(change)
	for again && err == nil {
		if err = c.useless("ignored"); err == nil {
			again, err = c.readOneRecord(change)
		}
	}
	return err
}

func (c *Conn) readOneRecord(change bool) (again bool, err error) {
	if c.in.err != nil {
		return false, c.in.err
	}
	if len(c.plain) > 0 {
		return false, c.in.fail(errors.New(
			"tls: internal error: attempted to read record with pending application data"))
	}
	complete := c.complete.Load()
	if err := c.fill(recordHead); err != nil {
		if err == io.ErrUnexpectedEOF && len(c.raw) == 0 {
			err = io.EOF
		}
		return false, c.broken(err)
	}
	if err := c.checkHeader(complete); err != nil {
		return false, err
	}
	n := recordHead + int(c.raw[3])<<8 + int(c.raw[4])
	if err := c.fill(n); err != nil {
		return false, c.broken(err)
	}
	record := c.raw[:n:n]
	c.raw = c.raw[n:]
	data, typ, wrong := c.in.open(record)
	if wrong != 0 {
		return false, c.refuse(wrong)
	}
	if len(data) > mostPlain {
		return false, c.refuse(recordTooLong)
	}
	if c.in.cipher == nil && typ == contentData {
		return false, c.refuse(outOfTurn)
	}
	if len(data) > 0 &&
		(typ == contentData || typ == contentHandshake && !complete) {
		c.retries = 0
	}
	// Messages of a handshake lie side by side, if they are in several records.
	if c.version == VersionTLS13 && typ != contentHandshake && len(c.hand) > 0 {
		return false, c.refuse(outOfTurn)
	}

	switch typ {
	case contentAlert:
		return c.takeAlert(data)
	case contentChange:
		if len(data) != 1 || data[0] != 1 {
			return false, c.refuse(malformedMessage)
		}
		if len(c.hand) > 0 {
			return false, c.refuse(outOfTurn)
		}
		if c.version == VersionTLS13 {
			// It is there for the sake of middleboxes.
			return true, nil
		}
		if !change {
			return false, c.refuse(outOfTurn)
		}
		if wrong := c.in.change(); wrong != 0 {
			return false, c.refuse(wrong)
		}
		return false, nil
	case contentData:
		if !complete || change {
			return false, c.refuse(outOfTurn)
		}
		c.plain = data
		return len(data) == 0, nil
	case contentHandshake:
		if len(data) == 0 || change {
			return false, c.refuse(outOfTurn)
		}
		c.hand = append(c.hand, data...)
		return false, nil
	}
	return false, c.refuse(outOfTurn)
}

func (c *Conn) checkHeader(complete bool) error {
	typ := contentType(c.raw[0])
	if !complete && typ == 0x80 {
		c.raise(versionRefused)
		return c.badHeader(nil, "unsupported SSLv2 handshake received")
	}
	vers := uint16(c.raw[1])<<8 | uint16(c.raw[2])
	// Records of TLS 1.3 say that they are of 1.2.
	want := min(c.version, VersionTLS12)
	if c.versionKnown && vers != want {
		c.raise(versionRefused)
		return c.badHeader(
			nil, "received record with version %x when expecting version %x", vers, want)
	}
	if !c.versionKnown && (typ != contentAlert && typ != contentHandshake || vers >= 0x1000) {
		return c.badHeader(c.conn, "first record does not look like a TLS handshake")
	}
	n := int(c.raw[3])<<8 | int(c.raw[4])
	if n > mostSealed || c.version == VersionTLS13 && n > mostSealed13 {
		c.raise(recordTooLong)
		return c.badHeader(nil, "oversized record received with length %d", n)
	}
	return nil
}

func (c *Conn) takeAlert(data []byte) (again bool, err error) {
	if len(data) != 2 {
		return false, c.refuse(outOfTurn)
	}
	a := alert(data[1])
	if a == endOfData {
		return false, c.in.fail(io.EOF)
	}
	if c.version == VersionTLS13 {
		again = a == userGaveUp
	} else if again = data[0] == levelWarning; !again && data[0] != levelFatal {
		return false, c.refuse(outOfTurn)
	}
	if again {
		return true, nil
	}
	return false, c.in.fail(&net.OpError{Op: "remote error", Err: a})
}

func (c *Conn) raise(a alert) error {
	c.out.Lock()
	defer c.out.Unlock()
	return c.raiseLocked(a)
}

// raiseLocked gives the error that the alert is.
func (c *Conn) raiseLocked(a alert) error {
	var unsent error
	if c.quic == nil {
		level := byte(levelFatal)
		if a == endOfData || a == noOtherHandshake {
			level = levelWarning
		}
		_, unsent = c.writeRecord(contentAlert, []byte{level, byte(a)})
		if a == endOfData {
			return unsent
		}
	}
	return c.out.fail(&net.OpError{Op: "local error", Err: a})
}

// give sends an alert, and has another error.
func (c *Conn) give(a alert, err error) error {
	c.raise(a)
	return err
}

// complain is give with a text.
func (c *Conn) complain(a alert, format string, args ...any) error {
	return c.give(a, fmt.Errorf("tls: "+format, args...))
}

// most is how much a record of that type may hold now.
func (c *Conn) most(typ contentType) int {
	if c.config.DynamicRecordSizingDisabled || typ != contentData || c.sent >= boostAt {
		return mostPlain
	}
	n := packetSize - recordHead
	if c.out.cipher != nil {
		n = c.out.cipher.fits(n - c.out.cipher.before())
	}
	c.packets++
	if c.packets > 1001 {
		return mostPlain
	}
	return min(n*int(c.packets), mostPlain)
}

func (c *Conn) send(p []byte) error {
	if c.buffering {
		c.unsent = append(c.unsent, p...)
		return nil
	}
	n, err := c.conn.Write(p)
	c.sent += int64(n)
	return err
}

// flush sends what has been kept, and keeps nothing any more.
func (c *Conn) flush() error {
	if len(c.unsent) == 0 {
		return nil
	}
	p := c.unsent
	c.unsent, c.buffering = nil, false
	return c.send(p)
}

// writeRecord writes data in as many records as it takes. The half that writes is locked.
func (c *Conn) writeRecord(typ contentType, data []byte) (n int, err error) {
	switch {
	case c.quic == nil:
	case typ == contentHandshake:
		c.quic.write(c.out.level, data)
		return len(data), nil
	default:
		return 0, errors.New(
			"tls: internal error: sending non-handshake message to QUIC transport")
	}
	for n < len(data) {
		end := n + min(len(data)-n, c.most(typ))
		if err := c.writeOneRecord(typ, data[n:end]); err != nil {
			return n, err
		}
		n = end
	}
	if typ == contentChange && c.version != VersionTLS13 {
		if wrong := c.out.change(); wrong != 0 {
			err = c.raiseLocked(wrong)
		}
	}
	return n, err
}

func (c *Conn) writeOneRecord(typ contentType, payload []byte) (err error) {
	vers := uint16(VersionTLS10) // Some servers do not take the first record otherwise.
	if c.version != 0 {
		vers = min(c.version, VersionTLS12)
	}
	head := binary.BigEndian.AppendUint16(append(c.scratch[:0], byte(typ)), vers)
	head = binary.BigEndian.AppendUint16(head, uint16(len(payload)))
	if c.scratch, err = c.out.seal(head, payload, c.config.rand()); err != nil {
		return err
	}
	return c.send(c.scratch)
}

// sendMessage sends one of a handshake, and adds it to the transcript if there is one.
func (c *Conn) sendMessage(m message, t *transcript) ([]byte, error) {
	raw, err := marshal(m)
	if err != nil {
		return nil, err
	}
	if t != nil {
		t.add(raw)
	}
	c.out.Lock()
	defer c.out.Unlock()
	_, err = c.writeRecord(contentHandshake, raw)
	return raw, err
}

func (c *Conn) sendChangeCipherSpec() error {
	if c.quic != nil {
		return nil
	}
	c.out.Lock()
	defer c.out.Unlock()
	_, err := c.writeRecord(contentChange, []byte{1})
	return err
}

// readHand reads until there are n bytes of a handshake.
func (c *Conn) readHand(n int) (err error) {
	if c.quic != nil {
		return c.waitFor(func() bool { return len(c.hand) >= n })
	}
	for err == nil && len(c.hand) < n {
		err = c.awaitRecord(false)
	}
	return err
}

// messageSize is how long the message is whose head has come, with that head. It may not have more
// than so many bytes behind it.
func (c *Conn) messageSize(most int) (int, error) {
	n := int(binary.BigEndian.Uint32(c.hand) & 0xffffff)
	if n > most {
		return 0, fmt.Errorf(
			"tls: handshake message of length %d bytes exceeds maximum of %d bytes", n, most)
	}
	return messageHead + n, nil
}

// readRaw reads the next message of a handshake as bytes that are nobody's else.
func (c *Conn) readRaw() (raw []byte, err error) {
	var size int
	err = inOrder(
		func() error { return c.readHand(messageHead) },
		func() (err error) {
			most := mostMessage
			if c.hand[0] == kindCertificate && c.versionKnown {
				most = mostChain
			}
			if size, err = c.messageSize(most); err != nil {
				c.raise(ownFault)
				c.in.fail(err)
			}
			return err
		},
		func() error { return c.readHand(size) },
	)
	if err == nil {
		raw = bytes.Clone(c.hand[:size])
		c.hand = c.hand[size:]
	}
	return raw, err
}

// readMessage reads the next message of a handshake, and gives its bytes too.
func (c *Conn) readMessage(t *transcript) (message, []byte, error) {
	raw, err := c.readRaw()
	if err != nil {
		return nil, nil, err
	}
	m := emptyMessage(raw[0], c.version)
	switch {
	case m == nil:
		err = c.refuse(outOfTurn)
	case !unmarshal(m, raw):
		err = c.refuse(malformedMessage)
	case t != nil:
		t.add(raw)
	}
	if err != nil {
		return nil, nil, err
	}
	return m, raw, nil
}

// writable says why data cannot be written after the handshake. The half that writes is locked.
func (c *Conn) writable() error {
	switch {
	case c.out.err != nil:
		return c.out.err
	case !c.complete.Load():
		return ownFault
	case c.told != nil:
		return errEnded
	}
	return nil
}

// firstPart is how many of n bytes of data go ahead in a record of their own. In TLS 1.0 the vector
// of a record is known before it: a first one that holds a byte only, and its sum, makes that of
// the rest unknown.
func (c *Conn) firstPart(n int) int {
	if _, isCBC := c.out.cipher.(*cbcCipher); isCBC && c.version == VersionTLS10 {
		return min(n, 1)
	}
	return n
}

// expect is m if it is what comes now.
func expect[T message](c *Conn, m message) (T, error) {
	wanted, ok := m.(T)
	if !ok {
		return wanted, c.unexpected(wanted, m)
	}
	return wanted, nil
}

func (c *Conn) unexpected(wanted, got any) error {
	return c.complain(outOfTurn,
		"received unexpected handshake message of type %T when waiting for %T", got, wanted)
}

// read is readMessage of the one message that may come now.
func read[T message](c *Conn, t *transcript) (T, []byte, error) {
	m, raw, err := c.readMessage(t)
	if err != nil {
		var none T
		return none, nil, err
	}
	wanted, err := expect[T](c, m)
	return wanted, raw, err
}

var errEnded = errors.New("tls: protocol is shutdown")

func (c *Conn) Write(b []byte) (n int, err error) {
	if !c.writers.enter() {
		return 0, net.ErrClosed
	}
	defer c.writers.leave()
	if err = c.Handshake(); err == nil {
		c.out.Lock()
		defer c.out.Unlock()
		err = c.writable()
	}
	if err != nil {
		return 0, err
	}
	for end := c.firstPart(len(b)); n < len(b); end = len(b) {
		m, err := c.writeRecord(contentData, b[n:end])
		n += m
		if err != nil {
			return n, c.out.fail(err)
		}
	}
	return n, nil
}

func (c *Conn) Read(b []byte) (n int, err error) {
	if err = c.Handshake(); err != nil || len(b) == 0 {
		return 0, err
	}
	c.in.Lock()
	defer c.in.Unlock()
	if err = c.awaitPlain(); err == nil {
		n = copy(b, c.plain)
		c.plain = c.plain[n:]
		err = c.endWithLast()
	}
	return n, err
}

// endWithLast has the end be told with the last bytes before it, if it has come already.
func (c *Conn) endWithLast() error {
	if len(c.plain) > 0 || len(c.raw) == 0 || contentType(c.raw[0]) != contentAlert {
		return nil
	}
	return c.awaitRecord(false)
}

// A lateMessage is one that may come after a handshake of TLS 1.3.
type lateMessage interface {
	message
	late(c *Conn) error
}

// awaitPlain reads until there is data, and takes whatever messages come before it.
func (c *Conn) awaitPlain() (err error) {
	for err == nil && len(c.plain) == 0 {
		err = c.awaitRecord(false)
		for err == nil && len(c.hand) > 0 {
			err = c.afterHandshake()
		}
	}
	return err
}

// afterHandshake takes a message that comes between data.
func (c *Conn) afterHandshake() error {
	if c.version != VersionTLS13 {
		return c.renegotiate()
	}
	m, _, err := c.readMessage(nil)
	if err == nil {
		err = c.useless("non-advancing")
	}
	if err != nil {
		return err
	}
	if m, isLate := m.(lateMessage); isLate {
		return m.late(c)
	}
	return c.complain(outOfTurn, "received unexpected handshake message of type %T", m)
}

// late has the peer's next records decoded with new keys, as ours are coded if it asks.
func (m *keyUpdateMsg) late(c *Conn) error {
	if c.quic != nil {
		c.raise(outOfTurn)
		return c.in.fail(errors.New("tls: received unexpected key update message"))
	}
	if m.requested {
		written, err := c.renewOurs()
		// What is read is not touched by what cannot be written.
		if err != nil || !written {
			return err
		}
	}
	if len(c.hand) > 0 {
		return c.give(outOfTurn, errHandLeft)
	}
	c.in.renew13(find(suites13, c.suite))
	return nil
}

// renewOurs tells the peer that our keys change, and changes them.
func (c *Conn) renewOurs() (written bool, err error) {
	raw, err := marshal(&keyUpdateMsg{})
	c.out.Lock()
	defer c.out.Unlock()
	if err == nil {
		_, unsent := c.writeRecord(contentHandshake, raw)
		if written = unsent == nil; written {
			c.out.renew13(find(suites13, c.suite))
		} else {
			c.out.fail(unsent)
		}
	}
	return written, err
}

// reads13 has what is read from now on decoded with that secret. For QUIC that is an event, save
// after the handshake: what comes then must not be decrypted before the end, which tells of it.
func (c *Conn) reads13(s *suite, level QUICEncryptionLevel, secret []byte) error {
	if len(c.hand) > 0 {
		return c.give(outOfTurn, errHandLeft)
	}
	c.in.use13(s, level, secret)
	if level == QUICEncryptionLevelApplication {
		return nil
	}
	return c.tellSecret(QUICSetReadSecret, level, s.id, secret)
}

// writes13 has what is written from now on encoded with that secret.
func (c *Conn) writes13(s *suite, level QUICEncryptionLevel, secret []byte) {
	c.out.use13(s, level, secret)
	c.tellSecret(QUICSetWriteSecret, level, s.id, secret)
}

// mayRenegotiate says whether the configuration has this client shake hands once more.
func (c *Conn) mayRenegotiate() (bool, error) {
	how := c.config.Renegotiation
	if !c.asClient || how == RenegotiateNever {
		return false, nil
	}
	if how != RenegotiateOnceAsClient && how != RenegotiateFreelyAsClient {
		return false, c.complain(ownFault, "unknown Renegotiation value")
	}
	return how == RenegotiateFreelyAsClient || c.handshakes <= 1, nil
}

var errHandLeft = errors.New(
	"tls: handshake buffer not empty before setting read traffic secret")

func (c *Conn) renegotiate() error {
	_, _, err := read[*helloRequestMsg](c, nil)
	if err != nil {
		return err
	}
	switch may, err := c.mayRenegotiate(); {
	case err != nil:
		return err
	case !may:
		return c.raise(noOtherHandshake)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.complete.Store(false)
	return c.shake(context.Background())
}

// shake runs a handshake, and keeps how it has ended.
func (c *Conn) shake(ctx context.Context) error {
	run := c.shakeAsServer
	if c.asClient {
		run = c.shakeAsClient
	}
	if c.outcome = run(ctx); c.outcome == nil {
		c.handshakes++
	}
	return c.outcome
}

func (c *Conn) Close() error {
	wasOpen, isIdle := c.writers.shut()
	if !wasOpen {
		return net.ErrClosed
	}
	// A call of Write holds the lock, perhaps for long: the peer is told only if there is none. A
	// call that runs fails.
	var untold error
	if isIdle && c.complete.Load() {
		untold = c.tellEnd()
	}
	err := c.conn.Close()
	if err == nil && untold != nil {
		err = fmt.Errorf("tls: failed to send closeNotify alert"+
			" (but connection was closed anyway): %w", untold)
	}
	return err
}

// CloseWrite tells the peer that nothing more comes.
func (c *Conn) CloseWrite() error {
	if !c.complete.Load() {
		return errors.New("tls: CloseWrite called before handshake complete")
	}
	return c.tellEnd()
}

// tellEnd tells the peer once, for which it has five seconds. Whatever would be written after that
// must fail.
func (c *Conn) tellEnd() error {
	c.out.Lock()
	defer c.out.Unlock()
	if c.told == nil {
		err := c.within(5*time.Second, func() error { return c.raiseLocked(endOfData) })
		c.told = &err
	}
	return *c.told
}

// within has what write writes fail after that time, and all that is written later.
func (c *Conn) within(limit time.Duration, write func() error) error {
	c.SetWriteDeadline(time.Now().Add(limit))
	err := write()
	c.SetWriteDeadline(time.Now())
	return err
}

// Handshake shakes hands if that has not been done.
func (c *Conn) Handshake() error { return c.HandshakeContext(context.Background()) }

// HandshakeContext closes the connection if ctx ends before the handshake does.
func (c *Conn) HandshakeContext(ctx context.Context) (err error) {
	if c.complete.Load() {
		return nil
	}
	during, end := context.WithCancel(ctx)
	defer end()
	switch {
	case c.quic != nil:
		c.quic.ctx, c.quic.cancel = during, end
	case ctx.Done() != nil:
		isOver := context.AfterFunc(ctx, func() { c.conn.Close() })
		defer func() {
			if !isOver() {
				err = ctx.Err()
			}
		}()
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.outcome != nil || c.complete.Load() {
		return c.outcome
	}
	return c.firstHandshake(during)
}

// firstHandshake shakes hands under both locks.
func (c *Conn) firstHandshake(ctx context.Context) error {
	c.in.Lock()
	defer c.in.Unlock()
	if c.config == nil {
		c.config = &noConfig
	}
	failed := c.shake(ctx)
	if failed != nil {
		c.flush() // An alert may not have been sent yet.
	}
	if c.quic == nil {
		return failed
	}
	return c.endQUIC()
}

func (c *Conn) ConnectionState() ConnectionState {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.state()
}

func (c *Conn) state() ConnectionState {
	s := ConnectionState{
		Version:                     c.version,
		HandshakeComplete:           c.complete.Load(),
		DidResume:                   c.goesOn,
		CipherSuite:                 c.suite,
		CurveID:                     c.curve,
		NegotiatedProtocol:          c.proto,
		NegotiatedProtocolIsMutual:  true,
		ServerName:                  c.hostName,
		PeerCertificates:            c.peerChain,
		VerifiedChains:              c.trustedChains,
		SignedCertificateTimestamps: c.scts,
		OCSPResponse:                c.ocsp,
		HelloRetryRequest:           c.didRetry,
		ECHAccepted:                 c.innerTaken,
		LocalCertificate:            c.ourChain,
		export:                      c.export,
	}
	if c.version != VersionTLS13 && (!c.goesOn || c.extendedMaster) {
		s.TLSUnique = c.finishedOfServer[:]
		if c.clientFirst {
			s.TLSUnique = c.finishedOfClient[:]
		}
	}
	if c.config != nil && c.config.Renegotiation != RenegotiateNever {
		s.export = noExport("renegotiation is enabled")
	} else if c.version != VersionTLS13 && !c.extendedMaster {
		s.export = noExport("neither TLS 1.3 nor Extended Master Secret are negotiated")
	}
	return s
}

// OCSPResponse is what the server has shown with its certificate.
func (c *Conn) OCSPResponse() []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.ocsp
}

// VerifyHostname says whether the server may be called that.
func (c *Conn) VerifyHostname(host string) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var lacks string
	switch {
	case !c.asClient:
		lacks = "VerifyHostname called on TLS server connection"
	case !c.complete.Load():
		lacks = "handshake has not yet been performed"
	case len(c.trustedChains) == 0:
		lacks = "handshake did not verify certificate chain"
	default:
		return c.peerChain[0].VerifyHostname(host)
	}
	return errors.New("tls: " + lacks)
}

// useless counts what leads to nothing, of which a peer may send only so much in a row.
func (c *Conn) useless(what string) error {
	if c.retries++; c.retries <= mostIdle {
		return nil
	}
	c.raise(outOfTurn)
	return c.in.fail(errors.New("tls: too many " + what + " records"))
}
