package http

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"math"
	"net"
	"net/http/internal/http2"
	"slices"
	"sync"
	"time"
)

// A server's end of a connection of HTTP/2. The goroutine that serves the connection reads frames;
// each request has a goroutine of its own.

const (
	prefaceTimeout  = 10 * time.Second
	settingsTimeout = 2 * time.Second
	// The connection stays so long behind a GOAWAY, for that to be read.
	goAwayTimeout = time.Second
	// More frames of no stream may not wait: the other side does not read, but has us answer.
	maxControls = 10000
)

// What ends streams, and why there is no push.
var (
	errClientGone      = errors.New("client disconnected")
	errBodyClosed      = errors.New("body closed by handler")
	errHandlerComplete = errors.New("http2: request body closed due to handler exiting")
	errHandlerPanicked = errors.New("http2: handler panicked")
	errStreamClosed    = errors.New("http2: stream closed")
	errWindowTooLarge  = errors.New("connection exceeded flow control window size")
	errRecursivePush   = errors.New("http2: recursive push not allowed")
	errPushLimit       = errors.New(
		"http2: push would exceed peer's SETTINGS_MAX_CONCURRENT_STREAMS")
)

// h2server is what a server needs for HTTP/2.
type h2server struct {
	idleLimit time.Duration

	mu    sync.Mutex
	conns set[*h2conn]
}

// shutdown has all connections end when they are idle.
func (h *h2server) shutdown() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		c.startShutdown()
	}
}

func (h *h2server) track(c *h2conn, is bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if is {
		h.conns.add(c)
	} else {
		delete(h.conns, c)
	}
}

// protocols is what the server speaks: what it was told to, or both, if nothing was said against it.
func (s *Server) protocols() Protocols {
	set := Protocols{withHTTP1}
	if s.Protocols != nil {
		if *s.Protocols != (Protocols{}) {
			set = *s.Protocols
		}
	} else if s.hasOwnHTTP2() || s.TLSNextProto == nil && !godebug.Is("http2server", "0") {
		set.SetHTTP2(true)
	}
	return set
}

// hasOwnHTTP2 says whether the program has something of its own for HTTP/2.
func (s *Server) hasOwnHTTP2() bool {
	_, has := s.TLSNextProto["h2"]
	return has
}

// prepare makes ready for HTTP/2, once, if that is spoken and the program has nothing of its own
// for it.
func (s *Server) prepare() error {
	s.prepareOnce.Do(s.prepareHTTP2)
	return s.prepareErr
}

func (s *Server) prepareHTTP2() {
	p := s.protocols()
	speaks := p.HTTP2() || p.UnencryptedHTTP2()
	if !speaks || s.hasOwnHTTP2() || godebug.Value("http2server") == "0" {
		return
	}
	if s.TLSConfig == nil {
		s.TLSConfig = &tls.Config{}
	}
	if s.prepareErr = checkCiphers(s.TLSConfig); s.prepareErr != nil {
		return
	}
	s.h2 = &h2server{idleLimit: s.idleLimit()}
	s.RegisterOnShutdown(s.h2.shutdown)
	// Programs look for it, but it is not called.
	others := s.TLSNextProto
	if others == nil {
		others = map[string]func(*Server, *tls.Conn, Handler){}
	}
	others["h2"] = func(_ *Server, c *tls.Conn, _ Handler) { c.Close() }
	s.TLSNextProto = others
}

// neededCiphers are those of TLS 1.2 of which HTTP/2 needs one.
var neededCiphers = [...]uint16{
	tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
}

func checkCiphers(c *tls.Config) error {
	isNeeded := func(id uint16) bool { return slices.Contains(neededCiphers[:], id) }
	if c.CipherSuites == nil || c.MinVersion >= tls.VersionTLS13 || slices.ContainsFunc(c.CipherSuites, isNeeded) {
		return nil
	}
	return errors.New("http2: TLSConfig.CipherSuites is missing an HTTP/2-required " +
		"AES_128_GCM_SHA256 cipher (need at least one of " +
		"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)")
}

// prepareToServe is prepare for a listener that may or may not speak TLS: a configuration of the
// program's must name HTTP/2.
func (s *Server) prepareToServe() error {
	s.prepareOnce.Do(func() {
		c := s.TLSConfig
		if c == nil || s.protocols().UnencryptedHTTP2() || slices.Contains(c.NextProtos, "h2") {
			s.prepareHTTP2()
		}
	})
	return s.prepareErr
}

