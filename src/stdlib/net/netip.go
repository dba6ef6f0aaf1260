package net

import (
	"context"
	"net/netip"
	"syscall"
)

// addrPort is an address of a socket as net/netip has it; the zone stays with IPv6.
func addrPort(ip IP, port int, zone string) netip.AddrPort {
	a, _ := netip.AddrFromSlice(ip)
	return netip.AddrPortFrom(a.WithZone(zone), uint16(port))
}

// AddrPort of nil is the zero one.
func (a *TCPAddr) AddrPort() netip.AddrPort {
	if a == nil {
		return netip.AddrPort{}
	}
	return addrPort(a.IP, a.Port, a.Zone)
}

// AddrPort of nil is the zero one.
func (a *UDPAddr) AddrPort() netip.AddrPort {
	if a == nil {
		return netip.AddrPort{}
	}
	return addrPort(a.IP, a.Port, a.Zone)
}

func TCPAddrFromAddrPort(addr netip.AddrPort) *TCPAddr {
	return &TCPAddr{IP: addr.Addr().AsSlice(), Port: int(addr.Port()), Zone: addr.Addr().Zone()}
}

func UDPAddrFromAddrPort(addr netip.AddrPort) *UDPAddr {
	return &UDPAddr{IP: addr.Addr().AsSlice(), Port: int(addr.Port()), Zone: addr.Addr().Zone()}
}

// DialTCP is net.DialTCP within the dialer's time.
func (d *Dialer) DialTCP(ctx context.Context, network string, laddr, raddr netip.AddrPort) (*TCPConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return d.dialTCP(ctx, network, TCPAddrFromAddrPort(laddr), TCPAddrFromAddrPort(raddr))
}

// DialUDP is net.DialUDP within the dialer's time.
func (d *Dialer) DialUDP(ctx context.Context, network string, laddr, raddr netip.AddrPort) (*UDPConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return d.dialUDP(ctx, network, UDPAddrFromAddrPort(laddr), UDPAddrFromAddrPort(raddr))
}

// LookupNetIP is LookupIP with other addresses.
func (r *Resolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	ips, err := r.LookupIP(ctx, network, host)
	if err != nil {
		return nil, err
	}
	all := make([]netip.Addr, 0, len(ips))
	for _, ip := range ips {
		if a, ok := netip.AddrFromSlice(ip); ok {
			all = append(all, a)
		}
	}
	return all, nil
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
	to, err := c.named(addr)
	n := 0
	if err == nil {
		n, err = c.send(b, to)
	}
	return n, c.unsentTo(addr, err)
}

func (c *UDPConn) WriteMsgUDPAddrPort(b, oob []byte, addr netip.AddrPort) (n, oobn int, err error) {
	to, err := c.named(addr)
	if err == nil {
		n, oobn, err = c.sendMessage(b, oob, to)
	}
	return n, oobn, c.unsentTo(addr, err)
}

// named is the address, nil if it is none. A socket of IPv4 is fussy about the others.
func (c *UDPConn) named(addr netip.AddrPort) (*UDPAddr, error) {
	switch {
	case !c.ok() || !addr.IsValid():
		return nil, nil
	case c.fd.connected || c.fd.family != syscall.AF_INET || addr.Addr().Unmap().Is4():
		return UDPAddrFromAddrPort(addr), nil
	}
	err := &AddrError{Err: "non-IPv4 address", Addr: addr.Addr().String()}
	return nil, &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Err: err}
}

// unsentTo has errors name the address as it was given.
func (c *UDPConn) unsentTo(addr netip.AddrPort, err error) error {
	if e, ok := err.(*OpError); ok {
		e.Addr = udpAddrPort{addr}
	}
	return err
}

// udpAddrPort is an Addr.
type udpAddrPort struct {
	netip.AddrPort
}

func (udpAddrPort) Network() string { return "udp" }
