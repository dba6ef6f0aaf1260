package net

import (
	"context"
	"net/netip"
	"os"
	"strings"
	"syscall"
)

// Raw sockets of IP. The network of such a socket names a protocol: ip4:icmp, ip6:58.

type IPConn struct {
	conn
}

// protocolNumbers has those that are known without a file.
var protocolNumbers = map[string]int{"icmp": 1, "igmp": 2, "tcp": 6, "udp": 17, "ipv6-icmp": 58}

// protocolOf is the number of a protocol that is named, or given as a number.
func protocolOf(name string) (int, error) {
	if n, size, ok := decimal(name); ok && size == len(name) {
		return n, nil
	}
	lower := strings.ToLower(name)
	if n, ok := protocolNumbers[lower]; ok {
		return n, nil
	}
	text, _ := os.ReadFile("/etc/protocols")
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		for i, field := range fields {
			if i != 1 && strings.ToLower(field) == lower {
				n, _, ok := decimal(fields[1])
				if ok {
					return n, nil
				}
			}
		}
	}
	return 0, &AddrError{"unknown IP protocol specified", name}
}

// noProtocol is the protocol of a network that names none.
const noProtocol = -1

// networkOf is the transport of a network's name, which may end with a protocol of IP, and the name
// without that.
func networkOf(network string) (base string, t *transport, err error) {
	base, name, isNamed := strings.Cut(network, ":")
	found := transportOf(base)
	if found == nil || isNamed && (found.kind != "ip" || strings.Contains(name, ":")) {
		return "", nil, UnknownNetworkError(network)
	}
	own := *found
	if isNamed {
		if own.protocol, err = protocolOf(name); err != nil {
			return "", nil, err
		}
	}
	return base, &own, nil
}

func (a *IPAddr) place() *place {
	if a == nil {
		return nil
	}
	return &place{IP: a.IP, Zone: a.Zone}
}

func (a *IPAddr) missing() bool                     { return a == nil }
func (a *IPAddr) any() bool                         { return a.place().anywhere() }
func (a *IPAddr) family() int                       { return a.place().kernelFamily() }
func (a *IPAddr) encode(family int) ([]byte, error) { return a.place().layOut(family) }

// rawIP opens the socket of a request.
func rawIP(ctx context.Context, q *request) (*IPConn, error) {
	q.kind = "ip"
	fd, err := q.open(ctx)
	if err != nil {
		return nil, q.refused(err)
	}
	return &IPConn{conn{fd}}, nil
}

func DialIP(network string, laddr, raddr *IPAddr) (*IPConn, error) {
	return rawIP(context.Background(), &request{op: "dial", network: network, local: laddr, remote: raddr})
}

func ListenIP(network string, laddr *IPAddr) (*IPConn, error) {
	if laddr == nil {
		laddr = &IPAddr{}
	}
	return rawIP(context.Background(), &request{op: "listen", network: network, local: laddr})
}

// DialIP is net.DialIP within the dialer's time.
func (d *Dialer) DialIP(ctx context.Context, network string, laddr, raddr netip.Addr) (*IPConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	address := func(a netip.Addr) *IPAddr { return &IPAddr{IP: a.AsSlice(), Zone: a.Zone()} }
	return rawIP(ctx, d.request(network, address(laddr), address(raddr)))
}

// ipFrom is who sent, nil if the kernel did not say.
func (d *datagram) ipFrom() *IPAddr {
	if len(d.from) == 0 {
		return nil
	}
	p := placeOf(d.from)
	return &IPAddr{p.IP, p.Zone}
}

// ReadFromIP receives a message without the header of IPv4, which the kernel leaves before it.
func (c *IPConn) ReadFromIP(b []byte) (n int, addr *IPAddr, err error) {
	d := datagram{data: b}
	err = c.receive(&d, false)
	n, addr = d.n, d.ipFrom()
	if err == nil && c.fd.family == syscall.AF_INET {
		n = withoutHeader(b, n)
	}
	return n, addr, err
}

// withoutHeader moves what is behind a header of IPv4 to the front, and tells how much that is.
func withoutHeader(b []byte, n int) int {
	const least, version = 20, 4
	if n < least || b[0]>>4 != version {
		return n
	}
	size := int(b[0]&0xf) * 4
	if size < least || size > n {
		return n
	}
	return copy(b, b[size:n])
}

func (c *IPConn) ReadFrom(b []byte) (int, Addr, error) {
	n, from, err := c.ReadFromIP(b)
	return n, orNil(from), err
}

func (c *IPConn) ReadMsgIP(b, oob []byte) (n, oobn, flags int, addr *IPAddr, err error) {
	d := datagram{data: b, oob: oob}
	err = c.receive(&d, true)
	return d.n, d.oobn, d.flags, d.ipFrom(), err
}

func (c *IPConn) WriteToIP(b []byte, addr *IPAddr) (int, error) {
	d := datagram{data: b}
	err := c.send(&d, false, addr)
	return d.n, err
}

func (c *IPConn) WriteTo(b []byte, addr Addr) (int, error) {
	return sendTo[*IPAddr](&c.conn, b, addr)
}

func (c *IPConn) WriteMsgIP(b, oob []byte, addr *IPAddr) (n, oobn int, err error) {
	d := datagram{data: b, oob: oob}
	if c.ok() && c.fd.connected {
		err = failure("write", c.fd.net, c.fd.laddr, orNil(addr), ErrWriteToConnected)
	} else {
		err = c.send(&d, true, addr)
	}
	return d.n, d.oobn, err
}
