package net

import (
	"context"
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
	multipath       bool
}

// MultipathTCP tells what SetMultipathTCP said; connections are plain TCP all the same.
func (d *Dialer) MultipathTCP() bool       { return d.multipath }
func (d *Dialer) SetMultipathTCP(use bool) { d.multipath = use }

func Dial(network, address string) (Conn, error) {
	var d Dialer
	return d.Dial(network, address)
}

func DialTimeout(network, address string, timeout time.Duration) (Conn, error) {
	d := Dialer{Timeout: timeout}
	return d.Dial(network, address)
}

func (d *Dialer) Dial(network, address string) (Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

func (d *Dialer) resolver() *Resolver {
	if d.Resolver != nil {
		return d.Resolver
	}
	return DefaultResolver
}

func (d *Dialer) control() controlFunc {
	if d.ControlContext != nil {
		return d.ControlContext
	}
	if d.Control == nil {
		return nil
	}
	return func(_ context.Context, network, address string, c syscall.RawConn) error {
		return d.Control(network, address, c)
	}
}

// until is when dialing must be over; zero for never.
func (d *Dialer) until(ctx context.Context) (earliest time.Time) {
	consider := func(t time.Time) {
		if !t.IsZero() && (earliest.IsZero() || t.Before(earliest)) {
			earliest = t
		}
	}
	if d.Timeout != 0 {
		consider(time.Now().Add(d.Timeout))
	}
	if t, ok := ctx.Deadline(); ok {
		consider(t)
	}
	consider(d.Deadline)
	return earliest
}

// within ends the context when dialing must be over, or the program says so by d.Cancel.
func (d *Dialer) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		panic("nil context")
	}
	deadline := d.until(ctx)
	t, ok := ctx.Deadline()
	isSooner := !deadline.IsZero() && (!ok || deadline.Before(t))
	if !isSooner && d.Cancel == nil {
		return ctx, func() {}
	}
	var sub context.Context
	var cancel context.CancelFunc
	if isSooner {
		sub, cancel = context.WithDeadline(ctx, deadline)
	} else {
		sub, cancel = context.WithCancel(ctx)
	}
	if d.Cancel != nil {
		go func() {
			select {
			case <-d.Cancel:
				cancel()
			case <-sub.Done():
			}
		}()
	}
	return sub, cancel
}

func (d *Dialer) DialContext(ctx context.Context, network, address string) (Conn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	list, err := d.resolver().choices(
		traceOf(ctx).forNames(ctx), "dial", network, address, d.LocalAddr)
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Source: nil, Addr: nil, Err: err}
	}
	// One after the other; the first failure is the one to report.
	var first error
	for i, a := range list {
		if ctx.Err() != nil {
			return nil, &OpError{Op: "dial", Net: network, Source: d.LocalAddr, Addr: a, Err: contextError(ctx.Err())}
		}
		c, err := d.dialWithin(ctx, network, a, len(list)-i)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = &OpError{Op: "dial", Net: network, Source: nil, Addr: nil, Err: errMissingAddress}
	}
	return nil, first
}

// dialWithin gives this address its share of the time that is left for so many.
func (d *Dialer) dialWithin(
	ctx context.Context, network string, a Addr, addresses int,
) (c Conn, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left <= 0 {
			return nil, &OpError{Op: "dial", Net: network, Source: d.LocalAddr, Addr: a, Err: errTimeout}
		}
		const least = 2 * time.Second
		share := left / time.Duration(addresses)
		if share < least {
			share = min(left, least)
		}
		if share < left {
			sub, cancel := context.WithTimeout(ctx, share)
			defer cancel()
			ctx = sub
		}
	}
	trace := traceOf(ctx)
	if trace.connect != nil {
		trace.connect(network, a.String())
	}
	if trace.connected != nil {
		defer func() { trace.connected(network, a.String(), err) }()
	}
	switch a := a.(type) {
	case *TCPAddr:
		local, _ := d.LocalAddr.(*TCPAddr)
		var tc *TCPConn
		if tc, err = dialTCP(ctx, network, local, a, d); err == nil {
			c = tc
		}
	case *UDPAddr:
		local, _ := d.LocalAddr.(*UDPAddr)
		var fd *netFD
		if fd, err = openSocket(ctx, network, syscall.SOCK_DGRAM, local, a, d.control()); err == nil {
			c = &UDPConn{conn{fd}}
		}
	case *UnixAddr:
		local, _ := d.LocalAddr.(*UnixAddr)
		var uc *UnixConn
		if uc, err = dialUnix(ctx, network, local, a, d.control()); err == nil {
			c = uc
		}
	default:
		err = &AddrError{Err: "unexpected address type", Addr: a.String()}
	}
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Source: d.LocalAddr, Addr: a, Err: err}
	}
	return c, nil
}

