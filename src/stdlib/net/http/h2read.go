package http

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/internal/http2"
	"time"
)

// What a client makes of the frames that come.

// readAll reads frames until the connection ends.
func (c *h2client) readAll() {
	err := c.read()
	c.mu.Lock()
	if c.idleAlarm != nil {
		c.idleAlarm.Stop()
	}
	err = c.endedBy(err)
	c.isClosed, c.mute = true, true
	if !c.lingers() {
		// The list of connections has a lock of its own, which comes first.
		c.mu.Unlock()
		c.t.drop(c)
		c.mu.Lock()
	}
	for _, x := range c.streams {
		if !x.sawEnd {
			x.abort(err)
		}
	}
	c.room.Broadcast()
	c.mu.Unlock()
	close(c.readDone)
	c.closeConn()
}

// endedBy is what requests are told of the end, if reading has ended with err.
func (c *h2client) endedBy(err error) error {
	if c.writeErr != nil && errors.Is(err, net.ErrClosed) {
		// The connection was closed because it could not be written to: that is the cause.
		err = c.writeErr
	}
	c.readErr = err
	isEnd := err == io.EOF
	op, isNet := err.(*net.OpError)
	switch {
	case c.goAway != nil && (isEnd || isNet && op.Op == "read"):
		return *c.goAway
	case isEnd:
		return io.ErrUnexpectedEOF
	}
	return err
}

// lingers says whether the connection stays in the list for a while: no request has had it, and the
// first one is to be told what is wrong.
func (c *h2client) lingers() bool {
	wait := 5 * time.Second
	if c.idleTime > 0 {
		wait = min(c.idleTime, wait)
	}
	wait -= time.Since(c.lastActive)
	if c.isUsed || c.closedIdle || wait <= 0 {
		return false
	}
	c.idleAlarm = time.AfterFunc(wait, func() { c.t.drop(c) })
	return true
}

func (c *h2client) read() error {
	var health *time.Timer
	d := c.config.SendPingTimeout
	if d != 0 {
		health = time.AfterFunc(d, c.checkHealth)
		defer health.Stop()
	}
	for isFirst := true; ; {
		f, err := c.reader.Read()
		if health != nil {
			health.Reset(d)
		}
		if e, ok := err.(http2.StreamError); ok {
			c.mu.Lock()
			if x := c.stream(e.StreamID, false); x != nil {
				x.fail(e)
			}
			c.mu.Unlock()
			continue
		}
		if err != nil {
			c.countRead(err)
			return err
		}
		if isFirst && f.Type != http2.Settings {
			log.Printf("protocol error: received %s before a SETTINGS frame", f.Name())
			return http2.ConnectionError(http2.ProtocolError)
		}
		isFirst = false
		if f.Type == http2.Headers {
			err = c.processHeaders(f)
		} else {
			c.mu.Lock()
			err = c.process(f)
			c.mu.Unlock()
		}
		if err != nil {
			return err
		}
	}
}

// countRead tells the program why reading has ended.
func (c *h2client) countRead(err error) {
	e, isConns := err.(http2.ConnectionError)
	switch {
	case isConns:
		c.count("read_frame_conn_error_" + http2.ErrCode(e).Token())
	case errors.Is(err, io.EOF):
		c.count("read_frame_eof")
	case errors.Is(err, io.ErrUnexpectedEOF):
		c.count("read_frame_unexpected_eof")
	case errors.Is(err, http2.ErrFrameTooLarge):
		c.count("read_frame_too_large")
	default:
		c.count("read_frame_other")
	}
}

// stream finds a stream that listens.
func (c *h2client) stream(id uint32, isMessage bool) *h2exchange {
	if isMessage {
		c.noPings = false
	}
	c.readSince = c.nextID
	if x := c.streams[id]; x != nil && !x.ignores {
		return x
	}
	return nil
}

// fail ends a stream for what has come.
func (x *h2exchange) fail(err error) {
	x.ignores = true
	x.abort(err)
}

func (x *h2exchange) failProtocol(cause error) {
	x.fail(http2.StreamError{StreamID: x.id, Code: http2.ProtocolError, Cause: cause})
}

// process processes all frames but those of headers. The lock is held.
func (c *h2client) process(f *http2.Frame) error {
	switch f.Type {
	case http2.Data:
		return c.processData(f)
	case http2.GoAway:
		return c.processGoAway(f)
	case http2.RSTStream:
		x := c.stream(f.StreamID, false)
		if x == nil {
			return nil
		}
		err := http2.StreamError{StreamID: x.id, Code: f.Code, Cause: http2.ErrFromPeer}
		if f.Code == http2.ProtocolError {
			c.noReuse = true
		}
		c.count("recv_rststream_" + f.Code.Token())
		x.body.end(err, nil)
		x.abort(err)
	case http2.Settings:
		return c.processSettings(f)
	case http2.PushPromise:
		return http2.ConnectionError(http2.ProtocolError)
	case http2.WindowUpdate:
		return c.processWindow(f)
	case http2.Ping:
		c.processPing(f)
	default:
		log.Printf("Transport: unhandled response frame type %s", f.Name())
	}
	return nil
}

func (c *h2client) processPing(f *http2.Frame) {
	if !f.Has(http2.Ack) {
		c.control(http2.AppendPing(c.out, true, f.Data))
		return
	}
	data := [8]byte(f.Data)
	if answered := c.pings[data]; answered != nil {
		close(answered)
		delete(c.pings, data)
	}
	if c.resets > 0 {
		c.resets = 0
		c.noPings = true
		c.room.Broadcast()
	}
	c.changed()
}

