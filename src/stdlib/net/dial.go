package net

import (
	"context"
	"internal/godebug"
	"syscall"
	"time"
)

// Dial, Listen and what they can be told.

type KeepAliveConfig struct {
	Enable   bool
	Idle     time.Duration
	Interval time.Duration
	Count    int
}

type Dialer struct {
	Timeout         time.Duration
	Deadline        time.Time
	LocalAddr       Addr
	DualStack       bool
	FallbackDelay   time.Duration
	KeepAlive       time.Duration
	KeepAliveConfig KeepAliveConfig
	Resolver        *Resolver
	Cancel          <-chan struct{}
	Control         func(network, address string, c syscall.RawConn) error
	ControlContext  func(ctx context.Context, network, address string, c syscall.RawConn) error
	multipath       choice
}

// MultipathTCP tells what SetMultipathTCP said; connections are plain TCP all the same.
func (d *Dialer) MultipathTCP() bool {
	return d.multipath.or(func(set string) bool { return set == "1" || set == "3" })
}

func (d *Dialer) SetMultipathTCP(use bool) { d.multipath.set(use) }

// choice is whether something is to be used, if that was said.
type choice struct{ isMade, use bool }

func (c *choice) set(use bool) { *c = choice{true, use} }

// or is what was said, or else what holds for what GODEBUG=multipathtcp says.
func (c choice) or(usual func(set string) bool) bool {
	if c.isMade {
		return c.use
	}
	return usual(godebug.Value("multipathtcp"))
}

func (d *Dialer) Dial(network, address string) (Conn, error) {
	return d.DialContext(background, network, address)
}

func DialTimeout(network, address string, timeout time.Duration) (Conn, error) {
	return (&Dialer{Timeout: timeout}).Dial(network, address)
}

func Dial(network, address string) (Conn, error) {
	return new(Dialer).Dial(network, address)
}

// withContext makes a controlFunc of one that takes no context; nil of nil.
func withContext(f func(network, address string, c syscall.RawConn) error) controlFunc {
	if f == nil {
		return nil
	}
	return func(_ context.Context, network, address string, c syscall.RawConn) error {
		return f(network, address, c)
	}
}

func (d *Dialer) control() controlFunc {
	if d.ControlContext == nil {
		return withContext(d.Control)
	}
	return d.ControlContext
}

// within ends the context when dialing must be over, or the program says so by d.Cancel.
func (d *Dialer) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		panic("nil context")
	}
	var cancels []context.CancelFunc
	limit := func(end time.Time) {
		if t, ok := ctx.Deadline(); !ok || end.Before(t) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end)
			cancels = append(cancels, cancel)
		}
	}
	if d.Timeout != 0 {
		limit(time.Now().Add(d.Timeout))
	}
	if !d.Deadline.IsZero() {
		limit(d.Deadline)
	}
	if d.Cancel != nil {
		sub, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-sub.Done():
			case <-d.Cancel:
				cancel()
			}
		}()
		ctx, cancels = sub, append(cancels, cancel)
	}
	return ctx, func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

func (d *Dialer) DialContext(ctx context.Context, network, address string) (Conn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	r := d.Resolver
	if r == nil {
		r = DefaultResolver
	}
	list, err := r.targets(traceOf(ctx).forNames(ctx), network, address, d.LocalAddr)
	if err != nil {
		return nil, failure("dial", network, nil, nil, err)
	}
	if network != "tcp" || d.FallbackDelay < 0 {
		return d.inTurn(ctx, network, list)
	}
	// The family of the first address has the first go.
	var lanes [2]candidates
	for _, a := range list {
		lane := number(is4(a) != is4(list[0]))
		lanes[lane] = append(lanes[lane], a)
	}
	if lanes[1] == nil {
		return d.inTurn(ctx, network, list)
	}
	return d.race(ctx, network, lanes)
}