// h2conn is a server's end of a connection.
type h2conn struct {
	h2link
	server *Server
	h2     *h2server
	ctx    context.Context
	remote string
	tls    *tls.ConnectionState
	bufr   io.Reader
	reader *http2.Reader
	config *HTTP2Config

	streams map[uint32]*h2stream
	// Requests for which there was no handler yet, and how many handlers there are.
	unstarted []func() bool
	handlers  int
	// How many streams there are, by who has opened them, and the last ones.
	opened, pushed     int
	lastID, lastPushed uint32
	// Whether, and how many, the other side takes.
	pushes      bool
	maxPushed   uint32
	sawSettings bool
	// How many settings of ours have not been acknowledged.
	unacked int
	// The client knows of priorities; somebody stands between us. Which stream, that there was not
	// yet, has got a priority.
	knowsRanks, hasProxy bool
	rankedID             uint32
	ranked               http2.Rank

	// A GOAWAY has been sent.
	goesAway      bool
	goAwayCode    http2.ErrCode
	isOver        bool
	idleAlarm     *time.Timer
	shutdownTimer *time.Timer
	// When a frame came last, and the ping that asks for the next one.
	lastFrame time.Time
	pingTimer *time.Timer
	pinged    bool
	pingData  [8]byte
}

// serveHTTP2 serves a connection that speaks HTTP/2; the client's first words may have been read.
func (c *conn) serveHTTP2(ctx context.Context, sawPreface bool) {
	s := c.server
	// Shutdown is not to close it as it closes others.
	c.noteState(StateActive)
	c.conn.SetReadDeadline(time.Time{})
	c.conn.SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.bufr == nil {
		c.bufr = takeReader(c.conn)
	}
	config := h2config(s.HTTP2, true)
	h := &h2conn{
		server:    s,
		h2:        s.h2,
		ctx:       ctx,
		remote:    c.remote,
		tls:       c.tls,
		config:    config,
		bufr:      c.bufr,
		streams:   make(map[uint32]*h2stream),
		pushes:    true,
		maxPushed: math.MaxUint32,
		lastFrame: time.Now(),
	}
	h.init(c.conn, config)
	h.in = http2.NewInWindow(http2.StartWindow)
	h.onEnd = func(half *h2half) { h.endOut(h.streams[half.id]) }
	h.reader = http2.NewReader(
		c.bufr, uint32(config.MaxReadFrameSize), uint32(config.MaxDecoderHeaderTableSize))
	h.reader.Count = config.CountError
	h.reader.MaxList = h.maxList()
	h.reader.MaxFields = int(s.maxFields())
	h.h2.track(h, true)
	defer h.h2.track(h, false)
	why := ""
	switch {
	case h.tls == nil:
	case h.tls.Version < tls.VersionTLS12:
		why = "TLS version too low"
	case !config.PermitProhibitedCipherSuites && http2.IsBadCipher(h.tls.CipherSuite):
		why = fmt.Sprintf("Prohibited TLS 1.2 Cipher Suite: %x", h.tls.CipherSuite)
	}
	if why != "" {
		c.conn.Write(http2.AppendGoAway(nil, 0, http2.InadequateSecurity, why))
		return
	}
	h.serve(sawPreface)
}

func (c *h2conn) maxList() uint32 {
	n := c.server.MaxHeaderBytes
	if n <= 0 {
		n = DefaultMaxHeaderBytes
	}
	return uint32(h2list(int64(n)))
}

func (c *h2conn) tellState(state ConnState) {
	if f := c.server.ConnState; f != nil {
		f(c.conn, state)
	}
}

// locked calls f with the lock, unless the connection is over.
func (c *h2conn) locked(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isOver {
		f()
	}
}

// settle ends the connection some time behind a GOAWAY.
func (c *h2conn) settle() {
	if !c.goesAway || c.shutdownTimer != nil || c.isOver {
		return
	}
	if c.goAwayCode != http2.NoError || len(c.streams) == 0 {
		c.shutdownTimer = time.AfterFunc(goAwayTimeout, func() { c.conn.Close() })
	}
}

