// run

// Addresses as text: IP, masks, networks, host and port, hardware addresses.
package main

import (
	"fmt"
	"net"
)

func main() {
	for _, s := range []string{"127.0.0.1", "0.0.0.0", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.04", "", ".", "1..2.3",
		"::", "::1", "1::", "2001:db8::1", "2001:DB8::A", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
		"::1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "::ffff:1.2.3.400", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "fe80::1%eth0", ":::", "1::2::3",
		"12345::", "g::", "::-1", "1:", ":1", "1:0:0:2:0:0:0:3", "1:0:0:2:0:0:3:4", "0:0:1:0:0:0:0:0", "::ffff:0:0", " 1.2.3.4", "1.2.3.4 "} {
		ip := net.ParseIP(s)
		fmt.Printf("%q %v %d\n", s, ip, len(ip))
		if ip != nil {
			fmt.Println("  ", ip.To4() != nil, ip.IsLoopback(), ip.IsPrivate(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsGlobalUnicast(),
				ip.IsLinkLocalUnicast(), ip.IsLinkLocalMulticast(), ip.IsInterfaceLocalMulticast(), ip.DefaultMask())
			text, err := ip.MarshalText()
			fmt.Println("  ", string(text), err)
		}
	}
	for _, s := range []string{"10.0.0.0/8", "10.1.2.3/8", "1.2.3.4/0", "1.2.3.4/32", "1.2.3.4/33", "1.2.3.4", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/8x", "2001:db8::/32",
		"::1/128", "::1/129", "::ffff:1.2.3.4/100", "x/8", "1.2.3.4/08"} {
		ip, n, err := net.ParseCIDR(s)
		fmt.Println(s, ip, n, err)
		if err == nil {
			ones, bits := n.Mask.Size()
			fmt.Println("  ", ones, bits, n.Mask, n.Network(), n.Contains(ip), n.Contains(net.IPv4(10, 200, 0, 1)), n.Contains(net.ParseIP("2001:db8::5")))
		}
	}
	fmt.Println(net.IPv4(1, 2, 3, 4).Mask(net.CIDRMask(24, 32)), net.IPv4Mask(255, 0, 255, 0), net.CIDRMask(33, 32), net.CIDRMask(10, 30))
	fmt.Println((&net.IPNet{IP: net.IPv4(1, 2, 3, 4), Mask: net.IPv4Mask(255, 0, 255, 0)}).String(), (&net.IPNet{}).String())
	fmt.Println(net.IP{1, 2, 3}.String(), net.IP(nil).String(), net.IPv4(1, 2, 3, 4).Equal(net.IP{1, 2, 3, 4}), net.IP{1, 2}.Equal(net.IP{1, 2}))
	_, err := net.IP{1, 2, 3}.MarshalText()
	fmt.Println(err)
	var ip net.IP
	fmt.Println(ip.UnmarshalText([]byte("1.2.3")), ip.UnmarshalText([]byte("::5")), ip)
	for _, s := range []string{"host:80", "host", "host:", ":80", "", "[::1]:80", "[::1]", "[::1", "::1:80", "[::1]x:80", "[::1]:80:90", "a[b]:80", "a]b:80", "[a]b]:80",
		"[[::1]:80", "[fe80::1%lo0]:80", "host:http", "[]:80", "127.0.0.1:0"} {
		h, p, err := net.SplitHostPort(s)
		fmt.Printf("%q %q %q %v\n", s, h, p, err)
	}
	fmt.Println(net.JoinHostPort("a", "1"), net.JoinHostPort("::1", "2"), net.JoinHostPort("", "3"), net.JoinHostPort("fe80::1%lo0", "4"))
	for _, s := range []string{"00:00:5e:00:53:01", "02-00-5e-10-00-00-00-01", "0000.5e00.5301", "00:00:5e:00:53", "00:00:5e:00:53:0g", "x", "00-00:5e:00:53:01",
		"00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01",
		"00005e005301", "02005E1000000001", "00005e00530", "00005e00530101", "00005g005301"} {
		hw, err := net.ParseMAC(s)
		fmt.Println(hw, err)
	}
	for _, s := range []string{"127.0.0.1:80", "[::1]:443", ":http", "1.2.3.4:", "1.2.3.4:+5", "1.2.3.4:-5", "1.2.3.4:65536", "nowhere", "[fe80::1%1]:5", "0.0.0.0:1"} {
		t, err := net.ResolveTCPAddr("tcp", s)
		fmt.Println(t, err)
		if err == nil {
			fmt.Println("  ", t.IP, t.Port, t.Zone, t.Network(), t.IP.To4() != nil)
		}
		u, err := net.ResolveUDPAddr("udp4", s)
		fmt.Println(u, err)
	}
	_, err = net.ResolveTCPAddr("udp", "1.2.3.4:5")
	fmt.Println(err)
	a, err := net.ResolveIPAddr("ip4", "1.2.3.4")
	fmt.Println(a, err)
	x, err := net.ResolveUnixAddr("unixgram", "/tmp/x")
	fmt.Println(x, x.Network(), err)
	var nilTCP *net.TCPAddr
	fmt.Println(nilTCP, &net.TCPAddr{}, &net.UDPAddr{IP: net.IPv6loopback, Port: 1, Zone: "z"}, &net.IPAddr{IP: net.IPv4zero})
	for _, service := range []string{"http", "HTTPS", "80", "", "0", "65536", "-1", "nosuch", "domain"} {
		for _, network := range []string{"tcp", "udp", "ip", "x"} {
			p, err := net.LookupPort(network, service)
			fmt.Println(network, service, p, err)
		}
	}
	for _, e := range []error{&net.OpError{Op: "o", Err: net.UnknownNetworkError("n")}, &net.OpError{Op: "o", Net: "n", Source: &net.TCPAddr{}, Err: net.InvalidAddrError("bad")},
		&net.DNSError{Err: "e", Name: "n"}, &net.DNSError{Err: "e", Name: "n", Server: "s", IsTimeout: true}, &net.ParseError{Type: "t", Text: "x"}, &net.AddrError{Err: "e"}} {
		ne := e.(net.Error)
		fmt.Println(e, ne.Timeout(), ne.Temporary())
	}
	fmt.Println(net.FlagUp|net.FlagLoopback, net.Flags(0))
}
