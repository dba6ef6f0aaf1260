package http

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http/internal/http2"
	"time"
)

// A client's end of a connection of HTTP/2, over which many requests go at the same time. A
// goroutine reads frames; a request with a body has a goroutine that sends it, and sees to the end
// of the stream. Other requests end by what comes: nobody waits for them but the caller.

var (
	errH2ConnClosed     = errors.New("http2: client conn is closed")
	errH2ConnUnusable   = errors.New("http2: client conn not usable")
	errH2NotEstablished = errors.New("http2: client conn could not be established")
	errH2GotGoAway      = errors.New(
		"http2: Transport received Server's graceful shutdown GOAWAY")
	errH2ForceClosed  = errors.New("http2: client connection force closed via ClientConn.Close")
	errH2Lost         = errors.New("http2: client connection lost")
	errH2StopBody     = errors.New("http2: aborting request body write")
	errH2BodyTooLong  = errors.New("http2: request body larger than specified content length")
	errH2AnswerClosed = errors.New("http2: response body closed")
	errH2AnswerHeader = errors.New(
		"http2: response header list larger than advertised limit")
	errH2RequestHeader = errors.New("request header list larger than peer's advertised limit")
	errH2NoExtended    = errors.New("net/http: extended connect not supported by peer")
	errH2ReadAtOnce    = errors.New("http2: concurrent read on response body")
	errH2Timeout       = &h2timeout{}

	// errH2StopReading ends the reading without an error.
	errH2StopReading = errors.New("client connection is closing")
)

type h2timeout struct{}

func (*h2timeout) Error() string   { return "http2: timeout awaiting response headers" }
func (*h2timeout) Timeout() bool   { return true }
func (*h2timeout) Temporary() bool { return true }

// h2client is a client's end of a connection.
type h2client struct {
	h2link
	t      *h2transport
	config *HTTP2Config
	tls    *tls.ConnectionState
	reader *http2.Reader

	streams map[uint32]*h2exchange
	nextID  uint32
	// Requests that have been promised a place, and that wait for one.
	reserved, pending int
	// A request has had it; GetConn of a trace has been called for it.
	isUsed, toldGetConn bool
	// For one request only; for those that there are; a GOAWAY has been said by us; it is closed,
	// for want of requests.
	singleUse, noReuse, closing, isClosed, closedIdle bool
	// The other side's GOAWAY.
	goAway *http2.GoAwayError
	// Of the first settings.
	sawSettings  bool
	settingsSeen chan struct{}
	wantsAck     bool
	// What the server allows: streams at a time, bytes of a header, and protocols in CONNECT.
	maxStreams int
	maxHeader  uint64
	extends    bool
	// Requests wait for a place, in place of going over another connection.
	isStrict bool
	pings    map[[8]byte]chan struct{}
	// Streams that we have ended, which count until the server has shown that it is there; not
	// every server wants to be asked for that.
	resets    int
	noPings   bool
	readSince uint32
	idleTime  time.Duration
	idleAlarm *time.Timer
	// When a request last began or ended, and when the last one did.
	lastActive, lastIdle time.Time
	// Closed, and set before, when nothing is read any more.
	readDone chan struct{}
	readErr  error
	// Called when there may be more, or less, places.
	onChange func()
}

// newClient begins to speak over a connection; onChange may be nil. If that fails, it closes the
// connection.
func (t *h2transport) newClient(
	nc net.Conn, singleUse bool, onChange func(),
) (*h2client, error) {
	config := h2config(t.t.HTTP2, false)
	c := &h2client{
		t:            t,
		config:       config,
		streams:      make(map[uint32]*h2exchange),
		nextID:       1,
		singleUse:    singleUse,
		isStrict:     config.StrictMaxConcurrentRequests,
		settingsSeen: make(chan struct{}),
		wantsAck:     true,
		maxStreams:   100,
		maxHeader:    math.MaxUint64,
		pings:        make(map[[8]byte]chan struct{}),
		lastActive:   time.Now(),
		idleTime:     t.t.IdleConnTimeout,
		readDone:     make(chan struct{}),
		onChange:     onChange,
	}
	c.init(nc, config)
	c.in = http2.NewInWindow(
		int32(min(config.MaxReceiveBufferPerConnection+http2.StartWindow, math.MaxInt32)))
	table := uint32(config.MaxDecoderHeaderTableSize)
	c.reader = http2.NewReader(bufio.NewReader(nc), uint32(config.MaxReadFrameSize), table)
	c.reader.Count = config.CountError
	c.reader.MaxList = t.maxList()
	if s, ok := nc.(interface{ ConnectionState() tls.ConnectionState }); ok {
		state := s.ConnectionState()
		c.tls = &state
	}
	settings := []http2.Setting{
		{ID: http2.EnablePush, Val: 0},
		{ID: http2.InitialWindowSize, Val: uint32(config.MaxReceiveBufferPerStream)},
		{ID: http2.MaxFrameSize, Val: uint32(config.MaxReadFrameSize)},
	}
	if n := t.maxList(); n != 0 {
		settings = append(settings, http2.Setting{ID: http2.MaxHeaderListSize, Val: n})
	}
	if table != http2.StartTable {
		settings = append(settings, http2.Setting{ID: http2.HeaderTableSize, Val: table})
	}
	hello := http2.AppendSettings([]byte(http2.Preface), settings...)
	hello = http2.AppendWindow(hello, 0, uint32(config.MaxReceiveBufferPerConnection))
	if err := c.writeAll(hello); err != nil {
		nc.Close()
		return nil, err
	}
	if c.idleTime != 0 {
		c.idleAlarm = time.AfterFunc(c.idleTime, c.closeIfIdle)
	}
	go c.readAll()
	return c, nil
}

