package http

import (
	"fmt"
	"io"
	"net/http/internal/http2"
	"time"
)

// What a server makes of the frames that come. The lock of the connection is held all the time.

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
		if bad := s.Valid(); bad != nil {
			return bad
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

// processHeaders takes a request, or what comes behind the body of one.
func (c *h2conn) processHeaders(f *http2.Frame) error {
	if st := c.streams[f.StreamID]; st != nil && f.StreamID%2 == 1 {
		if st.state == streamHalfRemote {
			return c.wrongStream("headers_half_closed", st.id, http2.StreamClosed)
		}
		return st.processTrailer(f)
	}
	if err := c.admit(f.StreamID); err != nil {
		return err
	}
	st := c.newStream(f.StreamID, c.rankOf(f))
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
	if limit := c.server.ReadTimeout; limit > 0 {
		st.readTimer = time.AfterFunc(limit, st.readTimeout)
	}
	return c.schedule(st, r, c.handlerFor(r, f))
}

// admit says why a client may not begin such a stream.
func (c *h2conn) admit(id uint32) error {
	switch {
	case id%2 == 0:
		return c.wrongConn("headers_even", http2.ProtocolError)
	case id <= c.lastID:
		return c.wrongConn("stream_went_down", http2.ProtocolError)
	}
	c.lastID = id
	if c.idleAlarm != nil {
		c.idleAlarm.Stop()
	}
	switch isFull := c.opened >= c.config.MaxConcurrentStreams; {
	case isFull && c.unacked > 0:
		// The client may not know of the limit yet.
		return c.wrongStream("over_max_streams_race", id, http2.RefusedStream)
	case isFull:
		return c.wrongStream("over_max_streams", id, http2.ProtocolError)
	}
	return nil
}

// handlerFor is the server's handler, or one that says what is wrong with the header.
func (c *h2conn) handlerFor(r *Request, f *http2.Frame) HandlerFunc {
	if f.Truncated {
		return headerTooLong
	}
	if err := checkRequestHeader(r.Header); err != nil {
		return func(w ResponseWriter, _ *Request) { Error(w, err.Error(), StatusBadRequest) }
	}
	return c.server.serveHTTP
}

func (st *h2stream) processTrailer(f *http2.Frame) error {
	if st.sawTrailer {
		return st.conn.wrongConn("dup_trailers", http2.ProtocolError)
	}
	st.sawTrailer = true
	if flaw := st.takeTrailer(f); flaw != "" {
		return st.conn.wrongStream("trailers_"+flaw, st.id, http2.ProtocolError)
	}
	st.endIn()
	return nil
}

// takeTrailer keeps the fields behind a body, if any were announced, and says what is wrong.
func (st *h2stream) takeTrailer(f *http2.Frame) (flaw string) {
	switch {
	case !f.Has(http2.EndStream):
		return "not_ended"
	case len(f.Fields) > 0 && f.Fields[0].IsPseudo():
		return "pseudo"
	case f.Truncated:
		return "too_large"
	case st.announced == nil:
		return ""
	}
	st.trailer = make(Header)
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		if !isTrailer(name) {
			return "bogus"
		}
		st.trailer[name] = append(st.trailer[name], field.Value)
	}
	return ""
}
