package net

import (
	"context"
	"net/netip"
	"syscall"
)

// What is said in the addresses of net/netip.

// addrPort is a place as net/netip has it, the zero one for none; the zone stays with IPv6.
func (p *place) addrPort() (ap netip.AddrPort) {
	if p != nil {
		host, _ := netip.AddrFromSlice(p.IP)
		ap = netip.AddrPortFrom(host.WithZone(p.Zone), uint16(p.Port))
	}
	return ap
}

func placeFrom(ap netip.AddrPort) *place {
	host := ap.Addr()
	return &place{host.AsSlice(), int(ap.Port()), host.Zone()}
}

// AddrPort of nil is the zero one.
func (a *TCPAddr) AddrPort() netip.AddrPort { return (*place)(a).addrPort() }

// AddrPort of nil is the zero one.
func (a *UDPAddr) AddrPort() netip.AddrPort { return (*place)(a).addrPort() }

func TCPAddrFromAddrPort(addr netip.AddrPort) *TCPAddr { return (*TCPAddr)(placeFrom(addr)) }
func UDPAddrFromAddrPort(addr netip.AddrPort) *UDPAddr { return (*UDPAddr)(placeFrom(addr)) }

// DialTCP is net.DialTCP within the dialer's time.
func (d *Dialer) DialTCP(ctx context.Context, network string, laddr, raddr netip.AddrPort) (*TCPConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return tcp(ctx, d.request(network, TCPAddrFromAddrPort(laddr), TCPAddrFromAddrPort(raddr)), d)
}

// DialUDP is net.DialUDP within the dialer's time.
func (d *Dialer) DialUDP(ctx context.Context, network string, laddr, raddr netip.AddrPort) (*UDPConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return udp(ctx, d.request(network, UDPAddrFromAddrPort(laddr), UDPAddrFromAddrPort(raddr)))
}

// LookupNetIP is LookupIP with other addresses.
func (r *Resolver) LookupNetIP(ctx context.Context, network, host string) (all []netip.Addr, err error) {
	ips, err := r.LookupIP(ctx, network, host)
	for _, ip := range ips {
		a, _ := netip.AddrFromSlice(ip)
		all = append(all, a)
	}
	return all, err
}

// ReadFromUDPAddrPort gives IPv4 addresses mapped into IPv6 where the socket is of IPv6.
func (c *UDPConn) ReadFromUDPAddrPort(b []byte) (n int, addr netip.AddrPort, err error) {
	n, from, err := c.ReadFromUDP(b)
	return n, from.AddrPort(), err
}

// ReadMsgUDPAddrPort gives addresses as ReadFromUDPAddrPort does.
func (c *UDPConn) ReadMsgUDPAddrPort(b, oob []byte) (n, oobn, flags int, addr netip.AddrPort, err error) {
	n, oobn, flags, from, err := c.ReadMsgUDP(b, oob)
	return n, oobn, flags, from.AddrPort(), err
}

func (c *UDPConn) WriteToUDPAddrPort(b []byte, addr netip.AddrPort) (int, error) {
	d := datagram{data: b}
	err := c.sendBy(&d, false, addr)
	return d.n, err
}

func (c *UDPConn) WriteMsgUDPAddrPort(b, oob []byte, addr netip.AddrPort) (n, oobn int, err error) {
	d := datagram{data: b, oob: oob}
	err = c.sendBy(&d, true, addr)
	return d.n, d.oobn, err
}

// sendBy is send, with an address of the other kind, which its errors name. A socket of IPv4 is
// fussy about others.
func (c *UDPConn) sendBy(d *datagram, control bool, addr netip.AddrPort) (err error) {
	var to *UDPAddr
	if addr.IsValid() {
		to = UDPAddrFromAddrPort(addr)
	}
	if to != nil && c.ok() && !c.fd.connected && c.fd.family == syscall.AF_INET && !addr.Addr().Unmap().Is4() {
		misfit := &AddrError{"non-IPv4 address", addr.Addr().String()}
		err = failure("write", c.fd.net, c.fd.laddr, nil, misfit)
	} else {
		err = c.send(d, control, to)
	}
	if e, ok := err.(*OpError); ok {
		e.Addr = addrPortUDPAddr{addr}
	}
	return err
}

// addrPortUDPAddr is an Addr.
type addrPortUDPAddr struct {
	netip.AddrPort
}

func (addrPortUDPAddr) Network() string { return "udp" }