func (c *h2client) count(what string) {
	if f := c.config.CountError; f != nil {
		f(what)
	}
}

// canTake says whether another request may begin; it may have to wait. The lock is held.
func (c *h2client) canTake() bool {
	switch {
	case c.singleUse && c.nextID > 1:
		return false
	case c.nextID == 1 && c.reserved == 0 && c.isClosed && !c.closedIdle:
		// So that a request is told why it cannot be used.
		return true
	}
	return (c.isStrict || c.taken() < c.maxStreams) && c.isUsable()
}

func (c *h2client) isUsable() bool {
	isOld := c.idleTime != 0 && !c.lastIdle.IsZero() &&
		time.Since(c.lastIdle.Round(0)) > c.idleTime
	return c.goAway == nil && !c.isClosed && !c.closing && !c.noReuse && !isOld &&
		int64(c.nextID)+2*int64(c.pending) < math.MaxInt32
}

// taken is how many places are taken.
func (c *h2client) taken() int { return len(c.streams) + c.reserved + c.resets }

// reserve takes a place for a request, which gives it back when it begins.
func (c *h2client) reserve() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.canTake() {
		return false
	}
	c.reserved++
	return true
}

func (c *h2client) changed() {
	if c.onChange != nil {
		go c.onChange()
	}
}

// closeConn closes the connection below, when what is there has been written; TLS would say so
// first, and may wait for that.
func (c *h2client) closeConn() {
	c.drain()
	timer := time.AfterFunc(250*time.Millisecond, func() {
		if t, ok := c.conn.(*tls.Conn); ok {
			t.NetConn().Close()
		}
	})
	defer timer.Stop()
	c.conn.Close()
	c.changed()
}

func (c *h2client) closeIfIdle() {
	isIdle := holding(&c.mu, func() bool {
		if len(c.streams) > 0 || c.reserved > 0 {
			return false
		}
		c.isClosed, c.closedIdle = true, true
		return true
	})
	if isIdle {
		c.closeConn()
	}
}

// closeFor ends all requests with an error. The lock is held.
func (c *h2client) closeFor(err error) {
	c.isClosed = true
	for _, x := range c.streams {
		x.abort(err)
	}
	c.room.Broadcast()
	go c.closeConn()
}

// goAwayAndClose says why before. The lock is held.
func (c *h2client) goAwayAndClose(code http2.ErrCode) {
	wasClosed := c.isClosed
	c.closing, c.isClosed = true, true
	if wasClosed {
		return
	}
	c.count("conn_close_error_" + code.Token())
	c.control(http2.AppendGoAway(c.out, 0, code, ""))
	go func() {
		c.drain()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.closeFor(fmt.Errorf("http2: closing connection with %v", code))
	}()
}

// ping waits for the answer to a ping.
func (c *h2client) ping(ctx context.Context) error {
	var data [8]byte
	rand.Read(data[:])
	answered := make(chan struct{})
	c.mu.Lock()
	c.pings[data] = answered
	c.control(http2.AppendPing(c.out, false, data[:]))
	c.mu.Unlock()
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.readDone:
		return c.readErr
	}
}

// checkHealth closes the connection if the server does not answer.
func (c *h2client) checkHealth() {
	soon, cancel := context.WithTimeout(context.Background(), c.config.PingTimeout)
	err := c.ping(soon)
	if cancel(); err == nil {
		return
	}
	c.count("conn_close_lost_ping")
	c.mu.Lock()
	c.closeFor(errH2Lost)
	c.mu.Unlock()
}
