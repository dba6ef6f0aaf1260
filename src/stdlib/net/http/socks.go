package http

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"time"
)

// Proxies that speak SOCKS 5: RFC 1928, and RFC 1929 for names and passwords.

// socksAddr is a host, by name or number, and a port.
type socksAddr struct {
	host string
	port int
}

func newSocksAddr(address string) (*socksAddr, error) {
	a := new(socksAddr)
	var port string
	var err error
	if a.host, port, err = net.SplitHostPort(address); err == nil {
		a.port, err = strconv.Atoi(port)
	}
	if err == nil && a.port != int(uint16(a.port)) || a.port == 0 && err == nil {
		err = errors.New("port number out of range " + port)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (a *socksAddr) Network() string { return "socks" }
func (a *socksAddr) String() string  { return net.JoinHostPort(a.host, strconv.Itoa(a.port)) }

// socks has the proxy at the other end of c connect us to an address.
func socks(ctx context.Context, c net.Conn, user *url.Userinfo, address string) error {
	err := func() error {
		to, err := newSocksAddr(address)
		if err != nil {
			return err
		}
		if t, ok := ctx.Deadline(); ok {
			c.SetDeadline(t)
			defer c.SetDeadline(time.Time{})
		}
		stop := context.AfterFunc(ctx, func() { c.SetDeadline(longAgo) })
		err = askSocks(c, user, to)
		if !stop() && err == nil {
			err = ctx.Err()
		}
		return err
	}()
	if err == nil {
		return nil
	}
	failed := &net.OpError{Op: "socks connect", Net: "tcp", Err: err}
	if proxy, err := newSocksAddr(c.RemoteAddr().String()); err == nil {
		failed.Source = proxy
		if to, err := newSocksAddr(address); err == nil {
			failed.Addr = to
		}
	}
	return failed
}

const (
	socksVersion  = 5
	socksNobody   = 0
	socksPassword = 2
	socksNoWay    = 0xff
	socksIPv4     = 1
	socksName     = 3
	socksIPv6     = 4
	socksLogin    = 1
)

// askSocks speaks with the proxy.
func askSocks(c net.Conn, user *url.Userinfo, to *socksAddr) error {
	hello := []byte{socksVersion, 1, socksNobody}
	if user != nil {
		hello = []byte{socksVersion, 2, socksNobody, socksPassword}
	}
	if _, err := c.Write(hello); err != nil {
		return err
	}
	var b [4]byte
	if _, err := io.ReadFull(c, b[:2]); err != nil {
		return err
	}
	if b[0] != socksVersion {
		return errors.New("unexpected protocol version " + strconv.Itoa(int(b[0])))
	}
	if b[1] == socksNoWay {
		return errors.New("no acceptable authentication methods")
	}
	if user != nil {
		if err := logIn(c, user, b[1]); err != nil {
			return err
		}
	}
	ask := []byte{socksVersion, 1, 0}
	ip := net.ParseIP(to.host)
	switch {
	case ip.To4() != nil:
		ask = append(append(ask, socksIPv4), ip.To4()...)
	case ip != nil:
		ask = append(append(ask, socksIPv6), ip...)
	case len(to.host) > 255:
		return errors.New("FQDN too long")
	default:
		ask = append(append(ask, socksName, byte(len(to.host))), to.host...)
	}
	if _, err := c.Write(append(ask, byte(to.port>>8), byte(to.port))); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, b[:]); err != nil {
		return err
	}
	switch {
	case b[0] != socksVersion:
		return errors.New("unexpected protocol version " + strconv.Itoa(int(b[0])))
	case b[1] != 0:
		return errors.New("unknown error " + socksFault(b[1]))
	case b[2] != 0:
		return errors.New("non-zero reserved field")
	}
	// Where the proxy is, of which nobody wants to know.
	n := 2
	switch b[3] {
	case socksIPv4:
		n += net.IPv4len
	case socksIPv6:
		n += net.IPv6len
	case socksName:
		if _, err := io.ReadFull(c, b[:1]); err != nil {
			return err
		}
		n += int(b[0])
	default:
		return errors.New("unknown address type " + strconv.Itoa(int(b[3])))
	}
	_, err := io.ReadFull(c, make([]byte, n))
	return err
}

// logIn says who asks, if the proxy wants to know.
func logIn(c net.Conn, user *url.Userinfo, method byte) error {
	if method == socksNobody {
		return nil
	}
	if method != socksPassword {
		return errors.New("unsupported authentication method " + strconv.Itoa(int(method)))
	}
	message := []byte{socksLogin}
	password, _ := user.Password()
	for i, text := range []string{user.Username(), password} {
		if len(text) > 255 || i == 0 && text == "" {
			return errors.New("invalid username/password")
		}
		message = append(append(message, byte(len(text))), text...)
	}
	var answer [2]byte
	_, err := c.Write(message)
	if err == nil {
		_, err = io.ReadFull(c, answer[:])
	}
	switch {
	case err != nil:
		return err
	case answer[0] != socksLogin:
		return errors.New("invalid username/password version")
	case answer[1] != 0:
		return errors.New("username/password authentication failed")
	}
	return nil
}

func socksFault(code byte) string {
	replies := []string{
		"succeeded", "general SOCKS server failure", "connection not allowed by ruleset",
		"network unreachable", "host unreachable", "connection refused", "TTL expired",
		"command not supported", "address type not supported",
	}
	if int(code) < len(replies) {
		return replies[code]
	}
	return "unknown code: " + strconv.Itoa(int(code))
}