func (c *h2conn) serve(sawPreface bool) {
	defer c.end()
	settings := []http2.Setting{
		{ID: http2.MaxFrameSize, Val: uint32(c.config.MaxReadFrameSize)},
		{ID: http2.MaxConcurrentStreams, Val: uint32(c.config.MaxConcurrentStreams)},
		{ID: http2.MaxHeaderListSize, Val: c.maxList()},
		{ID: http2.HeaderTableSize, Val: uint32(c.config.MaxDecoderHeaderTableSize)},
		{ID: http2.InitialWindowSize, Val: uint32(c.config.MaxReceiveBufferPerStream)},
	}
	if extendsConnect() {
		settings = append(settings, http2.Setting{ID: http2.EnableConnectProtocol, Val: 1})
	}
	settings = append(settings, http2.Setting{ID: http2.NoOldPriorities, Val: 1})
	c.mu.Lock()
	c.unacked++
	c.out = http2.AppendSettings(c.out, settings...)
	if more := c.config.MaxReceiveBufferPerConnection - http2.StartWindow; more > 0 {
		c.consumed(nil, more)
	}
	c.flush()
	c.mu.Unlock()

	if !sawPreface && !c.readPreface() {
		return
	}
	c.tellState(StateActive)
	c.tellState(StateIdle)
	c.mu.Lock()
	if d := c.h2.idleLimit; d > 0 {
		c.idleAlarm = time.AfterFunc(d, func() {
			c.locked(func() { c.goAway(http2.NoError) })
		})
		defer c.idleAlarm.Stop()
	}
	if d := c.config.SendPingTimeout; d > 0 {
		c.pingTimer = time.AfterFunc(d, c.ping)
		defer c.pingTimer.Stop()
	}
	c.mu.Unlock()
	timer := time.AfterFunc(settingsTimeout, func() {
		c.server.logf("timeout waiting for SETTINGS frames from %v", c.conn.RemoteAddr())
		c.conn.Close()
	})
	defer timer.Stop()
	for {
		f, err := c.reader.Read()
		timer.Stop()
		c.mu.Lock()
		c.lastFrame = time.Now()
		goesOn := c.process(f, err) && c.controls <= maxControls
		c.mu.Unlock()
		if !goesOn {
			return
		}
		if _, isStreams := err.(http2.StreamError); err != nil && !isStreams {
			// A GOAWAY says so; the connection is kept until that has been read.
			time.Sleep(goAwayTimeout)
			return
		}
	}
}

// readPreface is false if the client says something else than it must.
func (c *h2conn) readPreface() bool {
	timer := time.AfterFunc(prefaceTimeout, func() { c.conn.Close() })
	defer timer.Stop()
	begin := make([]byte, len(http2.Preface))
	_, err := io.ReadFull(c.bufr, begin)
	if err == nil && string(begin) != http2.Preface {
		err = fmt.Errorf("bogus greeting %q", begin)
	}
	if err != nil && !isGone(err) {
		c.server.logf("http2: server: error reading preface from client %v: %v",
			c.conn.RemoteAddr(), err)
	}
	return err == nil
}

func isGone(err error) bool {
	return err == io.EOF || err == io.ErrUnexpectedEOF || errors.Is(err, net.ErrClosed)
}

// end ends the connection with all its streams.
func (c *h2conn) end() {
	c.drain()
	c.abandon()
	c.conn.Close()
}

// abandon has nothing happen any more.
func (c *h2conn) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mute, c.isOver = true, true
	if t := c.shutdownTimer; t != nil {
		t.Stop()
	}
	for _, st := range c.streams {
		c.closeStream(st, errClientGone)
	}
	c.room.Broadcast()
}

// ping asks whether the client is still there, if nothing has come for some time.
func (c *h2conn) ping() {
	c.locked(func() {
		rest := c.config.SendPingTimeout - time.Since(c.lastFrame)
		switch {
		case c.pinged:
			c.notThere()
		case rest > 0:
			c.pingTimer.Reset(rest)
		default:
			c.pinged = true
			rand.Read(c.pingData[:])
			c.control(http2.AppendPing(c.out, false, c.pingData[:]))
			c.pingTimer.Reset(c.config.PingTimeout)
		}
	})
}

// notThere ends a connection whose client has not answered.
func (c *h2conn) notThere() {
	c.server.logf("timeout waiting for PING response")
	if count := c.config.CountError; count != nil {
		count("conn_close_lost_ping")
	}
	go c.conn.Close()
}

// startShutdown has the connection end when all requests are answered.
func (c *h2conn) startShutdown() {
	c.locked(func() { c.goAway(http2.NoError) })
}

// goAway says that no new streams are taken; with an error, that nothing is.
func (c *h2conn) goAway(code http2.ErrCode) {
	if c.goesAway {
		if c.goAwayCode == http2.NoError {
			c.goAwayCode = code
			c.mute = code != http2.NoError
			c.settle()
		}
		return
	}
	c.goesAway = true
	c.goAwayCode = code
	if !c.mute {
		c.out = http2.AppendGoAway(c.out, c.lastID, code, "")
		c.flush()
	}
	c.mute = c.mute || code != http2.NoError
	c.settle()
}

// wrong tells the program of an error, by name.
func (c *h2conn) wrong(name string, err error) error {
	if f := c.config.CountError; f != nil {
		kind, code := "stream", http2.NoError
		switch e := err.(type) {
		case http2.ConnectionError:
			kind, code = "conn", http2.ErrCode(e)
		case http2.StreamError:
			code = e.Code
		}
		f(kind + "_" + code.Token() + "_" + name)
	}
	return err
}

func (c *h2conn) wrongConn(name string, code http2.ErrCode) error {
	return c.wrong(name, http2.ConnectionError(code))
}

func (c *h2conn) wrongStream(name string, id uint32, code http2.ErrCode) error {
	return c.wrong(name, http2.StreamError{StreamID: id, Code: code})
}
