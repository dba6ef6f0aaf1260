package net

import (
	"context"
	"errors"
	"internal/poll"
	"io"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A client of the domain name system: how the machine asks, and asking.

// A policy is how the machine asks. resolv.conf(5).
type policy struct {
	servers   []string
	search    []string
	dots      int // a name with so many is tried as it is first
	timeout   time.Duration
	attempts  int
	rotate    bool
	byTCP     bool
	authentic bool
}

func readPolicy() *policy {
	p := &policy{dots: 1, timeout: 5 * time.Second, attempts: 2}
	data, _ := os.ReadFile("/etc/resolv.conf")
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) > 0 {
			p.obey(words[0], words[1:])
		}
	}
	if p.servers == nil {
		p.servers = []string{"127.0.0.1:53", "[::1]:53"}
	}
	if len(p.search) == 0 {
		host, _ := os.Hostname()
		if _, domain, _ := strings.Cut(host, "."); domain != "" {
			p.search = []string{rooted(domain)}
		}
	}
	return p
}

func rooted(name string) string { return strings.TrimSuffix(name, ".") + "." }

// obey does what a line says; unknown ones, and comments, say nothing.
func (p *policy) obey(keyword string, words []string) {
	switch {
	case keyword == "search":
		p.search = nil
		for _, domain := range words {
			if domain != "." {
				p.search = append(p.search, rooted(domain))
			}
		}
	case keyword == "options":
		for _, option := range words {
			p.set(option)
		}
	case len(words) == 0:
	case keyword == "domain":
		p.search = []string{rooted(words[0])}
	case keyword == "nameserver" && len(p.servers) < 3:
		if ip, _ := parseZoned(words[0]); ip != nil {
			p.servers = append(p.servers, JoinHostPort(words[0], "53"))
		}
	}
}

func (p *policy) set(option string) {
	key, value, _ := strings.Cut(option, ":")
	n, _, _ := decimal(value)
	switch key {
	case "attempts":
		p.attempts = max(n, 1)
	case "ndots":
		p.dots = min(n, 15)
	case "rotate":
		p.rotate = true
	case "tcp", "use-vc", "usevc":
		p.byTCP = true
	case "timeout":
		p.timeout = max(time.Duration(n), 1) * time.Second
	case "trust-ad":
		p.authentic = true
	}
}

// fullNames are what to ask for, in order, when the program asks for name.
func (p *policy) fullNames(name string) []string {
	list := []string{rooted(name)}
	if !strings.HasSuffix(name, ".") {
		at := 1
		if strings.Count(name, ".") < p.dots {
			at = 0
		}
		var below []string
		for _, domain := range p.search {
			below = append(below, name+"."+domain)
		}
		list = slices.Insert(list, at, below...)
	}
	return slices.DeleteFunc(list, func(full string) bool { return len(full) > 254 || isOnion(full) })
}

// isOnion tells of names that are never asked for. RFC 7686.
func isOnion(full string) bool { return strings.HasSuffix(strings.ToLower(full), ".onion.") }

var turn atomic.Uint32

// order is the servers as this question shall try them.
func (p *policy) order() []string {
	if !p.rotate {
		return p.servers
	}
	first := int(turn.Add(1)-1) % len(p.servers)
	return append(slices.Clone(p.servers[first:]), p.servers[:first]...)
}

// announce says that a server of names is about to be asked.
func (r *Resolver) announce() {
	if r == nil || r.Dial == nil {
		poll.AsksForNames(-1)
	}
}

func (r *Resolver) dialServer(ctx context.Context, network, server string) (Conn, error) {
	dial := (&Dialer{Control: announceSocket}).DialContext
	if r != nil && r.Dial != nil {
		dial = r.Dial
	}
	return dial(ctx, network, server)
}

// announceSocket says that a server of names is asked by the socket.
func announceSocket(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { poll.AsksForNames(int(fd)) })
}

// exchange asks one server, by UDP and, if the answer is cut, by TCP.
func (r *Resolver) exchange(ctx context.Context, p *policy, server, name string, kind int) (*reply, error) {
	q := &query{int(uint16(rand.Uint32())), name, kind}
	flags := 0
	if p.authentic {
		flags = flagAuthentic
	}
	message, err := q.encode(flags)
	if err != nil {
		return nil, err
	}
	if !p.byTCP {
		answer, err := r.ask(ctx, p, "udp", server, q, message)
		if err != nil || answer.flags&flagCut == 0 {
			return answer, err
		}
	}
	return r.ask(ctx, p, "tcp", server, q, message)
}

// ask makes a connection for one question.
func (r *Resolver) ask(
	ctx context.Context, p *policy, network, server string, q *query, message []byte,
) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	c, err := r.dialServer(ctx, network, server)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	deadline, _ := ctx.Deadline()
	c.SetDeadline(deadline)
	if _, byMessages := c.(PacketConn); byMessages {
		return q.byMessages(c, message)
	}
	return q.byStream(c, message)
}

// byMessages asks, and waits for the answer. What answers another question is somebody else's, or
// forged.
func (q *query) byMessages(c Conn, message []byte) (answer *reply, err error) {
	_, fault := c.Write(message)
	buf := make([]byte, largestMessage)
	for err = otherReply; err == otherReply && fault == nil; {
		var n int
		if n, fault = c.Read(buf); fault == nil {
			answer, err = q.decode(buf[:n])
		}
	}
	if fault != nil {
		return nil, fault
	}
	return answer, err
}

