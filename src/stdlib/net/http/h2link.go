package http

import (
	"errors"
	"math"
	"net"
	"net/http/internal/http2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// What the two ends of a connection of HTTP/2 have in common. A link has frames that are to be
// written, and streams whose data wait until the other side has room for them. Its lock guards both
// and all that belongs to its streams; nobody who holds it waits for the network: a goroutine of
// its own writes the frames, and is there as long as there are some.

// linkRoom is how many bytes may wait to be written before those who write wait, too.
const linkRoom = 64 << 10

// h2link is one end of a connection.
type h2link struct {
	conn net.Conn
	// If not 0, something must go within that time.
	byteTimeout time.Duration

	mu sync.Mutex
	// Tells of room in out, and of whatever else those who write may wait for.
	room sync.Cond
	// What is to be written, and a buffer for what comes next.
	out, spare []byte
	// In out, the frames that are of no stream.
	controls int
	writing  bool
	// Closed when nothing is being written any more, if somebody waits for it.
	quiet chan struct{}
	// Nothing may be said any more.
	mute     bool
	writeErr error

	encoder *http2.Encoder
	block   []byte
	// How long a frame of ours may be, and what may be sent and received.
	maxFrame int
	window   http2.ConnWindow
	in       http2.InWindow
	// Streams with data, in the order of their turns.
	waiting     []*h2half
	incremental bool
	// onEnd is called when the last data of a stream have got into out.
	onEnd func(s *h2half)
}

// h2half is what streams of both ends have.
type h2half struct {
	link *h2link
	id   uint32
	// Tells that data have come, or gone, or that the stream has ended.
	cond   sync.Cond
	window http2.OutWindow
	in     http2.InWindow
	rank   http2.Rank
	// What is being sent, whether it is the last, and whether it will not be sent after all.
	data                []byte
	ends, waits, isLost bool
	body                h2inbox
}

func (l *h2link) init(c net.Conn, config *HTTP2Config) {
	l.conn = c
	l.byteTimeout = config.WriteByteTimeout
	l.room.L = &l.mu
	l.maxFrame = http2.StartFrame
	l.window = http2.NewConnWindow()
	l.encoder = http2.NewEncoder(uint32(config.MaxEncoderHeaderTableSize))
}

func (s *h2half) init(l *h2link, id uint32, window int) {
	s.link, s.id = l, id
	s.cond.L = &l.mu
	s.in = http2.NewInWindow(int32(window))
	s.rank = http2.Rank{Urgency: 3, Incremental: true}
}

// control makes out, which is l.out with a frame more, what is written; the frame is of no stream, or
// ends one.
func (l *h2link) control(out []byte) {
	if !l.mute {
		l.out = out
		l.controls++
		l.flush()
	}
}

// flush has written what is there. The lock is held.
func (l *h2link) flush() {
	if !l.writing && len(l.out) > 0 && l.writeErr == nil {
		l.writing = true
		go l.write()
	}
}

func (l *h2link) write() {
	l.mu.Lock()
	for len(l.out) > 0 && l.writeErr == nil {
		p := l.out
		l.out, l.spare = l.spare[:0], nil
		l.controls = 0
		l.mu.Unlock()
		err := l.writeAll(p)
		l.mu.Lock()
		if cap(p) <= 4*linkRoom {
			l.spare = p
		}
		l.writeErr = err
		l.pump()
		l.room.Broadcast()
	}
	l.writing = false
	if l.quiet != nil {
		close(l.quiet)
		l.quiet = nil
	}
	failed := l.writeErr != nil
	l.mu.Unlock()
	if failed {
		l.conn.Close()
	}
}

// writeAll writes all of p. If there is a limit for that, it begins anew whenever something has been
// written.
func (l *h2link) writeAll(p []byte) (err error) {
	limit := l.byteTimeout
	if limit > 0 {
		defer l.conn.SetWriteDeadline(time.Time{})
	}
	for isLate := true; isLate; {
		if limit > 0 {
			l.conn.SetWriteDeadline(time.Now().Add(limit))
		}
		var n int
		n, err = l.conn.Write(p)
		p = p[n:]
		isLate = limit > 0 && n > 0 && len(p) > 0 && errors.Is(err, os.ErrDeadlineExceeded)
	}
	return err
}

// drain waits until all is written, but not long. The lock is not held.
func (l *h2link) drain() {
	quiet := holding(&l.mu, func() chan struct{} {
		if l.writing && l.quiet == nil {
			l.quiet = make(chan struct{})
		}
		return l.quiet
	})
	if quiet != nil {
		within(quiet, 250*time.Millisecond)
	}
}

// send puts data to those that wait, and waits until they have been taken, or given up: why says
// what for. The lock is held, but not while it waits.
func (l *h2link) send(s *h2half, data []byte, ends bool, why func() error) error {
	if err := why(); err != nil {
		return err
	}
	s.data, s.ends, s.waits, s.isLost = data, ends, true, false
	l.waiting = append(l.waiting, s)
	l.pump()
	for s.waits {
		s.cond.Wait()
	}
	if s.isLost {
		return why()
	}
	return nil
}

// giveUp drops the data of a stream that wait.
func (l *h2link) giveUp(s *h2half) {
	if s.waits {
		s.waits, s.isLost, s.data = false, true, nil
		l.waiting = slices.DeleteFunc(l.waiting, func(w *h2half) bool { return w == s })
	}
	s.cond.Broadcast()
}

// pump takes data of those that wait, as much as there is room for. The lock is held.
func (l *h2link) pump() {
	for len(l.out) < linkRoom && !l.mute && len(l.waiting) > 0 {
		i := l.next()
		if i < 0 {
			break
		}
		s := l.waiting[i]
		n := 0
		if len(s.data) > 0 {
			n = min(len(s.data), int(s.window.Left(&l.window)), l.maxFrame)
			s.window.Take(&l.window, int32(n))
		}
		isLast := n == len(s.data)
		l.out = http2.AppendData(l.out, s.id, s.data[:n], s.ends && isLast)
		s.data = s.data[n:]
		switch {
		case isLast:
			l.waiting = slices.Delete(l.waiting, i, i+1)
			s.waits, s.data = false, nil
			if s.ends && l.onEnd != nil {
				l.onEnd(s)
			}
			s.cond.Broadcast()
		case s.rank.Incremental:
			// The others come first.
			l.waiting = append(slices.Delete(l.waiting, i, i+1), s)
		}
	}
	l.flush()
}

// next says whose turn it is; −1 if nobody can send.
func (l *h2link) next() int {
	best, least := -1, math.MaxInt
	l.incremental = !l.incremental
	for i, s := range l.waiting {
		if len(s.data) > 0 && s.window.Left(&l.window) <= 0 {
			continue
		}
		// Of the same urgency, those that share and those that do not take turns.
		score := 2 * s.rank.Urgency
		if s.rank.Incremental != l.incremental {
			score++
		}
		if score < least {
			best, least = i, score
		}
	}
	return best
}

// awaitRoom waits until what is to be written is not too much, or stop gives an error. The lock is
// held, but not while it waits.
func (l *h2link) awaitRoom(stop func() error) error {
	for {
		if err := stop(); err != nil {
			return err
		}
		if len(l.out) <= linkRoom && !l.mute {
			return nil
		}
		l.room.Wait()
	}
}

// consumed tells the other side that n bytes more may come: over the connection and, unless it is
// nil, the stream.
func (l *h2link) consumed(s *h2half, n int) {
	if tell := l.in.Add(n); tell > 0 {
		l.control(http2.AppendWindow(l.out, 0, tell))
	}
	if s != nil {
		if tell := s.in.Add(n); tell > 0 && !l.mute {
			l.out = http2.AppendWindow(l.out, s.id, tell)
			l.flush()
		}
	}
}

// encode begins a block anew.
func (l *h2link) encode(fields ...http2.Field) {
	l.block = l.block[:0]
	for _, f := range fields {
		l.block = l.encoder.Append(l.block, f.Name, f.Value)
	}
}

// h2inbox has what has come of a body, and not been read. The lock of the link guards it.
type h2inbox struct {
	buf []byte
	off int
	// It takes bytes.
	isOpen bool
	// What is read behind them, and what is called before; and what is read at once, in their place.
	err    error
	atEnd  func()
	broken error
	// What was there when it was broken.
	unread int
}

func (b *h2inbox) size() int {
	if b.broken != nil {
		return b.unread
	}
	return len(b.buf) - b.off
}

func (b *h2inbox) put(p []byte) error {
	switch {
	case b.err != nil || b.broken != nil:
		return errors.New("write on closed buffer")
	case !b.isOpen:
		return errors.New("write on uninitialized buffer")
	}
	if b.off > 0 && (b.off == len(b.buf) || len(b.buf)+len(p) > cap(b.buf)) {
		b.buf = b.buf[:copy(b.buf, b.buf[b.off:])]
		b.off = 0
	}
	b.buf = append(b.buf, p...)
	return nil
}

// end has err read behind what is there; the first one counts.
func (b *h2inbox) end(err error, atEnd func()) {
	if b.err == nil {
		b.err, b.atEnd = err, atEnd
	}
}

// drop has err read at once.
func (b *h2inbox) drop(err error) {
	if b.broken == nil {
		b.unread = len(b.buf) - b.off
		b.broken, b.buf, b.off, b.atEnd = err, nil, 0, nil
	}
}

// read waits for bytes, or an error. The lock of the link is held, but not while it waits.
func (s *h2half) read(p []byte) (n int, err error) {
	b := &s.body
	for {
		switch {
		case b.broken != nil:
			return 0, b.broken
		case b.off < len(b.buf):
			n = copy(p, b.buf[b.off:])
			b.off += n
			return n, nil
		case b.err != nil:
			if f := b.atEnd; f != nil {
				b.atEnd = nil
				f()
			}
			b.buf, b.off = nil, 0
			return 0, b.err
		}
		s.cond.Wait()
	}
}

// h2config fills in what a configuration leaves open.
func h2config(given *HTTP2Config, isServer bool) *HTTP2Config {
	c := new(HTTP2Config)
	if given != nil {
		*c = *given
	}
	set := func(n *int, least, most, usual int) {
		if *n < least || *n > most {
			*n = usual
		}
	}
	ofConn, ofStream := 1<<30, 4<<20
	if isServer {
		ofConn, ofStream = 1<<20, 1<<20
	}
	set(&c.MaxConcurrentStreams, 1, math.MaxInt32, 250)
	set(&c.MaxEncoderHeaderTableSize, 1, math.MaxInt32, http2.StartTable)
	set(&c.MaxDecoderHeaderTableSize, 1, math.MaxInt32, http2.StartTable)
	set(&c.MaxReceiveBufferPerConnection, http2.StartWindow, math.MaxInt32, ofConn)
	set(&c.MaxReceiveBufferPerStream, 1, math.MaxInt32, ofStream)
	set(&c.MaxReadFrameSize, http2.StartFrame, http2.MaxFrame, 1<<20)
	if c.PingTimeout < 1 {
		c.PingTimeout = 15 * time.Second
	}
	return c
}

// h2list is how long a header may be for HTTP/2, which counts some more for each field, where
// HTTP/1 allows it n bytes.
func h2list(n int64) int64 { return n + 10*32 }

// lowerName is the name of a field as HTTP/2 has it; it is false if the name is not ASCII that can
// be printed.
func lowerName(name string) (string, bool) {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' {
			return "", false
		}
	}
	return strings.ToLower(name), true
}
