package tls

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// Handshakes for QUIC, which carries their messages and encrypts by itself. RFC 9001.
//
// A handshake runs in a goroutine of its own, and takes turns with the one that calls the methods:
// waitFor hands over to the caller, who has seen that from waits, and goes on when the caller reads
// from resume. Both channels are closed at the end. So either of the two can use the events and the
// bytes that have come, without a lock.

type QUICEncryptionLevel int

const (
	QUICEncryptionLevelInitial QUICEncryptionLevel = iota
	QUICEncryptionLevelEarly
	QUICEncryptionLevelHandshake
	QUICEncryptionLevelApplication
)

func (l QUICEncryptionLevel) String() string {
	names := []string{"Initial", "Early", "Handshake", "Application"}
	if l < 0 || int(l) >= len(names) {
		return fmt.Sprintf("QUICEncryptionLevel(%v)", int(l))
	}
	return names[l]
}

// A QUICConn is a connection that something else carries. Its methods must not run at once.
type QUICConn struct {
	conn       *Conn
	sentTicket bool
}

type QUICConfig struct {
	TLSConfig *Config
	// EnableSessionEvents has sessions that can be resumed, or kept, be events.
	EnableSessionEvents bool
	// ClientHelloInfoConn is what a ClientHelloInfo has as Conn.
	ClientHelloInfoConn net.Conn
}

type QUICEventKind int

const (
	QUICNoEvent QUICEventKind = iota
	// Level, Suite and Data, which is the secret, are set.
	QUICSetReadSecret
	QUICSetWriteSecret
	// Level and Data.
	QUICWriteData
	// Data is the peer's, which are authenticated at the end of the handshake.
	QUICTransportParameters
	// The handshake goes on after SetTransportParameters.
	QUICTransportParametersRequired
	QUICRejectedEarlyData
	QUICHandshakeDone
	// SessionState, which can be changed until the next call of NextEvent, is set.
	QUICResumeSession
	// SessionState is for StoreSession.
	QUICStoreSession
	// Err.
	QUICErrorEvent
)

type QUICEvent struct {
	Kind         QUICEventKind
	Level        QUICEncryptionLevel
	Data         []byte
	Suite        uint16
	SessionState *SessionState
	Err          error
}

type carrier struct {
	events []QUICEvent
	next   int
	turns

	started bool
	ctx     context.Context // of the handshake
	cancel  context.CancelFunc

	isDraining bool // the handshake waits until all events have been read
	isTold     bool // of the error
	came       []byte

	parameters  []byte // ours
	hasSessions bool
	conn        net.Conn
}

func QUICClient(config *QUICConfig) *QUICConn { return carried(Client, config) }
func QUICServer(config *QUICConfig) *QUICConn { return carried(Server, config) }

func carried(side func(net.Conn, *Config) *Conn, config *QUICConfig) *QUICConn {
	q := &QUICConn{conn: side(nil, config.TLSConfig)}
	q.conn.quic = &carrier{
		turns: turns{make(chan struct{}), make(chan struct{})},
		conn:  config.ClientHelloInfoConn, hasSessions: config.EnableSessionEvents,
	}
	return q
}

// Start begins the handshake. It can be called once only.
func (q *QUICConn) Start(ctx context.Context) error {
	s := q.conn.quic
	wasStarted := s.started
	if s.started = true; wasStarted {
		return withItsAlert(errors.New("tls: Start called more than once"))
	}
	go q.conn.HandshakeContext(ctx)
	if isOver := s.begin(); isOver {
		return q.conn.outcome
	}
	return nil
}

// misuse says how SendSessionTicket must not be called now, "" if it may be.
func (q *QUICConn) misuse() string {
	switch {
	case q.sentTicket:
		return "multiple times"
	case q.conn.asClient:
		return "on the client"
	}
	return ""
}