func knownNetwork(network string) bool {
	switch network {
	case "tcp", "tcp4", "tcp6", "udp", "udp4", "udp6", "unix", "unixgram", "unixpacket":
		return true
	}
	return false
}

// choices are the addresses to try, in order.
func (r *Resolver) choices(ctx context.Context, op, network, address string, local Addr) (addrList, error) {
	if !knownNetwork(network) {
		return nil, UnknownNetworkError(network)
	}
	if op == "dial" && address == "" {
		return nil, errMissingAddress
	}
	if network[:2] == "un" {
		a, err := ResolveUnixAddr(network, address)
		if err != nil {
			return nil, err
		}
		if op == "dial" && local != nil && local.Network() != a.Network() {
			return nil, &AddrError{Err: "mismatched local address type", Addr: local.String()}
		}
		return addrList{a}, nil
	}
	list, err := r.endpoints(ctx, network, address)
	if err != nil || op != "dial" || local == nil {
		return list, err
	}
	var fitting addrList
	for _, a := range list {
		if local.Network() != a.Network() {
			return nil, &AddrError{Err: "mismatched local address type", Addr: local.String()}
		}
		l, ok := local.(sockaddr)
		if ok && !l.any() && !a.(sockaddr).any() && isIPv4(local) != isIPv4(a) {
			continue
		}
		fitting = append(fitting, a)
	}
	if len(fitting) == 0 {
		return nil, &AddrError{Err: errNoSuitableAddress.Error(), Addr: local.String()}
	}
	return fitting, nil
}

type ListenConfig struct {
	Control         func(network, address string, c syscall.RawConn) error
	KeepAlive       time.Duration
	KeepAliveConfig KeepAliveConfig
	multipath       bool
}

func (lc *ListenConfig) MultipathTCP() bool       { return lc.multipath }
func (lc *ListenConfig) SetMultipathTCP(use bool) { lc.multipath = use }

func (lc *ListenConfig) control() controlFunc {
	if lc.Control == nil {
		return nil
	}
	return func(_ context.Context, network, address string, c syscall.RawConn) error {
		return lc.Control(network, address, c)
	}
}

func (lc *ListenConfig) Listen(ctx context.Context, network, address string) (Listener, error) {
	list, err := DefaultResolver.choices(ctx, "listen", network, address, nil)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: nil, Err: err}
	}
	a := list.first(isIPv4)
	var l Listener
	switch a := a.(type) {
	case *TCPAddr:
		var tl *TCPListener
		if tl, err = listenTCP(ctx, network, a, lc); err == nil {
			l = tl
		}
	case *UnixAddr:
		var ul *UnixListener
		if ul, err = listenUnix(ctx, network, a, lc.control()); err == nil {
			l = ul
		}
	default:
		err = &AddrError{Err: "unexpected address type", Addr: address}
	}
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: a, Err: err}
	}
	return l, nil
}

func (lc *ListenConfig) ListenPacket(ctx context.Context, network, address string) (PacketConn, error) {
	list, err := DefaultResolver.choices(ctx, "listen", network, address, nil)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: nil, Err: err}
	}
	a := list.first(isIPv4)
	var c PacketConn
	switch a := a.(type) {
	case *UDPAddr:
		var fd *netFD
		if fd, err = openSocket(ctx, network, syscall.SOCK_DGRAM, a, (*UDPAddr)(nil), lc.control()); err == nil {
			c = &UDPConn{conn{fd}}
		}
	case *UnixAddr:
		var uc *UnixConn
		if uc, err = listenUnixgram(ctx, network, a, lc.control()); err == nil {
			c = uc
		}
	default:
		err = &AddrError{Err: "unexpected address type", Addr: address}
	}
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: a, Err: err}
	}
	return c, nil
}

func Listen(network, address string) (Listener, error) {
	var lc ListenConfig
	return lc.Listen(context.Background(), network, address)
}

func ListenPacket(network, address string) (PacketConn, error) {
	var lc ListenConfig
	return lc.ListenPacket(context.Background(), network, address)
}
