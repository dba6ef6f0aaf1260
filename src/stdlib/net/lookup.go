package net

import (
	"context"
	"errors"
	"iter"
	"math/bits"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Names: services, the hosts file, and what dnsclient.go finds.

type Resolver struct {
	PreferGo     bool // there is no other way here
	StrictErrors bool
	Dial         func(ctx context.Context, network, address string) (Conn, error)
}

var DefaultResolver = &Resolver{}

// background is for all that is not told when to stop.
var background = context.Background()

func LookupAddr(addr string) (names []string, err error) {
	return DefaultResolver.LookupAddr(background, addr)
}

func LookupCNAME(host string) (cname string, err error) {
	return DefaultResolver.LookupCNAME(background, host)
}

func LookupHost(host string) (addrs []string, err error) {
	return DefaultResolver.LookupHost(background, host)
}

func LookupIP(host string) ([]IP, error) {
	return DefaultResolver.LookupIP(background, "ip", host)
}

func LookupMX(name string) ([]*MX, error) {
	return DefaultResolver.LookupMX(background, name)
}

func LookupNS(name string) ([]*NS, error) {
	return DefaultResolver.LookupNS(background, name)
}

func LookupPort(network, service string) (port int, err error) {
	return DefaultResolver.LookupPort(background, network, service)
}

func LookupSRV(service, proto, name string) (cname string, addrs []*SRV, err error) {
	return DefaultResolver.LookupSRV(background, service, proto, name)
}

func LookupTXT(name string) ([]string, error) {
	return DefaultResolver.LookupTXT(background, name)
}

func (r *Resolver) strict() bool { return r != nil && r.StrictErrors }

// LookupHost gives a number as it was written.
func (r *Resolver) LookupHost(ctx context.Context, host string) (addrs []string, err error) {
	var found []IPAddr
	if ip, _ := parseZoned(host); ip == nil {
		found, err = r.named(ctx, "ip", host)
	} else {
		addrs = []string{host}
	}
	for i := range found {
		addrs = append(addrs, found[i].String())
	}
	return addrs, err
}

func (r *Resolver) LookupIPAddr(ctx context.Context, host string) ([]IPAddr, error) {
	return r.addresses(ctx, "ip", host)
}

func (r *Resolver) LookupIP(ctx context.Context, network, host string) (ips []IP, err error) {
	t := transportOf(network)
	if t == nil || t.kind != "ip" {
		return nil, UnknownNetworkError(network)
	}
	found, err := r.addresses(ctx, network, host)
	for _, a := range found {
		if t.takes(a.IP) {
			ips = append(ips, a.IP)
		}
	}
	if err == nil && ips == nil {
		err = &AddrError{noneSuitable.Error(), host}
	}
	return ips, err
}

// addresses is what a host's name or number stands for.
func (r *Resolver) addresses(ctx context.Context, network, host string) (list []IPAddr, err error) {
	if host == "" {
		return nil, lookupError(unknownHost, host, "")
	}
	if ip, zone := parseZoned(host); ip != nil {
		return []IPAddr{{ip, zone}}, nil
	}
	trace := traceOf(ctx)
	if trace.lookUp != nil {
		trace.lookUp(host)
	}
	if ctx.Done() == nil {
		list, err = r.named(ctx, network, host)
	} else {
		list, err = r.namedWhile(ctx, network, host)
	}
	if trace.lookedUp != nil {
		trace.lookedUp(list, err)
	}
	return list, err
}

// namedWhile is named while the context lasts. Its end ends the wait at once, the look-up itself
// after the question that is being asked.
func (r *Resolver) namedWhile(ctx context.Context, network, host string) (list []IPAddr, err error) {
	look, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var found []IPAddr
	var fault error
	over := make(chan struct{})
	go func() {
		defer close(over)
		found, fault = r.named(look, network, host)
	}()
	select {
	case <-over:
		return found, fault
	case <-ctx.Done():
		return nil, lookupError(contextError(ctx.Err()), host, "")
	}
}

// named looks a name up, in the hosts file or else in the DNS.
func (r *Resolver) named(ctx context.Context, network, host string) (list []IPAddr, err error) {
	if !fitsDNS(host) {
		return nil, lookupError(unknownHost, host, "")
	}
	for _, text := range hosts().addresses[hostKey(host)] {
		ip, zone := parseZoned(text)
		list = append(list, IPAddr{ip, zone})
	}
	if list == nil {
		list, _, err = r.resolve(ctx, network, host)
	}
	sortAddresses(list)
	return list, err
}

// LookupPort takes a number as well, whatever the network.
func (r *Resolver) LookupPort(ctx context.Context, network, service string) (port int, err error) {
	digits := service
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	if strings.Trim(digits, "0123456789") == "" {
		n, _ := strconv.Atoi(service) // the largest number if that is too large, 0 for nothing
		if n != int(uint16(n)) {
			return 0, &AddrError{"invalid port", service}
		}
		return n, nil
	}
	if network == "" {
		network = "ip"
	}
	t := transportOf(network)
	if t == nil || t.kind == "unix" || t.kind == "ip" && t.version != 0 {
		return 0, &AddrError{"unknown network", network}
	}
	protocols := []string{t.kind}
	if t.kind == "ip" {
		protocols = []string{"tcp", "udp"}
	}
	if port, ok := servicePort(strings.ToLower(service), protocols); ok {
		return port, nil
	}
	return 0, lookupError(unknownService, network+"/"+service, "")
}

// What the machine's list of services may lack.
var commonServices = map[string]int{
	"tcp/domain": 53, "tcp/ftp": 21, "tcp/ftps": 990, "tcp/gopher": 70, "tcp/http": 80, "tcp/https": 443, "tcp/imap2": 143,
	"tcp/imap3": 220, "tcp/imaps": 993, "tcp/pop3": 110, "tcp/pop3s": 995, "tcp/smtp": 25, "tcp/submissions": 465, "tcp/ssh": 22,
	"tcp/telnet": 23, "udp/domain": 53,
}

// servicePort finds a service by its name or another one, for one of the protocols.
func servicePort(name string, protocols []string) (port int, ok bool) {
	data, _ := os.ReadFile("/etc/services")
	for _, protocol := range protocols {
		for words := range tableLines(string(data)) {
			port, width, isPort := decimal(words[1])
			if isPort && words[1][width:] == "/"+protocol &&
				(words[0] == name || slices.Contains(words[2:], name)) {
				return port, true
			}
		}
		if port, ok = commonServices[protocol+"/"+name]; ok {
			break
		}
	}
	return port, ok
}

// tableLines gives the words of each line of one of the machine's tables, if there are two at least;
// comments are left out.
func tableLines(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "#")
			if words := strings.Fields(line); len(words) >= 2 && !yield(words) {
				return
			}
		}
	}
}