// race dials both lanes: the second one when the first has failed or its head start is over. The
// first connection wins, and others are closed. RFC 8305.
func (d *Dialer) race(ctx context.Context, network string, lanes [2]candidates) (Conn, error) {
	type arrival struct {
		lane int
		conn Conn
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	arrivals, over := make(chan arrival), make(chan struct{})
	defer close(over)
	run := func(lane int) {
		c, err := d.inTurn(ctx, network, lanes[lane])
		select {
		case arrivals <- arrival{lane, c, err}:
		case <-over:
			if err == nil {
				c.Close()
			}
		}
	}
	headStart := d.FallbackDelay
	if headStart == 0 {
		headStart = 300 * time.Millisecond
	}
	signal := time.NewTimer(headStart)
	defer signal.Stop()
	go run(0)
	var faults [2]error
	for started := 1; ; {
		select {
		case <-signal.C:
		case a := <-arrivals:
			if a.err == nil {
				return a.conn, nil
			}
			faults[a.lane] = a.err
		}
		if started == 1 {
			started++
			go run(1)
		} else if faults[0] != nil && faults[1] != nil {
			return nil, faults[0]
		}
	}
}

// inTurn dials one address after the other, each within its share of the time. The first failure is
// the one to report, unless the program has called it all off.
func (d *Dialer) inTurn(ctx context.Context, network string, list candidates) (Conn, error) {
	var first error
	for i, a := range list {
		if err := ctx.Err(); err != nil {
			return nil, failure("dial", network, d.LocalAddr, a, contextError(err))
		}
		c, err := d.dialShare(ctx, network, a, len(list)-i)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = failure("dial", network, d.LocalAddr, a, err)
		}
	}
	return nil, first
}

// dialShare dials within this address's share of the time that is left for so many: at least two
// seconds, if there are.
func (d *Dialer) dialShare(ctx context.Context, network string, a Addr, among int) (Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left <= 0 {
			return nil, tooLate
		}
		if share := max(left/time.Duration(among), 2*time.Second); share < left {
			sub, cancel := context.WithTimeout(ctx, share)
			defer cancel()
			ctx = sub
		}
	}
	trace := traceOf(ctx)
	if trace.connect != nil {
		trace.connect(network, a.String())
	}
	c, err := d.dialOne(ctx, network, a)
	if trace.connected != nil {
		told := err
		if told != nil {
			told = &OpError{Op: "dial", Net: network, Source: d.LocalAddr, Addr: a, Err: err}
		}
		trace.connected(network, a.String(), told)
	}
	return c, err
}

// dialOne makes the connection. Errors are bare.
func (d *Dialer) dialOne(ctx context.Context, network string, a Addr) (Conn, error) {
	remote, ok := a.(sockaddr)
	if !ok {
		return nil, &AddrError{"unexpected address type", a.String()}
	}
	q := d.request(network, nil, remote)
	q.local, _ = d.LocalAddr.(sockaddr)
	if _, t, err := networkOf(network); err == nil {
		q.kind = t.kind
	}
	fd, err := q.open(ctx)
	if err != nil {
		return nil, err
	}
	switch q.kind {
	case "tcp":
		c := tuned(fd)
		c.keepAlive(d.KeepAlive, d.KeepAliveConfig)
		return c, nil
	case "udp":
		return &UDPConn{conn{fd}}, nil
	case "ip":
		return &IPConn{conn{fd}}, nil
	}
	return &UnixConn{conn{fd}}, nil
}

func (d *Dialer) request(network string, local, remote sockaddr) *request {
	return &request{op: "dial", network: network, local: local, remote: remote, control: d.control()}
}

// DialUnix is net.DialUnix within the dialer's time.
func (d *Dialer) DialUnix(ctx context.Context, network string, laddr, raddr *UnixAddr) (*UnixConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return unixConn(ctx, d.request(network, laddr, raddr))
}

// dialable refuses networks that have no sockets.
func dialable(network string) (*transport, error) {
	_, t, err := networkOf(network)
	if err == nil && t.protocol == noProtocol {
		err = UnknownNetworkError(network)
	}
	return t, err
}

