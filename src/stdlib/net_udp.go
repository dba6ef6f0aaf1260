package net

import (
	"context"
	"syscall"
)

type UDPConn struct {
	conn
}

func DialUDP(network string, laddr, raddr *UDPAddr) (*UDPConn, error) {
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
		fd, err = openSocket(context.Background(), network, syscall.SOCK_DGRAM, laddr, raddr, nil)
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

func (c *UDPConn) SyscallConn() (syscall.RawConn, error) {
	if !c.ok() {
		return nil, syscall.EINVAL
	}
	return &rawConn{c.fd}, nil
}

// sender is who sent, nil if the kernel did not say.
func (c *UDPConn) sender(b []byte) *UDPAddr {
	a, _ := decode("udp", b).(*UDPAddr)
	return a
}

func (c *UDPConn) ReadFromUDP(b []byte) (n int, addr *UDPAddr, err error) {
	if !c.ok() {
		return 0, nil, syscall.EINVAL
	}
	n, from, err := c.fd.readFrom(b)
	if err != nil {
		return n, nil, c.wrap("read", err)
	}
	return n, c.sender(from), nil
}

func (c *UDPConn) ReadFrom(b []byte) (int, Addr, error) {
	n, addr, err := c.ReadFromUDP(b)
	if addr == nil {
		return n, nil, err
	}
	return n, addr, err
}

func (c *UDPConn) ReadMsgUDP(b, oob []byte) (n, oobn, flags int, addr *UDPAddr, err error) {
	if !c.ok() {
		return 0, 0, 0, nil, syscall.EINVAL
	}
	n, oobn, flags, from, err := c.fd.pfd.ReadMsg(b, oob, 0)
	if err != nil {
		return n, oobn, flags, nil, c.wrap("read", named("recvmsg", err))
	}
	return n, oobn, flags, c.sender(from), nil
}

// target lays out whom to send to; a connected socket takes nobody.
func (c *UDPConn) target(addr *UDPAddr) ([]byte, error) {
	switch {
	case c.fd.connected && addr != nil:
		return nil, ErrWriteToConnected
	case c.fd.connected:
		return nil, nil
	case addr == nil:
		return nil, errMissingAddress
	}
	return addr.encode(c.fd.family)
}

func (c *UDPConn) sendError(addr *UDPAddr, err error) error {
	return &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Addr: orNil(addr), Err: err}
}

func (c *UDPConn) WriteToUDP(b []byte, addr *UDPAddr) (n int, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	if c.fd.connected {
		return 0, c.sendError(addr, ErrWriteToConnected)
	}
	to, err := c.target(addr)
	if err == nil {
		n, err = c.fd.writeTo(b, to)
	}
	if err != nil {
		err = c.sendError(addr, err)
	}
	return n, err
}

func (c *UDPConn) WriteTo(b []byte, addr Addr) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	a, ok := addr.(*UDPAddr)
	if !ok {
		return 0, &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Addr: addr, Err: syscall.EINVAL}
	}
	return c.WriteToUDP(b, a)
}

func (c *UDPConn) WriteMsgUDP(b, oob []byte, addr *UDPAddr) (n, oobn int, err error) {
	if !c.ok() {
		return 0, 0, syscall.EINVAL
	}
	to, err := c.target(addr)
	if err == nil {
		n, oobn, err = c.fd.pfd.WriteMsg(b, oob, to)
		err = named("sendmsg", err)
	}
	if err != nil {
		err = c.sendError(addr, err)
	}
	return n, oobn, err
}
