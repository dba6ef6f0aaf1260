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
// wait hands over to the caller, who has seen that from waits, and goes on when the caller sends to
// resume. Both channels are closed at the end. So either of the two can use the events and the
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

type quicState struct {
	events []QUICEvent
	next   int

	started       bool
	resume, waits chan struct{}
	ctx           context.Context // of the handshake
	cancel        context.CancelFunc

	isDraining bool // the handshake waits until all events have been read
	isTold     bool // of the error
	came       []byte

	parameters  []byte // ours
	hasSessions bool
	conn        net.Conn
}

func QUICClient(config *QUICConfig) *QUICConn { return newQUICConn(Client, config) }
func QUICServer(config *QUICConfig) *QUICConn { return newQUICConn(Server, config) }

func newQUICConn(side func(net.Conn, *Config) *Conn, config *QUICConfig) *QUICConn {
	c := side(nil, config.TLSConfig)
	c.quic = &quicState{
		resume:      make(chan struct{}),
		waits:       make(chan struct{}),
		hasSessions: config.EnableSessionEvents,
		conn:        config.ClientHelloInfoConn,
	}
	return &QUICConn{conn: c}
}

// Start begins the handshake. It can be called once only.
func (q *QUICConn) Start(ctx context.Context) error {
	s := q.conn.quic
	if s.started {
		return quicError(errors.New("tls: Start called more than once"))
	}
	s.started = true
	go q.conn.HandshakeContext(ctx)
	if _, waits := <-s.waits; !waits {
		return q.conn.handshakeErr
	}
	return nil
}

// goOn lets the handshake run until it waits again; isOver says that it does not.
func (s *quicState) goOn() (isOver bool) {
	<-s.resume
	_, waits := <-s.waits
	return !waits
}

// NextEvent is QUICNoEvent if there is none before something else is called.
func (q *QUICConn) NextEvent() QUICEvent {
	s := q.conn.quic
	if s.next >= len(s.events) && s.isDraining {
		s.isDraining = false
		s.goOn()
	}
	if err := q.conn.handshakeErr; err != nil {
		if s.isTold {
			return QUICEvent{Kind: QUICNoEvent}
		}
		s.isTold = true
		s.events, s.next = nil, 0
		return QUICEvent{Kind: QUICErrorEvent, Err: err}
	}
	if s.next >= len(s.events) {
		s.events, s.next = s.events[:0], 0
		return QUICEvent{Kind: QUICNoEvent}
	}
	e := s.events[s.next]
	s.events[s.next] = QUICEvent{}
	s.next++
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
	return q.conn.handshakeErr
}

// HandleData takes bytes of a handshake that have come at that level.
func (q *QUICConn) HandleData(level QUICEncryptionLevel, data []byte) error {
	c := q.conn
	if c.in.level != level {
		return quicError(c.in.fail(errors.New("tls: handshake data received at wrong level")))
	}
	c.quic.came = data
	if !c.quic.goOn() {
		return nil
	}
	// The handshake is over, if not for these bytes: what it has left is read here.
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.takeCame()
	for c.handshakeErr == nil && len(c.hand) >= messageHead {
		size, long := c.messageSize(maxHandshake)
		if long == nil && len(c.hand) < size {
			return nil
		}
		if c.handshakeErr = long; long == nil {
			c.handshakeErr = c.afterHandshake()
		}
	}
	return quicError(c.handshakeErr)
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
	c := q.conn
	switch {
	case c.config.SessionTicketsDisabled:
		return nil
	case !c.complete.Load():
		return quicError(errors.New("tls: SendSessionTicket called before handshake completed"))
	case c.isClient:
		return quicError(errors.New("tls: SendSessionTicket called on the client"))
	case q.sentTicket:
		return quicError(errors.New("tls: SendSessionTicket called multiple times"))
	}
	q.sentTicket = true
	return quicError(c.sendTicket13(opts.EarlyData, opts.Extra))
}

// StoreSession keeps the session of a QUICStoreSession in the client's cache.
func (q *QUICConn) StoreSession(session *SessionState) error {
	c := q.conn
	if !c.isClient {
		return quicError(errors.New("tls: StoreSessionTicket called on the server"))
	}
	if key := c.sessionKey(); key != "" {
		c.config.ClientSessionCache.Put(key, &ClientSessionState{session})
	}
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

// quicError is an error that wraps an AlertError.
func quicError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[AlertError](err); ok {
		return err
	}
	return withAlert(err, err)
}

