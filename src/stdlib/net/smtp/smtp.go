// Package smtp sends mail: RFC 5321, with the extensions 8BITMIME, AUTH and STARTTLS.
//
// A Client speaks with a server in commands, each of which has an answer with a number. Commands
// that need to know what the server can do have the two greet one another first. SendMail is a list
// of steps over a client.
package smtp

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strings"
)

// A Client is a connection to a server of mail.
type Client struct {
	Text *textproto.Conn

	conn   net.Conn
	secure bool
	server string            // its name
	ext    map[string]string // what it can do, nil if it knows no extensions
	auth   []string
	local  string // our name

	greeted  bool
	greetErr error
}

// Dial connects to a server, at host:port.
func Dial(addr string) (c *Client, err error) {
	conn, err := net.Dial("tcp", addr)
	if err == nil {
		host, _, _ := net.SplitHostPort(addr)
		c, err = NewClient(conn, host)
	}
	return c, err
}

// NewClient waits for the server's greeting.
func NewClient(conn net.Conn, host string) (*Client, error) {
	c := &Client{local: "localhost", server: host}
	c.speakOver(conn)
	_, _, err := c.Text.ReadResponse(220)
	if err == nil {
		return c, nil
	}
	c.Close()
	return nil, err
}

// speakOver has all go over a connection from now on.
func (c *Client) speakOver(conn net.Conn) {
	c.Text, c.conn = textproto.NewConn(conn), conn
	_, c.secure = conn.(*tls.Conn)
}

// Close closes the connection without a word.
func (c *Client) Close() error { return c.Text.Close() }

// checkLine refuses what would be several lines, and so several commands.
func checkLine(lines ...string) error {
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			return errors.New("smtp: A line must not contain CR or LF")
		}
	}
	return nil
}

// command sends one, and reads the answer, whose code must begin with that one, if it is not 0.
func (c *Client) command(code int, format string, args ...any) (got int, text string, err error) {
	id, err := c.Text.Cmd(format, args...)
	if err == nil {
		c.Text.StartResponse(id)
		defer c.Text.EndResponse(id)
		got, text, err = c.Text.ReadResponse(code)
	}
	return got, text, err
}

// simple is a command before which the two have greeted one another.
func (c *Client) simple(code int, format string, args ...any) error {
	if err := c.greet(); err != nil {
		return err
	}
	_, _, err := c.command(code, format, args...)
	return err
}

// greet greets the server once, in the old way if it does not understand the new one.
func (c *Client) greet() error {
	if !c.greeted {
		c.greeted = true
		if c.ehlo() != nil {
			c.ext = nil
			_, _, c.greetErr = c.command(250, "HELO %s", c.local)
		}
	}
	return c.greetErr
}

// ehlo asks what the server can do.
func (c *Client) ehlo() error {
	_, answer, err := c.command(250, "EHLO %s", c.local)
	if err != nil {
		return err
	}
	c.ext = extensions(answer)
	if ways, has := c.ext["AUTH"]; has {
		c.auth = strings.Split(ways, " ")
	}
	return nil
}

// extensions are those on the lines behind the first one, each with its parameters.
func extensions(answer string) map[string]string {
	ext := make(map[string]string)
	_, list, more := strings.Cut(answer, "\n")
	for line := ""; more; {
		line, list, more = strings.Cut(list, "\n")
		name, param, _ := strings.Cut(line, " ")
		ext[name] = param
	}
	return ext
}

// Hello greets the server by another name than localhost.
func (c *Client) Hello(localName string) error {
	if err := checkLine(localName); err != nil {
		return err
	}
	if c.greeted {
		return errors.New("smtp: Hello called after other methods")
	}
	c.local = localName
	return c.greet()
}

// StartTLS has all encrypted from now on.
func (c *Client) StartTLS(config *tls.Config) error {
	if err := c.simple(220, "STARTTLS"); err != nil {
		return err
	}
	c.speakOver(tls.Client(c.conn, config))
	return c.ehlo()
}

// TLSConnectionState is that of a connection with TLS.
func (c *Client) TLSConnectionState() (state tls.ConnectionState, ok bool) {
	if t, ok := c.conn.(*tls.Conn); ok {
		return t.ConnectionState(), true
	}
	return state, false
}

// Verify asks whether there is such an address; many servers do not tell.
func (c *Client) Verify(addr string) error {
	if err := checkLine(addr); err != nil {
		return err
	}
	return c.simple(250, "VRFY %s", addr)
}

// Auth says who we are. If that fails, the connection is over.
func (c *Client) Auth(a Auth) error {
	if err := c.greet(); err != nil {
		return err
	}
	how, answer, err := a.Start(&ServerInfo{c.server, c.secure, c.auth})
	if err != nil {
		c.Quit()
		return err
	}
	line := strings.TrimSpace("AUTH " + how + " " + base64.StdEncoding.EncodeToString(answer))
	for {
		code, text, err := c.command(0, "%s", line)
		if err != nil {
			return err
		}
		challenge, err := challengeOf(code, text)
		if err == nil {
			answer, err = a.Next(challenge, code == mustAnswer)
		}
		switch {
		case err != nil:
			c.command(501, "*")
			c.Quit()
			return err
		case answer == nil:
			return nil
		}
		line = base64.StdEncoding.EncodeToString(answer)
	}
}

const (
	isKnown    = 235
	mustAnswer = 334
)

// challengeOf is what the server wants to be answered. What it says at last is none, and not coded.
func challengeOf(code int, text string) ([]byte, error) {
	if code == mustAnswer {
		return base64.StdEncoding.DecodeString(text)
	}
	if code == isKnown {
		return []byte(text), nil
	}
	return nil, &textproto.Error{Code: code, Msg: text}
}

