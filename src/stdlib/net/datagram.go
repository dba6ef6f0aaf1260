package net

import (
	"io"
	"syscall"
)

// Datagrams: what UDPConn and UnixConn have in common. A is a pointer to the address type of either.

// received is what a connection has received, with who sent it; a nil A if nobody knows.
func received[A sockaddr](c *conn, b []byte, sender func(*conn, []byte) A) (n int, from A, err error) {
	if !c.ok() {
		return 0, from, syscall.EINVAL
	}
	n, raw, err := c.fd.readFrom(b)
	if err != nil {
		return n, from, c.wrap("read", err)
	}
	return n, sender(c, raw), c.ended(n)
}

// ended is io.EOF where a stream gave nothing: it may be asked for datagrams, too.
func (c *conn) ended(n int) error {
	if n == 0 && c.fd.pfd.ZeroReadIsEOF {
		return io.EOF
	}
	return nil
}

// receivedMessage is received, with control messages.
func receivedMessage[A sockaddr](c *conn, b, oob []byte, sender func(*conn, []byte) A) (n, oobn, flags int, from A, err error) {
	if !c.ok() {
		return 0, 0, 0, from, syscall.EINVAL
	}
	if c.fd.family == syscall.AF_UNIX {
		flags = syscall.MSG_CMSG_CLOEXEC // there may be descriptors in it
	}
	n, oobn, flags, raw, err := c.fd.pfd.ReadMsg(b, oob, flags)
	if err != nil {
		return n, oobn, flags, from, c.wrap("read", named("recvmsg", err))
	}
	return n, oobn, flags, sender(c, raw), c.ended(n)
}

// target lays out whom to send to. A connected socket takes nobody.
func (c *conn) target(to sockaddr) ([]byte, error) {
	if c.fd.connected {
		if !to.missing() {
			return nil, ErrWriteToConnected
		}
		return nil, nil
	}
	if to.missing() {
		return nil, errMissingAddress
	}
	if u, ok := to.(*UnixAddr); ok && u.Net != c.fd.net {
		return nil, syscall.EAFNOSUPPORT
	}
	raw, err := to.encode(c.fd.family)
	return raw, named("sendto", err)
}

// unsent words the failure to send.
func (c *conn) unsent(to Addr, err error) error {
	if err == nil {
		return nil
	}
	return &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Addr: to, Err: err}
}

// send sends b to somebody, who has to be named.
func (c *conn) send(b []byte, to sockaddr) (n int, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	var raw []byte
	if c.fd.connected {
		err = ErrWriteToConnected
	} else if raw, err = c.target(to); err == nil {
		n, err = c.fd.writeTo(b, raw)
	}
	return n, c.unsent(orNil(to), err)
}

// sendMessage sends b with control messages; a connected socket knows to whom.
func (c *conn) sendMessage(b, oob []byte, to sockaddr) (n, oobn int, err error) {
	if !c.ok() {
		return 0, 0, syscall.EINVAL
	}
	raw, err := c.target(to)
	if err == nil {
		n, oobn, err = c.fd.pfd.WriteMsg(b, oob, raw)
		err = named("sendmsg", err)
	}
	return n, oobn, c.unsent(orNil(to), err)
}

// sendTo is send, for an address of the kind A only.
func sendTo[A sockaddr](c *conn, b []byte, to Addr) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	if a, ok := to.(A); ok {
		return c.send(b, a)
	}
	return 0, c.unsent(to, syscall.EINVAL)
}