// ---- The hosts file.

type hostsFile struct {
	addresses map[string][]string // by name in lower case, without the last dot
	names     map[string][]string // by address
}

func hostKey(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func hosts() *hostsFile {
	h := &hostsFile{map[string][]string{}, map[string][]string{}}
	data, _ := os.ReadFile("/etc/hosts")
	for words := range tableLines(string(data)) {
		ip, zone := parseZoned(words[0])
		if ip == nil {
			continue
		}
		address := (&IPAddr{ip, zone}).String()
		h.names[address] = append(h.names[address], words[1:]...)
		for _, name := range words[1:] {
			key := hostKey(name)
			h.addresses[key] = append(h.addresses[key], address)
		}
	}
	return h
}

// ---- The order of addresses. RFC 6724.

// A rank decides which address is better: the one with the smaller number at the first place where
// they differ.
type rank [6]int

// sortAddresses puts first what the kernel would reach best from here.
func sortAddresses(list []IPAddr) {
	if len(list) < 2 {
		return
	}
	type ranked struct {
		IPAddr
		rank
	}
	all := make([]ranked, len(list))
	for i, a := range list {
		all[i] = ranked{a, rankOf(a.IP, sourceFor(a))}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return slices.Compare(a.rank[:], b.rank[:]) })
	for i, a := range all {
		list[i] = a.IPAddr
	}
}

// sourceFor is the address from which the kernel would reach another, nil if it would not.
func sourceFor(a IPAddr) IP {
	// Connecting a datagram socket sends nothing, but chooses the source.
	c, err := DialUDP("udp", nil, &UDPAddr{a.IP, 9, a.Zone})
	if err != nil {
		return nil
	}
	defer c.Close()
	return c.LocalAddr().(*UDPAddr).IP
}

// rankOf follows the rules that can be known here: 1, 2, 5, 6, 8 and 9.
func rankOf(to, source IP) rank {
	if source == nil {
		return rank{1}
	}
	scope, area, sourceArea := scopeOf(to), areaOf(to), areaOf(source)
	common := 0
	if to.To4() == nil {
		common = min(commonBits(to, source), 64) // within the network
	}
	return rank{
		0,
		number(scope != scopeOf(source)),
		number(area.label != sourceArea.label),
		-area.precedence,
		scope,
		-common,
	}
}

func scopeOf(ip IP) int {
	const linkLocal, siteLocal, global = 2, 5, 14
	switch {
	case ip.To4() == nil && ip.IsMulticast():
		return int(ip[1] & 0xf)
	case ip.IsLinkLocalUnicast(), ip.IsLoopback():
		return linkLocal
	case ip.in(nothing, block{0xfec00000, 0xffc00000}):
		return siteLocal
	}
	return global
}

// An area is a part of all addresses, which begin with the same bits.
type area struct {
	prefix                  string // bytes
	bits, precedence, label int
}

