// Package tls: TLS 1.3 and what came before it, from 1.0 on.
//
// A Conn has two halves, each of which codes the records of one direction under its own lock. A
// handshake holds the lock of the half that reads, so that nobody reads beside it; it takes that of
// the other for each message that it sends.
package tls

import (
	"bytes"
	"context"
	"crypto/x509"
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
	messageHead                = 4
	maxHandshake               = 65536
	maxHandshakeCertificateMsg = 262144
	// A peer may send so many records in a row that lead to nothing.
	maxUselessRecords = 16
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
	conn      net.Conn
	quic      *quicState // nil if conn carries the connection
	isClient  bool
	handshake func(context.Context) error
	complete  atomic.Bool

	// The lock of the handshake guards all down to the blank line. What a handshake has found out
	// does not change, unless there is another.
	mutex            sync.Mutex
	handshakeErr     error
	vers             uint16
	haveVers         bool
	config           *Config
	handshakes       int
	extendedMaster   bool
	didResume        bool
	didRetry         bool
	echAccepted      bool
	suite            uint16
	curve            CurveID
	ocsp             []byte
	scts             [][]byte
	peerCertificates []*x509.Certificate
	localCertificate [][]byte
	verifiedChains   [][]*x509.Certificate
	serverName       string
	renegotiates     bool // securely, that is
	export           func(label string, context []byte, length int) ([]byte, error)
	resumption       []byte // a secret, of TLS 1.3
	ticketKeys       []ticketKey
	clientFirst      bool // it has sent the first Finished
	clientFinished   [finishedSize]byte
	serverFinished   [finishedSize]byte
	proto            string

	closeNotifySent bool
	closeNotifyErr  error

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

func (c *Conn) LocalAddr() net.Addr                { return c.conn.LocalAddr() }
func (c *Conn) RemoteAddr() net.Addr               { return c.conn.RemoteAddr() }
func (c *Conn) SetDeadline(t time.Time) error      { return c.conn.SetDeadline(t) }
func (c *Conn) SetReadDeadline(t time.Time) error  { return c.conn.SetReadDeadline(t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.conn.SetWriteDeadline(t) }

// NetConn is the connection below, which must not be read or written.
func (c *Conn) NetConn() net.Conn { return c.conn }

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
func (c *Conn) refuse(a alert) error { return c.in.fail(c.sendAlert(a)) }

// fill reads until there are n raw bytes. What is left of the ones before moves to the front of the
// buffer, where there is room for more than are asked for.
func (c *Conn) fill(n int) error {
	have := len(c.raw)
	if have >= n {
		return nil
	}
	if cap(c.buffer) < n+512 {
		c.buffer = make([]byte, n+512+maxCiphertext)
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
	if e, ok := err.(net.Error); !ok || !e.Temporary() {
		c.in.fail(err)
	}
	return err
}

// readRecord reads records until one leads to something: to plain, to hand, or to a change of
// ciphers, if that is what change asks for. The half that reads is locked.
func (c *Conn) readRecord(change bool) error {
	for {
		again, err := c.readOneRecord(change)
		if err != nil || !again {
			return err
		}
		if c.retries++; c.retries > maxUselessRecords {
			c.sendAlert(alertUnexpectedMessage)
			return c.in.fail(errors.New("tls: too many ignored records"))
		}
	}
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
	if err := c.fill(recordHeaderLen); err != nil {
		if err == io.ErrUnexpectedEOF && len(c.raw) == 0 {
			err = io.EOF
		}
		return false, c.broken(err)
	}
	if err := c.checkHeader(complete); err != nil {
		return false, err
	}
	n := recordHeaderLen + int(c.raw[3])<<8 + int(c.raw[4])
	if err := c.fill(n); err != nil {
		return false, c.broken(err)
	}
	record := c.raw[:n:n]
	c.raw = c.raw[n:]
	data, typ, wrong := c.in.open(record)
	if wrong != 0 {
		return false, c.refuse(wrong)
	}
	if len(data) > maxPlaintext {
		return false, c.refuse(alertRecordOverflow)
	}
	if c.in.cipher == nil && typ == recordTypeApplicationData {
		return false, c.refuse(alertUnexpectedMessage)
	}
	if len(data) > 0 &&
		(typ == recordTypeApplicationData || typ == recordTypeHandshake && !complete) {
		c.retries = 0
	}
	// Messages of a handshake lie side by side, if they are in several records.
	if c.vers == VersionTLS13 && typ != recordTypeHandshake && len(c.hand) > 0 {
		return false, c.refuse(alertUnexpectedMessage)
	}

	switch typ {
	case recordTypeAlert:
		return c.takeAlert(data)
	case recordTypeChangeCipherSpec:
		if len(data) != 1 || data[0] != 1 {
			return false, c.refuse(alertDecodeError)
		}
		if len(c.hand) > 0 {
			return false, c.refuse(alertUnexpectedMessage)
		}
		if c.vers == VersionTLS13 {
			// It is there for the sake of middleboxes.
			return true, nil
		}
		if !change {
			return false, c.refuse(alertUnexpectedMessage)
		}
		if wrong := c.in.change(); wrong != 0 {
			return false, c.refuse(wrong)
		}
		return false, nil
	case recordTypeApplicationData:
		if !complete || change {
			return false, c.refuse(alertUnexpectedMessage)
		}
		c.plain = data
		return len(data) == 0, nil
	case recordTypeHandshake:
		if len(data) == 0 || change {
			return false, c.refuse(alertUnexpectedMessage)
		}
		c.hand = append(c.hand, data...)
		return false, nil
	}
	return false, c.refuse(alertUnexpectedMessage)
}

func (c *Conn) checkHeader(complete bool) error {
	typ := recordType(c.raw[0])
	if !complete && typ == 0x80 {
		c.sendAlert(alertProtocolVersion)
		return c.badHeader(nil, "unsupported SSLv2 handshake received")
	}
	vers := uint16(c.raw[1])<<8 | uint16(c.raw[2])
	// Records of TLS 1.3 say that they are of 1.2.
	want := min(c.vers, VersionTLS12)
	if c.haveVers && vers != want {
		c.sendAlert(alertProtocolVersion)
		return c.badHeader(
			nil, "received record with version %x when expecting version %x", vers, want)
	}
	if !c.haveVers && (typ != recordTypeAlert && typ != recordTypeHandshake || vers >= 0x1000) {
		return c.badHeader(c.conn, "first record does not look like a TLS handshake")
	}
	n := int(c.raw[3])<<8 | int(c.raw[4])
	if n > maxCiphertext || c.vers == VersionTLS13 && n > maxCiphertextTLS13 {
		c.sendAlert(alertRecordOverflow)
		return c.badHeader(nil, "oversized record received with length %d", n)
	}
	return nil
}

func (c *Conn) takeAlert(data []byte) (again bool, err error) {
	if len(data) != 2 {
		return false, c.refuse(alertUnexpectedMessage)
	}
	a := alert(data[1])
	if a == alertCloseNotify {
		return false, c.in.fail(io.EOF)
	}
	if c.vers == VersionTLS13 {
		again = a == alertUserCanceled
	} else if again = data[0] == alertLevelWarning; !again && data[0] != alertLevelError {
		return false, c.refuse(alertUnexpectedMessage)
	}
	if again {
		return true, nil
	}
	return false, c.in.fail(&net.OpError{Op: "remote error", Err: a})
}

func (c *Conn) sendAlert(a alert) error {
	c.out.Lock()
	defer c.out.Unlock()
	return c.sendAlertLocked(a)
}

// sendAlertLocked gives the error that the alert is.
func (c *Conn) sendAlertLocked(a alert) error {
	isEnd := a == alertCloseNotify
	if c.quic == nil {
		body := []byte{alertLevelError, byte(a)}
		if isEnd || a == alertNoRenegotiation {
			body[0] = alertLevelWarning
		}
		if _, err := c.writeRecord(recordTypeAlert, body); isEnd {
			return err
		}
	}
	return c.out.fail(&net.OpError{Op: "local error", Err: a})
}

// give sends an alert, and has another error.
func (c *Conn) give(a alert, err error) error {
	c.sendAlert(a)
	return err
}

// complain is give with a text.
func (c *Conn) complain(a alert, format string, args ...any) error {
	return c.give(a, fmt.Errorf("tls: "+format, args...))
}

// most is how much a record of that type may hold now.
func (c *Conn) most(typ recordType) int {
	if c.config.DynamicRecordSizingDisabled || typ != recordTypeApplicationData || c.sent >= boostAt {
		return maxPlaintext
	}
	n := packetSize - recordHeaderLen
	if c.out.cipher != nil {
		n = c.out.cipher.fits(n - c.out.cipher.before())
	}
	c.packets++
	if c.packets > 1001 {
		return maxPlaintext
	}
	return min(n*int(c.packets), maxPlaintext)
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
func (c *Conn) writeRecord(typ recordType, data []byte) (n int, err error) {
	switch {
	case c.quic == nil:
	case typ == recordTypeHandshake:
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
	if typ == recordTypeChangeCipherSpec && c.vers != VersionTLS13 {
		if wrong := c.out.change(); wrong != 0 {
			err = c.sendAlertLocked(wrong)
		}
	}
	return n, err
}

func (c *Conn) writeOneRecord(typ recordType, payload []byte) (err error) {
	vers := uint16(VersionTLS10) // Some servers do not take the first record otherwise.
	if c.vers != 0 {
		vers = min(c.vers, VersionTLS12)
	}
	head := binary.BigEndian.AppendUint16(append(c.scratch[:0], byte(typ)), vers)
	head = binary.BigEndian.AppendUint16(head, uint16(len(payload)))
	if c.scratch, err = c.out.seal(head, payload, c.config.rand()); err != nil {
		return err
	}
	return c.send(c.scratch)
}

// sendMessage sends one of a handshake, and adds it to the transcript if there is one.
func (c *Conn) sendMessage(m message, t *transcript) (raw []byte, err error) {
	c.out.Lock()
	defer c.out.Unlock()
	if raw, err = marshal(m); err == nil {
		if t != nil {
			t.add(raw)
		}
		_, err = c.writeRecord(recordTypeHandshake, raw)
	}
	return raw, err
}

func (c *Conn) sendChangeCipherSpec() error {
	if c.quic != nil {
		return nil
	}
	c.out.Lock()
	defer c.out.Unlock()
	_, err := c.writeRecord(recordTypeChangeCipherSpec, []byte{1})
	return err
}

// readHand reads until there are n bytes of a handshake.
func (c *Conn) readHand(n int) (err error) {
	for err == nil && len(c.hand) < n {
		if c.quic != nil {
			err = c.wait()
		} else {
			err = c.readRecord(false)
		}
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
func (c *Conn) readRaw() ([]byte, error) {
	if err := c.readHand(messageHead); err != nil {
		return nil, err
	}
	most := maxHandshake
	if c.haveVers && c.hand[0] == typeCertificate {
		most = maxHandshakeCertificateMsg
	}
	size, long := c.messageSize(most)
	if long != nil {
		c.sendAlert(alertInternalError)
		return nil, c.in.fail(long)
	}
	if err := c.readHand(size); err != nil {
		return nil, err
	}
	raw := bytes.Clone(c.hand[:size])
	c.hand = c.hand[size:]
	return raw, nil
}

// readMessage reads the next message of a handshake, and gives its bytes too.
func (c *Conn) readMessage(t *transcript) (message, []byte, error) {
	raw, err := c.readRaw()
	if err != nil {
		return nil, nil, err
	}
	m := emptyMessage(raw[0], c.vers)
	if m == nil {
		return nil, nil, c.refuse(alertUnexpectedMessage)
	}
	if !unmarshal(m, raw) {
		return nil, nil, c.refuse(alertDecodeError)
	}
	if t != nil {
		t.add(raw)
	}
	return m, raw, nil
}

// writable says why data cannot be written after the handshake. The half that writes is locked.
func (c *Conn) writable() error {
	switch {
	case c.out.err != nil:
		return c.out.err
	case !c.complete.Load():
		return alertInternalError
	case c.closeNotifySent:
		return errShutdown
	}
	return nil
}

// firstPart is how many of n bytes of data go ahead in a record of their own. In TLS 1.0 the vector
// of a record is known before it: a first one that holds a byte only, and its sum, makes that of
// the rest unknown.
func (c *Conn) firstPart(n int) int {
	if _, isCBC := c.out.cipher.(*cbcCipher); isCBC && c.vers == VersionTLS10 {
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
	return c.complain(alertUnexpectedMessage,
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

var errShutdown = errors.New("tls: protocol is shutdown")

func (c *Conn) Write(b []byte) (n int, err error) {
	if !c.writers.enter() {
		return 0, net.ErrClosed
	}
	defer c.writers.leave()
	if err := c.Handshake(); err != nil {
		return 0, err
	}
	c.out.Lock()
	defer c.out.Unlock()
	if err := c.writable(); err != nil {
		return 0, err
	}
	for end := c.firstPart(len(b)); n < len(b); end = len(b) {
		m, err := c.writeRecord(recordTypeApplicationData, b[n:end])
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
	if err = c.awaitPlain(); err != nil {
		return 0, err
	}
	n = copy(b, c.plain)
	c.plain = c.plain[n:]
	// If the end has come already, it is told with the last bytes.
	isLast := len(c.plain) == 0 && len(c.raw) > 0
	if isLast && recordType(c.raw[0]) == recordTypeAlert {
		err = c.readRecord(false)
	}
	return n, err
}

// awaitPlain reads until there is data, and takes whatever messages come before it.
func (c *Conn) awaitPlain() (err error) {
	for err == nil && len(c.plain) == 0 {
		err = c.readRecord(false)
		for err == nil && len(c.hand) > 0 {
			err = c.afterHandshake()
		}
	}
	return err
}

// afterHandshake takes a message that comes between data.
func (c *Conn) afterHandshake() error {
	if c.vers != VersionTLS13 {
		return c.renegotiate()
	}
	got, _, err := c.readMessage(nil)
	if err != nil {
		return err
	}
	if c.retries++; c.retries > maxUselessRecords {
		c.sendAlert(alertUnexpectedMessage)
		return c.in.fail(errors.New("tls: too many non-advancing records"))
	}
	if ticket, ok := got.(*newSessionTicketMsgTLS13); ok {
		return c.takeTicket(ticket)
	}
	if update, ok := got.(*keyUpdateMsg); ok {
		return c.updateKeys(update.requested)
	}
	return c.complain(
		alertUnexpectedMessage, "received unexpected handshake message of type %T", got)
}

// updateKeys has the peer's next records decoded with new keys, as ours are coded if it asks.
func (c *Conn) updateKeys(oursToo bool) error {
	if c.quic != nil {
		c.sendAlert(alertUnexpectedMessage)
		return c.in.fail(errors.New("tls: received unexpected key update message"))
	}
	if oursToo {
		switch written, err := c.renewOurs(); {
		case err != nil:
			return err
		case !written:
			return nil // What is read is not touched by that.
		}
	}
	if len(c.hand) > 0 {
		return c.give(alertUnexpectedMessage, errHandLeft)
	}
	c.in.renew13(find(suites13, c.suite))
	return nil
}

// renewOurs tells the peer that our keys change, and changes them.
func (c *Conn) renewOurs() (written bool, err error) {
	c.out.Lock()
	defer c.out.Unlock()
	raw, err := marshal(&keyUpdateMsg{})
	if err != nil {
		return false, err
	}
	if _, err := c.writeRecord(recordTypeHandshake, raw); err != nil {
		c.out.fail(err)
		return false, nil
	}
	c.out.renew13(find(suites13, c.suite))
	return true, nil
}

// mayRenegotiate says whether the configuration has this client shake hands once more.
func (c *Conn) mayRenegotiate() (bool, error) {
	how := c.config.Renegotiation
	if !c.isClient || how == RenegotiateNever {
		return false, nil
	}
	if how != RenegotiateOnceAsClient && how != RenegotiateFreelyAsClient {
		return false, c.complain(alertInternalError, "unknown Renegotiation value")
	}
	return how == RenegotiateFreelyAsClient || c.handshakes <= 1, nil
}

var errHandLeft = errors.New(
	"tls: handshake buffer not empty before setting read traffic secret")

// reads13 has what is read from now on decoded with that secret.
func (c *Conn) reads13(s *suite, level QUICEncryptionLevel, secret []byte) error {
	if len(c.hand) > 0 {
		return c.give(alertUnexpectedMessage, errHandLeft)
	}
	c.in.use13(s, level, secret)
	return nil
}

func (c *Conn) renegotiate() error {
	if _, _, err := read[*helloRequestMsg](c, nil); err != nil {
		return err
	}
	may, err := c.mayRenegotiate()
	if err != nil {
		return err
	}
	if !may {
		return c.sendAlert(alertNoRenegotiation)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.complete.Store(false)
	return c.shake(func() error { return c.clientHandshake(context.Background()) })
}

// shake runs a handshake, and keeps how it has ended.
func (c *Conn) shake(run func() error) error {
	c.handshakeErr = run()
	if c.handshakeErr == nil {
		c.handshakes++
	}
	return c.handshakeErr
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
		untold = c.closeNotify()
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
	return c.closeNotify()
}

// closeNotify tells the peer once, for which it has five seconds. Whatever would be written after
// that must fail.
func (c *Conn) closeNotify() error {
	c.out.Lock()
	defer c.out.Unlock()
	if c.closeNotifySent {
		return c.closeNotifyErr
	}
	c.SetWriteDeadline(time.Now().Add(5 * time.Second))
	err := c.sendAlertLocked(alertCloseNotify)
	c.SetWriteDeadline(time.Now())
	c.closeNotifySent, c.closeNotifyErr = true, err
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
	if c.handshakeErr != nil || c.complete.Load() {
		return c.handshakeErr
	}
	return c.firstHandshake(during)
}

// firstHandshake shakes hands under both locks.
func (c *Conn) firstHandshake(ctx context.Context) error {
	c.in.Lock()
	defer c.in.Unlock()
	if c.config == nil {
		c.config = &emptyConfig
	}
	if c.shake(func() error { return c.handshake(ctx) }) != nil {
		c.flush() // An alert may not have been sent yet.
	}
	if c.quic != nil {
		return c.endQUIC()
	}
	return c.handshakeErr
}

func (c *Conn) ConnectionState() ConnectionState {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.state()
}

func (c *Conn) state() ConnectionState {
	s := ConnectionState{
		Version:                     c.vers,
		HandshakeComplete:           c.complete.Load(),
		DidResume:                   c.didResume,
		CipherSuite:                 c.suite,
		CurveID:                     c.curve,
		NegotiatedProtocol:          c.proto,
		NegotiatedProtocolIsMutual:  true,
		ServerName:                  c.serverName,
		PeerCertificates:            c.peerCertificates,
		VerifiedChains:              c.verifiedChains,
		SignedCertificateTimestamps: c.scts,
		OCSPResponse:                c.ocsp,
		HelloRetryRequest:           c.didRetry,
		ECHAccepted:                 c.echAccepted,
		LocalCertificate:            c.localCertificate,
		export:                      c.export,
	}
	if c.vers != VersionTLS13 && (!c.didResume || c.extendedMaster) {
		s.TLSUnique = c.serverFinished[:]
		if c.clientFirst {
			s.TLSUnique = c.clientFinished[:]
		}
	}
	if c.config != nil && c.config.Renegotiation != RenegotiateNever {
		s.export = noExport("renegotiation is enabled")
	} else if c.vers != VersionTLS13 && !c.extendedMaster {
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
	case !c.isClient:
		lacks = "VerifyHostname called on TLS server connection"
	case !c.complete.Load():
		lacks = "handshake has not yet been performed"
	case len(c.verifiedChains) == 0:
		lacks = "handshake did not verify certificate chain"
	default:
		return c.peerCertificates[0].VerifyHostname(host)
	}
	return errors.New("tls: " + lacks)
}