func (c *h2client) processGoAway(f *http2.Frame) error {
	// The list of connections has a lock of its own, which comes first.
	go c.t.drop(c)
	if f.Code != http2.NoError {
		c.count("recv_goaway_" + f.Code.Token())
	}
	e := &http2.GoAwayError{LastStreamID: f.Other, ErrCode: f.Code, DebugData: string(f.Data)}
	if old := c.goAway; old != nil {
		if old.DebugData != "" {
			e.DebugData = old.DebugData
		}
		if old.ErrCode != http2.NoError {
			e.ErrCode = old.ErrCode
		}
	}
	c.goAway = e
	if len(c.streams) == 0 {
		return errH2StopReading
	}
	for id, x := range c.streams {
		switch {
		case id <= f.Other:
			// It will be answered, or not.
		case id == 1 && e.ErrCode != http2.NoError:
			// Another connection would not do better.
			x.abort(fmt.Errorf(
				"http2: Transport received GOAWAY from server ErrCode:%v", e.ErrCode))
		default:
			x.abort(errH2GotGoAway)
		}
	}
	return nil
}

func (c *h2client) processSettings(f *http2.Frame) error {
	defer c.changed()
	if f.Has(http2.Ack) {
		if !c.wantsAck {
			return http2.ConnectionError(http2.ProtocolError)
		}
		c.wantsAck = false
		return nil
	}
	saysStreams := false
	for _, s := range f.Settings {
		if bad := s.Valid(); bad != nil {
			return bad
		}
		switch s.ID {
		case http2.MaxFrameSize:
			c.maxFrame = int(s.Val)
		case http2.MaxConcurrentStreams:
			c.maxStreams = int(s.Val)
			saysStreams = true
		case http2.MaxHeaderListSize:
			c.maxHeader = uint64(s.Val)
		case http2.InitialWindowSize:
			c.window.Resize(s.Val)
		case http2.HeaderTableSize:
			c.encoder.Resize(s.Val)
		case http2.EnableConnectProtocol:
			if !c.sawSettings {
				c.extends = s.Val == 1
			}
		}
	}
	if !c.sawSettings {
		if !saysStreams {
			c.maxStreams = 1000
		}
		c.sawSettings = true
		close(c.settingsSeen)
	}
	c.control(http2.AppendSettingsAck(c.out))
	c.pumpAll()
	return nil
}

// pumpAll is pump, and tells those who wait of windows that have become too large.
func (c *h2client) pumpAll() {
	c.pump()
	if c.window.Bad {
		for len(c.waiting) > 0 {
			c.giveUp(c.waiting[0])
		}
	}
	c.room.Broadcast()
}

func (c *h2client) processWindow(f *http2.Frame) error {
	var x *h2exchange
	isGood := false
	if f.StreamID == 0 {
		isGood = c.window.Add(f.Other)
	} else if x = c.stream(f.StreamID, false); x != nil {
		isGood = x.window.Add(&c.window, f.Other)
	} else {
		return nil
	}
	switch {
	case isGood:
		c.pumpAll()
	case c.window.Bad:
		return http2.ConnectionError(http2.FlowControlError)
	default:
		x.fail(http2.StreamError{StreamID: x.id, Code: http2.FlowControlError})
	}
	return nil
}

func (c *h2client) processData(f *http2.Frame) error {
	x := c.stream(f.StreamID, true)
	if x == nil {
		if f.StreamID >= c.nextID {
			log.Printf("http2: Transport received unsolicited DATA frame; closing connection")
			return http2.ConnectionError(http2.ProtocolError)
		}
		// Of a request that has been given up.
		if f.Length > 0 {
			if !c.in.Take(f.Length) {
				return http2.ConnectionError(http2.FlowControlError)
			}
			c.consumed(nil, int(f.Length))
		}
		return nil
	}
	wrong := ""
	switch {
	case x.sawEnd:
		wrong = "received DATA after END_STREAM"
	case !x.sawHead:
		wrong = "received DATA before a HEADERS frame"
	case x.isHead && len(f.Data) > 0:
		wrong = "received DATA on a HEAD request"
	}
	if wrong != "" {
		log.Printf("protocol error: %s", wrong)
		x.failProtocol(nil)
		return nil
	}
	if f.Length > 0 {
		if !http2.TakeBoth(&c.in, &x.in, f.Length) {
			return http2.ConnectionError(http2.FlowControlError)
		}
		if len(f.Data) > 0 {
			if err := x.body.put(f.Data); err != nil {
				c.consumed(nil, int(f.Length))
				x.fail(err)
				return nil
			}
			x.cond.Broadcast()
		}
		c.consumed(&x.h2half, int(f.Length)-len(f.Data))
	}
	if f.Has(http2.EndStream) {
		x.end()
	}
	return nil
}

// end notes that all of the answer has come.
func (x *h2exchange) end() {
	if x.sawEnd {
		return
	}
	x.sawEnd = true
	x.body.end(io.EOF, func() {
		for name, values := range x.trailer {
			if x.resp.Trailer == nil {
				x.resp.Trailer = make(Header)
			}
			x.resp.Trailer[name] = values
		}
	})
	x.cond.Broadcast()
	if !x.uploads {
		x.finish(nil)
	}
}
