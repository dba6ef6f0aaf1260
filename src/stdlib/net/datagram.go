package net

import (
	"io"
	"syscall"
)

// Datagrams: what UDPConn and UnixConn have in common.

// A datagram is a message to send, or room for one to receive.
type datagram struct {
	data, oob []byte
	n, oobn   int // how much of them was sent or received
	flags     int
	from      []byte // who sent it, as the kernel has it
}

// receive fills the datagram; with control messages if it should.
func (c *conn) receive(d *datagram, control bool) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	call, err := "recvfrom", error(nil)
	if control {
		call = "recvmsg"
		if c.fd.family == syscall.AF_UNIX {
			d.flags = syscall.MSG_CMSG_CLOEXEC // there may be descriptors in it
		}
		d.n, d.oobn, d.flags, d.from, err = c.fd.pfd.ReadMsg(d.data, d.oob, d.flags)
	} else {
		d.n, d.from, err = c.fd.pfd.ReadFrom(d.data)
	}
	if err == nil && d.n == 0 && c.fd.pfd.ZeroReadIsEOF {
		return io.EOF // streams may be asked for datagrams, too
	}
	return c.between("read", named(call, err))
}

// send sends the datagram to somebody, or to the peer of a connected socket. Without control
// messages somebody has to be named.
func (c *conn) send(d *datagram, control bool, to sockaddr) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	raw, err := c.receiver(to, control)
	switch {
	case err != nil:
	case control:
		d.n, d.oobn, err = c.fd.pfd.WriteMsg(d.data, d.oob, raw)
		err = named("sendmsg", err)
	default:
		d.n, err = c.fd.pfd.WriteTo(d.data, raw)
		err = named("sendto", err)
	}
	return failure("write", c.fd.net, c.fd.laddr, orNil(to), err)
}

// receiver lays out whom to send to. A connected socket takes nobody.
func (c *conn) receiver(to sockaddr, control bool) ([]byte, error) {
	nobody := absent(to)
	switch {
	case c.fd.connected && nobody && control:
		return nil, nil
	case c.fd.connected:
		return nil, ErrWriteToConnected
	case nobody:
		return nil, addressMissing
	}
	if u, ok := to.(*UnixAddr); ok && u.Net != c.fd.net {
		return nil, syscall.EAFNOSUPPORT
	}
	raw, err := to.encode(c.fd.family)
	return raw, named("sendto", err)
}

// sendTo sends b to an address of the kind A; others are refused.
func sendTo[A sockaddr](c *conn, b []byte, to Addr) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	d := datagram{data: b}
	a, fits := to.(A)
	if !fits {
		return 0, failure("write", c.fd.net, c.fd.laddr, to, syscall.EINVAL)
	}
	err := c.send(&d, false, a)
	return d.n, err
}