// NextEvent is QUICNoEvent if there is none before something else is called.
func (q *QUICConn) NextEvent() QUICEvent {
	s := q.conn.quic
	if s.isDraining && s.next == len(s.events) {
		s.isDraining = false
		s.goOn()
	}
	failed := q.conn.outcome
	switch {
	case failed == nil:
		return s.pop()
	case s.isTold:
		return QUICEvent{}
	}
	s.isTold, s.events, s.next = true, nil, 0
	return QUICEvent{Kind: QUICErrorEvent, Err: failed}
}

// pop is the next event, which is forgotten; it is zero if there is none.
func (s *carrier) pop() (e QUICEvent) {
	if s.next < len(s.events) {
		e, s.events[s.next] = s.events[s.next], e
		s.next++
	} else {
		s.events, s.next = s.events[:0], 0
	}
	return e
}

// Close ends the handshake if it still runs.
func (q *QUICConn) Close() error {
	s := q.conn.quic
	if s.ctx == nil {
		return nil
	}
	s.cancel()
	for isOver := false; !isOver; {
		isOver = s.goOn()
	}
	return q.conn.outcome
}

// HandleData takes bytes of a handshake that have come at that level.
func (q *QUICConn) HandleData(level QUICEncryptionLevel, data []byte) error {
	c := q.conn
	if level != c.in.level {
		return withItsAlert(c.in.fail(errors.New("tls: handshake data received at wrong level")))
	}
	c.quic.came = data
	if !c.quic.goOn() {
		return nil
	}
	// The handshake is over, if not for these bytes: what it has left is read here.
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.takeCame()
	for c.outcome == nil && len(c.hand) >= messageHead {
		size, long := c.messageSize(mostMessage)
		if long == nil && len(c.hand) < size {
			return nil
		}
		if c.outcome = long; long == nil {
			c.outcome = c.afterHandshake()
		}
	}
	return withItsAlert(c.outcome)
}

func (c *Conn) takeCame() {
	c.hand = append(c.hand, c.quic.came...)
	c.quic.came = nil
}

type QUICSessionTicketOptions struct {
	// EarlyData says that the ticket can be used for that.
	EarlyData bool
	Extra     [][]byte
}

// SendSessionTicket sends a client its ticket, once, after the handshake.
func (q *QUICConn) SendSessionTicket(opts QUICSessionTicketOptions) error {
	c, wrongly := q.conn, q.misuse()
	if c.config.SessionTicketsDisabled {
		return nil
	}
	if !c.complete.Load() {
		wrongly = "before handshake completed"
	}
	if wrongly != "" {
		return withItsAlert(errors.New("tls: SendSessionTicket called " + wrongly))
	}
	q.sentTicket = true
	return withItsAlert(c.sendTicket13(opts.EarlyData, opts.Extra))
}

// StoreSession keeps the session of a QUICStoreSession in the client's cache.
func (q *QUICConn) StoreSession(session *SessionState) (err error) {
	if q.conn.asClient {
		q.conn.keep(session)
	} else {
		err = withItsAlert(errors.New("tls: StoreSessionTicket called on the server"))
	}
	return err
}

// waitFor hands over to the caller of a method until something is so. The lock of the handshake is
// free meanwhile.
func (c *Conn) waitFor(isSo func() bool) (err error) {
	for err == nil && !isSo() {
		c.mutex.Unlock()
		c.quic.handOver()
		if c.quic.ctx.Err() == nil {
			c.takeCame()
		} else {
			// The connection has been closed.
			err = c.raiseLocked(endOfData)
		}
		c.mutex.Lock()
	}
	return err
}

// tellSecret is an event for QUIC.
func (c *Conn) tellSecret(
	kind QUICEventKind, level QUICEncryptionLevel, suite uint16, secret []byte,
) error {
	switch {
	case c.quic == nil:
		return nil
	case kind == QUICSetReadSecret && len(c.hand) > 0:
		// What has come must not be taken for what comes at that level.
		return c.give(outOfTurn, errHandLeft)
	}
	c.quic.add(QUICEvent{Kind: kind, Level: level, Suite: suite, Data: secret})
	return nil
}