// targets are the addresses to dial, in order; those that the local address, if there is one, can reach.
func (r *Resolver) targets(ctx context.Context, network, address string, local Addr) (candidates, error) {
	t, err := dialable(network)
	if err != nil {
		return nil, err
	}
	if address == "" {
		return nil, addressMissing
	}
	list := candidates{&UnixAddr{address, network}}
	if t.kind != "unix" {
		if list, err = r.endpoints(ctx, network, address); err != nil {
			return nil, err
		}
	}
	if local == nil {
		return list, nil
	}
	if local.Network() != list[0].Network() {
		return nil, &AddrError{"mismatched local address type", local.String()}
	}
	l, _ := local.(sockaddr)
	if t.kind == "unix" || l == nil || l.any() {
		return list, nil
	}
	var reachable candidates
	for _, a := range list {
		if a.(sockaddr).any() || is4(a) == is4(local) {
			reachable = append(reachable, a)
		}
	}
	if reachable == nil {
		return nil, &AddrError{noneSuitable.Error(), local.String()}
	}
	return reachable, nil
}

type ListenConfig struct {
	Control         func(network, address string, c syscall.RawConn) error
	KeepAlive       time.Duration
	KeepAliveConfig KeepAliveConfig
	multipath       choice
}

func (lc *ListenConfig) MultipathTCP() bool {
	return lc.multipath.or(func(set string) bool { return set != "0" && set != "3" })
}

func (lc *ListenConfig) SetMultipathTCP(use bool) { lc.multipath.set(use) }

// request finds an address to listen at, of IPv4 if there is one.
func (lc *ListenConfig) request(ctx context.Context, network, address string) (*request, error) {
	q := &request{op: "listen", network: network, control: withContext(lc.Control)}
	t, err := dialable(network)
	if err == nil && t.kind == "unix" {
		q.local = &UnixAddr{address, network}
	} else if err == nil {
		var list candidates
		if list, err = DefaultResolver.endpoints(ctx, network, address); err == nil {
			q.local = list.first(true).(sockaddr)
		}
	}
	if err != nil {
		return nil, q.refused(err)
	}
	return q, nil
}

// unheard is the failure to listen for connections where there are only messages, or the reverse.
func (q *request) unheard(address string) error {
	return q.refused(&AddrError{"unexpected address type", address})
}

func (lc *ListenConfig) Listen(ctx context.Context, network, address string) (Listener, error) {
	q, err := lc.request(ctx, network, address)
	if err != nil {
		return nil, err
	}
	switch q.local.(type) {
	case *TCPAddr:
		if l, err := tcpListener(ctx, q, lc); err != nil {
			return nil, err
		} else {
			return l, nil
		}
	case *UnixAddr:
		if l, err := unixListener(ctx, q); err != nil {
			return nil, err
		} else {
			return l, nil
		}
	}
	return nil, q.unheard(address)
}

func (lc *ListenConfig) ListenPacket(ctx context.Context, network, address string) (PacketConn, error) {
	q, err := lc.request(ctx, network, address)
	if err != nil {
		return nil, err
	}
	switch q.local.(type) {
	case *UDPAddr:
		if c, err := udp(ctx, q); err != nil {
			return nil, err
		} else {
			return c, nil
		}
	case *IPAddr:
		if c, err := rawIP(ctx, q); err != nil {
			return nil, err
		} else {
			return c, nil
		}
	case *UnixAddr:
		if c, err := unixConn(ctx, q); err != nil {
			return nil, err
		} else {
			return c, nil
		}
	}
	return nil, q.unheard(address)
}

func ListenPacket(network, address string) (PacketConn, error) {
	return new(ListenConfig).ListenPacket(background, network, address)
}

func Listen(network, address string) (Listener, error) {
	return new(ListenConfig).Listen(background, network, address)
}
