package net

import (
	"context"
	"syscall"
)

type UDPConn struct {
	conn
}

func DialUDP(network string, laddr, raddr *UDPAddr) (*UDPConn, error) {
	return new(Dialer).dialUDP(context.Background(), network, laddr, raddr)
}

func (d *Dialer) dialUDP(ctx context.Context, network string, laddr, raddr *UDPAddr) (*UDPConn, error) {
	var err error
	switch network {
	case "udp", "udp4", "udp6":
		if raddr == nil {
			err = errMissingAddress
		}
	default:
		err = UnknownNetworkError(network)
	}
	var fd *netFD
	if err == nil {
		fd, err = openSocket(ctx, network, syscall.SOCK_DGRAM, laddr, raddr, d.control())
	}
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Source: orNil(laddr), Addr: orNil(raddr), Err: err}
	}
	return &UDPConn{conn{fd}}, nil
}

func ListenUDP(network string, laddr *UDPAddr) (*UDPConn, error) {
	var err error
	switch network {
	case "udp", "udp4", "udp6":
		if laddr == nil {
			laddr = &UDPAddr{}
		}
	default:
		err = UnknownNetworkError(network)
	}
	var fd *netFD
	if err == nil {
		fd, err = openSocket(context.Background(), network, syscall.SOCK_DGRAM, laddr, (*UDPAddr)(nil), nil)
	}
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: orNil(laddr), Err: err}
	}
	return &UDPConn{conn{fd}}, nil
}

// ListenMulticastUDP joins an IPv4 or IPv6 group.
func ListenMulticastUDP(network string, ifi *Interface, gaddr *UDPAddr) (*UDPConn, error) {
	fail := func(err error) (*UDPConn, error) {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: orNil(gaddr), Err: err}
	}
	switch network {
	case "udp", "udp4", "udp6":
	default:
		return fail(UnknownNetworkError(network))
	}
	if gaddr == nil || gaddr.IP == nil {
		return fail(errMissingAddress)
	}
	reuse := func(_ context.Context, _, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { setReuse(int(fd)) })
	}
	fd, err := openSocket(context.Background(), network, syscall.SOCK_DGRAM, gaddr, (*UDPAddr)(nil), reuse)
	if err != nil {
		return fail(err)
	}
	if err := fd.join(ifi, gaddr.IP); err != nil {
		fd.Close()
		return fail(err)
	}
	return &UDPConn{conn{fd}}, nil
}

// udpSender is who sent, nil if the kernel did not say.
func udpSender(_ *conn, raw []byte) *UDPAddr {
	a, _ := decode("udp", raw).(*UDPAddr)
	return a
}

func (c *UDPConn) ReadFromUDP(b []byte) (n int, addr *UDPAddr, err error) {
	return received(&c.conn, b, udpSender)
}

func (c *UDPConn) ReadFrom(b []byte) (int, Addr, error) {
	n, addr, err := c.ReadFromUDP(b)
	return n, orNil(addr), err
}

func (c *UDPConn) ReadMsgUDP(b, oob []byte) (n, oobn, flags int, addr *UDPAddr, err error) {
	return receivedMessage(&c.conn, b, oob, udpSender)
}

func (c *UDPConn) WriteToUDP(b []byte, addr *UDPAddr) (int, error) { return c.send(b, addr) }
func (c *UDPConn) WriteTo(b []byte, addr Addr) (int, error) {
	return sendTo[*UDPAddr](&c.conn, b, addr)
}

func (c *UDPConn) WriteMsgUDP(b, oob []byte, addr *UDPAddr) (n, oobn int, err error) {
	return c.sendMessage(b, oob, addr)
}
