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
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	idleTimeout time.Duration

	mu    sync.Mutex
	conns map[*h2conn]struct{}
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
		h.conns[c] = struct{}{}
	} else {
		delete(h.conns, c)
	}
}

// protocols is what the server speaks.
func (s *Server) protocols() Protocols {
	if s.Protocols != nil {
		if s.Protocols.bits == 0 {
			return Protocols{protoHTTP1}
		}
		return *s.Protocols
	}
	_, has := s.TLSNextProto["h2"]
	if !has && (s.TLSNextProto != nil || godebug.Value("http2server") == "0") {
		return Protocols{protoHTTP1}
	}
	return Protocols{protoHTTP1 | protoHTTP2}
}

// prepare makes ready for HTTP/2, once, if that is spoken and the program has nothing of its own
// for it.
func (s *Server) prepare() error {
	s.prepareOnce.Do(s.prepareHTTP2)
	return s.prepareErr
}

func (s *Server) prepareHTTP2() {
	p := s.protocols()
	_, has := s.TLSNextProto["h2"]
	if has || !p.HTTP2() && !p.UnencryptedHTTP2() || godebug.Value("http2server") == "0" {
		return
	}
	if s.TLSConfig == nil {
		s.TLSConfig = &tls.Config{}
	}
	if c := s.TLSConfig; c.CipherSuites != nil && c.MinVersion < tls.VersionTLS13 &&
		!slices.Contains(c.CipherSuites, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256) &&
		!slices.Contains(c.CipherSuites, tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256) {
		s.prepareErr = errors.New("http2: TLSConfig.CipherSuites is missing an HTTP/2-required " +
			"AES_128_GCM_SHA256 cipher (need at least one of " +
			"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)")
		return
	}
	h := &h2server{idleTimeout: s.idleTimeout(), conns: make(map[*h2conn]struct{})}
	s.RegisterOnShutdown(h.shutdown)
	if s.TLSNextProto == nil {
		s.TLSNextProto = make(map[string]func(*Server, *tls.Conn, Handler))
	}
	// Programs look for it, but it is not called.
	s.TLSNextProto["h2"] = func(_ *Server, c *tls.Conn, _ Handler) { c.Close() }
	s.h2 = h
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

// The states of a stream. One that is promised begins half closed.
const (
	streamOpen = iota
	// We have sent all.
	streamHalfLocal
	// The other side has.
	streamHalfRemote
	streamClosed
)

// h2stream is a request and its answer.
type h2stream struct {
	h2half
	conn   *h2conn
	ctx    context.Context
	cancel context.CancelFunc
	state  int
	// The request has a body; what comes behind it has come.
	hasBody, sawTrailer bool
	// The head of the answer has been sent; the client waits to be told that it may send the body.
	wroteHead, needsContinue bool
	// How much of the body has come, and how much is to come, −1 if that is not known.
	got, length int64
	// Fields behind the body, and those of the request, which has announced them.
	trailer, announced    Header
	readTimer, writeTimer *time.Timer
	// Closed, and set before, when the stream is closed.
	closed   chan struct{}
	closeErr error
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
	idleTimer     *time.Timer
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
	c.state.Store(uint64(time.Now().Unix()<<8) | uint64(StateActive))
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

func (c *h2conn) setState(state ConnState) {
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
	c.setState(StateActive)
	c.setState(StateIdle)
	c.mu.Lock()
	if d := c.h2.idleTimeout; d > 0 {
		c.idleTimer = time.AfterFunc(d, func() {
			c.locked(func() { c.goAway(http2.NoError) })
		})
		defer c.idleTimer.Stop()
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
	c.mu.Lock()
	c.isOver, c.mute = true, true
	for _, st := range c.streams {
		c.closeStream(st, errClientGone)
	}
	if c.shutdownTimer != nil {
		c.shutdownTimer.Stop()
	}
	c.room.Broadcast()
	c.mu.Unlock()
	c.conn.Close()
}

// ping asks whether the client is still there.
func (c *h2conn) ping() {
	c.locked(func() {
		if c.pinged {
			c.server.logf("timeout waiting for PING response")
			if f := c.config.CountError; f != nil {
				f("conn_close_lost_ping")
			}
			go c.conn.Close()
			return
		}
		if left := c.config.SendPingTimeout - time.Since(c.lastFrame); left > 0 {
			c.pingTimer.Reset(left)
			return
		}
		c.pinged = true
		rand.Read(c.pingData[:])
		c.control(http2.AppendPing(c.out, false, c.pingData[:]))
		c.pingTimer.Reset(c.config.PingTimeout)
	})
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

// process is false if the connection is to be closed at once.
func (c *h2conn) process(f *http2.Frame, err error) bool {
	isRead := err == nil
	switch {
	case err == http2.ErrFrameTooLarge:
		c.goAway(http2.FrameSizeError)
		return true
	case !isRead && isGone(err):
		return false
	case isRead:
		if err = c.processFrame(f); err == nil {
			return true
		}
	}
	switch e := err.(type) {
	case http2.StreamError:
		c.reset(e)
		return true
	case http2.ConnectionError:
		if f != nil {
			c.lastID = max(c.lastID, f.StreamID)
		}
		c.server.logf("http2: server connection error from %v: %v", c.conn.RemoteAddr(), e)
		c.goAway(http2.ErrCode(e))
		return true
	}
	if err == errWindowTooLarge {
		c.goAway(http2.FlowControlError)
		return true
	}
	if isRead {
		c.server.logf("http2: server closing client connection: %v", err)
	}
	return false
}

func (c *h2conn) processFrame(f *http2.Frame) error {
	if !c.sawSettings {
		if f.Type != http2.Settings {
			return c.wrongConn("first_settings", http2.ProtocolError)
		}
		c.sawSettings = true
	}
	// What is of streams that will not be handled is not listened to.
	if c.goesAway && (c.goAwayCode != http2.NoError || f.StreamID > c.lastID) {
		if f.Type == http2.Data {
			if !c.in.Take(f.Length) {
				return c.wrongStream("data_flow", f.StreamID, http2.FlowControlError)
			}
			c.consumed(nil, int(f.Length))
		}
		return nil
	}
	switch f.Type {
	case http2.Settings:
		return c.processSettings(f)
	case http2.Headers:
		return c.processHeaders(f)
	case http2.WindowUpdate:
		return c.processWindow(f)
	case http2.Ping:
		if !f.Has(http2.Ack) {
			c.control(http2.AppendPing(c.out, true, f.Data))
		} else if c.pinged && string(f.Data) == string(c.pingData[:]) {
			c.pinged = false
			c.pingTimer.Reset(c.config.SendPingTimeout)
		}
	case http2.Data:
		return c.processData(f)
	case http2.RSTStream:
		st, isIdle := c.stream(f.StreamID)
		if isIdle {
			return c.wrongConn("reset_idle_stream", http2.ProtocolError)
		}
		if st != nil {
			c.closeStream(st, http2.StreamError{StreamID: f.StreamID, Code: f.Code})
		}
	case http2.Priority:
		return c.checkPriority(f)
	case http2.GoAway:
		if f.Code != http2.NoError {
			c.server.logf("http2: received GOAWAY [FrameHeader GOAWAY len=%d], "+
				"starting graceful shutdown", f.Length)
		}
		c.goAway(http2.NoError)
		c.pushes = false
	case http2.PushPromise:
		return c.wrongConn("push_promise", http2.ProtocolError)
	case http2.PriorityUpdate:
		return c.processRank(f)
	}
	return nil
}

// stream finds a stream; without one, isIdle says that there has been none yet.
func (c *h2conn) stream(id uint32) (st *h2stream, isIdle bool) {
	if st = c.streams[id]; st != nil {
		return st, false
	}
	if id%2 == 1 {
		return nil, id > c.lastID
	}
	return nil, id > c.lastPushed
}

func (c *h2conn) checkPriority(f *http2.Frame) error {
	if f.Other == f.StreamID {
		return c.wrongStream("priority", f.StreamID, http2.ProtocolError)
	}
	return nil
}

// usualRank is the priority of a stream that says nothing. Who does not know of priorities has its
// streams share what there is.
func usualRank(knows bool) http2.Rank { return http2.Rank{Urgency: 3, Incremental: !knows} }

func (c *h2conn) processRank(f *http2.Frame) error {
	c.knowsRanks = true
	if c.server.DisableClientPriority {
		return nil
	}
	rank, ok := http2.ParseRank(f.Text, usualRank(true))
	if !ok {
		return c.wrongStream("unparsable_priority_update", f.Other, http2.ProtocolError)
	}
	if st := c.streams[f.Other]; st != nil {
		st.rank = rank
	} else {
		c.rankedID, c.ranked = f.Other, rank
	}
	return nil
}

// rankOf reads the priority of a new stream.
func (c *h2conn) rankOf(f *http2.Frame) http2.Rank {
	if c.server.DisableClientPriority {
		return usualRank(false)
	}
	rank := usualRank(c.knowsRanks && !c.hasProxy)
	if !c.hasProxy {
		text := ""
		for _, field := range f.Fields {
			switch field.Name {
			case "priority":
				text = field.Value
				c.knowsRanks = true
			case "via", "forwarded", "x-forwarded-for":
				c.hasProxy = true
			}
		}
		rank, _ = http2.ParseRank(text, usualRank(c.knowsRanks && !c.hasProxy))
	}
	if c.rankedID == f.StreamID {
		c.rankedID = 0
		rank = c.ranked
	}
	return rank
}

func (c *h2conn) processSettings(f *http2.Frame) error {
	if f.Has(http2.Ack) {
		if c.unacked--; c.unacked < 0 {
			return c.wrongConn("ack_mystery", http2.ProtocolError)
		}
		return nil
	}
	if len(f.Settings) > 100 || f.SameSettings() {
		return c.wrongConn("settings_big_or_dups", http2.ProtocolError)
	}
	for _, s := range f.Settings {
		if err := s.Valid(); err != nil {
			return err
		}
		switch s.ID {
		case http2.HeaderTableSize:
			c.encoder.Resize(s.Val)
		case http2.EnablePush:
			c.pushes = s.Val != 0
		case http2.MaxConcurrentStreams:
			c.maxPushed = s.Val
		case http2.InitialWindowSize:
			c.window.Resize(s.Val)
		case http2.MaxFrameSize:
			c.maxFrame = int(s.Val)
		case http2.NoOldPriorities:
			if s.Val > 1 {
				return http2.ConnectionError(http2.ProtocolError)
			}
		}
	}
	c.control(http2.AppendSettingsAck(c.out))
	c.pumpAll()
	return nil
}

// pumpAll is pump, and looks for windows that have become too large.
func (c *h2conn) pumpAll() {
	c.pump()
	if c.window.Bad {
		c.goAway(http2.FlowControlError)
	}
}

func (c *h2conn) processWindow(f *http2.Frame) error {
	if f.StreamID == 0 {
		if !c.window.Add(f.Other) {
			return errWindowTooLarge
		}
		c.pumpAll()
		return nil
	}
	st, isIdle := c.stream(f.StreamID)
	switch {
	case isIdle:
		return c.wrongConn("stream_idle", http2.ProtocolError)
	case st == nil:
		return nil
	case !st.window.Add(&c.window, f.Other):
		if c.window.Bad {
			return c.wrongConn("bad_flow", http2.FlowControlError)
		}
		return c.wrongStream("bad_flow", f.StreamID, http2.FlowControlError)
	}
	c.pumpAll()
	return nil
}

func (c *h2conn) processData(f *http2.Frame) error {
	id := f.StreamID
	st, isIdle := c.stream(id)
	if isIdle {
		return c.wrongConn("data_on_idle", http2.ProtocolError)
	}
	isClosed := st == nil || st.state != streamOpen || st.sawTrailer
	isTooMuch := !isClosed && st.length != -1 && st.got+int64(len(f.Data)) > st.length
	if isClosed || isTooMuch {
		// Nobody will read it.
		if !c.in.Take(f.Length) {
			return c.wrongStream("data_flow", id, http2.FlowControlError)
		}
		c.consumed(nil, int(f.Length))
		if isClosed {
			return c.wrongStream("closed", id, http2.StreamClosed)
		}
		st.body.end(fmt.Errorf(
			"sender tried to send more than declared Content-Length of %d bytes", st.length), nil)
		return c.wrongStream("send_too_much", id, http2.ProtocolError)
	}
	if f.Length > 0 {
		if !http2.TakeBoth(&c.in, &st.in, f.Length) {
			return c.wrongStream("flow_on_data_length", id, http2.FlowControlError)
		}
		if len(f.Data) > 0 {
			st.got += int64(len(f.Data))
			if st.body.put(f.Data) != nil {
				// The handler has closed the body: the stream gets no more room.
				c.consumed(nil, int(f.Length))
				return nil
			}
			st.cond.Broadcast()
		}
		c.consumed(&st.h2half, int(f.Length)-len(f.Data))
	}
	if f.Has(http2.EndStream) {
		st.endIn()
	}
	return nil
}

// endIn says that the body is whole.
func (st *h2stream) endIn() {
	if st.length != -1 && st.length != st.got {
		st.body.end(fmt.Errorf(
			"request declared a Content-Length of %d but only wrote %d bytes",
			st.length, st.got), nil)
	} else {
		st.body.end(io.EOF, func() {
			for name, values := range st.trailer {
				if _, ok := st.announced[name]; ok {
					st.announced[name] = values
				}
			}
		})
	}
	st.state = streamHalfRemote
	st.cond.Broadcast()
}

func (c *h2conn) processHeaders(f *http2.Frame) error {
	id := f.StreamID
	if id%2 != 1 {
		return c.wrongConn("headers_even", http2.ProtocolError)
	}
	if st := c.streams[id]; st != nil {
		if st.state == streamHalfRemote {
			return c.wrongStream("headers_half_closed", id, http2.StreamClosed)
		}
		return st.processTrailer(f)
	}
	if id <= c.lastID {
		return c.wrongConn("stream_went_down", http2.ProtocolError)
	}
	c.lastID = id
	if c.idleTimer != nil {
		c.idleTimer.Stop()
	}
	if c.opened+1 > c.config.MaxConcurrentStreams {
		if c.unacked == 0 {
			return c.wrongStream("over_max_streams", id, http2.ProtocolError)
		}
		// The client may not know of the limit yet.
		return c.wrongStream("over_max_streams_race", id, http2.RefusedStream)
	}
	st := c.newStream(id, c.rankOf(f))
	if f.Has(http2.EndStream) {
		st.state = streamHalfRemote
	}
	if f.Has(http2.HasPriority) {
		if err := c.checkPriority(f); err != nil {
			return err
		}
	}
	r, err := c.newRequest(st, f)
	if err != nil {
		return err
	}
	handler := c.server.serveHTTP
	if f.Truncated {
		handler = headerTooLong
	} else if err := checkRequestHeader(r.Header); err != nil {
		handler = func(w ResponseWriter, _ *Request) {
			Error(w, err.Error(), StatusBadRequest)
		}
	}
	if d := c.server.ReadTimeout; d > 0 {
		st.readTimer = time.AfterFunc(d, st.readTimeout)
	}
	return c.schedule(st, r, handler)
}

// schedule starts a handler, or keeps the request until another one is done.
func (c *h2conn) schedule(st *h2stream, r *Request, handler HandlerFunc) error {
	w := newAnswer(st, r)
	if c.handlers < c.config.MaxConcurrentStreams {
		c.handlers++
		go c.handle(w, handler)
		return nil
	}
	if len(c.unstarted) > 4*c.config.MaxConcurrentStreams {
		return c.wrongConn("too_many_early_resets", http2.EnhanceYourCalm)
	}
	c.unstarted = append(c.unstarted, func() bool {
		if st.state == streamClosed {
			// Nobody waits for it any more.
			st.discard()
			return true
		}
		if c.handlers >= c.config.MaxConcurrentStreams {
			return false
		}
		c.handlers++
		go c.handle(w, handler)
		return true
	})
	return nil
}

// discard closes the body: what is unread does not count any more.
func (st *h2stream) discard() {
	if st.hasBody && st.body.broken == nil {
		st.body.drop(errBodyClosed)
		st.cond.Broadcast()
		if n := st.body.size(); n > 0 {
			st.conn.consumed(nil, n)
		}
	}
}

// handle calls the handler, in a goroutine of its own.
func (c *h2conn) handle(w *h2answer, handler HandlerFunc) {
	panicked := true
	defer func() {
		st := w.stream
		var e any
		if panicked {
			e = recover()
		}
		st.cancel()
		if w.r.MultipartForm != nil {
			w.r.MultipartForm.RemoveAll()
		}
		c.locked(st.discard)
		if !panicked {
			w.finish()
		} else {
			c.locked(func() {
				if st.state != streamClosed {
					c.control(http2.AppendReset(c.out, st.id, http2.InternalError))
					c.closeStream(st, errHandlerPanicked)
				}
			})
			if e != nil && e != ErrAbortHandler {
				stack := make([]byte, 64<<10)
				stack = stack[:runtime.Stack(stack, false)]
				c.server.logf("http2: panic serving %v: %v\n%s", c.conn.RemoteAddr(), e, stack)
			}
		}
		c.locked(func() {
			c.handlers--
			for len(c.unstarted) > 0 && c.unstarted[0]() {
				c.unstarted = c.unstarted[1:]
			}
		})
	}()
	handler(w, w.r)
	panicked = false
}

func headerTooLong(w ResponseWriter, _ *Request) {
	w.WriteHeader(StatusRequestHeaderFieldsTooLarge)
	io.WriteString(w, "<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>")
}

var connectionFields = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade",
}

// checkRequestHeader refuses fields that are of a connection, for which HTTP/2 has no use.
func checkRequestHeader(h Header) error {
	for _, name := range connectionFields {
		if _, ok := h[name]; ok {
			return fmt.Errorf("request header %q is not valid in HTTP/2", name)
		}
	}
	te := h["Te"]
	if len(te) > 1 || len(te) == 1 && te[0] != "trailers" && te[0] != "" {
		return errors.New(`request header "TE" may only be "trailers" in HTTP/2`)
	}
	return nil
}

func (st *h2stream) processTrailer(f *http2.Frame) error {
	c := st.conn
	wrong := func(name string) error { return c.wrongStream(name, st.id, http2.ProtocolError) }
	if st.sawTrailer {
		return c.wrongConn("dup_trailers", http2.ProtocolError)
	}
	st.sawTrailer = true
	switch {
	case !f.Has(http2.EndStream):
		return wrong("trailers_not_ended")
	case len(f.Fields) > 0 && f.Fields[0].IsPseudo():
		return wrong("trailers_pseudo")
	case f.Truncated:
		return wrong("trailers_too_large")
	}
	if st.announced != nil {
		st.trailer = make(Header)
		for _, field := range f.Regular() {
			name := CanonicalHeaderKey(field.Name)
			if !isTrailer(name) {
				return wrong("trailers_bogus")
			}
			st.trailer[name] = append(st.trailer[name], field.Value)
		}
	}
	st.endIn()
	return nil
}

func (c *h2conn) newStream(id uint32, rank http2.Rank) *h2stream {
	st := &h2stream{conn: c, length: -1, closed: make(chan struct{})}
	st.init(&c.h2link, id, c.config.MaxReceiveBufferPerStream)
	st.rank = rank
	st.ctx, st.cancel = context.WithCancel(c.ctx)
	if d := c.server.WriteTimeout; d > 0 {
		st.writeTimer = time.AfterFunc(d, st.writeTimeout)
	}
	c.streams[id] = st
	if st.isPushed() {
		c.pushed++
	} else {
		c.opened++
	}
	if c.opened+c.pushed == 1 {
		c.setState(StateActive)
	}
	return st
}

func (st *h2stream) isPushed() bool { return st.id%2 == 0 }

// reset ends a stream, of which nothing need be known.
func (c *h2conn) reset(e http2.StreamError) {
	if c.mute {
		return
	}
	c.control(http2.AppendReset(c.out, e.StreamID, e.Code))
	if st := c.streams[e.StreamID]; st != nil {
		c.closeStream(st, e)
	}
}

// endOut is called when all of an answer has been sent.
func (c *h2conn) endOut(st *h2stream) {
	switch st.state {
	case streamOpen:
		// The client need not send what is left of its request.
		st.state = streamHalfLocal
		c.reset(http2.StreamError{StreamID: st.id, Code: http2.NoError})
	case streamHalfRemote:
		c.closeStream(st, errHandlerComplete)
	}
}

func (c *h2conn) closeStream(st *h2stream, err error) {
	if st.state == streamClosed {
		return
	}
	st.state = streamClosed
	for _, timer := range []*time.Timer{st.readTimer, st.writeTimer} {
		if timer != nil {
			timer.Stop()
		}
	}
	if st.isPushed() {
		c.pushed--
	} else {
		c.opened--
	}
	delete(c.streams, st.id)
	if len(c.streams) == 0 {
		c.setState(StateIdle)
		if d := c.h2.idleTimeout; d > 0 && c.idleTimer != nil && !c.isOver {
			c.idleTimer.Reset(d)
		}
		if !c.server.keepsAlive() {
			c.goAway(http2.NoError)
		}
	}
	st.body.end(err, nil)
	if e, ok := err.(http2.StreamError); ok {
		if err = errStreamClosed; e.Cause != nil {
			err = e.Cause
		}
	}
	st.closeErr = err
	st.cancel()
	close(st.closed)
	c.giveUp(&st.h2half)
	c.room.Broadcast()
	c.settle()
}

func (st *h2stream) readTimeout() {
	st.conn.locked(func() {
		if st.hasBody {
			st.body.end(fmt.Errorf("%w", os.ErrDeadlineExceeded), nil)
			st.cond.Broadcast()
		}
	})
}

func (st *h2stream) writeTimeout() {
	st.conn.locked(func() {
		st.conn.reset(http2.StreamError{
			StreamID: st.id, Code: http2.InternalError, Cause: os.ErrDeadlineExceeded,
		})
	})
}

// extendsConnect says whether CONNECT may name a protocol, such as that of WebSockets. RFC 8441.
func extendsConnect() bool { return godebug.Value("http2xconnect") == "1" }

// newRequest makes the request of a header.
func (c *h2conn) newRequest(st *h2stream, f *http2.Frame) (*Request, error) {
	wrong := func(name string) error { return c.wrongStream(name, st.id, http2.ProtocolError) }
	method, scheme, path := f.Pseudo("method"), f.Pseudo("scheme"), f.Pseudo("path")
	host, protocol := f.Pseudo("authority"), f.Pseudo("protocol")
	switch {
	case protocol != "" && !extendsConnect():
		return nil, wrong("bad_connect")
	case method == MethodConnect:
		if protocol == "" && (path != "" || scheme != "" || host == "") {
			return nil, wrong("bad_connect")
		}
	case method == "" || path == "" || scheme != "https" && scheme != "http":
		return nil, wrong("bad_path_method")
	}
	header := make(Header)
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		header[name] = append(header[name], field.Value)
	}
	if host == "" {
		host = header.Get("Host")
	}
	if protocol != "" {
		header.Set(":protocol", protocol)
	}
	r, why := c.requestOf(st, method, scheme, host, path, protocol, header)
	if why != "" {
		return nil, wrong(why)
	}
	isOpen := st.state == streamOpen
	if lengths, ok := header["Content-Length"]; ok {
		if n, err := strconv.ParseUint(lengths[0], 10, 63); err == nil {
			r.ContentLength = int64(n)
		}
		if !isOpen && r.ContentLength != 0 {
			return nil, wrong("bodyless_content_length")
		}
		for _, again := range lengths[1:] {
			if again != lengths[0] {
				return nil, wrong("duplicate_content_length")
			}
		}
		header["Content-Length"] = lengths[:1]
	} else if isOpen {
		r.ContentLength = -1
	}
	st.hasBody, st.body.isOpen = isOpen, isOpen
	st.length = r.ContentLength
	return r, nil
}

// requestOf makes a request; why says what is wrong with it.
func (c *h2conn) requestOf(
	st *h2stream, method, scheme, host, path, protocol string, header Header,
) (r *Request, why string) {
	if st.needsContinue = listHas(header["Expect"], "100-continue"); st.needsContinue {
		delete(header, "Expect")
	}
	if cookies := header["Cookie"]; len(cookies) > 1 {
		header["Cookie"] = []string{strings.Join(cookies, "; ")}
	}
	for _, list := range header["Trailer"] {
		for name := range strings.SplitSeq(list, ",") {
			name = CanonicalHeaderKey(strings.Trim(name, " \t"))
			switch name {
			case "Transfer-Encoding", "Trailer", "Content-Length":
				continue
			}
			if st.announced == nil {
				st.announced = make(Header)
			}
			st.announced[name] = nil
		}
	}
	delete(header, "Trailer")
	if strings.Contains(host, "@") && (scheme == "http" || scheme == "https") {
		return nil, "userinfo_in_authority"
	}
	u, uri := &url.URL{Host: host}, host
	if method != MethodConnect || protocol != "" {
		if path == "" || path[0] != '/' && path != "*" {
			return nil, "bad_path"
		}
		var err error
		if u, err = url.ParseRequestURI(path); err != nil {
			return nil, "bad_path"
		}
		uri = path
	}
	return &Request{
		ctx:        st.ctx,
		Method:     method,
		URL:        u,
		Proto:      "HTTP/2.0",
		ProtoMajor: 2,
		Header:     header,
		RequestURI: uri,
		Trailer:    st.announced,
		Body:       &h2body{stream: st},
		Host:       host,
		RemoteAddr: c.remote,
		TLS:        c.tls,
	}, ""
}

// h2body is the body of a request.
type h2body struct {
	stream *h2stream
	sawEnd bool
}

func (b *h2body) Read(p []byte) (n int, err error) {
	st := b.stream
	c := st.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if st.needsContinue {
		st.needsContinue = false
		if !st.wroteHead && st.state != streamClosed && !c.mute {
			c.encode(http2.Field{Name: ":status", Value: "100"})
			c.out = http2.AppendHeaders(c.out, st.id, c.block, false, http2.StartFrame)
			c.flush()
		}
	}
	if !st.hasBody || b.sawEnd {
		return 0, io.EOF
	}
	n, err = st.read(p)
	b.sawEnd = err == io.EOF
	if n > 0 && !c.isOver {
		if st.state == streamHalfRemote || st.state == streamClosed {
			c.consumed(nil, n)
		} else {
			c.consumed(&st.h2half, n)
		}
	}
	return n, err
}

func (b *h2body) Close() error {
	b.stream.conn.locked(b.stream.discard)
	return nil
}
