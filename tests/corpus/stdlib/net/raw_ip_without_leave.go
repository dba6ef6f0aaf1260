// run

// What IPConn and its makers say before there is a socket, for which one needs leave.
package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
)

func main() {
	lo := &net.IPAddr{IP: net.IPv4(127, 0, 0, 1)}
	for _, n := range []string{"ip4", "ip", "ip6", "ip4:foo", "ip4:", "ip4:-1", "ip4:0x1", "ip5:1", "tcp:1", "udp4:1", "ip4:icmp:x",
		"IP4:icmp", "tcp", ""} {
		fmt.Println(net.DialIP(n, nil, lo))
		fmt.Println(net.DialIP(n, lo, lo))
		fmt.Println(net.ListenIP(n, lo))
		fmt.Println(net.ListenIP(n, nil))
		fmt.Println(new(net.Dialer).DialIP(context.Background(), n, netip.Addr{}, netip.MustParseAddr("127.0.0.1")))
		if n != "tcp" {
			fmt.Println(net.Dial(n, "127.0.0.1"))
			fmt.Println(net.ListenPacket(n, "127.0.0.1"))
			fmt.Println(net.Listen(n, "127.0.0.1"))
		}
		fmt.Println(net.ResolveIPAddr(n, "127.0.0.1"))
	}
	for _, n := range []string{"ip4:icmp", "ip4:1", "ip4:253", "ip:ICMP", "ip6:58", "ip6:ipv6-icmp", "ip4:300"} {
		fmt.Println(net.DialIP(n, nil, nil))
		fmt.Println(net.Dial(n, ""))
		fmt.Println(net.Listen(n, "127.0.0.1"))
		fmt.Println(net.ResolveIPAddr(n, "127.0.0.1"))
		fmt.Println(net.ResolveIPAddr(n, "::1"))
		fmt.Println((&net.Dialer{LocalAddr: &net.TCPAddr{}}).Dial(n, "127.0.0.1"))
	}
	var c net.IPConn
	b := make([]byte, 1)
	fmt.Println(c.ReadFromIP(b))
	fmt.Println(c.ReadFrom(b))
	fmt.Println(c.ReadMsgIP(b, nil))
	fmt.Println(c.WriteToIP(b, lo))
	fmt.Println(c.WriteTo(b, lo))
	fmt.Println(c.WriteMsgIP(b, nil, lo))
	fmt.Println(c.SyscallConn())
	fmt.Println(c.Read(b))
	fmt.Println(c.Close())
	var p net.PacketConn = &c
	_, isConn := p.(net.Conn)
	fmt.Println(isConn)
}
