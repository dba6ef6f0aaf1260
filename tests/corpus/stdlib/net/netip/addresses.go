// run

// Addresses, ports and prefixes: parsed, refused, written, compared, asked.
package main

import (
	"fmt"
	"net/netip"
	"slices"
)

func try(f func()) {
	defer func() { fmt.Println("panic:", recover()) }()
	f()
}

func main() {
	var all []netip.Addr
	for _, s := range []string{
		"", "1.2.3.4", "0.0.0.0", "255.255.255.255", "01.2.3.4", "1.2.3", "1.2.3.4.5",
		"1.2.3.256", "1.2..4", ".1.2.3", "1.2.3.", "1.2.3.x", "x.1", "1", "a", "%eth0",
		"::", "::1", "1::", "fe80::1%eth0", "fe80::1%", "::ffff:1.2.3.4", "::ffff:1.2.3.4%z",
		"2001:db8::1:0:0:1", "2001:db8:0:0:1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7",
		"1:2:3:4:5:6:7:8:9",
		"1:2:3:4:5:6:7::", "::1:2:3:4:5:6:7:8", "12345::", ":1", "1:", "1:::2", "1::2::3",
		"g::", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:1.2.3.4", "::1.2.3", "::1.2.3.400", "::1.2.3.4:5",
		"1:2:3:4:5:6:7:1.2.3.4", "10.1.2.3", "127.0.0.1", "169.254.1.1", "172.31.0.1",
		"172.32.0.1", "192.168.1.1", "224.0.0.5", "239.1.1.1", "ff01::1", "ff02::1", "ff05::2",
		"fc00::1", "fdff::", "fec0::", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:0:0",
		"FE80::ABCD", "0:0:0:0:0:0:0:1", "1:0:0:2:0:0:0:3", "8.8.8.8",
	} {
		a, err := netip.ParseAddr(s)
		fmt.Printf("%q %v %v %s %d\n", s, a, err, a.StringExpanded(), a.BitLen())
		if err != nil {
			continue
		}
		all = append(all, a)
		fmt.Println(a.IsValid(), a.Is4(), a.Is6(), a.Is4In6(), a.IsGlobalUnicast(),
			a.IsInterfaceLocalMulticast(), a.IsLinkLocalMulticast(),
			a.IsLinkLocalUnicast(), a.IsLoopback(), a.IsMulticast(), a.IsPrivate(),
			a.IsUnspecified(), a.Zone(), a.Unmap(), a.Next(), a.Prev(), a.WithZone("q"))
		text, _ := a.MarshalText()
		bin, _ := a.MarshalBinary()
		var t, b netip.Addr
		fmt.Println(string(text), bin, t.UnmarshalText(text), b.UnmarshalBinary(bin), t == a,
			b == a, a.As16(), a.AsSlice())
		from, ok := netip.AddrFromSlice(a.AsSlice())
		fmt.Println(from, ok, a.Is6() && !a.Is4In6() || a.As4() != [4]byte{9})
		for _, n := range []int{-1, 0, 1, 7, 8, 24, 32, 33, 64, 65, 127, 128, 129} {
			p, err := a.Prefix(n)
			fmt.Print(p, " ", err, ";")
		}
		fmt.Println()
	}
	slices.SortFunc(all, netip.Addr.Compare)
	fmt.Println(all, all[0].Less(all[1]))
	try(func() { netip.Addr{}.As4() })
	try(func() { netip.MustParseAddr("::1").As4() })
	try(func() { netip.MustParseAddr("x") })
	var zero netip.Addr
	text, _ := zero.MarshalText()
	fmt.Println(zero, text == nil, zero.Next() == zero, zero.UnmarshalBinary([]byte{1, 2}),
		zero.UnmarshalText(nil), string(zero.AppendTo([]byte("<"))))
	fmt.Println(netip.IPv4Unspecified(), netip.IPv6LinkLocalAllNodes(),
		netip.IPv6LinkLocalAllRouters(), netip.IPv6Loopback(), netip.IPv6Unspecified())

	for _, s := range []string{
		"1.2.3.4:80", "[::1]:80", "::1:80", "[1.2.3.4]:80", "1.2.3.4", ":80", "1.2.3.4:",
		"1.2.3.4:x", "1.2.3.4:65536", "[::1:80", "[fe80::1%eth0]:1", "[::ffff:1.2.3.4]:9",
		"x:1", "[:1",
	} {
		p, err := netip.ParseAddrPort(s)
		text, _ := p.MarshalText()
		bin, _ := p.MarshalBinary()
		var t, b netip.AddrPort
		fmt.Printf("%q %v %v %d %v %q %v %v %v\n", s, p, err, p.Port(), p.IsValid(), text, bin,
			t.UnmarshalText(text), b.UnmarshalBinary(bin))
		fmt.Println(p == t, p == b, p.Compare(netip.MustParseAddrPort("1.2.3.4:81")))
	}

	var prefixes []netip.Prefix
	for _, s := range []string{
		"1.2.3.4/24", "1.2.3.4/32", "0.0.0.0/0", "::1/128", "2001:db8::/32", "2001:db8::ff/129",
		"1.2.3.4/33", "1.2.3.4", "1.2.3.4/", "1.2.3.4/x", "1.2.3.4/08", "1.2.3.4/+8", "1.2.3.4/-1",
		"fe80::%z/10", "x/8", "::ffff:1.2.3.4/100", "10.0.0.0/8", "10.1.0.0/16", "::/0",
	} {
		p, err := netip.ParsePrefix(s)
		text, _ := p.MarshalText()
		bin, _ := p.MarshalBinary()
		var t, b netip.Prefix
		fmt.Printf("%q %v %v %v %d %v %v %q %v %v %v\n", s, p, err, p.Masked(), p.Bits(),
			p.IsValid(), p.IsSingleIP(), text, bin,
			t.UnmarshalText(text), b.UnmarshalBinary(bin))
		for _, a := range []string{"1.2.3.99", "10.1.2.3", "::1", "2001:db8:1::",
			"2001:db8::%z", "::ffff:1.2.3.4"} {
			fmt.Print(p.Contains(netip.MustParseAddr(a)), " ")
		}
		fmt.Println(p == t, p == b)
		if err == nil {
			prefixes = append(prefixes, p)
		}
	}
	for _, p := range prefixes {
		for _, q := range prefixes {
			fmt.Print(p.Overlaps(q), p.Compare(q), " ")
		}
		fmt.Println()
	}
	fmt.Println(netip.PrefixFrom(netip.MustParseAddr("::1%z"), 200),
		netip.PrefixFrom(netip.MustParseAddr("::1%z"), 20), netip.Prefix{})
	m := map[netip.Addr]int{netip.MustParseAddr("1.2.3.4"): 1}
	fmt.Println(m[netip.AddrFrom4([4]byte{1, 2, 3, 4})], m[netip.MustParseAddr("::ffff:1.2.3.4")])
}