// byStream asks where each message comes behind its length.
func (q *query) byStream(c Conn, message []byte) (*reply, error) {
	size := [2]byte{byte(len(message) >> 8), byte(len(message))}
	_, err := c.Write(append(size[:], message...))
	if err == nil {
		_, err = io.ReadFull(c, size[:])
	}
	if err == nil {
		message = make([]byte, int(size[0])<<8|int(size[1]))
		_, err = io.ReadFull(c, message)
	}
	if err != nil {
		return nil, err
	}
	return q.decode(message)
}

// askServers asks the servers in turn for one full name.
func (r *Resolver) askServers(ctx context.Context, p *policy, full string, kind int) (*reply, string, error) {
	var last error
	servers := p.order()
	for try := range p.attempts * len(servers) {
		server := servers[try%len(servers)]
		answer, err := r.exchange(ctx, p, server, full, kind)
		reached := err == nil
		if reached {
			if err = answer.judge(); err == nil {
				if answer.has(kind) {
					return answer, server, nil
				}
				err = unknownHost
			}
		}
		e := lookupError(err, full, server)
		if reached && err == unknownHost {
			return answer, server, e
		}
		// Another try may find the network, or the server, again.
		if _, isOp := err.(*OpError); isOp {
			e.IsTemporary = true
		}
		last = e
	}
	return nil, "", last
}

// hopeless tells whether an error ends the search under other names, too.
func (r *Resolver) hopeless(err error) bool {
	e, ok := err.(Error)
	return ok && e.Temporary() && r.strict()
}

// underName has an error, which there may not be, speak of the name that the program knows.
func underName(err error, name string) error {
	if e, ok := err.(*DNSError); ok {
		e.Name = name
		return e
	}
	return lookupError(unknownHost, name, "")
}

// records asks for one kind of record under all names that the machine tries for this one.
func (r *Resolver) records(ctx context.Context, name string, kind int) ([]record, string, error) {
	var last error
	if fitsDNS(name) {
		r.announce()
		p := readPolicy()
		for _, full := range p.fullNames(name) {
			answer, server, err := r.askServers(ctx, p, full, kind)
			if err == nil {
				return answer.answers, server, nil
			}
			if last = err; r.hopeless(err) {
				break
			}
		}
	}
	return nil, "", underName(last, name)
}

// resolve asks for addresses of both kinds at once, and the name that has them.
func (r *Resolver) resolve(ctx context.Context, network, host string) (list []IPAddr, cname string, err error) {
	r.announce()
	wantsName := network == "CNAME"
	kinds := []int{typeA, typeAAAA}
	switch {
	case wantsName:
		kinds = append(kinds, typeCNAME)
	case strings.HasSuffix(network, "4"):
		kinds = kinds[:1]
	case strings.HasSuffix(network, "6"):
		kinds = kinds[1:]
	}
	p := readPolicy()
	var last error
	for _, full := range p.fullNames(host) {
		isHopeless := false
		for _, got := range r.askKinds(ctx, p, full, kinds) {
			switch {
			case r.hopeless(got.err):
				isHopeless, last = true, got.err
			case got.err != nil && (last == nil || full != host+"."):
				last = got.err
			case got.err == nil:
				list, cname = got.reply.gather(list, cname, wantsName)
			}
		}
		if isHopeless {
			break
		}
		if len(list) > 0 || wantsName && cname != "" {
			return list, cname, nil
		}
	}
	return nil, "", underName(last, host)
}

type result struct {
	reply *reply
	err   error
}

// askKinds asks for several kinds of records at once.
func (r *Resolver) askKinds(ctx context.Context, p *policy, full string, kinds []int) []result {
	results := make([]result, len(kinds))
	answered := make(chan struct{})
	for i, kind := range kinds {
		go func() {
			answer, _, err := r.askServers(ctx, p, full, kind)
			results[i] = result{answer, err}
			answered <- struct{}{}
		}()
	}
	for range kinds {
		<-answered
	}
	return results
}

// gather adds the addresses of a reply, and, if there is none yet, the name that has them.
func (r *reply) gather(list []IPAddr, cname string, wantsName bool) ([]IPAddr, string) {
	for _, a := range r.answers {
		name := a.owner
		switch {
		case a.kind == typeA && len(a.data) == IPv4len:
			list = append(list, IPAddr{IP: IP(a.data).To16()})
		case a.kind == typeAAAA && len(a.data) == IPv6len:
			list = append(list, IPAddr{IP: slices.Clone(IP(a.data))})
		case a.kind == typeCNAME && wantsName:
			target, ok := a.pointing()
			if name = target.host; !ok || !fitsDNS(name) {
				continue
			}
		default:
			continue
		}
		if cname == "" {
			cname = name
		}
	}
	return list, cname
}

var badRecords = errors.New("DNS response contained records which contain invalid names")

// pointings asks for records that name hosts, and the name that has them. Hosts that cannot be are
// left out, and told by an error besides the rest, which speaks of the name as.
func (r *Resolver) pointings(
	ctx context.Context, name string, kind int, as string,
) (list []pointing, owner string, err error) {
	answers, server, err := r.records(ctx, name, kind)
	for _, a := range answers {
		if a.kind != kind {
			continue
		}
		p, ok := a.pointing()
		if !ok {
			return nil, "", &DNSError{Err: malformed.Error(), Name: name, Server: server}
		}
		if owner == "" {
			owner = a.owner
		}
		if fitsDNS(p.host) {
			list = append(list, p)
		} else {
			err = &DNSError{Err: badRecords.Error(), Name: as}
		}
	}
	return list, owner, err
}
