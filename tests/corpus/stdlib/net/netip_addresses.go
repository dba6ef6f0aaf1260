// run

// What net has for addresses of net/netip.
package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"
)

func main() {
	for _, s := range []string{"127.0.0.1:80", "[::1]:443", "[fe80::1%lo]:9", "[::ffff:1.2.3.4]:7"} {
		a := netip.MustParseAddrPort(s)
		fmt.Println(net.TCPAddrFromAddrPort(a), net.UDPAddrFromAddrPort(a), net.TCPAddrFromAddrPort(a).AddrPort(), net.UDPAddrFromAddrPort(a).AddrPort())
	}
	fmt.Println((*net.TCPAddr)(nil).AddrPort(), (&net.UDPAddr{}).AddrPort(), net.TCPAddrFromAddrPort(netip.AddrPort{}))

	for _, network := range []string{"udp4", "udp"} {
		l, err := net.ListenUDP(network, net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
		if err != nil {
			panic(err)
		}
		to := l.LocalAddr().(*net.UDPAddr).AddrPort()
		d := net.Dialer{Timeout: time.Second}
		c, err := d.DialUDP(context.Background(), network, netip.AddrPort{}, to)
		if err != nil {
			panic(err)
		}
		c.Write([]byte("hello"))
		b := make([]byte, 100)
		n, from, err := l.ReadFromUDPAddrPort(b)
		fmt.Println(string(b[:n]), from == c.LocalAddr().(*net.UDPAddr).AddrPort(), from.Addr(), err)
		n, err = l.WriteToUDPAddrPort([]byte("back"), from)
		fmt.Println(n, err)
		n, _, _, from, err = c.ReadMsgUDPAddrPort(b, nil)
		fmt.Println(string(b[:n]), from.Addr(), err)
		n, _, err = l.WriteMsgUDPAddrPort([]byte("again"), nil, c.LocalAddr().(*net.UDPAddr).AddrPort())
		fmt.Println(n, err)
		for _, bad := range []netip.AddrPort{{}, netip.MustParseAddrPort("[::1]:9")} {
			_, err = l.WriteToUDPAddrPort([]byte("x"), bad)
			fmt.Printf("%T %v\n", err, err.(*net.OpError).Err)
			_, err = c.WriteToUDPAddrPort([]byte("x"), bad)
			fmt.Printf("%T %v %v\n", err, err.(*net.OpError).Err, err.(*net.OpError).Addr)
		}
		l.Close()
		_, _, err = l.ReadFromUDPAddrPort(b)
		fmt.Println(err.(*net.OpError).Err)
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	var d net.Dialer
	c, err := d.DialTCP(context.Background(), "tcp", netip.AddrPort{}, l.Addr().(*net.TCPAddr).AddrPort())
	fmt.Println(c.RemoteAddr().String() == l.Addr().String(), err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = d.DialTCP(ctx, "tcp", netip.AddrPort{}, l.Addr().(*net.TCPAddr).AddrPort())
	fmt.Println(err.(*net.OpError).Err)
	_, err = d.DialTCP(context.Background(), "udp", netip.AddrPort{}, netip.MustParseAddrPort("127.0.0.1:1"))
	fmt.Println(err)
	_, err = d.DialUnix(context.Background(), "unix", nil, &net.UnixAddr{Name: "/nowhere/at/all", Net: "unix"})
	fmt.Println(err)
	ips, err := net.DefaultResolver.LookupNetIP(context.Background(), "ip4", "127.0.0.9")
	fmt.Println(ips, err)
}