// mailExtensions are those that Mail makes use of, if the server has them, and how it says so.
var mailExtensions = [...][2]string{{"8BITMIME", " BODY=8BITMIME"}, {"SMTPUTF8", " SMTPUTF8"}}

// Mail begins a mail from that address.
func (c *Client) Mail(from string) error {
	if err := checkLine(from); err != nil {
		return err
	}
	c.greet() // simple tells how that went
	line := "MAIL FROM:<%s>"
	for _, e := range mailExtensions {
		if _, has := c.ext[e[0]]; has {
			line += e[1]
		}
	}
	return c.simple(250, line, from)
}

// Rcpt adds whom the mail is to.
func (c *Client) Rcpt(to string) error {
	if err := checkLine(to); err != nil {
		return err
	}
	_, _, err := c.command(25, "RCPT TO:<%s>", to)
	return err
}

// Data is for the mail itself, header and text. It is sent when it is closed.
func (c *Client) Data() (io.WriteCloser, error) {
	if _, _, err := c.command(354, "DATA"); err != nil {
		return nil, err
	}
	return &body{c, c.Text.DotWriter()}, nil
}

// A body is what Data gives.
type body struct {
	c *Client
	io.WriteCloser
}

func (b *body) Close() error {
	b.WriteCloser.Close()
	_, _, err := b.c.Text.ReadResponse(250)
	return err
}

// Extension says whether the server has that extension, and with what parameter.
func (c *Client) Extension(ext string) (bool, string) {
	if c.greet() != nil {
		return false, ""
	}
	param, ok := c.ext[strings.ToUpper(ext)]
	return ok, param
}

// Reset forgets the mail that has been begun.
func (c *Client) Reset() error { return c.simple(250, "RSET") }

func (c *Client) Noop() error { return c.simple(250, "NOOP") }

// Quit ends the conversation, and the connection.
func (c *Client) Quit() error {
	c.greet()
	if _, _, err := c.command(221, "QUIT"); err != nil {
		return err
	}
	return c.Text.Close()
}

// SendMail sends one mail, over TLS if the server can, and says who we are if there is a.
func SendMail(addr string, a Auth, from string, to []string, msg []byte) error {
	var c *Client
	err := checkLine(append([]string{from}, to...)...)
	if err == nil {
		c, err = Dial(addr)
	}
	if err != nil {
		return err
	}
	defer c.Close()
	for _, step := range []func() error{
		c.greet,
		c.encrypt,
		func() error { return c.logIn(a) },
		func() error { return c.Mail(from) },
		func() error { return c.addAll(to) },
		func() error { return c.send(msg) },
		c.Quit,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// encrypt goes on over TLS if the server can.
func (c *Client) encrypt() error {
	if _, ok := c.ext["STARTTLS"]; !ok {
		return nil
	}
	return c.StartTLS(&tls.Config{ServerName: c.server})
}

// logIn says who we are, unless the server is an old one.
func (c *Client) logIn(a Auth) error {
	if a == nil || c.ext == nil {
		return nil
	}
	if _, can := c.ext["AUTH"]; can {
		return c.Auth(a)
	}
	return errors.New("smtp: server doesn't support AUTH")
}

// addAll adds all to whom the mail is.
func (c *Client) addAll(to []string) (err error) {
	for i := 0; i < len(to) && err == nil; i++ {
		err = c.Rcpt(to[i])
	}
	return err
}

// send sends the mail itself.
func (c *Client) send(msg []byte) error {
	w, err := c.Data()
	if err == nil {
		_, err = w.Write(msg)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// An Auth is a way to say who we are.
type Auth interface {
	// Start gives the way's name, and what to say first; an error ends it.
	Start(server *ServerInfo) (proto string, toServer []byte, err error)
	// Next answers; more says whether the server waits for it.
	Next(fromServer []byte, more bool) (toServer []byte, err error)
}

type ServerInfo struct {
	Name string
	TLS  bool
	Auth []string // the ways that it knows
}

// The two ways that there are here.
type (
	plainAuth struct {
		identity, username, password, host string
	}
	cramMD5Auth struct {
		username, secret string
	}
)

// CRAMMD5Auth proves that we know the secret: RFC 2195.
func CRAMMD5Auth(username, secret string) Auth { return &cramMD5Auth{username, secret} }

// PlainAuth tells the password, but to that host only, and over TLS or to this machine.
func PlainAuth(identity, username, password, host string) Auth {
	return &plainAuth{identity, username, password, host}
}

// local are the names of this machine.
const local = "localhost 127.0.0.1 ::1"

func (a *plainAuth) Start(server *ServerInfo) (proto string, toServer []byte, err error) {
	isSafe := server.TLS || slices.Contains(strings.Fields(local), server.Name)
	switch {
	case !isSafe:
		err = errors.New("unencrypted connection")
	case server.Name != a.host:
		err = errors.New("wrong host name")
	default:
		proto = "PLAIN"
		toServer = []byte(a.identity + "\x00" + a.username + "\x00" + a.password)
	}
	return proto, toServer, err
}

func (a *plainAuth) Next(fromServer []byte, more bool) (toServer []byte, err error) {
	if more {
		err = errors.New("unexpected server challenge")
	}
	return nil, err
}

func (a *cramMD5Auth) Start(server *ServerInfo) (string, []byte, error) {
	return "CRAM-MD5", nil, nil
}

func (a *cramMD5Auth) Next(fromServer []byte, more bool) (toServer []byte, err error) {
	if more {
		proof := hmac.New(md5.New, []byte(a.secret))
		proof.Write(fromServer)
		toServer = fmt.Appendf(nil, "%s %x", a.username, proof.Sum(nil))
	}
	return toServer, nil
}