func (q *QUICConn) ConnectionState() ConnectionState { return q.conn.ConnectionState() }

// SetTransportParameters sets what the peer is told.
func (q *QUICConn) SetTransportParameters(params []byte) {
	s := q.conn.quic
	if s.parameters = params; params == nil {
		s.parameters = []byte{}
	}
	if s.started {
		s.goOn()
	}
}

// withItsAlert is an error that wraps an AlertError.
func withItsAlert(err error) error {
	if _, has := errors.AsType[AlertError](err); err == nil || has {
		return err
	}
	return withAlert(err, err)
}

// withAlert has an error wrap the alert in another one, without saying so.
func withAlert(err, from error) error {
	a, ok := errors.AsType[alert](from)
	if !ok {
		a = ownFault
	}
	return fmt.Errorf("%w%.0w", err, AlertError(a))
}

// What the handshake calls.

func (s *carrier) add(e QUICEvent) { s.events = append(s.events, e) }

// write adds to the data of the last event if that is of the same level.
func (s *carrier) write(level QUICEncryptionLevel, data []byte) {
	n := len(s.events) - 1
	if n < 0 || s.events[n].Kind != QUICWriteData || s.events[n].Level != level {
		s.add(QUICEvent{Kind: QUICWriteData, Level: level})
		n++
	}
	s.events[n].Data = append(s.events[n].Data, data...)
}

// resumes shows the session to the program, which can change it.
func (c *Conn) resumes(session *SessionState) error {
	q := c.quic
	if q == nil || !q.hasSessions {
		return nil
	}
	q.add(QUICEvent{Kind: QUICResumeSession, SessionState: session})
	q.isDraining = true
	return c.waitFor(func() bool { return !q.isDraining })
}

// ownParameters waits for ours.
func (c *Conn) ownParameters() ([]byte, error) {
	areSet := func() bool { return c.quic.parameters != nil }
	if !areSet() {
		c.quic.add(QUICEvent{Kind: QUICTransportParametersRequired})
	}
	err := c.waitFor(areSet)
	return c.quic.parameters, err
}

// takeParameters takes the peer's, of which there must be some for QUIC, and none else.
func (c *Conn) takeParameters(peer string, params []byte) error {
	const extension = " quic_transport_parameters extension"
	switch {
	case c.quic == nil && params != nil:
		return c.complain(extensionUncalled, "%s sent an unexpected"+extension, peer)
	case c.quic == nil:
	case params == nil:
		return c.complain(extensionLacking, "%s did not send a"+extension, peer)
	default:
		c.quic.add(QUICEvent{Kind: QUICTransportParameters, Data: params})
	}
	return nil
}

// endQUIC ends the handshake for the caller of methods, whose error becomes one with an alert.
func (c *Conn) endQUIC() (err error) {
	if c.outcome == nil {
		c.quic.add(QUICEvent{Kind: QUICHandshakeDone})
		// What is encrypted with the last secret must not be decrypted before that.
		err = c.tellSecret(
			QUICSetReadSecret, QUICEncryptionLevelApplication, c.suite, c.in.secret)
		if err != nil {
			return err
		}
	} else {
		c.out.Lock()
		c.outcome = withAlert(c.outcome, c.out.err)
		c.out.Unlock()
	}
	c.quic.end()
	return c.outcome
}

// turns is how the handshake and the caller of the methods take turns.
type turns struct{ resume, waits chan struct{} }

// begin lets the handshake run until it waits for the first time; isOver says that it does not.
func (t turns) begin() (isOver bool) {
	_, waits := <-t.waits
	return !waits
}

// goOn lets it run until it waits again.
func (t turns) goOn() (isOver bool) {
	<-t.resume
	return t.begin()
}

// handOver has the caller go on, until that lets the handshake run again.
func (t turns) handOver() {
	t.waits <- struct{}{}
	t.resume <- struct{}{}
}

// end is the last turn.
func (t turns) end() {
	close(t.waits)
	close(t.resume)
}
