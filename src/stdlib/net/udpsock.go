package net

import (
	"context"
	"internal/poll"
	"syscall"
)

// Sockets of UDP.

type UDPConn struct {
	conn
}

// udp opens the socket of a request.
func udp(ctx context.Context, q *request) (*UDPConn, error) {
	q.kind = "udp"
	fd, err := q.open(ctx)
	if err != nil {
		return nil, q.refused(err)
	}
	return &UDPConn{conn{fd}}, nil
}

func DialUDP(network string, laddr, raddr *UDPAddr) (*UDPConn, error) {
	q := request{op: "dial", network: network, local: laddr, remote: raddr}
	return udp(background, &q)
}

func ListenUDP(network string, laddr *UDPAddr) (*UDPConn, error) {
	q := request{op: "listen", network: network, local: laddr}
	if t := transportOf(network); laddr == nil && t != nil && t.kind == "udp" {
		q.local = &UDPAddr{}
	}
	return udp(background, &q)
}

// ListenMulticastUDP joins an IPv4 or IPv6 group.
func ListenMulticastUDP(network string, ifi *Interface, gaddr *UDPAddr) (*UDPConn, error) {
	q := request{op: "listen", network: network, local: gaddr}
	if t := transportOf(network); (gaddr == nil || gaddr.IP == nil) && t != nil && t.kind == "udp" {
		return nil, q.refused(addressMissing)
	}
	// Several sockets may hear one group.
	q.control = func(_ context.Context, _, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) {
			poll.SetOption(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
		})
	}
	c, err := udp(background, &q)
	if err != nil {
		return nil, err
	}
	if err := c.fd.joinGroup(ifi, gaddr.IP); err != nil {
		c.fd.Close()
		return nil, q.refused(err)
	}
	return c, nil
}

// udpFrom is who sent, nil if the kernel did not say.
func (d *datagram) udpFrom() *UDPAddr {
	if len(d.from) == 0 {
		return nil
	}
	p := placeOf(d.from)
	return (*UDPAddr)(&p)
}

func (c *UDPConn) ReadFromUDP(b []byte) (n int, addr *UDPAddr, err error) {
	d := datagram{data: b}
	err = c.receive(&d, false)
	return d.n, d.udpFrom(), err
}

func (c *UDPConn) ReadFrom(b []byte) (int, Addr, error) {
	n, from, err := c.ReadFromUDP(b)
	return n, orNil(from), err
}

func (c *UDPConn) ReadMsgUDP(b, oob []byte) (n, oobn, flags int, addr *UDPAddr, err error) {
	d := datagram{data: b, oob: oob}
	err = c.receive(&d, true)
	return d.n, d.oobn, d.flags, d.udpFrom(), err
}

func (c *UDPConn) WriteToUDP(b []byte, addr *UDPAddr) (int, error) {
	d := datagram{data: b}
	err := c.send(&d, false, addr)
	return d.n, err
}

func (c *UDPConn) WriteTo(b []byte, addr Addr) (int, error) {
	return sendTo[*UDPAddr](&c.conn, b, addr)
}

func (c *UDPConn) WriteMsgUDP(b, oob []byte, addr *UDPAddr) (n, oobn int, err error) {
	d := datagram{data: b, oob: oob}
	err = c.send(&d, true, addr)
	return d.n, d.oobn, err
}