// withAlert has an error wrap the alert in another one, without saying so.
func withAlert(err, from error) error {
	a, ok := errors.AsType[alert](from)
	if !ok {
		a = alertInternalError
	}
	return fmt.Errorf("%w%.0w", err, AlertError(a))
}

// What the handshake calls.

func (s *quicState) add(e QUICEvent) { s.events = append(s.events, e) }

// wait hands over to the caller of a method. The lock of the handshake is free meanwhile.
func (c *Conn) wait() error {
	c.mutex.Unlock()
	defer c.mutex.Lock()
	c.quic.waits <- struct{}{}
	c.quic.resume <- struct{}{}
	if c.quic.ctx.Err() != nil {
		// The connection has been closed.
		return c.sendAlertLocked(alertCloseNotify)
	}
	c.takeCame()
	return nil
}

// readSecret is an event, as are the next ones.
func (c *Conn) readSecret(level QUICEncryptionLevel, suite uint16, secret []byte) error {
	if c.quic == nil {
		return nil
	}
	// What has come must not be taken for what comes at that level.
	if len(c.hand) > 0 {
		return c.give(alertUnexpectedMessage, errHandLeft)
	}
	c.quic.add(QUICEvent{Kind: QUICSetReadSecret, Level: level, Suite: suite, Data: secret})
	return nil
}

func (c *Conn) writeSecret(level QUICEncryptionLevel, suite uint16, secret []byte) {
	if c.quic != nil {
		c.quic.add(QUICEvent{Kind: QUICSetWriteSecret, Level: level, Suite: suite, Data: secret})
	}
}

// write adds to the data of the last event if that is of the same level.
func (s *quicState) write(level QUICEncryptionLevel, data []byte) {
	n := len(s.events) - 1
	if n < 0 || s.events[n].Kind != QUICWriteData || s.events[n].Level != level {
		s.add(QUICEvent{Kind: QUICWriteData, Level: level})
		n++
	}
	s.events[n].Data = append(s.events[n].Data, data...)
}

// resumes shows the session to the program, which can change it.
func (c *Conn) resumes(session *SessionState) error {
	if c.quic == nil || !c.quic.hasSessions {
		return nil
	}
	c.quic.add(QUICEvent{Kind: QUICResumeSession, SessionState: session})
	for c.quic.isDraining = true; c.quic.isDraining; {
		if err := c.wait(); err != nil {
			return err
		}
	}
	return nil
}

// transportParameters waits for ours.
func (c *Conn) transportParameters() ([]byte, error) {
	if c.quic.parameters == nil {
		c.quic.add(QUICEvent{Kind: QUICTransportParametersRequired})
	}
	for c.quic.parameters == nil {
		if err := c.wait(); err != nil {
			return nil, err
		}
	}
	return c.quic.parameters, nil
}

// takeParameters takes the peer's, of which there must be some for QUIC, and none else.
func (c *Conn) takeParameters(peer string, params []byte) error {
	const extension = " quic_transport_parameters extension"
	switch {
	case c.quic == nil && params != nil:
		return c.complain(alertUnsupportedExtension, "%s sent an unexpected"+extension, peer)
	case c.quic == nil:
	case params == nil:
		return c.complain(alertMissingExtension, "%s did not send a"+extension, peer)
	default:
		c.quic.add(QUICEvent{Kind: QUICTransportParameters, Data: params})
	}
	return nil
}

// endQUIC ends the handshake for the caller of methods, whose error becomes one with an alert.
func (c *Conn) endQUIC() (err error) {
	if c.handshakeErr == nil {
		c.quic.add(QUICEvent{Kind: QUICHandshakeDone})
		// What is encrypted with the last secret must not be decrypted before that.
		err = c.readSecret(QUICEncryptionLevelApplication, c.suite, c.in.secret)
		if err != nil {
			return err
		}
	} else {
		c.out.Lock()
		c.handshakeErr = withAlert(c.handshakeErr, c.out.err)
		c.out.Unlock()
	}
	close(c.quic.waits)
	close(c.quic.resume)
	return c.handshakeErr
}
