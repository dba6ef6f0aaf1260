package http2

// Windows say how many bytes may be sent: one of the connection, and one of each stream.

const maxWindow = 1<<31 - 1

// InWindow is what the other side may send to us.
type InWindow struct {
	left int32
	// What it may send besides, which it has not been told yet.
	untold int32
}

// NewInWindow is a window of n bytes, of which the other side knows.
func NewInWindow(n int32) InWindow { return InWindow{left: n} }

// Add lets the other side send n bytes more, and gives how many it is to be told of now: it is
// told when it is worth a frame. It panics if the window becomes larger than it can be.
func (w *InWindow) Add(n int) (tell uint32) {
	whole := int64(w.left) + int64(w.untold) + int64(n)
	if whole > maxWindow {
		panic("flow control update exceeds maximum window size")
	}
	w.untold += int32(n)
	const worth = 4 << 10
	if w.untold >= min(worth, w.left) {
		tell = uint32(w.untold)
		w.left, w.untold = int32(whole), 0
	}
	return tell
}

// Take counts n bytes that have come; it is false if there were too many.
func (w *InWindow) Take(n uint32) bool {
	if n > uint32(w.left) {
		return false
	}
	w.left -= int32(n)
	return true
}

// TakeBoth is Take for two windows, of which both must have room.
func TakeBoth(a, b *InWindow, n uint32) bool {
	if n > uint32(a.left) || n > uint32(b.left) {
		return false
	}
	return a.Take(n) && b.Take(n)
}

// ConnWindow is what we may send over a connection.
type ConnWindow struct {
	left int32
	// How large the windows of its streams are at their beginning.
	start int32
	// Bad is set once a window has become larger than it can be.
	Bad bool
}

// NewConnWindow is the window of a new connection.
func NewConnWindow() ConnWindow { return ConnWindow{left: StartWindow, start: StartWindow} }

// Resize sets the size of the windows of streams.
func (w *ConnWindow) Resize(size uint32) { w.start = int32(size) }

// Add makes the window larger; it is false if it cannot be so large.
func (w *ConnWindow) Add(n uint32) bool {
	if int64(w.left)+int64(n) > maxWindow {
		w.Bad = true
		return false
	}
	w.left += int32(n)
	return true
}

// Left is how many bytes may be sent.
func (w *ConnWindow) Left() int32 { return w.left }

// OutWindow is what we may send over a stream: so much more than its connection grants each.
type OutWindow struct {
	more int32
}

// Left is how many bytes may be sent.
func (w *OutWindow) Left(c *ConnWindow) int32 {
	n := int64(c.start) + int64(w.more)
	if n > maxWindow {
		c.Bad = true
	}
	if c.Bad {
		return 0
	}
	return min(int32(n), c.left)
}

// Take counts n bytes that are sent.
func (w *OutWindow) Take(c *ConnWindow, n int32) {
	w.more -= n
	c.left -= n
}

// Add makes the window larger; it is false if it cannot be so large, or, with c.Bad, if it was too
// large before.
func (w *OutWindow) Add(c *ConnWindow, n uint32) bool {
	have := int64(c.start) + int64(w.more)
	if have > maxWindow {
		c.Bad = true
		return false
	}
	if have+int64(n) > maxWindow {
		return false
	}
	w.more += int32(n)
	return true
}