// The default table, an area before those that it is part of.
var areas = [...]area{
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", 128, 50, 0},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff", 96, 35, 4},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 96, 1, 3},
	{"\x20\x01\x00\x00", 32, 5, 5},
	{"\x20\x02", 16, 30, 2},
	{"\x3f\xfe", 16, 1, 12},
	{"\xfe\xc0", 10, 1, 11},
	{"\xfc\x00", 7, 3, 13},
	{"", 0, 40, 1},
}

func areaOf(ip IP) *area {
	i := 0
	for ip = ip.To16(); commonBits(ip, IP(areas[i].prefix)) < areas[i].bits; i++ {
	}
	return &areas[i]
}

// commonBits is how many bits both begin with.
func commonBits(a, b IP) int {
	size := min(len(a), len(b))
	for i := range size {
		if differ := a[i] ^ b[i]; differ != 0 {
			return 8*i + bits.LeadingZeros8(differ)
		}
	}
	return 8 * size
}

// ---- Other records.

type SRV struct {
	Target   string
	Port     uint16
	Priority uint16
	Weight   uint16
}

type MX struct {
	Host string
	Pref uint16
}

type NS struct {
	Host string
}

func (r *Resolver) LookupCNAME(ctx context.Context, host string) (string, error) {
	if !fitsDNS(host) {
		return "", lookupError(unknownHost, host, "")
	}
	_, cname, err := r.resolve(ctx, "CNAME", host)
	return cname, err
}

func (r *Resolver) LookupSRV(ctx context.Context, service, proto, name string) (string, []*SRV, error) {
	target := name
	if service != "" || proto != "" {
		target = strings.Join([]string{"_" + service, "_" + proto, name}, ".")
	}
	found, cname, err := r.pointings(ctx, target, typeSRV, name)
	var list []*SRV
	for _, p := range found {
		list = append(list, &SRV{Target: p.host, Priority: p.words[0], Weight: p.words[1], Port: p.words[2]})
	}
	draw(list)
	return cname, list, err
}

// draw sorts by priority. Within one, servers are drawn one after the other, by weight: a heavier one
// is likelier to come early.
func draw(list []*SRV) {
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	slices.SortStableFunc(list, func(a, b *SRV) int { return int(a.Priority) - int(b.Priority) })
	for at, first := range list {
		sum := 0
		rest := list[at:]
		for i, s := range rest {
			if s.Priority != first.Priority {
				rest = rest[:i]
				break
			}
			sum += int(s.Weight)
		}
		if sum == 0 {
			continue // as they were shuffled
		}
		lot := rand.Intn(sum)
		drawn := slices.IndexFunc(rest, func(s *SRV) bool {
			lot -= int(s.Weight)
			return lot < 0
		})
		rest[0], rest[drawn] = rest[drawn], rest[0]
	}
}

func (r *Resolver) LookupMX(ctx context.Context, name string) ([]*MX, error) {
	found, _, err := r.pointings(ctx, name, typeMX, name)
	var list []*MX
	for _, p := range found {
		list = append(list, &MX{p.host, p.words[0]})
	}
	slices.SortStableFunc(list, func(a, b *MX) int { return int(a.Pref) - int(b.Pref) })
	return list, err
}

func (r *Resolver) LookupNS(ctx context.Context, name string) (list []*NS, err error) {
	found, _, err := r.pointings(ctx, name, typeNS, name)
	for _, p := range found {
		list = append(list, &NS{p.host})
	}
	return list, err
}

func (r *Resolver) LookupTXT(ctx context.Context, name string) (list []string, err error) {
	answers, _, err := r.records(ctx, name, typeTXT)
	for _, a := range answers {
		if a.kind == typeTXT {
			list = append(list, a.text())
		}
	}
	return list, err
}

func (r *Resolver) LookupAddr(ctx context.Context, addr string) (names []string, err error) {
	ip, zone := parseZoned(addr)
	if ip != nil {
		names = hosts().names[(&IPAddr{ip, zone}).String()]
	}
	switch {
	case names != nil:
		return names, nil
	case ip == nil || zone != "":
		return nil, lookupError(errors.New("unrecognized address"), addr, "")
	}
	found, _, err := r.pointings(ctx, reverseName(ip), typePTR, addr)
	for _, p := range found {
		names = append(names, p.host)
	}
	return names, err
}

// reverseName is the name under which the DNS keeps an address's names.
func reverseName(ip IP) string {
	if ip4 := ip.To4(); ip4 != nil {
		return IP{ip4[3], ip4[2], ip4[1], ip4[0]}.String() + ".in-addr.arpa."
	}
	var text []byte
	for _, b := range slices.Backward(ip) {
		text = append(text, hexDigits[b&15], '.', hexDigits[b>>4], '.')
	}
	return string(text) + "ip6.arpa."
}
